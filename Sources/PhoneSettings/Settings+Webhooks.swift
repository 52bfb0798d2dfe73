package import OpenSSLCrypto
package import PhoneDelivery
package import PhoneDomain
package import TextEncodings

extension Settings {
    package struct Webhooks {
        package let endpoint: EndpointURL
        /// The secrets, at least one. An event is signed with each.
        package let secrets: [WebhookSecret]
        package let kinds: Set<Event.Kind>
        package private(set) var configuration = WebhookConfiguration()

        /// - Returns: nil if there is none.
        package init?(_ reader: SettingsReader) {
            let webhooks = reader.section("webhooks") {
                "Posts events to a program of yours, signed as Standard Webhooks (https://www.standardwebhooks.com)"
                "specifies. An event is delivered at least once, always with the same webhook-id, and in no"
                "particular order. It contains the number, but never a code. `phoneproof webhooks send-test` tries"
                "the receiver."
            }
            let endpoint = webhooks("url").endpoint(example: "https://app.example.com/webhooks/phoneproof") {
                "The URL of the receiver: https, or http on this machine. Redirects are not followed."
            }
            let text = webhooks("secrets").secret(example: "/run/secrets/webhooks", isNeeded: endpoint != nil) {
                "The signing secret, as `phoneproof webhooks secret` makes it; several, separated by white space or"
                "commas, while you replace it. Events are signed with each of them."
            }
            let wanted = "one or more of \(Event.Kind.allCases.map(\.rawValue).joined(separator: ", "))"
            kinds = Set(
                webhooks("events")
                    .list(Event.Kind.allCases, wanted, orElse: wanted, shown: \.rawValue, Event.Kind.init) {
                        "The events to send. verification.failed: too many wrong codes, no gateway accepted the"
                        "message, or it expired. number.changed: an account has another number. guard.blocked: the"
                        "guard blocked a prefix."
                    }
            )
            webhooks("timeout_seconds").set(&configuration.timeout, in: 1...60) {
                "How long the receiver may take to respond with 2xx. With 410 the receiver refuses the event for"
                "good."
            }
            webhooks("max_attempts").set(&configuration.maxAttempts, in: 1...100) {
                "Maximum number of attempts to deliver an event. The delay between them doubles from 5 seconds to 8"
                "hours, so 20 attempts take two days. Then the event is failed, and kept for retention.days."
            }
            guard let endpoint else { return nil }
            guard let text else {
                reader.failTogether(
                    "webhooks.url is set, which needs a secret: make one with `phoneproof webhooks secret`, and set "
                        + "webhooks.secrets_file to its file, or set \(SettingsError.environmentName(of: "webhooks.secrets"))"
                )
                return nil
            }
            let parts = text.split { $0 == "," || $0.isWhitespace }
            secrets = parts.compactMap { WebhookSecret(String($0)) }
            if secrets.isEmpty || secrets.count < parts.count {
                // Nothing is quoted.
                reader.failTogether(
                    "webhooks.secrets must each be whsec_ and 24 to 64 bytes in base64; make one with "
                        + "`phoneproof webhooks secret`"
                )
            }
            self.endpoint = endpoint
        }
    }
}
