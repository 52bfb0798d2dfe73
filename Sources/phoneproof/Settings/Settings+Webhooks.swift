import CoreMetrics
import OpenSSLCrypto
import PhoneDelivery
import PhoneDomain
import TextEncodings
import Tracing

extension Settings {
    struct Webhooks {
        let endpoint: EndpointURL
        /// At least one. An event is signed with each.
        let secrets: [WebhookSecret]
        let kinds: Set<Event.Kind>
        private(set) var configuration = WebhookConfiguration()

        /// - Returns: nil if there is none.
        init?(_ reader: SettingsReader) {
            let webhooks = reader.section("webhooks")
            let endpoint = webhooks("url").endpoint(example: "https://app.example.com/webhooks/phoneproof")
            let text = webhooks("secrets").secret(example: "/run/secrets/webhooks", isNeeded: endpoint != nil)
            let wanted = "one or more of \(Event.Kind.allCases.map(\.rawValue).joined(separator: ", "))"
            kinds = Set(
                webhooks("events")
                    .list(nonempty: Event.Kind.allCases, wanted, orElse: wanted, shown: \.rawValue, Event.Kind.init)
            )
            webhooks("timeout_seconds").set(&configuration.timeout, in: 1...60)
            webhooks("max_attempts").set(&configuration.maxAttempts, in: 1...100)
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

        func poster(clock: any WallClock, observation: Observation = .none) -> WebhookPoster {
            let timeout = configuration.timeout
            return WebhookPoster(
                transport: HTTPWebhookTransport(endpoint: endpoint, connectTimeout: min(timeout / 2, .seconds(5))),
                signer: OpenSSLEventSigner(secrets: secrets),
                timeout: timeout,
                wallClock: clock,
                metrics: observation.metrics,
                tracer: observation.tracer
            )
        }
    }
}
