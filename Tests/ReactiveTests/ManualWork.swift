import Synchronization

/// Asynchronous work that ends when the test says so, cancelled or not.
final class ManualWork: Sendable {
    private struct State {
        var ended: Set<String> = []
        var waiting: [String: CheckedContinuation<Void, Never>] = [:]
    }

    private let journal: Journal
    private let state = Mutex(State())

    init(_ journal: Journal) {
        self.journal = journal
    }

    /// Notes its beginning and its end; its result is its name.
    func run(_ name: String) async -> String {
        journal.note("begin \(name)")
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                if state.ended.contains(name) { return true }
                state.waiting[name] = continuation
                return false
            }
            if hasEnded {
                continuation.resume()
            }
        }
        journal.note(Task.isCancelled ? "end \(name), cancelled" : "end \(name)")
        return name
    }

    func end(_ name: String) {
        let waiting = state.withLock { state in
            state.ended.insert(name)
            return state.waiting.removeValue(forKey: name)
        }
        waiting?.resume()
    }
}
