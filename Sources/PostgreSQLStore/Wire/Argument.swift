import CPostgreSQL

/// A value for a statement's parameter, in PostgreSQL's binary form
/// (https://www.postgresql.org/docs/current/protocol-overview.html#PROTOCOL-FORMAT-CODES): nothing is quoted, and nothing
/// is taken for anything but a value.
struct Argument: Sendable {
    let type: Oid
    /// Nil for NULL.
    let bytes: [UInt8]?

    static func text(_ text: String?) -> Argument {
        Argument(type: ColumnType.text.oid, bytes: text.map { Array($0.utf8) })
    }

    static func bytes(_ bytes: [UInt8]) -> Argument {
        Argument(type: ColumnType.bytes.oid, bytes: bytes)
    }

    static func integer(_ number: Int64?) -> Argument {
        Argument(type: ColumnType.integer.oid, bytes: number.map(\.bigEndianBytes))
    }

    static func integer(_ number: Int) -> Argument {
        integer(Int64(number))
    }

    static func texts(_ texts: some Collection<String>) -> Argument {
        var column = ColumnValues(.text)
        for text in texts { column.append(text: text) }
        return column.argument
    }
}

extension FixedWidthInteger {
    var bigEndianBytes: [UInt8] {
        withUnsafeBytes(of: bigEndian) { Array($0) }
    }
}
