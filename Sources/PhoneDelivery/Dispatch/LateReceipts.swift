/// Receipts that fitted no message when they came, to be tried again. When there are too many the newest are dropped: most of
/// them are repetitions, or tell of messages of somebody else's.
struct LateReceipts: Sendable {
    /// A receipt and who gave it.
    struct Report: Sendable {
        let gateway: String
        let receipt: DeliveryReceipt
    }

    private static let room = 1000

    /// What was put here. It is read by one reader, once.
    let reports: AsyncStream<Report>
    private let continuation: AsyncStream<Report>.Continuation

    init() {
        (reports, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.room))
    }

    func put(_ receipt: DeliveryReceipt, of gateway: String) {
        continuation.yield(Report(gateway: gateway, receipt: receipt))
    }
}
