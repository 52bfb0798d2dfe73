/// The stub's refusal of a message, as a carrier would refuse it.
public struct StubRefusal: Error, Hashable, Sendable {
    /// The Twilio error code.
    public let errorCode: Int
    /// Why, in one sentence.
    public let detail: String

    /// A refusal of this code.
    public init(errorCode: Int, detail: String) {
        self.errorCode = errorCode
        self.detail = detail
    }
}
