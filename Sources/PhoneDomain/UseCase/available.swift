/// Does the work of a port, and turns whatever it throws into the one failure that its caller can act on: try later.
func available<Result>(_ work: () async throws -> Result) async throws(PhoneFailure) -> Result {
    do {
        return try await work()
    } catch {
        throw .unavailable(cause: String(describing: error))
    }
}
