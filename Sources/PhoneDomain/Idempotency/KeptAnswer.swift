/// The answer to an ``IdempotentRequest``, to be given again.
public struct KeptAnswer: Hashable, Sendable {
    /// The status of HTTP.
    public let status: Int
    /// The media type of the body.
    public let contentType: String
    /// Where what was made is, if anything was.
    public let location: String?
    /// The body, which bears no code.
    public let body: String
    /// The verification that it tells of: when that one's number is erased, the answer goes with it.
    public let verificationID: Verification.ID?

    /// An answer of these parts.
    public init(
        status: Int,
        contentType: String,
        location: String?,
        body: String,
        verificationID: Verification.ID?
    ) {
        self.status = status
        self.contentType = contentType
        self.location = location
        self.body = body
        self.verificationID = verificationID
    }
}
