import PhoneDomain
import Synchronization

@testable import PhoneDelivery

/// A gateway that answers as a test wrote down, and takes everything once that is used up.
final class ScriptedGateway: MessageGateway {
    enum Answer {
        /// Takes the message, naming it so, and may know at once how it fared.
        case take(String, RecordReceipt.Outcome? = nil)
        /// Does not take it.
        case fail(GatewayFailure)
        /// Says nothing until it is cancelled, and then that it does not know.
        case hang
        /// Says nothing, cancelled or not, until the test calls ``ScriptedGateway/release(_:)``.
        case hold
    }

    private struct State {
        var script: [Answer]
        var handed: [GatewayMessage] = []
        var traceParents: [TraceParent?] = []
        var held: [CheckedContinuation<Result<GatewayReceipt, GatewayFailure>, Never>] = []
    }

    let name: String
    let isIdempotent: Bool
    /// What it says later; a test says it by ``report(_:_:)``.
    let receipts: AsyncStream<DeliveryReceipt>?
    private let receiptSource: AsyncStream<DeliveryReceipt>.Continuation
    private let state: Mutex<State>
    private let changes = WakeSignal()

    init(_ name: String, isIdempotent: Bool = false, script: [Answer] = []) {
        (receipts, receiptSource) = AsyncStream.makeStream()
        self.name = name
        self.isIdempotent = isIdempotent
        state = Mutex(State(script: script))
    }

    /// Every message it was handed, in order.
    var handed: [GatewayMessage] { state.withLock { $0.handed } }

    /// The trace that each of them was handed over in.
    var traceParents: [TraceParent?] { state.withLock { $0.traceParents } }

    func send(_ message: GatewayMessage) async throws(GatewayFailure) -> GatewayReceipt {
        let answer = state.withLock { state in
            state.handed.append(message)
            state.traceParents.append(TraceParent.current)
            return state.script.isEmpty ? .take("\(name)-\(state.handed.count)") : state.script.removeFirst()
        }
        changes.wake()
        switch answer {
        case .take(let id, let outcome): return GatewayReceipt(messageID: id, outcome: outcome)
        case .fail(let failure): throw failure
        case .hang:
            await WakeSignal().wait(beyond: 0)
            throw .ambiguous("no answer in time")
        case .hold:
            return try await withCheckedContinuation { continuation in
                state.withLock { $0.held.append(continuation) }
                changes.wake()
            }.get()
        }
    }

    func report(_ messageID: String, _ outcome: RecordReceipt.Outcome) {
        receiptSource.yield(DeliveryReceipt(messageID: messageID, outcome: outcome))
    }

    /// Waits until it was handed so many messages.
    func handOvers(_ count: Int) async throws {
        try await changes.until { self.handed.count >= count }
    }

    /// Answers the oldest held message, waiting for one if need be.
    func release(_ answer: Result<GatewayReceipt, GatewayFailure>) async throws {
        try await changes.until { self.state.withLock { !$0.held.isEmpty } }
        state.withLock { $0.held.removeFirst() }.resume(returning: answer)
    }
}
