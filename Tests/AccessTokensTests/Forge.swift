import Crypto
import FoundationEssentials
import PhoneDomain

/// Makes tokens letter by letter, as an attacker does, with nothing of the service but what it tells everybody.
struct Forge {
    /// The header and the claims of a token that is good, for this key.
    static func header(_ kid: String) -> String {
        #"{"alg":"ES256","typ":"at+jwt","kid":"\#(kid)"}"#
    }

    static let payload = payload()

    /// The claims of a token that is good, with some in place of others or beside them, and without one.
    static func payload(_ changes: [String: String] = [:], without name: String? = nil) -> String {
        var members: [(String, String)] = [
            ("iss", #""https://phone.example""#), ("aud", #""https://api.example""#),
            ("sub", #""acc_00000000000000020000000000000002""#), ("client_id", #""https://api.example""#),
            ("scope", #""account""#),
            ("iat", "1767225600"), ("exp", "1767226500"), ("jti", #""tok_00000000000000010000000000000001""#),
            ("sid", #""ses_00000000000000030000000000000003""#), ("auth_time", "1767222000"),
            ("phone_number_verified", "true"),
        ]
        for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
            if let index = members.firstIndex(where: { $0.0 == name }) {
                members[index].1 = value
            } else {
                members.append((name, value))
            }
        }
        members.removeAll { $0.0 == name }
        return "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }

    static func base64URL(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// What is signed.
    static func input(_ header: String, _ payload: String) -> String {
        base64URL(header.utf8) + "." + base64URL(payload.utf8)
    }

    /// A token by ES256.
    static func token(_ header: String, _ payload: String, by key: P256.Signing.PrivateKey) throws -> String {
        let input = input(header, payload)
        return try input + "." + base64URL(key.signature(for: Data(input.utf8)).rawRepresentation)
    }
}
