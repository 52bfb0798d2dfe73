/// What tells one caller from another who says to be the same owner: where the request comes from. One and the same
/// caller may ask again for an answer that was lost on the way; to any other a used code is a used code.
public struct CallerMark: Hashable, Sendable {
    /// The text form, as stores keep it.
    public let rawValue: String

    /// The mark whose text form a store kept.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The mark of a caller at this address, or of one whose address nobody knows.
    init(_ address: ClientAddress?) {
        rawValue = address?.description ?? "-"
    }
}
