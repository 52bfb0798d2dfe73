import GRDBSQLite

/// What stands for the question marks of a statement, in order.
struct Arguments: ExpressibleByArrayLiteral {
    private var values: [(any Bindable)?]

    init(arrayLiteral values: (any Bindable)?...) {
        self.values = values
    }

    init(_ values: [(any Bindable)?]) {
        self.values = values
    }

    static func + (first: Arguments, second: Arguments) -> Arguments {
        Arguments(first.values + second.values)
    }

    static func += (first: inout Arguments, second: Arguments) {
        first.values += second.values
    }

    /// - Parameter fail: throws for SQLite's result code.
    func bind(to statement: OpaquePointer, fail: (CInt) throws -> Void) throws {
        // A statement with more question marks than values would take NULL for the others.
        guard values.count == sqlite3_bind_parameter_count(statement) else { return try fail(SQLITE_RANGE) }
        for (index, value) in values.enumerated() {
            let place = CInt(index + 1)
            // NULL too is bound: what an earlier use has left there, should it have failed half-way, counts for nothing.
            let code = value?.bind(to: statement, at: place) ?? sqlite3_bind_null(statement, place)
            guard code == SQLITE_OK else { return try fail(code) }
        }
    }
}
