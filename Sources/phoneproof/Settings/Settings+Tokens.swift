import PhoneDomain
import PhoneHTTP

extension Settings {
    /// What those who signed up are given, and for how long it is good.
    struct Tokens {
        /// Who signs access tokens (`iss`), if it is named; see ``Settings/issuer``.
        let issuer: String?
        /// Whom they are for (`aud`), if it is named; see ``Settings/audience``.
        let audience: String?
        let sessions: SessionPolicy
        let signingKeys: SigningKeyPolicy

        init(_ reader: inout SettingsReader) throws(SettingsError) {
            issuer = try reader.value(
                "tokens.issuer",
                default: nil,
                wanted:
                    "an https address without a user, a query or a fragment, such as https://phone.example.com; http for "
                    + "this machine alone"
            ) { Self.isIssuer($0) ? .some($0) : nil }
            audience = try reader.value(
                "tokens.audience",
                default: nil,
                wanted: "1 to 255 characters of ASCII without spaces, such as https://api.example.com"
            ) { Self.isName($0) ? .some($0) : nil }
            let standard = SessionPolicy.standard
            sessions = SessionPolicy(
                accessTokenTTL: try reader.seconds(
                    "tokens.access_ttl_seconds",
                    default: standard.accessTokenTTL,
                    in: 60...3600
                ),
                lifetime: .seconds(86_400 * (try reader.integer("tokens.session_days", default: 90, in: 1...3650))),
                idleTime: .seconds(86_400 * (try reader.integer("tokens.idle_days", default: 30, in: 1...3650))),
                refreshGrace: try reader.seconds(
                    "tokens.refresh_grace_seconds",
                    default: standard.refreshGrace,
                    in: 0...300
                )
            )
            signingKeys = SigningKeyPolicy(
                ahead: try reader.seconds(
                    "tokens.signing_key_ahead_seconds",
                    default: SigningKeyPolicy.standard.ahead,
                    in: 1...604_800
                ),
                accessTokenTTL: sessions.accessTokenTTL
            )
        }

        /// RFC 8414 section 2. Whoever verifies compares it letter by letter, so there must be one way to write it.
        private static func isIssuer(_ text: String) -> Bool {
            guard isName(text), let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return false }
            let rest = text.dropFirst(scheme.count)
            let path = rest.firstIndex(of: "/") ?? rest.endIndex
            guard let origin = WebOrigin(String(text[..<path])), !origin.isPlain else { return false }
            return rest[path...].utf8.allSatisfy { byte in
                isAlphanumeric(byte) || "/-._~".utf8.contains(byte)
            }
        }

        private static func isName(_ text: String) -> Bool {
            (1...255).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        }

        private static func isAlphanumeric(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                true
            default: false
            }
        }
    }

    /// Who signs access tokens: what is set, or the address that the service listens at.
    var issuer: String {
        if let issuer = tokens.issuer { return issuer }
        let scheme = tls == nil ? "http" : "https"
        let isUsual = port == 0 || port == (tls == nil ? 80 : 443)
        return "\(scheme)://\(host.contains(":") ? "[\(host)]" : host)" + (isUsual ? "" : ":\(port)")
    }

    /// Whom access tokens are for: what is set, or the issuer.
    var audience: String { tokens.audience ?? issuer }

    /// What is doubtful about the issuer; nil if nothing is.
    var doubtAboutIssuer: String? {
        guard tokens.issuer == nil, !isLoopback || profile == .production else { return nil }
        return
            "access tokens bear \(issuer) as their issuer, where those who verify them may find nothing, and which changes "
            + "with the address that is listened at; set tokens.issuer to the https address by which others reach the service"
    }
}
