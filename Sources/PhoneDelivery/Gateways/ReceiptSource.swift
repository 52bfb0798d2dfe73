/// A gateway that says nothing by itself, and has to be asked how the messages fared that it took.
public protocol ReceiptSource: MessageGateway {
    /// Of how many messages it can be asked at once.
    var mostAskedAtOnce: Int { get }

    /// Asks how messages fared.
    ///
    /// - Parameter messageIDs: the gateway's own names for them, ``mostAskedAtOnce`` at most.
    /// - Returns: a receipt for each of which the matter is settled; one that is still on its way, or unknown there, has
    ///   none.
    /// - Throws: ``GatewayFailure`` if the gateway gave no answer; it may be asked again. Cancellation ends it as it ends
    ///   ``MessageGateway/send(_:)``.
    func receipts(for messageIDs: [String]) async throws(GatewayFailure) -> [DeliveryReceipt]
}
