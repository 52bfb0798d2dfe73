/// What an operator has decided about some numbers, whatever their traffic looks like.
public struct GuardRule: Hashable, Sendable {
    /// What is decided.
    public enum Action: String, Sendable, CaseIterable {
        /// They are never held back (a safe list).
        case allow
        /// They are always held back.
        case block
    }

    /// The beginning of the numbers' E.164 form: `+82`, `+8210123`, or a whole number. Of several that fit a number
    /// the longest decides.
    public let prefix: String
    /// What is decided.
    public let action: Action
    /// Until when, or nil for as long as nobody changes it.
    public let until: Timestamp?
    /// When it was decided.
    public let createdAt: Timestamp

    private static let lengths = 2...16

    /// A rule as a store kept it or an operator wrote it.
    ///
    /// - Returns: nil unless the prefix is `+` and 1 to 15 ASCII digits.
    public init?(prefix: String, action: Action, until: Timestamp?, createdAt: Timestamp) {
        guard prefix.utf8.first == UInt8(ascii: "+"), Self.lengths.contains(prefix.utf8.count),
            prefix.utf8.dropFirst().allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        else { return nil }
        self.prefix = prefix
        self.action = action
        self.until = until
        self.createdAt = createdAt
    }

    /// Whether it holds at this moment.
    public func isInForce(at now: Timestamp) -> Bool {
        until.map { $0 > now } ?? true
    }

    /// The prefixes of all rules that can fit this number.
    public static func prefixes(of number: PhoneNumber) -> [String] {
        lengths.filter { $0 <= number.e164.utf8.count }.map { String(number.e164.prefix($0)) }
    }
}
