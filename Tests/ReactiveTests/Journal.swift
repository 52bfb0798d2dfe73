/// What happened, in order, whichever threads it happened on; a test awaits it entry by entry.
final class Journal: Sendable {
    private let entries: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init() {
        (entries, continuation) = AsyncStream.makeStream()
    }

    func note(_ entry: String) {
        continuation.yield(entry)
    }

    /// The next `count` entries; waits for those that are still to come.
    func next(_ count: Int) async -> [String] {
        var taken: [String] = []
        for await entry in entries.prefix(count) {
            taken.append(entry)
        }
        return taken
    }

    /// Everything noted and not taken yet. Nothing can be noted after it.
    func rest() async -> [String] {
        continuation.finish()
        var taken: [String] = []
        for await entry in entries {
            taken.append(entry)
        }
        return taken
    }
}
