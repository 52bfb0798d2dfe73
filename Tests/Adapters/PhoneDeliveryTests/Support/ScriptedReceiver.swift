import PhoneDomain
import Synchronization

@testable import PhoneDelivery

/// A receiver with scripted responses, which accepts everything after the last.
final class ScriptedReceiver: WebhookTransport {
    enum Answer {
        case give(WebhookResult)
        /// Does not respond until it is cancelled.
        case hang
        /// Does not respond, cancelled or not, until the test calls ``ScriptedReceiver/release(_:)``.
        case hold
    }

    private struct State {
        var script: [Answer]
        var posted: [WebhookRequest] = []
        var held: [CheckedContinuation<WebhookResult, Never>] = []
    }

    static let taken = WebhookResult.answered(status: 204, retryAfter: nil)

    private let state: Mutex<State>
    private let changes = WakeSignal()

    init(script: [Answer] = []) {
        state = Mutex(State(script: script))
    }

    /// Everything that was posted, in order.
    var posted: [WebhookRequest] { state.withLock { $0.posted } }

    func post(_ request: WebhookRequest) async -> WebhookResult {
        let answer = state.withLock { state in
            state.posted.append(request)
            return state.script.isEmpty ? .give(Self.taken) : state.script.removeFirst()
        }
        changes.wake()
        switch answer {
        case .give(let answer): return answer
        case .hang:
            await WakeSignal().wait(beyond: 0)
            return .late
        case .hold:
            return await withCheckedContinuation { continuation in
                state.withLock { $0.held.append(continuation) }
                changes.wake()
            }
        }
    }

    /// Waits until this many requests were posted.
    func posts(_ count: Int) async throws {
        try await changes.until { self.posted.count >= count }
    }

    /// Responds to the oldest held request, waiting for one if necessary.
    func release(_ answer: WebhookResult) async throws {
        try await changes.until { self.state.withLock { !$0.held.isEmpty } }
        state.withLock { $0.held.removeFirst() }.resume(returning: answer)
    }
}
