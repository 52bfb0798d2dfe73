import PhoneDomain
import Synchronization

@testable import PhoneDelivery

/// A gateway that accepts everything, and has scripted receipts.
final class ScriptedSource: ReceiptSource {
    enum Answer {
        /// Returns these.
        case give([DeliveryReceipt])
        /// Fails.
        case fail(GatewayFailure)
        /// Fails for this message, and returns nothing for others.
        case failFor(String, GatewayFailure)
        /// Does not respond until it is cancelled.
        case hang
    }

    private struct State {
        var answer: Answer = .give([])
        var received = 0
        var asked: [[String]] = []
    }

    let name: String
    let maxReceiptsPerRequest: Int
    private let state = Mutex(State())
    private let changes = WakeSignal()

    init(_ name: String, maxReceiptsPerRequest: Int = 10) {
        self.name = name
        self.maxReceiptsPerRequest = maxReceiptsPerRequest
    }

    /// The messages of each request.
    var asked: [[String]] { state.withLock { $0.asked } }

    func answer(_ answer: Answer) {
        state.withLock { $0.answer = answer }
    }

    func send(_ message: GatewayMessage) -> GatewayReceipt {
        let count = state.withLock { state in
            state.received += 1
            return state.received
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

    /// Waits until it has received this many requests.
    func questions(_ count: Int) async throws {
        try await changes.until { self.asked.count >= count }
    }
}
