import CoreEncodings
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import Texts

/// What differs between the servers that have their codes sent: where a request has its parts, how it is proven, and
/// how a refusal is answered. Each is described with the source that it was read in.
enum AuthServer: String, CaseIterable {
    /// https://github.com/supabase/auth/tree/bc32168e: internal/hooks
    case supabase
    /// https://github.com/auth0/docs-v2/tree/092b879e: custom-phone-provider, and the gateway of passwordless sign-in.
    case auth0
    /// https://github.com/logto-io/logto/tree/1fbc5544: packages/connectors/connector-http-sms
    case logto
    /// https://github.com/zitadel/zitadel/tree/89ad958c: internal/notification/channels/webhook; pkg/actions/signing.go
    case zitadel
    /// https://github.com/goauthentik/authentik/tree/3c23b606: authentik/stages/authenticator_sms
    case authentik
    /// https://github.com/ory/kratos/tree/b86338da: courier/http_channel.go
    case kratos
    /// https://github.com/FusionAuth/fusionauth-site/tree/040d8205: generic-messenger.mdx
    case fusionauth
    /// Whatever posts a number and a code or a text, such as plugins of Keycloak
    /// (https://github.com/netzbegruenung/keycloak-mfa-plugins/tree/99c1e425).
    case generic

    enum Proof {
        /// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
        case standardWebhooks
        /// `ZITADEL-Signature: t=…,v1=…`
        case timestampedHMAC
        /// The secret itself: as a bearer token, as a password, or as the whole of a header.
        case secret
    }

    var proof: Proof {
        switch self {
        case .supabase: .standardWebhooks
        case .zitadel: .timestampedHMAC
        default: .secret
        }
    }

    /// The members with the number, in order of preference; those within others behind a dot.
    var number: [String] {
        switch self {
        // Not `user.phone`: which number is meant cannot be known before 2.180.0 of Supabase Auth, which has this one.
        case .supabase: ["sms.phone"]
        case .auth0: ["recipient", "to"]
        case .logto: ["to"]
        case .zitadel: ["contextInfo.recipientPhoneNumber"]
        case .authentik: ["To", "to"]
        case .kratos: ["recipient", "to"]
        case .fusionauth: ["phoneNumber"]
        case .generic: ["to", "phone_number", "phoneNumber", "phone", "recipient", "mobile"]
        }
    }

    var code: [String] {
        switch self {
        case .supabase: ["sms.otp"]
        case .logto: ["payload.code"]
        case .zitadel: ["args.code", "args.oTP"]
        case .authentik: ["Body", "code"]
        // Those of its built-in body, and of the one in the article.
        case .kratos: ["login", "registration", "verification", "verification_code", "recovery_code", "code"]
        case .auth0, .fusionauth: ["code"]
        case .generic: ["code", "otp"]
        }
    }

    /// The whole message.
    var text: [String] {
        switch self {
        case .supabase, .logto: []
        case .auth0: ["text", "as_text", "body"]
        case .zitadel: ["templateData.text"]
        case .authentik: ["Message", "text"]
        case .kratos: ["text", "body"]
        case .fusionauth: ["textMessage"]
        case .generic: ["text", "message", "body"]
        }
    }

    var locale: [String] {
        switch self {
        case .auth0: ["language", "locale"]
        case .logto: ["payload.locale"]
        case .generic, .authentik: ["locale", "lang", "language"]
        default: []
        }
    }

    /// The person's address, which the limits of one client count by.
    var address: [String] {
        switch self {
        case .supabase: ["metadata.ip_address"]
        case .auth0: ["req.ip", "ip"]
        case .logto, .generic: ["ip"]
        default: []
        }
    }

    /// Whether its numbers are those of the world though they have no `+`.
    var omitsPlus: Bool { self == .supabase || self == .logto }

    /// A person never hears of a refusal, and the server only calls again.
    var repeatsRefusals: Bool { self == .zitadel || self == .kratos }

    /// It shows the body of a refusal to the person as it is.
    var showsBody: Bool { self == .logto || self == .authentik }
}

/// What a server asks for.
struct HookCall {
    let phoneText: String?
    let code: HookCode
    let text: String?
    let locale: LanguageTag?
    let address: ClientAddress?
    /// Whether the body is of a Supabase Auth that reads errors in responses of status 200 (2.187.0 and later). Some
    /// before would take the message for sent.
    let hasMetadata: Bool

    init(_ body: JSON, _ server: AuthServer) {
        // One look at each member, however many there are that no server has.
        let paths = server.number + server.code + server.text + server.locale + server.address + ["metadata"]
        let known = Set(paths.map { Array($0.prefix { $0 != "." }.utf8) })
        let body = JSON.object(body.members.filter { $0.name.utf8.count <= 40 && known.contains(Array($0.name.utf8)) })
        func text(_ paths: [String]) -> String? { paths.lazy.compactMap { body.text(at: $0) }.first }
        phoneText = text(server.number).map { number in
            let isBare = server.omitsPlus && (8...15).contains(number.utf8.count)
            return isBare && number.utf8.allSatisfy({ (0x30...0x39).contains($0) }) ? "+" + number : number
        }
        self.text = text(server.text)?.inNFC
        code = HookCode(server.code.compactMap { body.member(at: $0) }, server.text.compactMap { body.member(at: $0) })
        locale = text(server.locale).flatMap { LanguageTag($0) }
        address = text(server.address).flatMap { ClientAddress($0) }
        hasMetadata = body["metadata"] != nil
    }
}

extension JSON {
    /// The member at this path, of any type.
    fileprivate func member(at path: String) -> JSON? {
        path.split(separator: ".").reduce(JSON?.some(self)) { $0?[String($1)] }
    }

    /// The text at this path; nil for an empty one and for anything else.
    fileprivate func text(at path: String) -> String? {
        guard let text = member(at: path)?.string, !text.isEmpty else { return nil }
        return text
    }
}

/// The code that a request is about. Where there is one that this service cannot send, or may be, that is an error: a
/// server takes success for a code on its way.
enum HookCode: Equatable {
    case code(VerificationCode)
    /// A text without a digit, such as that a password was changed.
    case notice
    /// The request has no member for a code and none for a text.
    case missing
    /// Why no code can be sent.
    case unreadable(String)

    /// Reads the members that may be the code or the text, of any type. Some servers have several, and leave all but
    /// one of them empty or null.
    init(_ codes: [JSON], _ texts: [JSON]) {
        let given = codes.filter { $0 != .null && $0 != "" }
        let text = texts.lazy.compactMap(\.string).first { !$0.isEmpty }
        if let digits = given.lazy.compactMap(\.string).first {
            self.init(VerificationCode(digits), else: "the code must be 4 to 10 digits")
        } else if let number = given.first {
            // A number has lost its leading zeros, which a text beside it shows.
            let digits = text.flatMap { text in
                VerificationCode.digits(inMessage: text) { .number(String($0.drop { $0 == "0" })) == number }
            }
            self.init(digits.flatMap { VerificationCode($0) }, else: "the code must be a string of 4 to 10 digits")
        } else if codes.isEmpty, texts.isEmpty {
            self = .missing
        } else if codes.isEmpty, let text, !text.unicodeScalars.contains(where: \.isAnyDigit) {
            self = .notice
        } else {
            self.init(text.flatMap(Self.code), else: "there is no code of 4 to 10 digits in a row")
        }
    }

    private init(_ code: VerificationCode?, else reason: String) {
        self = code.map(Self.code) ?? .unreadable(reason)
    }

    /// The first digits of a message that are a code: six of them, as most servers make it, or else any. A group of a
    /// longer code or of a date is none.
    private static func code(in text: String) -> VerificationCode? {
        let scalars = Array(text.unicodeScalars.prefix(VerificationCode.longestMessage))
        var joined = String.UnicodeScalarView()
        for (index, scalar) in scalars.enumerated() {
            let isWithin = index > 0 && index + 1 < scalars.count && scalars[index - 1].isAnyDigit
            if isWithin, scalars[index + 1].isAnyDigit, scalar.joinsDigits { continue }
            joined.append(scalar)
        }
        var whole: Set<String> = []
        _ = VerificationCode.digits(inMessage: String(joined)) { digits in
            whole.insert(digits)
            return false
        }
        let digits =
            VerificationCode.digits(inMessage: text) { $0.utf8.count == 6 && whole.contains($0) }
            ?? VerificationCode.digits(inMessage: text, where: whole.contains)
        return digits.flatMap { VerificationCode($0) }
    }
}

extension Unicode.Scalar {
    fileprivate var isAnyDigit: Bool { properties.numericType == .decimal || properties.numericType == .digit }

    /// Whether digits on both sides of it are groups of one number. A space may as well begin another: `482913 5 min`.
    fileprivate var joinsDigits: Bool {
        switch PhoneTextElement(self) {
        case .separator, .invisible: true
        case .space: self != " " && self != "\n"
        case .digit, .plus, .foreign: false
        }
    }
}
