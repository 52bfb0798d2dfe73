import GRDB

import struct Foundation.Data

/// Bytes in a BLOB column; GRDB has them as Foundation's `Data` only.
struct Blob: DatabaseValueConvertible, StatementColumnConvertible {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    init(sqliteStatement: SQLiteStatement, index: CInt) {
        bytes = Array(Data(sqliteStatement: sqliteStatement, index: index))
    }

    var databaseValue: DatabaseValue {
        Data(bytes).databaseValue
    }

    static func fromDatabaseValue(_ databaseValue: DatabaseValue) -> Blob? {
        Data.fromDatabaseValue(databaseValue).map { Blob(Array($0)) }
    }
}
