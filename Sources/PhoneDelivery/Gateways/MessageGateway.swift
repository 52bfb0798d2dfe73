/// Takes text messages and sends them on: a carrier, a provider, or what stands in for one.
public protocol MessageGateway: Sendable {
    /// Its name in logs and in the outbox, short and without white space: `twilio`.
    var name: String { get }

    /// Whether a message that is handed over again with the same ``GatewayMessage/dedupeKey`` is sent once only. Only
    /// then is a message sent again after an attempt that got no answer, until it is taken, refused, tried
    /// too often or expired. Standard: false.
    var isIdempotent: Bool { get }

    /// What it says later of messages that it took, or nil if it says nothing. It is read by one reader, once; receipts
    /// may come late, repeated and out of order. Standard: nil.
    var receipts: AsyncStream<DeliveryReceipt>? { get }

    /// Hands a message over.
    ///
    /// When the task is cancelled, which is how a time limit reaches it, it returns without delay: with the receipt if
    /// the message was taken, with ``GatewayFailure/Kind/ambiguous`` once it may have been, and with another failure
    /// only while it surely was not. What ignores cancellation holds up others, and the end of the program.
    ///
    /// - Returns: the receipt, when the gateway has said that it took the message; nothing less will do.
    /// - Throws: ``GatewayFailure``, which says what may be done next.
    func send(_ message: GatewayMessage) async throws(GatewayFailure) -> GatewayReceipt
}

extension MessageGateway {
    /// Nothing is promised.
    public var isIdempotent: Bool { false }

    /// Nothing is said.
    public var receipts: AsyncStream<DeliveryReceipt>? { nil }
}
