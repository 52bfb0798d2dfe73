import CoreEncodings
import PhoneDomain
import PhoneNumbers
import Texts

/// What a message contains besides its text and its code or secret.
public struct MessageContext: Sendable, Equatable {
    public internal(set) var service: ServiceName

    /// The service's name in other languages, by the language alone and in lower case (`ko`): a name in
    /// Hangul fits no English message, since it would double the message's price.
    var localNames: [String: ServiceName]

    let webHost: WebHost?

    var androidAppHash: AndroidAppHash?

    /// Nil if numbers cannot be changed.
    public var undoAddress: UndoAddress?

    /// The digits of the longest code, for the check of a text's length.
    public var longestCode = 10

    /// Whether all gateways count every text in CP949, as Korean vendors do, not only Korean ones.
    public var isCountedInCP949 = false

    public init(
        service: ServiceName,
        localNames: [String: ServiceName] = [:],
        webHost: WebHost? = nil,
        androidAppHash: AndroidAppHash? = nil,
        undoAddress: UndoAddress? = nil
    ) {
        (self.service, self.localNames, self.webHost) = (service, localNames, webHost)
        (self.androidAppHash, self.undoAddress) = (androidAppHash, undoAddress)
    }

    func service(in locale: String) -> ServiceName {
        // Most services have one name.
        if localNames.isEmpty { return service }
        return localNames[locale.prefix { $0 != "-" }.lowercased()] ?? service
    }

    /// The lines below the text. The line with the host has to be the last of a message, with nothing before its `@`
    /// and one space before the `#` (https://wicg.github.io/sms-one-time-codes/), so the hash of the app is above it.
    func autofillLines(code: String) -> [String] {
        [androidAppHash?.description, webHost.map { "@\($0) #\(code)" }].compactMap(\.self)
    }
}

/// The sender's name in a message, as in `[Acme]`.
///
/// A client may choose it, so a name can neither begin a line of its own in a message
/// nor imitate the line that binds a code to a web host, nor change the direction of the text around it.
public struct ServiceName: Sendable, Equatable, CustomStringConvertible {
    public let description: String

    /// `nil` unless the name is 1 to 30 Unicode scalars with no space at either end and no `@` at the start, and free
    /// of control characters, line breaks and invisible format characters. The two joiners that Persian and the scripts
    /// of India are written with (U+200C, U+200D) are allowed within it.
    public init?(_ name: String) {
        let name = name.inNFC
        let characters = name.unicodeScalars
        guard
            1...30 ~= characters.count,
            let first = characters.first, !first.properties.isWhitespace, first != "@",
            let last = characters.last, !last.properties.isWhitespace,
            characters.allSatisfy(\.isAllowedInName)
        else { return nil }
        description = name
    }
}

/// The value of a template's own variable in one message, such as an order's number.
///
/// The recipient trusts the sender, so a caller must not be able to say much by it: nothing that a phone makes a link
/// of, no line of its own, and none that binds the code to another web host.
struct SubstitutionValue: Sendable, Equatable {
    let description: String

    /// `nil` unless the value is 1 to 20 Unicode scalars with no space at either end, free of control characters, line
    /// breaks, invisible characters (but for the joiners within words) and `@` and `#`, with no more than 7 digits, so
    /// that none is a number to call. Dots, colons and slashes are allowed between two digits alone, and no more than
    /// one dot, as in `12.50`, `12:30` and `5/6`; a dot also before a space: whatever is next to the value, it makes no
    /// link.
    init?(_ value: String) {
        let value = value.inNFC
        let characters = Array(value.unicodeScalars)
        guard
            1...20 ~= characters.count,
            let first = characters.first, !first.properties.isWhitespace,
            let last = characters.last, !last.properties.isWhitespace,
            characters.allSatisfy({ $0.isAllowedInName && $0 != "@" && $0 != "#" }),
            characters.count(where: { $0.properties.numericType != nil }) <= 7,
            Self.makesNoLink(characters)
        else { return nil }
        description = value
    }

    /// The marks that browsers take for dots between the labels of a host (RFC 3490 §3.1), and those that become one
    /// when they are normalised.
    private static let dots: Set<Unicode.Scalar> = [".", "\u{3002}", "\u{FF0E}", "\u{FF61}", "\u{2024}", "\u{FE52}"]
    private static let others: Set<Unicode.Scalar> = [":", "/", "\u{FF1A}", "\u{FF0F}", "\u{FE55}"]

    private static func makesNoLink(_ characters: [Unicode.Scalar]) -> Bool {
        let digits: ClosedRange<Unicode.Scalar> = "0"..."9"
        for (index, character) in characters.enumerated()
        where dots.contains(character) || others.contains(character) {
            guard index > 0, index + 1 < characters.count else { return false }
            if dots.contains(character), characters[index + 1].properties.isWhitespace { continue }
            guard digits.contains(characters[index - 1]), digits.contains(characters[index + 1]) else { return false }
        }
        // With more dots it would be an IP address (RFC 791).
        return characters.count(where: dots.contains) <= 1
    }
}

/// The website on which a code is to be entered. Browsers offer the code there and nowhere else.
///
/// Source: Origin-bound one-time codes, https://wicg.github.io/sms-one-time-codes/.
public struct WebHost: Sendable, Equatable, CustomStringConvertible {
    public let description: String

    /// `nil` unless the text is a bare host name in lower case, as in an https URL: two or more labels of letters,
    /// digits and inner hyphens (RFC 1123 §2.1), at most 63 characters each and 253 in all, the last one not of digits
    /// alone (an IP address). No scheme, port, path, user or final dot; an international name in its `xn--` form.
    public init?(_ host: String) {
        let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard
            host.utf8.count <= 253,
            labels.count >= 2,
            labels.allSatisfy(Self.isLabel),
            let last = labels.last, !last.allSatisfy(\.isASCIIDigit)
        else { return nil }
        description = host
    }

    private static func isLabel(_ label: Substring.UTF8View) -> Bool {
        let hyphen = UInt8(ascii: "-")
        return 1...63 ~= label.count && label.first != hyphen && label.last != hyphen
            && label.allSatisfy { $0.isASCIIDigit || $0.isASCIILowerCase || $0 == hyphen }
    }
}

/// The 11 characters by which Android's SMS Retriever finds the app that a message is for.
///
/// Source: https://developers.google.com/identity/sms-retriever/overview.
public struct AndroidAppHash: Sendable, Equatable, CustomStringConvertible {
    /// The limit of a message for the SMS Retriever; counted in UTF-8, as Android shows the text.
    static let bytesInMessage = 140

    public let description: String

    /// `nil` unless the text is 11 characters of Base64: the beginning of the encoded SHA-256 of the app's package name
    /// and signing certificate.
    public init?(_ hash: String) {
        guard hash.utf8.count == 11, hash.utf8.allSatisfy({ $0.isASCIIAlphanumeric || "+/".utf8.contains($0) })
        else { return nil }
        description = hash
    }
}

/// The URL at which a change of number is undone: the beginning of the link that the old number gets. The link's secret
/// follows.
public struct UndoAddress: Sendable, Equatable, CustomStringConvertible {
    public let description: String
    /// Whether the secret can be read in transit: it is sent without TLS, and not to this machine.
    public let isPlain: Bool

    /// `nil` unless the text is an `https` or `http` URL of at most 300 characters, with a host and no user, that ends
    /// in `/`, in `=` or in `#`, so that what is appended is a segment of the path, a parameter or the fragment (RFC
    /// 3986).
    public init?(_ text: String) {
        guard text.utf8.count <= 300,
            text.utf8.allSatisfy({ $0.isASCIIAlphanumeric || "-._~:/?#[]@!$&'()*+,;=%".utf8.contains($0) }),
            let last = text.last, "/=#".contains(last),
            // A fragment ends the URL, so there is one at most.
            text.count(where: { $0 == "#" }) <= 1, let url = EndpointURL(String(text.prefix { $0 != "#" })),
            text.hasPrefix(url.isPlain ? "http:" : "https:"), text.utf8.count > url.origin.utf8.count
        else { return nil }
        description = text
        isPlain = url.isPlain && !url.isLoopback
    }

    func link(_ secret: String) -> String { description + secret }
}

extension Unicode.Scalar {
    /// Whether this is a control character, a line break of any kind or a byte order mark: not allowed within a line.
    var isControlOrLineBreak: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: self == "\u{FEFF}"
        }
    }

    /// Whether a client may put this into a name or a value: what it may put into a message, but no variant of a
    /// character.
    var isAllowedInName: Bool { isAllowedInMessage && !properties.isVariationSelector }

    /// The character with its code point, since it may look like another, or be invisible.
    var nameInError: String {
        let hexadecimal = String(value, radix: 16, uppercase: true)
        let code = "U+" + String(repeating: "0", count: max(0, 4 - hexadecimal.count)) + hexadecimal
        let isVisible = !isControlOrLineBreak && properties.generalCategory != .format
        return isVisible ? "'\(self)' (\(code))" : code
    }
}
