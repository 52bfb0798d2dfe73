/// One proxy's word in a `Forwarded` field: parameters with semicolons between (RFC 7239 section 4), of which only `for`
/// is of interest.
struct ForwardedElement {
    /// Whom the proxy had the request from; nil if it does not say.
    private(set) var node: [UInt8]?

    /// Reads an element; nil if it is none, or says `for` twice.
    init?(_ text: ArraySlice<UInt8>) {
        var rest = text
        while true {
            rest = rest.trimmingWhitespace
            if rest.isEmpty { return }
            if rest.first == UInt8(ascii: ";") {
                rest.removeFirst()
                continue
            }
            let name = rest.prefix(while: \.isTokenCharacter)
            rest = rest[name.endIndex...]
            guard !name.isEmpty, rest.popFirst() == UInt8(ascii: "="), let value = Self.takeValue(from: &rest) else {
                return nil
            }
            rest = rest.trimmingWhitespace
            guard rest.isEmpty || rest.first == UInt8(ascii: ";") else { return nil }
            if String(decoding: name, as: UTF8.self).lowercased() == "for" {
                guard node == nil else { return nil }
                node = value
            }
        }
    }

    /// What stands between quotation marks, or what is without; the standard wants the marks around an address with a
    /// port or of IPv6, and some proxies leave them out.
    private static func takeValue(from rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        guard rest.first == UInt8(ascii: "\"") else {
            let value = rest.prefix {
                $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: " ")
                    && $0 != UInt8(ascii: "\t")
            }
            rest = rest[value.endIndex...]
            return value.isEmpty ? nil : Array(value)
        }
        rest.removeFirst()
        var value: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return value
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst() else { return nil }
                value.append(escaped)
            default: value.append(byte)
            }
        }
        return nil
    }
}

extension UInt8 {
    /// Whether this can be in the name of a parameter (RFC 9110 section 5.6.2).
    fileprivate var isTokenCharacter: Bool {
        isUnreserved || "!#$%&'*+^`|".utf8.contains(self)
    }
}
