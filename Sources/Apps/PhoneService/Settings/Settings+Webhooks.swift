package import CoreEncodings
package import OpenSSLCrypto
package import PhoneDelivery
package import PhoneDomain

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
                "particular order. It contains the number, but never a code. After 20 attempts, which take two days, it"
                "is failed, and kept for retention.days. `phoneproof webhooks send-test` tries the receiver."
            }
            let endpoint = webhooks("url").endpoint(example: "https://app.example.com/webhooks/phoneproof") {
                "The URL of the receiver: https, or http on this machine. Redirects are not followed."
            }
            let text = webhooks("secrets").secret(example: "/run/secrets/webhooks", isNeeded: endpoint != nil) {
                "The signing secret, as `phoneproof webhooks secret` makes it; several, separated by white space or"
                "commas, while you replace it. Events are signed with each of them."
            }
            let wanted = "one or more of \(Event.Kind.ofWebhooks.map(\.rawValue).joined(separator: ", "))"
            kinds = Set(
                webhooks("events")
                    .list(Event.Kind.standard, wanted, orElse: wanted, shown: \.rawValue, Event.Kind.init(ofWebhooks:))
                {
                    "The events to send. verification.failed: too many wrong codes, no gateway accepted the"
                    "message, or it expired. number.changed: an account has another number. guard.blocked: the"
                    "guard blocked a prefix. audit.recorded: each entry of the audit log, some for each"
                    "verification."
                }
            )
            webhooks("timeout_seconds").set(&configuration.timeout, in: 1...60) {
                "How long the receiver may take to respond with 2xx. With 410 the receiver refuses the event for"
                "good."
            }
            guard let endpoint else { return nil }
            guard let text else {
                reader.failTogether(
                    "webhooks.url is set, which needs a secret: make one with `phoneproof webhooks secret`, and set "
                        + "webhooks.secrets_file to its file, or set \(SettingsError.environmentName(of: "webhooks.secrets"))"
                )
                return nil
            }
            secrets = Settings.webhookSecrets(in: text, of: "webhooks.secrets", reader)
            self.endpoint = endpoint
        }
    }

    fileprivate static func webhookSecrets(
        in text: String,
        of key: String,
        _ reader: SettingsReader
    ) -> [WebhookSecret] {
        let parts = text.split { $0 == "," || $0.isWhitespace }
        let secrets = parts.compactMap { WebhookSecret(String($0)) }
        if secrets.isEmpty || secrets.count < parts.count {
            // Nothing is quoted.
            reader.failTogether(
                "\(key) must each be whsec_ and 24 to 64 bytes in base64; make one with `phoneproof webhooks secret`"
            )
        }
        return secrets
    }

    /// A program of the operator that is asked before each message.
    package struct BeforeSend {
        package let endpoint: EndpointURL
        package let secrets: [WebhookSecret]
        package let timeout: Duration
        package let onFailure: SendDecision
        package let showsNumber: Bool

        /// Nil if there is none.
        package init?(_ reader: SettingsReader) {
            let hook = reader.section("hooks.before_send") {
                "Asks a program of yours before each message, signed as Standard Webhooks specifies. It answers"
                "{\"decision\": \"allow\"}, or deny, challenge (a proof is wanted) or vouch (the guard lets it through)."
            }
            let endpoint = hook("url").endpoint(example: "https://app.example.com/hooks/before-send") {
                "The URL of the program: https, or http on this machine. Redirects are not followed."
            }
            let text = hook("secrets").secret(example: "/run/secrets/before-send", isNeeded: endpoint != nil) {
                "The signing secret, as `phoneproof webhooks secret` makes it; several while you replace it."
            }
            timeout = hook("timeout_milliseconds").duration(.milliseconds(1000), of: .milliseconds(1), in: 50...10_000)
            {
                "How long it may take to answer. The person waits for it."
            }
            onFailure = hook("on_failure")
                .value(.allow, "allow or deny", shown: "allow", { ["allow": .allow, "deny": .deny][$0] }) {
                    "What it means when it does not answer in time, or not as it should."
                }
            showsNumber = hook("number")
                .value(false, "masked or whole", shown: "masked", { ["masked": false, "whole": true][$0] }) {
                    "Whether it gets the whole number, or one without its last four digits."
                }
            guard let endpoint else { return nil }
            guard let text else {
                reader.failTogether(
                    "hooks.before_send.url is set, which needs a secret: make one with `phoneproof webhooks secret`, and "
                        + "set hooks.before_send.secrets_file to its file"
                )
                return nil
            }
            secrets = Settings.webhookSecrets(in: text, of: "hooks.before_send.secrets", reader)
            self.endpoint = endpoint
        }
    }
}
