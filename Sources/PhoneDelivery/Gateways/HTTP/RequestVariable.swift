import FoundationEssentials
import PhoneDomain

/// What a template of the generic gateway is filled in with: `{{to}}` in a template is the number.
public enum RequestVariable: String, CaseIterable, Hashable, Sendable {
    /// The number in E.164, `+821012345678`.
    case to
    /// The number in E.164 without its plus sign, `821012345678`.
    case toDigits = "to_digits"
    /// The number as it is dialled at home, `01012345678`.
    case toNational = "to_national"
    /// The text.
    case body
    /// Whom messages come from.
    case from
    /// The message's name, the same whenever it is handed over.
    case id
    /// The text's language, such as `ko`.
    case language
    /// The account's secret.
    case secret
    /// The account's secret in base64, as `user:password` is wanted by basic authentication (RFC 7617).
    case secretBase64 = "secret_base64"

    /// Those that tell the number.
    static let numbers: Set<RequestVariable> = [.to, .toDigits, .toNational]

    /// Those that need a secret.
    static let secrets: Set<RequestVariable> = [.secret, .secretBase64]

    /// What it is in a message.
    func value(in message: GatewayMessage, sender: String?, secret: String?) -> String {
        switch self {
        case .to: message.to.e164
        case .toDigits: String(message.to.e164.dropFirst())
        case .toNational: message.to.nationalDigits
        case .body: message.body
        case .from: sender ?? ""
        case .id: message.dedupeKey
        case .language: message.language.description
        case .secret: secret ?? ""
        case .secretBase64: Data((secret ?? "").utf8).base64EncodedString()
        }
    }
}
