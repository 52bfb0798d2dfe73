/// The digits that a person receives and types back: text, not a number, so that `000042` keeps its zeros.
/// A code never appears in a log, a trace or a crash report: its descriptions are dots.
public struct VerificationCode: Hashable, Sendable {
    /// From 4, the shortest that peers offer, to 10, the longest. Below 6 a code has under 20 bits, less than NIST SP
    /// 800-63B section 5.1.3.2 asks for.
    public static let lengths = 4...10

    public let digits: String

    /// Nil unless the text is 4 to 10 ASCII digits.
    public init?(_ digits: String) {
        let bytes = digits.utf8
        guard Self.lengths.contains(bytes.count), bytes.allSatisfy({ $0.isASCIIDigit }) else { return nil }
        self.digits = digits
    }

    /// Parses what a person typed: spaces and hyphens between the digits are skipped, and digits of other scripts
    /// (full-width ones, from a Korean or Japanese keyboard) become ASCII. Nil for anything else.
    public init?(typed text: String) {
        guard text.utf8.count <= 64, text.unicodeScalars.allSatisfy({ $0.decimalValue != nil || $0.isCodeSeparator })
        else { return nil }
        self.init(Self.digits(in: text, limit: Self.lengths.upperBound + 1))
    }

    /// What a code field shows for this text: its digits, as ASCII, at most as many as a code can have.
    public static func clean(_ text: String) -> String { digits(in: text, limit: lengths.upperBound) }

    /// The first digits in a message that are a code, such as those of `Your code is 494918. It expires in 10 min.`: a run of
    /// digits as a whole, as ASCII. A part of a longer run, such as a telephone number, is none.
    public static func digits(inMessage text: String, where isCode: (String) -> Bool) -> String? {
        var run = ""
        for scalar in text.unicodeScalars.prefix(longestMessage) {
            if let value = scalar.decimalValue {
                // One more than a code can have tells as much as a thousand.
                if run.utf8.count <= lengths.upperBound { run.append(String(value)) }
            } else if !run.isEmpty {
                if lengths.contains(run.utf8.count), isCode(run) { return run }
                run = ""
            }
        }
        return lengths.contains(run.utf8.count) && isCode(run) ? run : nil
    }

    /// In characters: a text message of ten segments. A longer text is read no further.
    public static let longestMessage = 1530

    private static func digits(in text: String, limit: Int) -> String {
        var digits = ""
        for scalar in text.unicodeScalars.prefix(64) where digits.utf8.count < limit {
            if let value = scalar.decimalValue { digits.append(String(value)) }
        }
        return digits
    }
}

extension VerificationCode: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { String(repeating: "•", count: digits.utf8.count) }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Unicode.Scalar {
    fileprivate var decimalValue: Int? {
        // Looking up a character's properties costs more than all other work of a field at a key press.
        if isASCII { return ("0"..."9").contains(self) ? Int(value - Unicode.Scalar("0").value) : nil }
        return properties.numericType == .decimal ? properties.numericValue.map { Int($0) } : nil
    }

    fileprivate var isCodeSeparator: Bool { properties.isWhitespace || properties.generalCategory == .dashPunctuation }
}

/// A code as it is stored: a MAC to compare with and a ciphertext to send the same code again, both under a named key.
/// Neither reveals the code without the key, so neither does a copy of the database.
public struct SealedCode: Hashable, Sendable {
    /// The key that made it: keys are rotated while codes are in flight.
    public let keyID: String
    /// Over the verification, the number and the code.
    public let mac: [UInt8]
    /// Authenticated encryption of the code.
    public let ciphertext: [UInt8]

    public init(keyID: String, mac: [UInt8], ciphertext: [UInt8]) {
        (self.keyID, self.mac, self.ciphertext) = (keyID, mac, ciphertext)
    }
}

/// What a code is bound to: it proves nothing for another verification or another number.
public struct CodeContext: Hashable, Sendable {
    public let verificationID: Verification.ID
    /// In E.164.
    public let e164: String

    public init(verificationID: Verification.ID, e164: String) {
        (self.verificationID, self.e164) = (verificationID, e164)
    }
}

public enum Channel: String, Sendable, CaseIterable {
    case sms
}
