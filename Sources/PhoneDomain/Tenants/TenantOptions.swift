/// What a tenant wants otherwise than others. The raw value is what stores keep.
public struct TenantOptions: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Its messages warn against telling the code to others.
    public static let sharingWarning = TenantOptions(rawValue: 1)
    /// It may bring codes of its own.
    public static let customCodes = TenantOptions(rawValue: 2)
    /// What the numbering plan knows of a number is told with its verification.
    public static let lookup = TenantOptions(rawValue: 4)
    /// Landlines get no message. None do in any case; it is kept for those who ask what they have set.
    public static let landlinesSkipped = TenantOptions(rawValue: 8)
}
