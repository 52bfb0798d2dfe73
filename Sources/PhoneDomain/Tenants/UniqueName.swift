/// By what callers name a ``TenantLimit``: 1 to 64 ASCII letters, digits, `-`, `_` and `.`.
public struct UniqueName: Hashable, Sendable, LosslessStringConvertible {
    public let description: String

    /// The name of this text, or nil if it is none.
    public init?(_ description: String) {
        guard (1...64).contains(description.utf8.count),
            description.unicodeScalars.allSatisfy({
                $0.isASCII && ($0.properties.isAlphabetic || "0"..."9" ~= $0 || "-_.".unicodeScalars.contains($0))
            })
        else { return nil }
        self.description = description
    }
}
