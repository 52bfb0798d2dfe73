import CPostgreSQL
import PhoneDomain

/// What a statement gave: rows in binary form, or how many it touched.
final class QueryResult {
    private let pointer: OpaquePointer

    /// - Parameter pointer: libpq's result, which is freed with this object.
    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        PQclear(pointer)
    }

    var rowCount: Int {
        Int(PQntuples(pointer))
    }

    /// How many rows were inserted, updated or deleted.
    var touchedCount: Int {
        Int(String(cString: PQcmdTuples(pointer))) ?? 0
    }

    /// The bytes of a value, or nil for NULL.
    func value(row: Int, column: Int) -> UnsafeRawBufferPointer? {
        let (row, column) = (Int32(row), Int32(column))
        guard column < PQnfields(pointer), PQgetisnull(pointer, row, column) == 0 else { return nil }
        return UnsafeRawBufferPointer(
            start: PQgetvalue(pointer, row, column),
            count: Int(PQgetlength(pointer, row, column))
        )
    }

    func rows<Value>(
        of table: String,
        plans: NumberingPlans,
        read: (inout RowReader) throws(PostgreSQLStoreError) -> Value
    ) throws(PostgreSQLStoreError) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(rowCount)
        for row in 0..<rowCount {
            var reader = RowReader(self, row: row, of: table, plans: plans)
            values.append(try read(&reader))
        }
        return values
    }
}
