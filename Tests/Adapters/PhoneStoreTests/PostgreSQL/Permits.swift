import Synchronization

/// Limits how many may run at a time; further ones wait.
final class Permits: Sendable {
    private struct State {
        var left: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(_ count: Int) {
        state = Mutex(State(left: count))
    }

    func take() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.left > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.left -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    func giveBack() {
        let next: CheckedContinuation<Void, Never>? = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.left += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
