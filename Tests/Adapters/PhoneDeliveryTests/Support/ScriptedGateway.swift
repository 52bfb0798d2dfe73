import PhoneDomain
import PhoneSignup
import Synchronization

@testable import PhoneDelivery

/// A gateway with scripted responses, which accepts everything after the last.
final class ScriptedGateway: MessageGateway {
    enum Answer {
        /// Accepts the message with this ID, and perhaps an immediate outcome.
        case take(String, RecordReceipt.Outcome? = nil)
        /// Does not accept it.
        case fail(GatewayFailure)
        /// Does not respond until it is cancelled, and is then ambiguous.
        case hang
        /// Does not respond, cancelled or not, until the test calls ``ScriptedGateway/release(_:)``.
        case hold
    }

    private struct State {
        var script: [Answer]
        var received: [GatewayMessage] = []
        var traceParents: [TraceParent?] = []
        var feedback: [GatewayFailure?] = []
        var hangsFeedback = false
        var entries: [Entry] = []
        var held: [CheckedContinuation<Result<GatewayReceipt, GatewayFailure>, Never>] = []
    }

    /// That the code of a message was entered.
    struct Entry: Hashable {
        let messageID: String
        let moment: Timestamp
    }

    let name: String
    private let feedbackChannels: Set<Channel>
    let channels: Set<Channel>
    let isIdempotent: Bool
    let isImmediate: Bool
    let messagesPerSecond: [Double]
    /// See ``report(_:_:)``.
    let receipts: AsyncStream<DeliveryReceipt>?
    private let receiptSource: AsyncStream<DeliveryReceipt>.Continuation
    private let state: Mutex<State>
    private let changes = WakeSignal()

    init(
        _ name: String,
        channels: Set<Channel> = [.sms],
        isIdempotent: Bool = false,
        isImmediate: Bool = false,
        feedbackOn feedbackChannels: Set<Channel> = [],
        messagesPerSecond: [Double] = [],
        script: [Answer] = []
    ) {
        (receipts, receiptSource) = AsyncStream.makeStream()
        self.name = name
        self.channels = channels
        self.isIdempotent = isIdempotent
        self.isImmediate = isImmediate
        self.feedbackChannels = feedbackChannels
        self.messagesPerSecond = messagesPerSecond
        state = Mutex(State(script: script))
    }

    /// Every message, in order.
    var received: [GatewayMessage] { state.withLock { $0.received } }

    /// The trace of each of them.
    var traceParents: [TraceParent?] { state.withLock { $0.traceParents } }

    func send(_ message: GatewayMessage) async throws(GatewayFailure) -> GatewayReceipt {
        let answer = state.withLock { state in
            state.received.append(message)
            state.traceParents.append(TraceParent.current)
            return state.script.isEmpty ? .take("\(name)-\(state.received.count)") : state.script.removeFirst()
        }
        changes.wake()
        switch answer {
        case .take(let id, let outcome): return GatewayReceipt(messageID: id, outcome: outcome)
        case .fail(let failure): throw failure
        case .hang:
            await WakeSignal().wait(beyond: 0)
            throw .ambiguous("no response in time")
        case .hold:
            return try await withCheckedContinuation { continuation in
                state.withLock { $0.held.append(continuation) }
                changes.wake()
            }.get()
        }
    }

    func takesFeedback(by channel: Channel) -> Bool { feedbackChannels.contains(channel) }

    /// Every report, in order.
    var entries: [Entry] { state.withLock { $0.entries } }

    /// Answers the next reports so, and accepts the others.
    func answerFeedback(_ failures: [GatewayFailure?]) { state.withLock { $0.feedback = failures } }

    /// Does not answer the next report.
    func hangFeedback() { state.withLock { $0.hangsFeedback = true } }

    func reportEntry(
        of messageID: String,
        at moment: Timestamp,
        code: @Sendable () -> VerificationCode?
    ) async throws(GatewayFailure) {
        let (hangs, failure) = state.withLock { state -> (Bool, GatewayFailure?) in
            defer { state.hangsFeedback = false }
            state.entries.append(Entry(messageID: messageID, moment: moment))
            return (state.hangsFeedback, state.feedback.isEmpty ? nil : state.feedback.removeFirst())
        }
        changes.wake()
        if hangs { await WakeSignal().wait(beyond: 0) }
        if let failure { throw failure }
    }

    func report(_ messageID: String, _ outcome: RecordReceipt.Outcome) {
        receiptSource.yield(DeliveryReceipt(messageID: messageID, outcome: outcome))
    }

    /// Waits until it has received this many messages.
    func receives(_ count: Int) async throws {
        try await changes.until { self.received.count >= count }
    }

    /// Waits until it was notified this often that a code was entered.
    func reported(_ count: Int) async throws {
        try await changes.until { self.entries.count >= count }
    }

    /// Responds to the oldest held message, waiting for one if necessary.
    func release(_ answer: Result<GatewayReceipt, GatewayFailure>) async throws {
        try await changes.until { self.state.withLock { !$0.held.isEmpty } }
        state.withLock { $0.held.removeFirst() }.resume(returning: answer)
    }
}
