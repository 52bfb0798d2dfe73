import FoundationEssentials
import PhoneDomain

/// What Twilio writes into `X-Twilio-Signature` when it posts a form, so that a receiver knows whom it comes from.
///
/// Signed is the address as it was given to Twilio, followed by every field's name and value, by name and then by value in
/// the order of their bytes, what is there twice once. Source: https://www.twilio.com/docs/usage/webhooks/webhooks-security.
struct TwilioSignature {
    /// The name of the header.
    static let header = "X-Twilio-Signature"

    let authenticator: any RequestAuthenticator

    /// The signature in Base64.
    ///
    /// - Parameters:
    ///   - url: the whole address, with its query.
    ///   - fields: the form.
    ///   - token: the account's auth token.
    /// - Throws: what the authenticator throws.
    func text(url: String, fields: [(name: String, value: String)], token: String) throws -> String {
        let pairs = Set(fields.map { Pair(name: Array($0.name.utf8), value: Array($0.value.utf8)) }).sorted()
        let signed = pairs.reduce(into: Array(url.utf8)) { $0 += $1.name + $1.value }
        return Data(try authenticator.hmacSHA1(of: signed, key: Array(token.utf8))).base64EncodedString()
    }

    private struct Pair: Hashable, Comparable {
        let name: [UInt8]
        let value: [UInt8]

        static func < (one: Pair, other: Pair) -> Bool {
            one.name == other.name
                ? one.value.lexicographicallyPrecedes(other.value)
                : one.name.lexicographicallyPrecedes(other.name)
        }
    }
}
