import PhoneDomain
import Synchronization

@testable import PhoneDelivery

/// A gateway that takes everything, and says how messages fared when it is asked, as a test has it.
final class ScriptedSource: ReceiptSource {
    enum Answer {
        /// Tells these.
        case tell([DeliveryReceipt])
        /// Gives no answer.
        case fail(GatewayFailure)
        /// Says nothing until it is cancelled.
        case hang
    }

    private struct State {
        var answer: Answer = .tell([])
        var handed = 0
        var asked: [[String]] = []
    }

    let name: String
    let mostAskedAtOnce: Int
    private let state = Mutex(State())
    private let changes = WakeSignal()

    init(_ name: String, mostAskedAtOnce: Int = 10) {
        self.name = name
        self.mostAskedAtOnce = mostAskedAtOnce
    }

    /// What it was asked of, question by question.
    var asked: [[String]] { state.withLock { $0.asked } }

    func answer(_ answer: Answer) {
        state.withLock { $0.answer = answer }
    }

    func send(_ message: GatewayMessage) -> GatewayReceipt {
        let count = state.withLock { state in
            state.handed += 1
            return state.handed
        }
        return GatewayReceipt(messageID: "\(name)-\(count)")
    }

    func receipts(for messageIDs: [String]) async throws(GatewayFailure) -> [DeliveryReceipt] {
        let answer = state.withLock { state in
            state.asked.append(messageIDs)
            return state.answer
        }
        changes.wake()
        switch answer {
        case .tell(let receipts): return receipts
        case .fail(let failure): throw failure
        case .hang:
            await WakeSignal().wait(beyond: 0)
            throw .retry("no answer in time")
        }
    }

    /// Waits until it was asked so often.
    func questions(_ count: Int) async throws {
        try await changes.until { self.asked.count >= count }
    }
}
