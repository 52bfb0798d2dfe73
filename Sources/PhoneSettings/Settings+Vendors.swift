import OpenSSLCrypto
package import PhoneDelivery
package import PhoneDomain
package import TextEncodings

extension Settings {
    /// A vendor's gateway that is in use and has all that it needs.
    package struct Vendor {
        /// What is set, for an operator, without secrets.
        package let summary: String
        package let address: EndpointURL
        package var warnings: [String] = []
        /// Where Twilio posts receipts to, if it does, and as which account.
        package var receipts: (account: TwilioAccount, address: EndpointURL)?
        package let make: @Sendable (Settings, any WallClock) -> any MessageGateway
    }

    fileprivate var connectTimeout: Duration { min(sms.dispatching.sendTimeout / 2, .seconds(5)) }

    fileprivate func access(to address: EndpointURL, _ clock: any WallClock) -> VendorAccess {
        VendorAccess(
            address: address,
            connectTimeout: connectTimeout,
            authenticator: OpenSSLRequestAuthenticator(),
            identifiers: OpenSSLRandom(),
            wallClock: clock
        )
    }
}

/// Each function takes the gateway if it is in use, and reads its settings. If it is not in use, values are checked and
/// nothing is required. No error quotes what belongs to an account: one value may have been put where another belongs.
extension Settings.Vendor {
    package static func twilio(_ reader: SettingsReader, _ gateway: Settings.Gateway?) -> Self? {
        let twilio = reader.section("sms.twilio")
        let sid = twilio("account_sid").text(example: "AC00000000000000000000000000000000", for: gateway) {
            "The account SID: AC and 32 hexadecimal digits."
        }
        let token = twilio("auth_token").secret(example: "/run/secrets/twilio", for: gateway) {
            "The auth token of the account."
        }
        let sender = twilio("from")
            .value(
                example: "\"+15005550006\"",
                "a number such as +15005550006, a messaging service (MG and 32 digits), or a name of up to 11 letters and "
                    + "digits",
                for: gateway,
                TwilioSender.init
            ) { "The sender. A short code is valid too." }
        let address = twilio("base_url").address(TwilioGateway.standardAddress) {
            "The URL of the API. Use http://127.0.0.1:8081 for `phoneproof sms-stub`."
        }
        let callback = twilio("status_callback_url")
            .value(
                example: "https://phone.example.com/v1/receipts/twilio",
                "the public http or https URL of /v1/receipts/twilio of this service",
                EndpointURL.init(_:)
            ) {
                "The URL to which Twilio posts delivery reports, exactly as Twilio calls it, because it is signed."
                "Without it the service does not know whether messages arrive."
            }
        guard gateway != nil, let sid, let token, let sender, let address,
            let account = reader.together(
                TwilioAccount(sid: sid, authToken: token),
                "sms.twilio.account_sid must be AC and 32 hexadecimal digits, and the auth token one word of up to 128 "
                    + "characters"
            )
        else { return nil }
        var warnings = exposed("codes and the auth token", to: address, "sms.twilio.base_url")
        if let callback, callback.isPlain, !callback.isLoopback {
            warnings.append(
                "\(callback) is plain HTTP: numbers can be read in transit (sms.twilio.status_callback_url)"
            )
        }
        return Self(
            summary: "\(account) from \(sender), by \(address)"
                + (callback.map { ", with delivery reports to \($0)" } ?? ""),
            address: address,
            warnings: warnings,
            receipts: callback.map { (account, $0) }
        ) { settings, _ in
            TwilioGateway(
                account: account,
                sender: sender,
                address: address,
                statusCallback: callback,
                connectTimeout: settings.connectTimeout
            )
        }
    }

    package static func sens(_ reader: SettingsReader, _ gateway: Settings.Gateway?) -> Self? {
        let sens = reader.section("sms.sens") { "NAVER Cloud SENS." }
        let serviceID = sens("service_id").text(example: "\"ncp:sms:kr:000000000000:name\"", for: gateway) {
            "The service ID, as the console shows it."
        }
        let accessKey = sens("access_key").text(example: "xxxxxxxxxxxxxxxxxxxx", for: gateway) {
            "The ID of the access key."
        }
        let secretKey = sens("secret_key").secret(example: "/run/secrets/sens", for: gateway) { "The secret key." }
        let isAgency = sens("agency").flag(false) {
            "Whether this is a government agency, which uses another API and may send from a number such as 112."
        }
        let sender = sens("from").koreanSender(isOfAgency: isAgency, for: gateway) {
            "The sender. A text over 90 bytes (LMS) needs messages.allow_long."
        }
        let address = sens("base_url").address(isAgency ? SENSGateway.agencyAddress : SENSGateway.standardAddress) {
            "The URL of the API."
        }
        guard gateway != nil, let serviceID, let accessKey, let secretKey, let sender, let address,
            let account = reader.together(
                SENSAccount(serviceID: serviceID, accessKey: accessKey, secretKey: secretKey),
                "sms.sens.service_id must be as the console shows it (ncp:sms:kr:…), and access key and secret key one word "
                    + "each of up to 128 characters"
            )
        else { return nil }
        return Self(
            summary: "\(account) from \(sender), by \(address)",
            address: address,
            warnings: exposed("codes", to: address, "sms.sens.base_url")
        ) { settings, clock in
            SENSGateway(
                account: account,
                sender: sender,
                allowsLongMessages: settings.messages.allowsLong,
                access: settings.access(to: address, clock)
            )
        }
    }

    package static func solapi(_ reader: SettingsReader, _ gateway: Settings.Gateway?) -> Self? {
        let solapi = reader.section("sms.solapi")
        let key = solapi("api_key").text(example: "NCSXXXXXXXXXXXXX", for: gateway) { "The API key." }
        let secret = solapi("api_secret").secret(example: "/run/secrets/solapi", for: gateway) {
            "The secret of the API key."
        }
        let sender = solapi("from").koreanSender(for: gateway) { "The sender." }
        let address = solapi("base_url").address(SolapiGateway.standardAddress) {
            "The URL of the API. For CoolSMS it is https://api.coolsms.co.kr."
        }
        let alimtalk = alimtalk(reader)
        guard gateway != nil, let key, let secret, let sender, let address,
            let account = reader.together(
                SolapiAccount(apiKey: key, apiSecret: secret),
                "sms.solapi.api_key must be up to 64 letters and digits, and the secret one word of up to 128 characters"
            )
        else { return nil }
        let first = alimtalk.map { ", by KakaoTalk first with template \($0.templateID)" } ?? ""
        return Self(
            summary: "\(account) from \(sender), by \(address)\(first)",
            address: address,
            warnings: exposed("codes", to: address, "sms.solapi.base_url")
        ) { settings, clock in
            SolapiGateway(
                account: account,
                sender: sender,
                alimtalk: alimtalk,
                allowsLongMessages: settings.messages.allowsLong,
                access: settings.access(to: address, clock)
            )
        }
    }

    /// - Returns: nil for SMS only.
    private static func alimtalk(_ reader: SettingsReader) -> Alimtalk? {
        let section = reader.section("sms.solapi.alimtalk") {
            "With all three settings, codes for Korean numbers are sent by KakaoTalk, and by SMS to people who do not"
            "use it."
        }
        let channel = section("channel_id").text(example: "KA01PF000000000000000000000000000") {
            "The KakaoTalk channel (pfId)."
        }
        let template = section("template_id").text(example: "KA01TP000000000000000000000000000") {
            "The ID of the approved template."
        }
        let variables = section("variables")
            .list(
                [],
                example: "[\"#{인증번호}={{code}}\", \"#{서비스}={{service}}\"]",
                "texts such as #{code}={{code}}, with only the variables {{code}}, {{service}} and "
                    + "{{minutes}} on the right",
                AlimtalkVariable.init
            ) { "The values of the template's variables." }
        if channel == nil, template == nil, variables.isEmpty { return nil }
        return reader.together(
            Alimtalk(channelID: channel ?? "", templateID: template ?? "", variables: variables),
            "sms.solapi.alimtalk needs channel_id and template_id, letters and digits each, and variables, each named once, one "
                + "of which contains {{code}}; leave out all three to send only SMS"
        )
    }

    package static func amazonSNS(_ reader: SettingsReader, _ gateway: Settings.Gateway?) -> Self? {
        let sns = reader.section("sms.sns")
        let region = sns("region")
            .value(example: "ap-northeast-2", "a region such as ap-northeast-2", for: gateway, AWSRegion.init) {
                "The AWS region to send from. Not every region can send SMS."
            }
        let id = sns("access_key_id").text(example: "AKIAIOSFODNN7EXAMPLE", for: gateway) {
            "The access key ID of an IAM user that is allowed only sns:Publish. IAM roles are not supported."
        }
        let secret = sns("secret_access_key").secret(example: "/run/secrets/aws", for: gateway) {
            "The secret access key."
        }
        let token = sns("session_token").secret(example: "/run/secrets/aws-session", isNeeded: gateway != nil) {
            "The session token of temporary credentials, which expire and are not renewed."
        }
        let senderID = sns("sender_id")
            .value(
                example: "Acme",
                "a name of up to 11 letters and digits, at least one of them a letter",
                SNSSenderID.init
            ) { "The sender ID, for countries that allow one." }
        let number = sns("origination_number")
            .value(
                example: "\"+15005550006\"",
                "a number such as +15005550006, or a short code of at least 5 digits",
                SNSOriginationNumber.init
            ) { "The number of your account to send from. By default Amazon chooses." }
        let ownAddress = sns("base_url")
            .value(example: "http://127.0.0.1:4566", Setting.addressForm, EndpointURL.init(base:)) {
                "The URL of the API, if it is not Amazon's in that region."
            }
        guard gateway != nil, let region, let id, let secret,
            let credentials = reader.together(
                AWSCredentials(accessKeyID: id, secretAccessKey: secret, sessionToken: token),
                "sms.sns.access_key_id must be at least 11 letters and digits, and the secret and the session token one word "
                    + "each"
            )
        else { return nil }
        let address = ownAddress ?? .sns(in: region)
        let senders = [senderID?.description, number?.description].compactMap(\.self).joined(separator: ", ")
        let temporary = "temporary credentials expire within hours and are not renewed (sms.sns.session_token)"
        return Self(
            summary:
                "\(credentials) in \(region) from \(senders.isEmpty ? "a number that Amazon chooses" : senders), by \(address)",
            address: address,
            // The secret signs, and is not sent.
            warnings: (credentials.isTemporary ? [temporary] : []) + exposed("codes", to: address, "sms.sns.base_url")
        ) { settings, clock in
            SNSGateway(
                credentials: credentials,
                region: region,
                sender: SNSSender(id: senderID, number: number),
                access: settings.access(to: address, clock)
            )
        }
    }

    package static func vonage(_ reader: SettingsReader, _ gateway: Settings.Gateway?) -> Self? {
        let vonage = reader.section("sms.vonage")
        let key = vonage("api_key").text(example: "abcd1234", for: gateway) { "The API key: 8 letters and digits." }
        let secret = vonage("api_secret").secret(example: "/run/secrets/vonage", for: gateway) { "The API secret." }
        let sender = vonage("from")
            .value(
                example: "Acme",
                "a number such as +15005550006, or a name of up to 11 letters and digits",
                for: gateway,
                VonageSender.init
            ) { "The sender. Only some countries allow names." }
        let address = vonage("base_url").address(VonageGateway.standardAddress) { "The URL of the SMS API." }
        guard gateway != nil, let key, let secret, let sender, let address,
            let account = reader.together(
                VonageAccount(apiKey: key, apiSecret: secret),
                "sms.vonage.api_key must be 8 letters and digits, and the secret one word of 6 to 128 characters"
            )
        else { return nil }
        return Self(
            summary: "\(account) from \(sender), by \(address)",
            address: address,
            warnings: exposed("codes and the secret", to: address, "sms.vonage.base_url")
        ) { settings, _ in
            VonageGateway(account: account, sender: sender, address: address, connectTimeout: settings.connectTimeout)
        }
    }

    /// Any vendor with an HTTP API.
    package static func http(_ reader: SettingsReader, _ gateway: Settings.Gateway?) -> Self? {
        let http = reader.section("sms.http") {
            "Any other vendor with an HTTP API. Headers and body contain variables: {{to}} (+821012345678),"
            "{{to_digits}} (821012345678), {{to_national}} (01012345678), {{body}} (the text), {{from}}, {{id}} (the"
            "message's ID, the same on every attempt), {{language}}, {{secret}}, and {{secret_base64}} (of"
            "user:password, for Basic authentication). An invalid body, or one without the number or the text, is an"
            "error at start."
        }
        let endpoint = http("url").endpoint(example: "https://sms.example.com/v1/messages", for: gateway) {
            "The URL to send messages to. Redirects are not followed."
        }
        let method = http("method").choice(HTTPGatewayRequest.Method.post) { "The HTTP method." }
        let format = http("format").choice(RequestFormat.json) {
            "The format of the body, which decides how values are escaped: json (variables within quotes), form"
            "(name={{to}}&...), xml, or text (nothing is escaped)."
        }
        let example = #"'{"from": "{{from}}", "to": "{{to}}", "text": "{{body}}", "reference": "{{id}}"}'"#
        let body = http("body").text(example: example, for: gateway) { "The body of the request." }
        let headers = http("headers")
            .list(
                [String](),
                example: "[\"Authorization: Bearer {{secret}}\", \"Idempotency-Key: {{id}}\"]",
                "name: value",
                isSecret: true,
                { $0 }
            ) { "Additional headers. Content-Type replaces the one of the format." }
        let sender = http("from").text(example: "Acme") { "The value of {{from}}." }
        let secretSetting = http("secret")
        let secret = secretSetting.secret(example: "/run/secrets/sms", isNeeded: gateway != nil) {
            "The value of {{secret}}."
        }
        let isIdempotent = http("idempotent").flag(false) {
            "Whether the vendor sends a message with the same {{id}} only once. If not, a message without a response"
            "becomes unknown and is not sent to this vendor again."
        }
        guard let verdicts = verdicts(reader), let gateway, let endpoint, let body else { return nil }
        do {
            let configuration = try HTTPGatewayConfiguration(
                HTTPGatewayRequest(endpoint: endpoint, method: method, format: format, headers: headers, body: body),
                sender: sender,
                secret: secret,
                verdicts: verdicts,
                isIdempotent: isIdempotent
            )
            let isExposed = endpoint.isPlain && !endpoint.isLoopback
            let warning =
                "\(endpoint.origin) is plain HTTP: codes and everything else can be read in transit (sms.http.url)"
            return Self(
                summary: "\(configuration)\(isIdempotent ? ", retried without a response" : "")",
                address: endpoint,
                warnings: isExposed ? [warning] : []
            ) { settings, _ in HTTPGateway(configuration: configuration, connectTimeout: settings.connectTimeout) }
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
        let answer = reader.section("sms.http.answer") {
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
            "sms.http.answer is inconsistent: success_pointer and success_values need each other, retry_codes and "
                + "refuse_codes need code_pointer or success_pointer, and no code and no status may be in two lists"
        )
    }

    private static func exposed(_ what: String, to address: EndpointURL, _ key: String) -> [String] {
        guard address.isPlain, !Settings.isLoopback(address.host) else { return [] }
        return ["\(address) is plain HTTP: \(what) can be read in transit (\(key))"]
    }
}

extension Setting {
    /// A number that Korean carriers allow as a sender.
    fileprivate func koreanSender(
        isOfAgency: Bool = false,
        for gateway: Settings.Gateway?,
        @Sentences help: () -> String
    ) -> KoreanSender? {
        value(
            example: "02-1234-5678",
            "a number registered with the vendor, as dialled in Korea: 010 and 8 digits, a landline with its "
                + "area code, 070 and 8 digits, or 8 digits that begin with 15, 16 or 18; not 050",
            for: gateway,
            { KoreanSender($0, isOfAgency: isOfAgency) },
            help: help
        )
    }

    fileprivate func pointer(example: String, @Sentences help: () -> String) -> JSONPointer? {
        value(example: example, "a JSON pointer such as /messages/0/status", JSONPointer.init, help: help)
    }

    fileprivate func values(example: String, @Sentences help: () -> String) -> Set<String> {
        Set(list([], example: example, "values that are not empty", { $0.isEmpty ? nil : $0 }, help: help))
    }

    fileprivate func statuses(@Sentences help: () -> String) -> Set<Int> {
        Set(list([], "statuses from 300 to 599", { Self.integer($0, in: 300...599) }, help: help))
    }
}
