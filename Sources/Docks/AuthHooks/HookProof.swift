import CoreEncodings
import HTTPTypes
import OpenSSLCrypto
import PhoneAccounts
import PhoneDomain
import PhoneHTTP
import PhoneService
import PhoneSignup

/// Whether a request comes from the server that has the hook's secret.
struct HookProof: Sendable {
    /// How far a signature's time may be off, as in the reference libraries.
    static let tolerance: Duration = .seconds(300)

    let proof: AuthServer.Proof
    /// One, or several while the secret is changed.
    let secrets: [[UInt8]]
    private let authenticator = OpenSSLRequestAuthenticator()

    /// Nil for a text that is no secret of this kind. `text` has a secret on each line; Supabase separates them by `|`.
    init?(_ text: String, _ proof: AuthServer.Proof) {
        let separators: Set<Character> = proof == .standardWebhooks ? ["\n", "|"] : ["\n"]
        let texts = text.split { separators.contains($0) }.map { $0.trimmed }
        let secrets = texts.filter { !$0.isEmpty }.map { Self.secret($0, proof) }
        self.secrets = secrets.compactMap(\.self)
        guard !secrets.isEmpty, self.secrets.count == secrets.count else { return nil }
        self.proof = proof
    }

    private static let leastBytes = 16

    private static func secret(_ text: String, _ proof: AuthServer.Proof) -> [UInt8]? {
        var bytes = Array(text.utf8)
        if proof == .standardWebhooks {
            let prefix = text.hasPrefix("v1,") ? "v1,whsec_" : "whsec_"
            guard text.hasPrefix(prefix) else { return nil }
            var base64 = text.utf8.dropFirst(prefix.utf8.count)
            while base64.last == UInt8(ascii: "=") { base64.removeLast() }
            guard let decoded = [UInt8](.base64, base64) else { return nil }
            bytes = decoded
        }
        return bytes.count >= leastBytes ? bytes : nil
    }

    func holds(for request: Request, _ body: [UInt8], at now: Timestamp) throws -> Bool {
        switch proof {
        case .standardWebhooks:
            guard let id = request.only("webhook-id"), let time = request.only("webhook-timestamp"),
                Self.isNear(time, now), let field = request.only("webhook-signature")
            else { return false }
            // `v1,AAA v1,BBB`, and as Supabase has it `v1,AAA, v1,BBB`.
            let signatures = field.split(separator: " ").compactMap { part -> [UInt8]? in
                guard part.hasPrefix("v1,") else { return nil }
                return Array(part.utf8.dropFirst(3).prefix { $0 != UInt8(ascii: ",") })
            }
            return try matches(signatures, Array("\(id).\(time).".utf8) + body) { $0.base64 }
        case .timestampedHMAC:
            guard let field = request.only("ZITADEL-Signature") else { return false }
            let parts = field.split(separator: ",")
            guard let time = parts.first(where: { $0.hasPrefix("t=") })?.dropFirst(2), Self.isNear(time, now)
            else { return false }
            let signatures = parts.filter { $0.hasPrefix("v1=") }.map { Array($0.utf8.dropFirst(3)) }
            return try matches(signatures, Array("\(time).".utf8) + body) { TextEncoding.hexadecimal.encode($0) }
        case .secret:
            let basic = request.basicCredentials
            let shown = [
                request.only("Authorization"), request.bearerToken?.text, basic?.secret.text,
                basic.map { "\($0.name):\($0.secret.text)" }, request.only("X-API-Key"),
            ]
            return shown.compactMap { $0.map { Array($0.utf8) } }.contains { text in
                secrets.contains { authenticator.areEqual(text, $0) }
            }
        }
    }

    private func matches(
        _ signatures: [[UInt8]],
        _ message: [UInt8],
        _ encode: ([UInt8]) -> String
    ) throws -> Bool {
        let valid = try secrets.map { Array(encode(try authenticator.hmacSHA256(of: message, key: $0)).utf8) }
        return signatures.contains { signature in valid.contains { authenticator.areEqual(signature, $0) } }
    }

    private static func isNear(_ seconds: some StringProtocol, _ now: Timestamp) -> Bool {
        guard seconds.utf8.count <= 11, let time = Int64(seconds) else { return false }
        return (now - tolerance...now + tolerance).contains(Timestamp(seconds: time))
    }
}

extension Request {
    /// The header of this name, if there is one and no more.
    fileprivate func only(_ name: String) -> String? {
        guard let name = HTTPField.Name(name) else { return nil }
        let values = headers[values: name]
        return values.count == 1 ? values.first : nil
    }
}
