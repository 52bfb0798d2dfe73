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

    /// What it answers when it is polled for receipts.
    enum ReceiptAnswer {
        case give([DeliveryReceipt])
        case fail(GatewayFailure)
        /// Fails for this message, and returns nothing for others.
        case failFor(String, GatewayFailure)
        /// Does not respond until it is cancelled.
        case hang
    }

    private struct State {
        var script: [Answer]
        var received: [GatewayMessage] = []
        var traceParents: [TraceParent?] = []
        var feedback: [GatewayFailure?] = []
        var hangsFeedback = false
        var receipts = ReceiptAnswer.give([])
        var asked: [[String]] = []
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
    let reportsDelivery = true
    let receiptsPerRequest: Int?
    private let state: Mutex<State>
    private let changes = WakeSignal()

    init(
        _ name: String,
        channels: Set<Channel> = [.sms],
        isIdempotent: Bool = false,
        isImmediate: Bool = false,
        feedbackOn feedbackChannels: Set<Channel> = [],
        messagesPerSecond: [Double] = [],
        receiptsPerRequest: Int? = nil,
        script: [Answer] = []
    ) {
        self.name = name
        self.channels = channels
        self.isIdempotent = isIdempotent
        self.isImmediate = isImmediate
        self.feedbackChannels = feedbackChannels
        self.messagesPerSecond = messagesPerSecond
        self.receiptsPerRequest = receiptsPerRequest
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

    /// The messages of each request for receipts.
    var asked: [[String]] { state.withLock { $0.asked } }

    /// Answers every request for receipts so from now on.
    func answerReceipts(_ answer: ReceiptAnswer) { state.withLock { $0.receipts = answer } }

    func receipts(for messageIDs: [String]) async throws(GatewayFailure) -> [DeliveryReceipt] {
        let answer = state.withLock { state in
            state.asked.append(messageIDs)
            return state.receipts
        }
        changes.wake()
        switch answer {
        case .give(let receipts): return receipts
        case .fail(let failure): throw failure
        case .failFor(let id, let failure):
            if messageIDs.contains(id) { throw failure }
            return []
        case .hang:
            await WakeSignal().wait(beyond: 0)
            throw .retry("no response in time")
        }
    }

    func takesFeedback(by channel: Channel) -> Bool { feedbackChannels.contains(channel) }

    /// Every report, in order.
    var entries: [Entry] { state.withLock { $0.entries } }

    /// Answers the next reports so, and accepts the others.
    func answerFeedback(_ failures: [GatewayFailure?]) { state.withLock { $0.feedback = failures } }

    /// Does not answer the next report.
    func hangFeedback() { state.withLock { $0.hangsFeedback = true } }

    func report(_ entry: CodeEntry) async throws(GatewayFailure) {
        let (hangs, failure) = state.withLock { state -> (Bool, GatewayFailure?) in
            defer { state.hangsFeedback = false }
            state.entries.append(Entry(messageID: entry.messageID, moment: entry.moment))
            return (state.hangsFeedback, state.feedback.isEmpty ? nil : state.feedback.removeFirst())
        }
        changes.wake()
        if hangs { await WakeSignal().wait(beyond: 0) }
        if let failure { throw failure }
    }

    /// Waits until it has received this many messages.
    func receives(_ count: Int) async throws {
        try await changes.until { self.received.count >= count }
    }

    /// Waits until it was polled for receipts this often.
    func questions(_ count: Int) async throws {
        try await changes.until { self.asked.count >= count }
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
