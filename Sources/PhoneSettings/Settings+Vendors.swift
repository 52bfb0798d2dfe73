import OpenSSLCrypto
package import PhoneDelivery
package import PhoneDomain
package import TextEncodings

extension Settings {
    /// A vendor's gateway that is in use and has all that it needs.
    package struct Vendor {
        /// What it can send by.
        package var channels: Set<Channel> = [.sms]
        /// What is set, for an operator, without secrets.
        package let summary: String
        package let address: EndpointURL
        package var warnings: [String] = []
        /// Makes what takes a gateway's reports, given its name.
        package typealias Intake = @Sendable (String, OutboxDispatcher) -> any ReportIntake
        /// Nil if it sends none.
        package var receipts: Intake?
        /// Makes what takes the messages of people that it passes on; nil if it passes on none.
        package var inbound: (@Sendable (InboundReceiver) -> any ReportIntake)?
        /// Makes the gateway, given its name.
        package let make: @Sendable (String, Settings, any WallClock) -> any MessageGateway
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
    static func read(_ kind: Settings.Gateway.Kind, _ reader: SettingsReader, _ gateway: Settings.Gateway?) -> Self? {
        switch kind {
        case .stub, .console: nil
        case .twilio: twilio(reader, gateway)
        case .sens: sens(reader, gateway)
        case .solapi: solapi(reader, gateway)
        case .sns: amazonSNS(reader, gateway)
        case .vonage: vonage(reader, gateway)
        case .whatsapp: whatsApp(reader, gateway)
        case .http: http(reader, gateway)
        }
    }

    private static func twilio(_ reader: SettingsReader, _ gateway: Settings.Gateway?) -> Self? {
        let twilio = reader.section(of: .twilio, gateway)
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
        let channels = twilio("serves").channels([.sms, .call, .whatsapp])
        let contentSID = twilio("content_sid")
            .value(
                example: "HX00000000000000000000000000000000",
                "HX and 32 hexadecimal digits",
                TwilioContentSID.init
            ) { "For whatsapp, the approved template, with the code as its variable 1." }
        let address = twilio("base_url").address(TwilioGateway.standardAddress) {
            "The URL of the API. Use http://127.0.0.1:8081 for `phoneproof sms-stub`."
        }
        let callback = twilio("status_callback_url")
            .value(
                example: "https://phone.example.com/v1/receipts/twilio",
                "the public http or https URL of /v1/receipts/twilio of this service (or of the gateway's own name)",
                EndpointURL.init(_:)
            ) {
                "The URL to which Twilio posts delivery reports, exactly as Twilio calls it, because it is signed."
                "Without it the service does not know whether messages arrive."
            }
        let inboundAddress = twilio("inbound_url")
            .value(
                example: "https://phone.example.com/v1/inbound/twilio",
                "the public http or https URL of /v1/inbound/twilio of this service (or of the gateway's own name)",
                EndpointURL.init(_:)
            ) {
                "The URL that is entered at Twilio for messages to the number (A message comes in, by POST), for sms.inbound."
            }
        if gateway != nil, channels.contains(.whatsapp), contentSID == nil {
            reader.failTogether("\(twilio.name).serves names whatsapp, which needs \(twilio.name).content_sid")
        }
        if gateway != nil, channels.contains(.call), let sender, !sender.isNumber {
            reader.failTogether("\(twilio.name).serves names call, which needs a number as \(twilio.name).from")
        }
        guard gateway != nil, let sid, let token, let sender, let address,
            let account = reader.together(
                TwilioAccount(sid: sid, authToken: token),
                "\(twilio.name).account_sid must be AC and 32 hexadecimal digits, and the auth token one word of up to 128 "
                    + "characters"
            )
        else { return nil }
        var warnings = exposed("codes and the auth token", to: address, "\(twilio.name).base_url")
        if let callback, callback.isPlain, !callback.isLoopback {
            warnings.append(
                "\(callback) is plain HTTP: numbers can be read in transit (\(twilio.name).status_callback_url)"
            )
        }
        var receipts: Intake?
        if let callback {
            receipts = { name, dispatcher in
                TwilioReceipts(
                    of: name,
                    account: account,
                    address: callback,
                    authenticator: OpenSSLRequestAuthenticator(),
                    dispatcher: dispatcher
                )
            }
        }
        let inbound = inboundAddress.map { address in
            { @Sendable (receiver: InboundReceiver) -> any ReportIntake in
                TwilioInbound(
                    account: account,
                    address: address,
                    authenticator: OpenSSLRequestAuthenticator(),
                    receiver: receiver
                )
            }
        }
        return Self(
            channels: channels,
            summary: "\(account) from \(sender), by \(address)"
                + (callback.map { ", with delivery reports to \($0)" } ?? ""),
            address: address,
            warnings: warnings,
            receipts: receipts,
            inbound: inbound
        ) { name, settings, _ in
            TwilioGateway(
                name: name,
                account: account,
                sender: sender,
                channels: channels,
                contentSID: contentSID,
                address: address,
                statusCallback: callback,
                connectTimeout: settings.connectTimeout
            )
        }
    }

    private static func sens(_ reader: SettingsReader, _ gateway: Settings.Gateway?) -> Self? {
        let sens = reader.section(of: .sens, gateway) { "NAVER Cloud SENS." }
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
                "\(sens.name).service_id must be as the console shows it (ncp:sms:kr:…), and access key and secret key one word "
                    + "each of up to 128 characters"
            )
        else { return nil }
        return Self(
            summary: "\(account) from \(sender), by \(address)",
            address: address,
            warnings: exposed("codes", to: address, "\(sens.name).base_url")
        ) { name, settings, clock in
            SENSGateway(
                name: name,
                account: account,
                sender: sender,
                allowsLongMessages: settings.messages.allowsLong,
                access: settings.access(to: address, clock)
            )
        }
    }

    private static func solapi(_ reader: SettingsReader, _ gateway: Settings.Gateway?) -> Self? {
        let solapi = reader.section(of: .solapi, gateway)
        let key = solapi("api_key").text(example: "NCSXXXXXXXXXXXXX", for: gateway) { "The API key." }
        let secret = solapi("api_secret").secret(example: "/run/secrets/solapi", for: gateway) {
            "The secret of the API key."
        }
        let sender = solapi("from").koreanSender(for: gateway) { "The sender." }
        let address = solapi("base_url").address(SolapiGateway.standardAddress) {
            "The URL of the API. For CoolSMS it is https://api.coolsms.co.kr."
        }
        let alimtalk = alimtalk(solapi)
        guard gateway != nil, let key, let secret, let sender, let address,
            let account = reader.together(
                SolapiAccount(apiKey: key, apiSecret: secret),
                "\(solapi.name).api_key must be up to 64 letters and digits, and the secret one word of up to 128 characters"
            )
        else { return nil }
        let first = alimtalk.map { ", to KakaoTalk with template \($0.templateID)" } ?? ""
        return Self(
            channels: alimtalk == nil ? [.sms] : [.sms, .kakaotalk],
            summary: "\(account) from \(sender), by \(address)\(first)",
            address: address,
            warnings: exposed("codes", to: address, "\(solapi.name).base_url")
        ) { name, settings, clock in
            SolapiGateway(
                name: name,
                account: account,
                sender: sender,
                alimtalk: alimtalk,
                allowsLongMessages: settings.messages.allowsLong,
                access: settings.access(to: address, clock)
            )
        }
    }

    /// - Returns: nil for SMS only.
    private static func alimtalk(_ solapi: SettingsSection) -> Alimtalk? {
        let (reader, name) = (solapi.reader, "\(solapi.name).alimtalk")
        let section = reader.section(name) {
            "With all three settings the gateway serves kakaotalk, too, to Korean numbers: by it first, and by SMS to"
            "people who do not use it, where a request names no channel (sms.channels)."
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
            "\(name) needs channel_id and template_id, letters and digits each, and variables, each named once, one "
                + "of which contains {{code}}; leave out all three to send only SMS"
        )
    }

    private static func amazonSNS(_ reader: SettingsReader, _ gateway: Settings.Gateway?) -> Self? {
        let sns = reader.section(of: .sns, gateway)
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
                "\(sns.name).access_key_id must be at least 11 letters and digits, and the secret and the session token one word "
                    + "each"
            )
        else { return nil }
        let address = ownAddress ?? .sns(in: region)
        let senders = [senderID?.description, number?.description].compactMap(\.self).joined(separator: ", ")
        let temporary = "temporary credentials expire within hours and are not renewed (\(sns.name).session_token)"
        return Self(
            summary:
                "\(credentials) in \(region) from \(senders.isEmpty ? "a number that Amazon chooses" : senders), by \(address)",
            address: address,
            // The secret signs, and is not sent.
            warnings: (credentials.isTemporary ? [temporary] : [])
                + exposed("codes", to: address, "\(sns.name).base_url")
        ) { name, settings, clock in
            SNSGateway(
                name: name,
                credentials: credentials,
                region: region,
                sender: SNSSender(id: senderID, number: number),
                access: settings.access(to: address, clock)
            )
        }
    }

    private static func vonage(_ reader: SettingsReader, _ gateway: Settings.Gateway?) -> Self? {
        let vonage = reader.section(of: .vonage, gateway)
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
        let channels = vonage("serves").channels([.sms, .call])
        let application = vonage("application_id").text(example: "00000000-0000-0000-0000-000000000000") {
            "For call, the application with the capability Voice."
        }
        let pem = vonage("private_key").secret(example: "/run/secrets/vonage.key", isNeeded: gateway != nil) {
            "For call, the application's private key as Vonage gives it (PEM)."
        }
        let voiceAddress = vonage("voice_url").address(VonageVoice.standardAddress) { "The URL of the Voice API." }
        let inboundSecret = vonage("signature_secret")
            .secret(example: "/run/secrets/vonage-signature", isNeeded: gateway != nil) {
                "The account's signature secret, with the method SHA-256 HMAC, by which Vonage signs what it posts to"
                "/v1/inbound/vonage (or the gateway's own name), for sms.inbound."
            }
        let signer = pem.flatMap(JSONWebTokenSigner.init(pem:))
        if gateway != nil, channels.contains(.call), application == nil || signer == nil || sender?.isNumber == false {
            reader.failTogether(
                "\(vonage.name).serves names call, which needs \(vonage.name).application_id, the RSA key of the application "
                    + "(\(vonage.name).private_key_file) and a number as \(vonage.name).from"
            )
        }
        guard gateway != nil, let key, let secret, let sender, let address,
            let account = reader.together(
                VonageAccount(apiKey: key, apiSecret: secret),
                "\(vonage.name).api_key must be 8 letters and digits, and the secret one word of 6 to 128 characters"
            )
        else { return nil }
        let inbound = inboundSecret.map { secret in
            { @Sendable (receiver: InboundReceiver) -> any ReportIntake in
                VonageInbound(secret: secret, authenticator: OpenSSLRequestAuthenticator(), receiver: receiver)
            }
        }
        return Self(
            channels: channels,
            summary: "\(account) from \(sender), by \(address)",
            address: address,
            warnings: exposed("codes and the secret", to: address, "\(vonage.name).base_url"),
            inbound: inbound
        ) { name, settings, clock in
            var voice: VonageVoice?
            if channels.contains(.call), let application, let signer, let voiceAddress {
                voice = VonageVoice(applicationID: application, access: settings.access(to: voiceAddress, clock)) {
                    try await signer.sign(header: ["alg": "RS256", "typ": "JWT"], claims: $0)
                }
            }
            return VonageGateway(
                name: name,
                account: account,
                sender: sender,
                channels: channels,
                voice: voice,
                address: address,
                connectTimeout: settings.connectTimeout
            )
        }
    }

    /// Any vendor with an HTTP API.
    private static func http(_ reader: SettingsReader, _ gateway: Settings.Gateway?) -> Self? {
        let http = reader.section(of: .http, gateway) {
            "Any other vendor with an HTTP API. Headers and body contain variables: {{to}} (+821012345678),"
            "{{to_digits}} (821012345678), {{to_national}} (01012345678), {{body}} (the text), {{body_hex}} (the text"
            "in UTF-16BE and hexadecimal), {{from}}, {{id}} (the"
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
        let channels = http("serves").channels(Set(Channel.outbound))
        let report = report(http)
        let inbound = inbound(http)
        guard let verdicts = verdicts(http), let gateway, let endpoint, let body else { return nil }
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
                "\(endpoint.origin) is plain HTTP: codes and everything else can be read in transit (\(http.name).url)"
            return Self(
                channels: channels,
                summary: "\(configuration)\(isIdempotent ? ", retried without a response" : "")",
                address: endpoint,
                warnings: isExposed ? [warning] : [],
                receipts: report?.intake,
                inbound: inbound
            ) { name, settings, _ in
                let gateway = HTTPGateway(
                    name: name,
                    configuration: configuration,
                    channels: channels,
                    reportsDelivery: report?.intake != nil,
                    connectTimeout: settings.connectTimeout
                )
                guard let report, let url = report.url else { return gateway }
                return PolledHTTPGateway(gateway, report.format, url: url)
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

    /// How the vendor reports what became of messages; nil if it does not.
    private static func report(
        _ http: SettingsSection
    ) -> (format: HTTPReportFormat, url: String?, intake: Intake?)? {
        let name = "\(http.name).receipts"
        let receipts = http.reader.section(name) {
            "Delivery reports. Either the vendor sends them to /v1/receipts/http (or /v1/receipts/ and the gateway's name)"
            "by POST with JSON or a form or by GET, which needs the secret; or it is asked at url. They name the message"
            "by the ID of answer.id_pointer, or by {{id}} where there is none."
        }
        let id = receipts("id_pointer").pointer(example: "/id") {
            "JSON pointer to the message's ID; in a form or a query, a slash and the field's name."
        }
        let status = receipts("status_pointer").pointer(example: "/status") { "The same to its state." }
        let code = receipts("code_pointer").pointer(example: "/error") { "The same to an error's number." }
        let delivered = receipts("delivered_values").values(example: "[delivered]") { "The states that mean: arrived." }
        let undelivered = receipts("undelivered_values").values(example: "[failed, expired]") {
            "The states that mean: lost. All others mean: on its way."
        }
        let proof = proof(receipts, isNeeded: status != nil)
        let reply = receipts("reply").text(example: "ACK/Jasmin") {
            "What the vendor must read as the answer to a report. By default nothing (204)."
        }
        let url = receipts("url")
            .value(
                example: "https://sms.example.com/v1/messages/{{message_id}}",
                "an http or https URL with {{message_id}} in it",
                { text in
                    let probe = text.replacing(PolledHTTPGateway.messageID, with: "0")
                    return probe != text && EndpointURL(probe) != nil ? text : nil
                }
            ) { "Where the state of a message is asked for, by GET, with the headers above." }
        if status == nil, delivered.isEmpty, undelivered.isEmpty { return nil }
        guard let status,
            let format = HTTPReportFormat(
                idPointer: id ?? status,
                statusPointer: status,
                codePointer: code,
                delivered: delivered,
                undelivered: undelivered
            ), url != nil || (id != nil && proof != nil)
        else {
            http.reader.failTogether(
                "\(name) needs status_pointer, delivered_values and undelivered_values, none in both, and either url or "
                    + "id_pointer and a secret of 16 characters or more"
            )
            return nil
        }
        guard url == nil, let proof else { return (format, url, nil) }
        let intake: Intake = { name, dispatcher in
            HTTPReceipts(of: name, format, proof: proof, reply: reply, dispatcher: dispatcher)
        }
        return (format, nil, intake)
    }

    /// What proves that the vendor sent something; nil without a secret of 16 characters or more.
    private static func proof(_ section: SettingsSection, isNeeded: Bool) -> HTTPReportProof? {
        let kind = section("proof").choice(HTTPReportProof.Kind.token) {
            "What proves a report. token: the secret in the header, also after Bearer, or as the field token of the"
            "query. hmac: the header has the body's HMAC-SHA256 with the secret."
        }
        let header = section("header").text("Authorization") { "The header with the token or the HMAC." }
        let secret = section("secret").secret(example: "/run/secrets/receipts", isNeeded: isNeeded) {
            "The secret that proves reports, at least 16 characters."
        }
        guard let secret, secret.utf8.count >= 16 else { return nil }
        return HTTPReportProof(kind, header: header, secret: secret, authenticator: OpenSSLRequestAuthenticator())
    }

    /// How the vendor passes on the messages of people; nil if it does not.
    private static func inbound(_ http: SettingsSection) -> (@Sendable (InboundReceiver) -> any ReportIntake)? {
        let name = "\(http.name).inbound"
        let inbound = http.reader.section(name) {
            "Messages of people to a number of yours, which the vendor sends to /v1/inbound/http (or /v1/inbound/ and the"
            "gateway's name), for sms.inbound."
        }
        let sender = inbound("sender_pointer").pointer(example: "/from") {
            "JSON pointer to the number of the sender; in a form or a query, a slash and the field's name."
        }
        let text = inbound("text_pointer").pointer(example: "/text") { "The same to the text." }
        let format = inbound("sender_format").choice(InboundReceiver.SenderFormat.e164) {
            "How the vendor writes numbers: e164 (+821012345678), digits (821012345678), or national (01012345678, of the"
            "region of this service)."
        }
        let proof = proof(inbound, isNeeded: sender != nil)
        let reply = inbound("reply").text(example: "OK") {
            "What the vendor must read as the answer. By default nothing (204)."
        }
        guard sender != nil || text != nil else { return nil }
        guard let sender, let text, let proof else {
            http.reader.failTogether(
                "\(name) needs sender_pointer, text_pointer and a secret of 16 characters or more"
            )
            return nil
        }
        return { receiver in
            HTTPInbound(sender: sender, text: text, format: format, proof: proof, reply: reply, receiver: receiver)
        }
    }

    private static func languageCode(_ text: String) -> String? {
        text.wholeMatch(of: /[a-z]{2,3}(_[A-Z]{2})?/) == nil ? nil : text
    }

    /// Meta's WhatsApp Cloud API.
    private static func whatsApp(_ reader: SettingsReader, _ gateway: Settings.Gateway?) -> Self? {
        let whatsApp = reader.section(of: .whatsapp, gateway) {
            "Meta's WhatsApp Cloud API, with an approved template of the category authentication."
        }
        let id = whatsApp("phone_number_id").text(example: "\"100000000000000\"", for: gateway) {
            "Meta's ID of the number that messages come from."
        }
        let token = whatsApp("access_token").secret(example: "/run/secrets/whatsapp", for: gateway) {
            "The access token of a system user, with the permission whatsapp_business_messaging."
        }
        let name = whatsApp("template").text(example: "login_code", for: gateway) { "The template's name." }
        let languages = whatsApp("languages")
            .list(
                ["en_US"],
                "language codes such as en_US or ko",
                orElse: "one or more language codes",
                Self.languageCode
            ) { "The languages that it is approved in. The first is for people of any other." }
        let secret = whatsApp("app_secret").secret(example: "/run/secrets/whatsapp-app", isNeeded: gateway != nil) {
            "The app's secret, by which Meta signs what it posts to /v1/receipts/whatsapp (or the gateway's own name)."
            "Without it the service does not know whether messages arrive."
        }
        let verifyToken = whatsApp("verify_token").text(example: "a-word-of-yours") {
            "What is entered beside that address in Meta's console, in the app's webhook of whatsapp_business_account."
        }
        let address = whatsApp("base_url").address(WhatsAppGateway.standardAddress) { "The URL of the API." }
        guard gateway != nil, let id, let token, let name, let address,
            let account = reader.together(
                WhatsAppAccount(phoneNumberID: id, accessToken: token),
                "\(whatsApp.name).phone_number_id must be 5 to 20 digits, and the access token one word"
            ),
            let template = reader.together(
                WhatsAppTemplate(name: name, languages: languages),
                "\(whatsApp.name).template must be of lower-case letters, digits and underscores, and languages not empty"
            )
        else { return nil }
        var receipts: Intake?
        if let secret {
            receipts = { name, dispatcher in
                WhatsAppReceipts(
                    of: name,
                    secret: secret,
                    verifyToken: verifyToken,
                    authenticator: OpenSSLRequestAuthenticator(),
                    dispatcher: dispatcher
                )
            }
        }
        return Self(
            channels: [.whatsapp],
            summary: "\(account) with template \(name), by \(address)"
                + (secret == nil ? "" : ", with delivery reports"),
            address: address,
            warnings: exposed("codes and the access token", to: address, "\(whatsApp.name).base_url"),
            receipts: receipts
        ) { name, settings, clock in
            WhatsAppGateway(
                name: name,
                account: account,
                template: template,
                reportsDelivery: secret != nil,
                access: settings.access(to: address, clock)
            )
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

    /// What a gateway is used for.
    func channels(_ possible: Set<Channel>) -> Set<Channel> {
        let names = Channel.outbound.filter(possible.contains).map(\.rawValue).joined(separator: ", ")
        let parse = { (text: String) in Channel(rawValue: text).flatMap { possible.contains($0) ? $0 : nil } }
        return Set(
            list([.sms], "some of \(names)", orElse: "one or more of \(names)", shown: \.rawValue, parse) {
                "The channels that it sends by."
            }
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
