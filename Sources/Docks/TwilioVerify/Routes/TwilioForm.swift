import CoreEncodings
import HTTPTypes
import PhoneDomain
import PhoneHTTP
import PhoneSignup
import SMSStub
import Texts

/// The parameters of a request as Twilio's libraries send them: a form with names in PascalCase, `true` and `false`,
/// and JSON within a value. An empty value counts as none. Unknown parameters are ignored, as at Twilio. The methods
/// throw a ``TwilioError`` that names the parameter if it is missing where it is required, or invalid.
struct TwilioForm {
    private let fields: FormFields

    init(of request: Request) async throws {
        if request.isContent(Request.formType) == false {
            let detail = "Send the parameters as a form (\(Request.formType))."
            throw TwilioError(20415, detail, status: .unsupportedMediaType)
        }
        fields = try await request.decodeForm().filled.mapValues(\.inNFC)
    }

    func text(_ name: String) -> String? { fields[name] }

    func value<Value>(_ name: String, _ expectation: String? = nil, _ read: (String) -> Value?) throws -> Value? {
        guard let text = fields[name] else { return nil }
        guard let value = read(text) else { throw TwilioError.parameter(name, expectation) }
        return value
    }

    func required<Value>(_ name: String, _ expectation: String? = nil, _ read: (String) -> Value?) throws -> Value {
        guard let value = try value(name, expectation, read) else { throw TwilioError.parameter(name, expectation) }
        return value
    }

    func flag(_ name: String) throws -> Bool? { try value(name, "true or false") { Bool($0.asciiLowercased) } }

    func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        try value(name, "a whole number from \(range.lowerBound) to \(range.upperBound)") { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// A JSON object of texts, numbers or booleans, which are returned as texts.
    ///
    /// - Parameter skipsOthers: whether what is none of these, or too much, is left out rather than refused.
    func texts(_ name: String, atMost limit: Int, skipsOthers: Bool = false) throws -> [String: String] {
        let expectation = "a JSON object of \(limit) texts at most"
        let object = try value(name, expectation) { text -> [JSON.Member]? in
            let json = Array(text.utf8).withUnsafeBytes { try? JSON(parsingRequest: $0) }
            return if case .object(let members)? = json { members } else { nil }
        }
        var texts: [String: String] = [:]
        for member in object ?? [] {
            guard let text = member.value.scalarText, (1...64).contains(member.name.utf8.count),
                member.name.utf8.allSatisfy(\.isUnreserved)
            else {
                if skipsOthers { continue }
                throw TwilioError.parameter(name, expectation)
            }
            texts[member.name] = text
        }
        guard skipsOthers || texts.count <= limit else { throw TwilioError.parameter(name, expectation) }
        return texts
    }

    func named(_ isMatch: (String) -> Bool) -> String? {
        fields.all.first { isMatch($0.name) && $0.value.asciiLowercased != "false" }?.name
    }
}

/// What has an ID in Twilio's interface (https://www.twilio.com/docs/glossary/what-is-a-sid): two letters that say what it
/// is, and 32 hexadecimal digits in either case.
protocol TwilioResource: Identified {
    static var sidPrefix: String { get }
}

extension TenantAccount: TwilioResource { static let sidPrefix = "AC" }
extension Tenant: TwilioResource { static let sidPrefix = "VA" }
extension Verification: TwilioResource { static let sidPrefix = "VE" }
extension OutboxMessage: TwilioResource { static let sidPrefix = "VL" }
extension TenantLimit: TwilioResource { static let sidPrefix = "RK" }
extension TenantLimit.Bucket: TwilioResource { static let sidPrefix = "BL" }
extension SafeNumber: TwilioResource { static let sidPrefix = "GN" }

extension Identifier where Subject: TwilioResource {
    var sid: String { Subject.sidPrefix + hexadecimal }

    /// Nil for a SID of another kind.
    init?(sid: some StringProtocol) {
        guard sid.hasPrefix(Subject.sidPrefix) else { return nil }
        self.init(hexadecimal: Substring(sid).dropFirst(2).asciiLowercased)
    }
}

extension TemplateName {
    var sid: String { "HJ" + hexadecimal }

    init?(sid: String) {
        guard sid.hasPrefix("HJ") else { return nil }
        self.init(hexadecimal: String(sid.dropFirst(2)))
    }
}

extension Timestamp {
    /// RFC 3339 in whole seconds, as in Twilio Verify. Its libraries treat a date with fractions of a second as a plain
    /// string.
    var wholeSecondsText: String { String(Substring(description.utf8.prefix { $0 != UInt8(ascii: ".") })) + "Z" }
}
