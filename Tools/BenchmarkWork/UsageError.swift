/// An argument that is missing, or is none.
struct UsageError: Error, CustomStringConvertible {
    let description = "usage: BenchmarkWork [OPERATION COUNT]; alone it lists the operations"
}
