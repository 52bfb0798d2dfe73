import CoreEncodings
import PhoneDelivery
import PhoneDomain

extension Settings.Vendor {
    /// Any vendor with an HTTP API.
    static func http(_ reader: SettingsReader, _ gateway: Settings.Gateway?) -> Self? {
        let http = reader.section(of: .http, gateway) {
            "Any other vendor with an HTTP API. URL, headers and body contain variables: {{to}} (+821012345678),"
            "{{to_digits}} (821012345678), {{to_national}} (01012345678), {{body}} (the text), {{body_hex}} (the text"
            "in UTF-16BE and hexadecimal), {{code}}, {{service}}, {{minutes}}, {{template}} (below), {{from}}, {{id}} (the"
            "message's ID, the same on every attempt), {{language}}, {{secret}}, {{secret_base64}} (of"
            "user:password, for Basic authentication), {{unix_time}}, {{iso_time}}, {{date}} (all in UTC) and {{nonce}}. A"
            "gateway with {{code}}, {{service}}, {{minutes}} or {{template}} gets messages with a code alone. An invalid"
            "body, or a request without the number, or without the text and the code, is an error at start."
        }
        let url = http("url")
            .value(
                example: "https://sms.example.com/v1/messages",
                "an http or https URL without a user or a fragment, with variables after its host ({{body}} and {{service}} "
                    + "in its query)",
                for: gateway,
                isSecret: true,
                RequestURL.init
            ) { "The URL to send messages to, in which values are percent-encoded. Redirects are not followed." }
        let method = http("method").choice(HTTPGatewayConfiguration.Method.post) { "The HTTP method." }
        let format = http("format").choice(RequestFormat.json) {
            "The format of the body, which decides how values are escaped: json (variables within quotes), form"
            "(name={{to}}&...), xml, or text (nothing is escaped)."
        }
        let example = #"'{"from": "{{from}}", "to": "{{to}}", "text": "{{body}}", "reference": "{{id}}"}'"#
        let body = http("body").text(example: example) { "The body of the request. Without it all is in the URL." }
        let headers = http("headers")
            .list(
                [String](),
                example: "[\"Authorization: Bearer {{secret}}\", \"Idempotency-Key: {{id}}\"]",
                "name: value",
                isSecret: true,
                { $0 }
            ) { "Additional headers. Content-Type replaces the one of the format." }
        let senders = http("senders").senders(RatedSender<String>.init)
        let from = http("from").text(example: "Acme") { "The value of {{from}}." }
        let sender = senders.first?.sender ?? from
        let secretSetting = http("secret")
        let secret = secretSetting.secret(example: "/run/secrets/sms", isNeeded: gateway != nil) {
            "The value of {{secret}}."
        }
        let entries = http("templates")
            .list(
                [VendorTemplates.Entry](),
                example: "[\"*=T1001\", ko=T1002, order/ko=T1003]",
                "language=ID, *=ID or set/language=ID",
                VendorTemplates.Entry.init
            ) {
                "The values of {{template}}: the vendor's ID of a template for any language (*), by language, and by a set"
                "of texts of yours, which a request names."
            }
        let digests = http("sign")
            .list(
                [String](),
                example:
                    "[\"content sha256: {{request_body}}\", \"signature hmac_sha256 {{secret}}: {{unix_time}}.{{content}}\"]",
                "digests",
                isSecret: true,
                { $0 }
            ) {
                "Digests for the headers, such as a signature, in this order: a name, sha256 or hmac_sha1 or hmac_sha256"
                "with a key, a colon and a text. {{name}} is then its hexadecimal digits and {{name_base64}} its base64,"
                "in the headers and in the digests below; alone as a key it is its bytes. The text may also have"
                "{{request_host}}, {{request_query}} and {{request_body}}, as they are sent."
            }
        let isIdempotent = http("idempotent").flag(false) {
            "Whether the vendor sends a message with the same {{id}} only once. If not, a message without a response"
            "becomes unknown and is not sent to this vendor again."
        }
        let channels = http("serves").channels()
        let report = report(http)
        let inbound = inbound(http)
        let entry = feedbackRequest(http)
        let verdicts = verdicts(http)
        let templates =
            entries.isEmpty
            ? nil
            : reader.together(
                VendorTemplates(entries),
                "\(http.name).templates must have one for any language, such as \"*=T1001\", and none twice"
            )
        guard let verdicts, let gateway, let url, entries.isEmpty == (templates == nil) else { return nil }
        let endpoint = url.endpoint
        do {
            let configuration = try HTTPGatewayConfiguration(
                url: url,
                method: method,
                format: format,
                headers: headers,
                body: body ?? "",
                sender: sender,
                secret: secret,
                templates: templates,
                digests: digests,
                verdicts: verdicts,
                isIdempotent: isIdempotent
            )
            let receipts = report?.url.flatMap(HTTPReceiptQuery.endpoint)
            let warnings = [
                ("url", endpoint, "codes and everything else"), ("receipts.url", receipts, "the headers"),
                ("feedback.url", entry?.endpoint, "the headers"),
            ]
            .flatMap { name, endpoint, what in
                endpoint.map { exposed(what, to: $0, "\(http.name).\(name)") } ?? []
            }
            return Self(
                channels: channels,
                takesNotices: !configuration.takesCodes,
                summary: "\(configuration)\(isIdempotent ? ", retried without a response" : "")",
                address: endpoint,
                takesFeedback: entry != nil,
                warnings: warnings,
                receipts: report?.intake,
                inbound: inbound
            ) { name, settings in
                HTTPGateway(
                    name: name,
                    configuration: configuration,
                    channels: channels,
                    senders: senders,
                    reportsDelivery: report?.intake != nil,
                    query: report.flatMap { report in report.url.map { HTTPReceiptQuery(report.format, url: $0) } },
                    feedback: entry,
                    access: settings.vendorAccess(to: endpoint)
                )
            }
        } catch {
            if error.field == .secret, error.problem == .notSet {
                secretSetting.failWithoutSecret(for: gateway)
            } else {
                reader.failTogether("\(http.name).\(error.field.rawValue) \(error)")
            }
            return nil
        }
    }

    private static func verdicts(_ http: SettingsSection) -> HTTPGatewayVerdicts? {
        let (reader, name) = (http.reader, "\(http.name).answer")
        let answer = reader.section(name) {
            "What the vendor's response means. 2xx: accepted. 408, 425, 429 and 5xx: retry later. 3xx and other 4xx:"
            "use the next gateway. The settings below refine this."
        }
        return reader.together(
            HTTPGatewayVerdicts(
                successPointer: answer("success_pointer").pointer(example: "/status") {
                    "JSON pointer (RFC 6901) to the value in a 2xx response that must be one of success_values."
                    "Without it every 2xx means success."
                },
                successValues: answer("success_values").values(example: "[ok]") { "The values that mean success." },
                idPointer: answer("id_pointer").pointer(example: "/messages/0/id") {
                    "JSON pointer to the vendor's message ID."
                },
                codes: .init(
                    pointer: answer("code_pointer").pointer(example: "/error/code") {
                        "JSON pointer to the error code in a 2xx or 4xx response. By default success_pointer."
                    },
                    retry: answer("retry_codes").values(example: "[throttled]") {
                        "Error codes that mean: retry later. All others mean: use the next gateway."
                    },
                    refuse: answer("refuse_codes").values(example: "[bad_number]") {
                        "Error codes that mean: the number is bad, so the message fails."
                    }
                ),
                statuses: .init(
                    retry: answer("retry_statuses").statuses { "HTTP statuses that mean: retry later." },
                    failover: answer("failover_statuses").statuses {
                        "HTTP statuses that mean: use the next gateway."
                    },
                    refuse: answer("refuse_statuses").statuses {
                        "HTTP statuses that mean: the number is bad, so the message fails."
                    }
                )
            ),
            "\(name) is inconsistent: success_pointer and success_values need each other, retry_codes and "
                + "refuse_codes need code_pointer or success_pointer, and no code and no status may be in two lists"
        )
    }
}

extension Setting {
    /// - Parameter toWhole: whether an empty text in the file is the pointer to the whole, and not no setting.
    func pointer(example: String, toWhole: Bool = false, @Sentences help: () -> String) -> JSONPointer? {
        let pointer = value(example: example, "a JSON pointer such as /messages/0/status", JSONPointer.init, help: help)
        return pointer ?? (toWhole && reader.isEmptyInFile(key) ? JSONPointer("") : nil)
    }

    func values(example: String, @Sentences help: () -> String) -> Set<String> {
        Set(list([], example: example, "values that are not empty", { $0.isEmpty ? nil : $0 }, help: help))
    }

    fileprivate func statuses(@Sentences help: () -> String) -> Set<Int> {
        Set(list([], "statuses from 300 to 599", { Self.integer($0, in: 300...599) }, help: help))
    }
}
