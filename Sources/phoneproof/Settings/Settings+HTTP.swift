import OpenSSLCrypto
import PhoneDelivery
import PhoneDomain

extension Settings.SMS {
    /// The gateway for any vendor with an HTTP API.
    static func http(_ reader: SettingsReader, _ gateway: Settings.Gateway?) -> HTTPGatewayConfiguration? {
        let http = reader.section("sms.http")
        let endpoint = http("url")
            .value(
                example: "https://sms.example.com/v1/messages",
                "an http or https address without a user or a fragment",
                for: gateway,
                // Its query may contain a secret.
                isSecret: true,
                EndpointURL.init(_:)
            )
        let method = http("method").choice(HTTPGatewayConfiguration.Method.post)
        let format = http("format").choice(RequestFormat.json)
        let body = http("body")
            .text(
                example:
                    "'{\"from\": \"{{from}}\", \"to\": \"{{to}}\", \"text\": \"{{body}}\", \"reference\": \"{{id}}\"}'",
                for: gateway
            )
        let headers = http("headers")
            .list(
                [String](),
                example: "[\"Authorization: Bearer {{secret}}\", \"Idempotency-Key: {{id}}\"]",
                "name: value",
                isSecret: true
            ) { $0 }
        let sender = http("from").text(example: "Acme")
        let secretSetting = http("secret")
        let secret = secretSetting.secret(example: "/run/secrets/sms", isNeeded: gateway != nil)
        let isIdempotent = http("idempotent").flag(false)
        guard let verdicts = verdicts(reader), let gateway, let endpoint, let body else { return nil }
        do {
            return try HTTPGatewayConfiguration(
                endpoint: endpoint,
                method: method,
                format: format,
                headers: headers,
                body: body,
                sender: sender,
                secret: secret,
                verdicts: verdicts,
                isIdempotent: isIdempotent
            )
        } catch {
            if error.field == .secret, error.problem == .notSet {
                secretSetting.failWithoutSecret(for: gateway)
            } else {
                reader.failTogether("sms.http.\(error.field.rawValue) \(error)")
            }
            return nil
        }
    }

    private static func verdicts(_ reader: SettingsReader) -> HTTPGatewayVerdicts? {
        let answer = reader.section("sms.http.answer")
        func pointer(_ setting: Setting, _ example: String) -> JSONPointer? {
            setting.value(example: example, "a JSON pointer such as /messages/0/status", JSONPointer.init)
        }
        func values(_ setting: Setting, _ example: String) -> Set<String> {
            Set(setting.list([], example: example, "values, none of them empty") { $0.isEmpty ? nil : $0 })
        }
        func statuses(_ name: String) -> Set<Int> {
            Set(answer(name).list([], "statuses from 300 to 599") { Int($0).flatMap { 300..<600 ~= $0 ? $0 : nil } })
        }
        let verdicts = HTTPGatewayVerdicts(
            successPointer: pointer(answer("success_pointer"), "/status"),
            successValues: values(answer("success_values"), "[ok]"),
            idPointer: pointer(answer("id_pointer"), "/messages/0/id"),
            codePointer: pointer(answer("code_pointer"), "/error/code"),
            retryCodes: values(answer("retry_codes"), "[throttled]"),
            refuseCodes: values(answer("refuse_codes"), "[bad_number]"),
            retryStatuses: statuses("retry_statuses"),
            failoverStatuses: statuses("failover_statuses"),
            refuseStatuses: statuses("refuse_statuses")
        )
        if verdicts == nil {
            reader.failTogether(
                "sms.http.answer does not hold together: success_pointer and success_values need each other, retry_codes and "
                    + "refuse_codes need code_pointer or success_pointer, and no code and no status may stand in two lists"
            )
        }
        return verdicts
    }
}

extension Settings {
    /// The receiver of events.
    struct Webhooks {
        let endpoint: EndpointURL
        /// At least one. An event is signed with each.
        let secrets: [WebhookSecret]
        /// At least one.
        let kinds: Set<Event.Kind>
        let timeout: Duration
        let maxAttempts: Int

        /// - Returns: nil if there is none.
        init?(_ reader: SettingsReader) {
            let webhooks = reader.section("webhooks")
            let endpoint = webhooks("url")
                .value(
                    example: "https://app.example.com/webhooks/phoneproof",
                    "an http or https address without a user or a fragment",
                    isSecret: true,
                    EndpointURL.init(_:)
                )
            let text = webhooks("secrets").secret(example: "/run/secrets/webhooks", isNeeded: endpoint != nil)
            let wanted = "one or more of \(Event.Kind.allCases.map(\.rawValue).joined(separator: ", "))"
            kinds = Set(
                webhooks("events")
                    .list(nonempty: Event.Kind.allCases, wanted, orElse: wanted, shown: \.rawValue, Event.Kind.init)
            )
            timeout = webhooks("timeout_seconds").duration(.seconds(15), in: 1...60)
            maxAttempts = webhooks("max_attempts").integer(20, in: 1...100)
            guard let endpoint else { return nil }
            guard let text else {
                reader.failTogether(
                    "webhooks.url is set, which needs a secret: make one with `phoneproof webhooks secret`, and name its file "
                        + "by webhooks.secrets_file, or set \(SettingsError.environmentName(of: "webhooks.secrets"))"
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
