extension UInt8 {
    var isASCIIDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
    var isASCIILowercase: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self }
    var isASCIILetter: Bool { (self | 0x20).isASCIILowercase }
    var isASCIIAlphanumeric: Bool { isASCIIDigit || isASCIILetter }
    /// Printable, a space included.
    var isPrintableASCII: Bool { 0x20...0x7E ~= self }
}

extension String {
    var isASCIIDigits: Bool { utf8.allSatisfy(\.isASCIIDigit) }
    var isASCIIAlphanumeric: Bool { utf8.allSatisfy(\.isASCIIAlphanumeric) }

    /// Whether a header may have it as it is, tabs aside (RFC 9110 section 5.5).
    var isPrintableASCII: Bool { utf8.allSatisfy(\.isPrintableASCII) }

    /// Whether it can be a vendor's key or secret: printable ASCII without spaces, of this length.
    func isGatewayKey(_ length: ClosedRange<Int> = 1...128) -> Bool {
        length ~= utf8.count && utf8.allSatisfy { 0x21...0x7E ~= $0 }
    }

    /// Whether it is a number that vendors accept as a sender: `+` and 7 to 15 digits (E.164), or `lengths` digits without `+`.
    func isSenderNumber(withoutPlus lengths: ClosedRange<Int>) -> Bool {
        let hasPlus = utf8.first == UInt8(ascii: "+")
        let digits = hasPlus ? utf8.dropFirst() : utf8[...]
        return digits.allSatisfy(\.isASCIIDigit)
            && (hasPlus ? 7...15 ~= digits.count && digits.first != UInt8(ascii: "0") : lengths ~= digits.count)
    }

    /// Whether it is a name that vendors accept as a sender: 1 to 11 ASCII letters and digits, at least one of them a letter.
    var isSenderName: Bool {
        1...11 ~= utf8.count && isASCIIAlphanumeric && utf8.contains(where: \.isASCIILetter)
    }

    /// Everything but the unreserved characters as `%XX` (RFC 3986 section 2.3).
    var percentEncoded: String {
        let digits = Array("0123456789ABCDEF".utf8)
        let bytes = utf8.flatMap { byte -> [UInt8] in
            byte.isASCIIAlphanumeric || "-._~".utf8.contains(byte)
                ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Substring {
    /// The part of a form with each `%XX` as its byte and `+` as a space; nil if the result is not UTF-8.
    ///
    /// - Parameter isStrict: whether a `%` without two hexadecimal digits makes it nil, instead of standing for itself.
    func formDecoded(isStrict: Bool) -> String? {
        var bytes: [UInt8] = []
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                continue
            }
            let digits = Substring(rest.prefix(2))
            if digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit), let value = UInt8(digits, radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                if isStrict { return nil }
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension [UInt8] {
    /// In lower case.
    var hexadecimal: String {
        let digits = Array<UInt8>("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

/// https://url.spec.whatwg.org/#application/x-www-form-urlencoded
struct URLEncodedForm {
    static let contentType = "application/x-www-form-urlencoded"

    /// A space is `%20`, which servers read as well as a plus sign.
    let bytes: [UInt8]

    init(_ fields: [(name: String, value: String)]) {
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
    ///   - variable: parses a name.
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

    /// Including repetitions.
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
