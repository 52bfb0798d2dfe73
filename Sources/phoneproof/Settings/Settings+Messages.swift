import OpenSSLCrypto
import PhoneDelivery
import PhoneDomain

extension Settings {
    /// The texts of messages.
    struct Messages {
        let directory: String?
        /// Without what other settings decide; ``Settings/messageContext`` has all.
        let names: MessageContext
        let allowsLong: Bool

        init(_ reader: SettingsReader) {
            let messages = reader.section("messages")
            directory = messages("directory").text(example: "config/messages")
            guard let standard = ServiceName("PhoneProof") else { preconditionFailure("the default is a valid name") }
            let service = messages("service_name")
                .value(standard, "1 to 30 characters in one line, none of them a control character") { ServiceName($0) }
            let localNames = messages("local_service_names")
                .list([(String, ServiceName)](), "a language, an equals sign and a name, such as ko=에이스") {
                    text -> (String, ServiceName)? in
                    guard let equals = text.firstIndex(of: "="), let tag = LanguageTag(String(text[..<equals])),
                        let name = ServiceName(String(text[text.index(after: equals)...]))
                    else { return nil }
                    return (tag.language, name)
                }
            let webHost = messages("web_host")
                .value(example: "example.com", "a host name such as example.com, without scheme and port") {
                    WebHost($0)
                }
            let appHash = messages("android_app_hash")
                .value(example: "FA+9qCX9VSu", "the 11 characters of the app's hash") { AndroidAppHash($0) }
            names = MessageContext(
                service: service,
                localNames: Dictionary(localNames) { $1 },
                webHost: webHost,
                androidAppHash: appHash
            )
            allowsLong = messages("allow_long").flag(false)
        }
    }

    enum Gateway: String, CaseIterable {
        case stub, console, twilio, sens, solapi, sns, vonage, http
    }

    /// The gateways that messages are sent by.
    struct SMS {
        /// At least one, without duplicates.
        var gateways: [Gateway]
        let timeout: Duration
        let maxConcurrentSends: Int
        let maxAttempts: Int
        let breakerFailures: Int
        let breakerOpenTime: Duration
        let allowsRemoteStub: Bool
        /// Host names by which programs on this machine call the stub, beside its own.
        let stubHosts: Set<String>
        /// What a gateway needs; nil unless it is in use.
        let twilio: Twilio?
        let sens: SENS?
        let solapi: Solapi?
        let amazonSNS: AmazonSNS?
        let vonage: Vonage?
        let http: HTTPGatewayConfiguration?
        /// When gateways that send no receipts are asked for them; nil for never.
        let receiptSchedule: ReceiptSchedule?

        init(_ reader: SettingsReader) {
            let sms = reader.section("sms")
            let gateways = Self.gateways(sms)
            timeout = sms("timeout_seconds").duration(.seconds(10), in: 1...30)
            maxConcurrentSends = sms("concurrent_sends").integer(64, in: 1...1000)
            maxAttempts = sms("max_attempts").integer(10, in: 1...1000)
            let breaker = reader.section("sms.breaker")
            breakerFailures = breaker("failures").integer(5, in: 1...1000)
            breakerOpenTime = breaker("open_seconds").duration(.seconds(30), in: 1...600)
            let stub = reader.section("sms.stub")
            allowsRemoteStub = stub("allow_remote").flag(false)
            stubHosts = Set(
                stub("hosts")
                    .list([], "names of hosts in lower case without a port, such as api.twilio.com") {
                        WebHost($0)?.description
                    }
            )
            func used(_ gateway: Gateway) -> Gateway? { gateways.contains(gateway) ? gateway : nil }
            twilio = Twilio(reader, used(.twilio))
            sens = SENS(reader, used(.sens))
            solapi = Solapi(reader, used(.solapi))
            let receipts = reader.section("sms.receipts")
            let first = receipts("first_seconds").duration(.seconds(5), in: 1...3600)
            let last = receipts("hours").duration(orNever: .seconds(24 * 3600), of: .seconds(3600), in: 0...48)
            receiptSchedule = last.map { ReceiptSchedule(from: first, to: $0) }
            amazonSNS = AmazonSNS(reader, used(.sns))
            vonage = Vonage(reader, used(.vonage))
            http = Self.http(reader, used(.http))
            self.gateways = gateways
        }

        private static func gateways(_ sms: SettingsSection) -> [Gateway] {
            let names = Gateway.allCases.map(\.rawValue).joined(separator: ", ")
            let wanted = "one or more of \(names), each once, in the order in which they are asked"
            let setting = sms("gateway")
            let gateways = setting.list([.stub], wanted, shown: \.rawValue, Gateway.init)
            if gateways.isEmpty || Set(gateways).count < gateways.count {
                let value = gateways.map(\.rawValue).joined(separator: ", ")
                sms.reader.reject(setting.key, value, wanted: wanted)
                return [.stub]
            }
            return gateways
        }
    }

    struct Twilio {
        let account: TwilioAccount
        let sender: TwilioSender
        let address: EndpointURL
        /// Nil for no receipts.
        let statusCallback: EndpointURL?

        /// - Parameter gateway: the gateway if it is in use; if not, values are checked and nothing is required.
        /// - Returns: nil if it is not in use or something is missing. The same is true of the others below.
        init?(_ reader: SettingsReader, _ gateway: Gateway?) {
            let twilio = reader.section("sms.twilio")
            let sid = twilio("account_sid").text(example: "AC00000000000000000000000000000000", for: gateway)
            let token = twilio("auth_token").secret(example: "/run/secrets/twilio", for: gateway)
            let sender = twilio("from")
                .value(
                    example: "\"+15005550006\"",
                    "a number such as +15005550006, a messaging service (MG and 32 digits), or a name of up to 11 letters "
                        + "and digits",
                    for: gateway,
                    TwilioSender.init
                )
            let address = twilio("base_url").address(TwilioGateway.standardAddress)
            statusCallback = twilio("status_callback_url")
                .value(
                    example: "https://phone.example.com/v1/receipts/twilio",
                    "the http or https address by which Twilio reaches /v1/receipts/twilio of this service",
                    EndpointURL.init(_:)
                )
            guard gateway != nil, let sid, let token, let sender, let address else { return nil }
            guard let account = TwilioAccount(sid: sid, authToken: token) else {
                // Nothing is quoted, here and below: one may have been put where the other belongs.
                reader.failTogether(
                    "sms.twilio.account_sid must be AC and 32 hexadecimal digits, and the auth token one word of up to 128 "
                        + "characters"
                )
                return nil
            }
            (self.account, self.sender, self.address) = (account, sender, address)
        }
    }

    struct SENS {
        let account: SENSAccount
        let sender: KoreanSender
        let address: EndpointURL

        init?(_ reader: SettingsReader, _ gateway: Gateway?) {
            let sens = reader.section("sms.sens")
            let serviceID = sens("service_id").text(example: "\"ncp:sms:kr:000000000000:name\"", for: gateway)
            let accessKey = sens("access_key").text(example: "xxxxxxxxxxxxxxxxxxxx", for: gateway)
            let secretKey = sens("secret_key").secret(example: "/run/secrets/sens", for: gateway)
            let isAgency = sens("agency").flag(false)
            let sender = sens("from").koreanSender(isOfAgency: isAgency, for: gateway)
            let address = sens("base_url").address(isAgency ? SENSGateway.agencyAddress : SENSGateway.standardAddress)
            guard gateway != nil, let serviceID, let accessKey, let secretKey, let sender, let address else {
                return nil
            }
            guard let account = SENSAccount(serviceID: serviceID, accessKey: accessKey, secretKey: secretKey) else {
                reader.failTogether(
                    "sms.sens.service_id must be as the console shows it (ncp:sms:kr:…), and access key and secret key one "
                        + "word each of up to 128 characters"
                )
                return nil
            }
            (self.account, self.sender, self.address) = (account, sender, address)
        }
    }

    struct Solapi {
        let account: SolapiAccount
        let sender: KoreanSender
        /// Nil for SMS only.
        let alimtalk: Alimtalk?
        let address: EndpointURL

        init?(_ reader: SettingsReader, _ gateway: Gateway?) {
            let solapi = reader.section("sms.solapi")
            let key = solapi("api_key").text(example: "NCSXXXXXXXXXXXXX", for: gateway)
            let secret = solapi("api_secret").secret(example: "/run/secrets/solapi", for: gateway)
            let sender = solapi("from").koreanSender(for: gateway)
            let address = solapi("base_url").address(SolapiGateway.standardAddress)
            alimtalk = Self.alimtalk(reader)
            guard gateway != nil, let key, let secret, let sender, let address else { return nil }
            guard let account = SolapiAccount(apiKey: key, apiSecret: secret) else {
                reader.failTogether(
                    "sms.solapi.api_key must be up to 64 letters and digits, and the secret one word of up to 128 characters"
                )
                return nil
            }
            (self.account, self.sender, self.address) = (account, sender, address)
        }

        private static func alimtalk(_ reader: SettingsReader) -> Alimtalk? {
            let section = reader.section("sms.solapi.alimtalk")
            let channel = section("channel_id").text(example: "KA01PF000000000000000000000000000")
            let template = section("template_id").text(example: "KA01TP000000000000000000000000000")
            let variables = section("variables")
                .list(
                    [],
                    example: "[\"#{인증번호}={{code}}\", \"#{서비스}={{service}}\"]",
                    "texts such as #{code}={{code}}, with no other variables on the right than {{code}}, {{service}} and "
                        + "{{minutes}}",
                    AlimtalkVariable.init
                )
            guard channel != nil || template != nil || !variables.isEmpty else { return nil }
            if let channel, let template,
                let alimtalk = Alimtalk(channelID: channel, templateID: template, variables: variables)
            {
                return alimtalk
            }
            reader.failTogether(
                "sms.solapi.alimtalk needs channel_id and template_id, letters and digits each, and variables, each named once, "
                    + "one of which bears {{code}}; leave out all three for SMS alone"
            )
            return nil
        }
    }

    struct AmazonSNS {
        let credentials: AWSCredentials
        let region: AWSRegion
        let sender: SNSSender
        let address: EndpointURL

        init?(_ reader: SettingsReader, _ gateway: Gateway?) {
            let sns = reader.section("sms.sns")
            let region = sns("region")
                .value(example: "ap-northeast-2", "a region such as ap-northeast-2", for: gateway, AWSRegion.init)
            let id = sns("access_key_id").text(example: "AKIAIOSFODNN7EXAMPLE", for: gateway)
            let secret = sns("secret_access_key").secret(example: "/run/secrets/aws", for: gateway)
            let token = sns("session_token").secret(example: "/run/secrets/aws-session", isNeeded: gateway != nil)
            let senderID = sns("sender_id")
                .value(
                    example: "Acme",
                    "a name of up to 11 letters and digits, at least one of them a letter",
                    SNSSenderID.init
                )
            let number = sns("origination_number")
                .value(
                    example: "\"+15005550006\"",
                    "a number such as +15005550006, or a short code of at least 5 digits",
                    SNSOriginationNumber.init
                )
            let address = sns("base_url")
                .value(
                    example: "http://127.0.0.1:4566",
                    "an http or https address without a query",
                    EndpointURL.init(base:)
                )
            guard gateway != nil, let region, let id, let secret else { return nil }
            guard let credentials = AWSCredentials(accessKeyID: id, secretAccessKey: secret, sessionToken: token) else {
                reader.failTogether(
                    "sms.sns.access_key_id must be at least 11 letters and digits, and the secret and the session token one "
                        + "word each"
                )
                return nil
            }
            (self.credentials, self.region) = (credentials, region)
            (sender, self.address) = (SNSSender(id: senderID, number: number), address ?? .sns(in: region))
        }
    }

    struct Vonage {
        let account: VonageAccount
        let sender: VonageSender
        let address: EndpointURL

        init?(_ reader: SettingsReader, _ gateway: Gateway?) {
            let vonage = reader.section("sms.vonage")
            let key = vonage("api_key").text(example: "abcd1234", for: gateway)
            let secret = vonage("api_secret").secret(example: "/run/secrets/vonage", for: gateway)
            let sender = vonage("from")
                .value(
                    example: "Acme",
                    "a number such as +15005550006, or a name of up to 11 letters and digits",
                    for: gateway,
                    VonageSender.init
                )
            let address = vonage("base_url").address(VonageGateway.standardAddress)
            guard gateway != nil, let key, let secret, let sender, let address else { return nil }
            guard let account = VonageAccount(apiKey: key, apiSecret: secret) else {
                reader.failTogether(
                    "sms.vonage.api_key must be 8 letters and digits, and the secret one word of 6 to 128 characters"
                )
                return nil
            }
            (self.account, self.sender, self.address) = (account, sender, address)
        }
    }
}

extension Setting {
    /// A number that Korean carriers allow as a sender.
    fileprivate func koreanSender(isOfAgency: Bool = false, for gateway: Settings.Gateway?) -> KoreanSender? {
        value(
            example: "02-1234-5678",
            "a number that is registered with the vendor, as it is dialled in Korea: 010 and 8 digits, a landline with its "
                + "area code, 070 and 8, or 8 digits that begin with 15, 16 or 18; never 050",
            for: gateway
        ) { KoreanSender($0, isOfAgency: isOfAgency) }
    }
}
