import OpenSSLCrypto
import PhoneDelivery
import PhoneDomain

extension Settings {
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
                .value(standard, "1 to 30 characters in one line, without control characters") { ServiceName($0) }
            let localNames = messages("local_service_names")
                .list([(String, ServiceName)](), "a language, an equals sign and a name, such as ko=에이스") {
                    text -> (String, ServiceName)? in
                    guard let (tag, name) = text.pair, let tag = LanguageTag(tag), let name = ServiceName(name) else {
                        return nil
                    }
                    return (tag.language, name)
                }
            let webHost = messages("web_host")
                .value(example: "example.com", "a host name such as example.com, without scheme and port") {
                    WebHost($0)
                }
            let appHash = messages("android_app_hash")
                .value(example: "FA+9qCX9VSu", "the 11-character hash of the app") { AndroidAppHash($0) }
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
        private(set) var dispatching = DispatcherConfiguration.standard
        let allowsRemoteStub: Bool
        /// Host names by which programs on this machine call the stub, beside its own.
        let stubHosts: Set<String>
        /// What the vendors' gateways in use need.
        let vendors: [Gateway: Vendor]
        /// When gateways that send no receipts are asked for them; nil for never.
        let receiptSchedule: ReceiptSchedule?

        init(_ reader: SettingsReader) {
            let sms = reader.section("sms")
            let gateways = Self.gateways(sms)
            sms("timeout_seconds").set(&dispatching.sendTimeout, in: 1...30)
            dispatching.lease = dispatching.sendTimeout * 6
            sms("concurrent_sends").set(&dispatching.maxConcurrentSends, in: 1...1000)
            sms("max_attempts").set(&dispatching.maxAttempts, in: 1...1000)
            let breaker = reader.section("sms.breaker")
            breaker("failures").set(&dispatching.breakerFailures, in: 1...1000)
            breaker("open_seconds").set(&dispatching.breakerOpenTime, in: 1...600)
            dispatching.longestBreakerOpenTime = max(dispatching.breakerOpenTime, .seconds(120))
            let stub = reader.section("sms.stub")
            allowsRemoteStub = stub("allow_remote").flag(false)
            stubHosts = Set(
                stub("hosts")
                    .list([], "host names in lower case without a port, such as api.twilio.com") {
                        WebHost($0)?.description
                    }
            )
            func used(_ gateway: Gateway) -> Gateway? { gateways.contains(gateway) ? gateway : nil }
            var vendors = [
                Gateway.twilio: Vendor.twilio(reader, used(.twilio)),
                .sens: Vendor.sens(reader, used(.sens)),
                .solapi: Vendor.solapi(reader, used(.solapi)),
            ]
            let receipts = reader.section("sms.receipts")
            let first = receipts("first_seconds").duration(.seconds(5), in: 1...3600)
            let last = receipts("hours").duration(orNever: .seconds(24 * 3600), of: .seconds(3600), in: 0...48)
            receiptSchedule = last.map { ReceiptSchedule(from: first, to: $0) }
            vendors[.sns] = Vendor.amazonSNS(reader, used(.sns))
            vendors[.vonage] = Vendor.vonage(reader, used(.vonage))
            vendors[.http] = Vendor.http(reader, used(.http))
            self.vendors = vendors.compactMapValues(\.self)
            self.gateways = gateways
        }

        private static func gateways(_ sms: SettingsSection) -> [Gateway] {
            let names = Gateway.allCases.map(\.rawValue).joined(separator: ", ")
            let wanted = "one or more of \(names), each once, in order of preference"
            let setting = sms("gateway")
            let gateways = setting.list([.stub], wanted, shown: \.rawValue, Gateway.init)
            if !gateways.isEmpty, Set(gateways).count == gateways.count { return gateways }
            sms.reader.reject(setting.key, gateways.map(\.rawValue).joined(separator: ", "), wanted: wanted)
            return [.stub]
        }
    }
}
