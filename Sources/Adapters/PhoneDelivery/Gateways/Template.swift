import CoreEncodings
import PhoneDomain
import PhoneNumbers

extension String {
    var isASCIIDigits: Bool { utf8.allSatisfy(\.isASCIIDigit) }
    var isASCIIAlphanumeric: Bool { utf8.allSatisfy(\.isASCIIAlphanumeric) }

    /// Whether a header may have it as it is, tabs aside (RFC 9110 section 5.5).
    var isPrintableASCII: Bool { utf8.allSatisfy { 0x20...0x7E ~= $0 } }

    /// Whether it can be a vendor's key or secret: printable ASCII without spaces, of this length.
    func isGatewayKey(_ length: ClosedRange<Int> = 1...128) -> Bool {
        length ~= utf8.count && utf8.allSatisfy { 0x21...0x7E ~= $0 }
    }

    /// Whether it is a number that vendors accept as a sender: `+` and 7 to 15 digits (E.164), or `lengths` digits
    /// without `+`.
    func isSenderNumber(withoutPlus lengths: ClosedRange<Int>) -> Bool {
        let hasPlus = utf8.first == UInt8(ascii: "+")
        let digits = hasPlus ? utf8.dropFirst() : utf8[...]
        return digits.allSatisfy(\.isASCIIDigit)
            && (hasPlus ? 7...15 ~= digits.count && digits.first != UInt8(ascii: "0") : lengths ~= digits.count)
    }

    /// Whether it is a name that vendors accept as a sender: 1 to 11 ASCII letters and digits, at least one of them a
    /// letter.
    var isSenderName: Bool {
        1...11 ~= utf8.count && isASCIIAlphanumeric && utf8.contains(where: \.isASCIILetter)
    }
}

extension JSON {
    init(sorted members: [String: JSON]) {
        self = .object(members.sorted { $0.key < $1.key }.map { Member($0.key, $0.value) })
    }
}

/// https://url.spec.whatwg.org/#application/x-www-form-urlencoded
package struct URLEncodedForm {
    static let contentType = "application/x-www-form-urlencoded"

    /// A space is `%20`, which servers read as well as a plus sign.
    let bytes: [UInt8]

    package init(_ fields: [(name: String, value: String)]) {
        let text = fields.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }.joined(separator: "&")
        bytes = Array(text.utf8)
    }
}

/// A text with variables, `{{name}}`.
struct Template<Variable: Hashable & Sendable>: Hashable, Sendable {
    enum Part: Hashable, Sendable {
        case literal(String)
        case variable(Variable)
    }

    let parts: [Part]

    /// - Parameters:
    ///   - unclosed: thrown for a `{{` without its `}}`.
    ///   - checkLiteral: throws if the text between variables is invalid.
    init<Failure: Error>(
        _ text: Substring,
        unclosed: Failure,
        checkLiteral: (Substring) throws(Failure) -> Void = { _ in },
        variable: (String) throws(Failure) -> Variable
    ) throws(Failure) {
        var parts: [Part] = []
        var rest = text
        while true {
            let opening = rest.firstRange(of: "{{")
            let literal = rest[..<(opening?.lowerBound ?? rest.endIndex)]
            try checkLiteral(literal)
            if !literal.isEmpty { parts.append(.literal(String(literal))) }
            guard let opening else { break }
            guard let closing = rest[opening.upperBound...].firstRange(of: "}}") else { throw unclosed }
            parts.append(.variable(try variable(String(rest[opening.upperBound..<closing.lowerBound]))))
            rest = rest[closing.upperBound...]
        }
        self.parts = parts
    }

    var variables: [Variable] {
        parts.compactMap { part in if case .variable(let variable) = part { variable } else { nil } }
    }

    var literals: [String] {
        parts.compactMap { part in if case .literal(let text) = part { text } else { nil } }
    }

    /// The text with its values, in one pass: a value that looks like a variable stays as it is.
    func filled(_ value: (Variable) -> String) -> String {
        parts.map { part in
            switch part {
            case .literal(let text): text
            case .variable(let variable): value(variable)
            }
        }
        .joined()
    }
}
