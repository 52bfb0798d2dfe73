import CoreEncodings

/// The place of a value in JSON: `/messages/0/status` (RFC 6901).
public struct JSONPointer: Hashable, Sendable, LosslessStringConvertible {
    public let description: String
    private let tokens: [String]

    /// `nil` unless it is empty, for the whole, or begins with a slash, and every `~` is followed by 0 or 1.
    public init?(_ description: String) {
        self.description = description
        guard !description.isEmpty else {
            tokens = []
            return
        }
        guard description.hasPrefix("/") else { return nil }
        var tokens: [String] = []
        for token in description.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            let escapes = token.split(separator: "~", omittingEmptySubsequences: false).dropFirst()
            guard escapes.allSatisfy({ $0.hasPrefix("0") || $0.hasPrefix("1") }) else { return nil }
            // In this order, so that ~01 is ~1 (section 4).
            tokens.append(String(token).replacing("~1", with: "/").replacing("~0", with: "~"))
        }
        self.tokens = tokens
    }

    func value(in root: JSON) -> JSON? {
        tokens.reduce(root) { value, token in
            guard let elements = value?.array else { return value?[token] }
            // No sign and no leading zero.
            guard let index = Int(token), String(index) == token, elements.indices ~= index else { return nil }
            return elements[index]
        }
    }
}
