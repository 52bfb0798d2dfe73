import OpenSSLCrypto
import PhoneDelivery
import PhoneDomain

extension Settings {
    /// Who is told of what happens.
    struct Webhooks {
        let endpoint: WebhookEndpoint
        /// Never empty. What is told is signed with each.
        let secrets: [WebhookSecret]
        /// Never empty.
        let kinds: Set<Event.Kind>
        let timeout: Duration
        let maxAttempts: Int

        /// Reads it.
        ///
        /// - Returns: nil if nobody is.
        init?(_ reader: inout SettingsReader) throws(SettingsError) {
            let endpoint = try reader.value(
                "webhooks.url",
                default: nil,
                wanted: "an http or https address without a user or a fragment",
                isSecret: true
            ) { WebhookEndpoint($0).map(Optional.some) }
            let text = try reader.secret("webhooks.secrets", isNeeded: endpoint != nil)
            let wanted = Event.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            kinds = Set(
                try reader.list(
                    "webhooks.events",
                    default: Event.Kind.allCases,
                    wanted: "one or more of \(wanted)",
                    Event.Kind.init
                )
            )
            guard !kinds.isEmpty else {
                throw SettingsError(key: "webhooks.events", value: "", wanted: "one or more of \(wanted)")
            }
            timeout = try reader.seconds("webhooks.timeout_seconds", default: .seconds(15), in: 1...60)
            maxAttempts = try reader.integer("webhooks.max_attempts", default: 20, in: 1...100)
            guard let endpoint else { return nil }
            guard let text else {
                throw SettingsError(
                    "webhooks.url is set, which needs a secret: make one with `phoneproof webhooks secret`, and name its file "
                        + "by webhooks.secrets_file, or set \(SettingsError.environmentName(of: "webhooks.secrets"))"
                )
            }
            self.endpoint = endpoint
            secrets = try Self.secrets(text)
        }

        private static func secrets(_ text: String) throws(SettingsError) -> [WebhookSecret] {
            let parts = text.split { $0 == "," || $0.isWhitespace }
            let secrets = parts.compactMap { WebhookSecret(String($0)) }
            guard !secrets.isEmpty, secrets.count == parts.count else {
                // Nothing is quoted.
                throw SettingsError(
                    "webhooks.secrets must each be whsec_ and 24 to 64 bytes in base64; make one with "
                        + "`phoneproof webhooks secret`"
                )
            }
            return secrets
        }
    }
}
