/// An argument that is missing, or is none.
struct UsageError: Error, CustomStringConvertible {
    var description: String {
        "usage: BenchmarkFloor serve | sqlite FILE full|normal SECONDS OPERATIONS_PER_TRANSACTION"
    }
}
