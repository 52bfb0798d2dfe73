/// Whether numbers are dialled at home after their plan's trunk prefix.
public enum TrunkUse: Hashable, Sendable {
    /// Always, as Korea's numbers with an area code are. Without it the same digits are a local number, of a place we do not
    /// know.
    case always
    /// With it or without.
    case optional
    /// Never, as Korea's representative numbers.
    case never
}
