/// Takes in what a gateway reports, by calling, of the messages that it took.
public protocol ReceiptIntake: Sendable {
    /// Checks that a report is the gateway's own, and records what it says.
    ///
    /// Nothing is looked up before the signature holds, so that a stranger's call costs a digest and no more.
    ///
    /// - Returns: whether the gateway signed it. What it says of messages that nobody knows is genuine all the same.
    /// - Throws: if what it says could not be recorded; the gateway may report it again.
    func take(_ report: SignedForm) async throws -> Bool
}
