import CoreEncodings
import HTTPTypes
import PhoneDomain
import PhoneNumbers

/// The header in which proxies name the client. Only the configured one is read: a proxy passes the other on as its
/// client has sent it.
public enum ForwardedHeader: String, CaseIterable, Sendable {
    /// RFC 7239.
    case forwarded = "forwarded"
    /// The header that most proxies write: addresses separated by commas.
    case xForwardedFor = "x-forwarded-for"

    func values(in headers: HeaderFields) -> [String] {
        HTTPField.Name(rawValue).map { headers[values: $0] } ?? []
    }
}

/// The addresses in a proxy header, from right to left: the nearest proxy's first. Empty elements are none (RFC 9110
/// section 5.6.1).
///
/// A proxy appends to what its client has sent, which may be anything. So nothing to the left of an element may change
/// how the element is read: an open quotation mark from a client would otherwise hide what all proxies have added. The
/// chain ends before the first element that cannot be parsed. Each byte is read a fixed number of times.
struct ForwardedChain: Sequence, IteratorProtocol {
    private let header: ForwardedHeader
    private var lines: [String]
    private var line: ArraySlice<UInt8>?

    /// - Parameter lines: the values of the header's fields, in order; several fields are one list (RFC 9110 section
    ///   5.3).
    init(_ lines: [String], of header: ForwardedHeader) {
        self.lines = lines
        self.header = header
    }

    mutating func next() -> IPAddress? {
        guard let word = takeWord() else { return nil }
        let address =
            switch header {
            case .xForwardedFor: IPAddress(node: word.withoutQuotes)
            case .forwarded: ForwardedElement(word)?.node.flatMap { IPAddress(node: $0[...]) }
            }
        if address == nil { (lines, line) = ([], nil) }
        return address
    }

    /// The last element left that is not empty, trimmed.
    private mutating func takeWord() -> ArraySlice<UInt8>? {
        while let rest = line ?? lines.popLast().map({ Array($0.utf8)[...] }) {
            let comma = header == .forwarded ? lastSeparator(in: rest) : rest.lastIndex(of: UInt8(ascii: ","))
            line = comma.map { rest[..<$0] }
            let word = (comma.map { rest[($0 + 1)...] } ?? rest).trimmingWhitespace
            if !word.isEmpty { return word }
        }
        return nil
    }

    /// The last comma outside quotation marks.
    private func lastSeparator(in text: ArraySlice<UInt8>) -> Int? {
        var isQuoted = false
        var index = text.endIndex
        while index > text.startIndex {
            index -= 1
            switch text[index] {
            case UInt8(ascii: ",") where !isQuoted: return index
            case UInt8(ascii: "\"") where isQuoted:
                // An escaped mark belongs to the text; a backslash that is itself escaped escapes nothing.
                let backslashes = text[..<index].reversed().prefix { $0 == UInt8(ascii: "\\") }.count
                isQuoted = !backslashes.isMultiple(of: 2)
                index -= backslashes
            case UInt8(ascii: "\""): isQuoted = true
            default: break
            }
        }
        return nil
    }
}

extension ArraySlice<UInt8> {
    /// Some proxies quote addresses in `X-Forwarded-For` too.
    fileprivate var withoutQuotes: ArraySlice<UInt8> {
        let isQuoted = count > 1 && first == UInt8(ascii: "\"") && last == UInt8(ascii: "\"")
        return isQuoted ? dropFirst().dropLast() : self
    }
}

/// One proxy's element in `Forwarded`: parameters separated by semicolons (RFC 7239 section 4), of which only `for`
/// matters here.
struct ForwardedElement {
    /// The value of `for`; nil if there is none.
    private(set) var node: [UInt8]?

    /// Parses an element; nil if it is malformed or has `for` twice.
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
            if String(decoding: name, as: UTF8.self).asciiLowercased == "for" {
                guard node == nil else { return nil }
                node = value
            }
        }
    }

    /// A quoted or an unquoted value. The standard requires quotes around IPv6 addresses and ports, but some proxies
    /// leave them out.
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
    /// RFC 9110 section 5.6.2.
    fileprivate var isTokenCharacter: Bool { isUnreserved || "!#$%&'*+^`|".utf8.contains(self) }
}

extension IPAddress {
    /// Parses a node (RFC 7239 section 6): an IPv4 address, or an IPv6 address in brackets, with or without a port;
    /// also an IPv6 address without brackets, as in `X-Forwarded-For`. Nil for `unknown`, for an obfuscated `_name`,
    /// and for anything else.
    init?(node: ArraySlice<UInt8>) {
        guard node.first == UInt8(ascii: "[") else {
            let colon = node.firstIndex(of: UInt8(ascii: ":"))
            guard let colon, colon == node.lastIndex(of: UInt8(ascii: ":")) else {
                self.init(String(decoding: node, as: UTF8.self))
                return
            }
            guard Self.isPort(node[(colon + 1)...]) else { return nil }
            self.init(String(decoding: node[..<colon], as: UTF8.self))
            return
        }
        guard let bracket = node.firstIndex(of: UInt8(ascii: "]")) else { return nil }
        let inside = node[(node.startIndex + 1)..<bracket]
        let behind = node[(bracket + 1)...]
        guard inside.contains(UInt8(ascii: ":")),
            behind.isEmpty || behind.first == UInt8(ascii: ":") && Self.isPort(behind.dropFirst())
        else { return nil }
        self.init(String(decoding: inside, as: UTF8.self))
    }

    /// Whether this is a port, or an obfuscated one.
    private static func isPort(_ text: ArraySlice<UInt8>) -> Bool {
        if text.first == UInt8(ascii: "_") { return text.count > 1 && text.dropFirst().allSatisfy(\.isUnreserved) }
        return (1...5).contains(text.count) && text.allSatisfy(\.isASCIIDigit)
    }
}
