package import PhoneDelivery
import PhoneDomain
import PhoneHTTP

extension Settings {
    package struct Messages {
        package let directory: String?
        /// The part that no other setting decides; ``Settings/messageContext`` has all.
        package let names: MessageContext
        package let allowsLong: Bool
        private let localNames: [String: String]

        package init(_ reader: SettingsReader) {
            let messages = reader.section("messages")
            directory = messages("directory").text(example: "config/messages") {
                "A folder with texts (plain UTF-8) that add to or replace the built-in ones:"
                "<locale>/verification.txt with {{code}}, {{service}} and {{minutes}}; <locale>/number-changed.txt"
                "with {{link}} and {{service}}; templates/<name>/<locale>/verification.txt for requests that name"
                "this template, with its own variables such as {{order}} (at most 20 characters, no links). A message"
                "must fit one SMS."
            }
            guard let standard = ServiceName("PhoneProof") else { preconditionFailure("the default is a valid name") }
            let service = messages("service_name")
                .value(standard, "1 to 30 characters in one line, without control characters", { ServiceName($0) }) {
                    "The name of your service in messages."
                }
            let localNames = messages("local_service_names")
                .list(
                    [(String, ServiceName)](),
                    "a language, an equals sign and a name, such as ko=에이스",
                    {
                        text -> (String, ServiceName)? in
                        guard let (tag, name) = text.pair, let tag = LanguageTag(tag), let name = ServiceName(name)
                        else {
                            return nil
                        }
                        return (tag.language, name)
                    }
                ) {
                    "The name of your service in other languages: [ko=에이스, en=Ace]. Hangul does not fit an English"
                    "message, nor an umlaut a Korean one."
                }
            let webHost = messages("web_host")
                .value(
                    example: "example.com",
                    "a host name such as example.com, without scheme and port",
                    {
                        WebHost($0)
                    }
                ) {
                    "The web site on which phones fill in the code automatically. Adds the line \"@example.com"
                    "#123456\" to messages."
                }
            let appHash = messages("android_app_hash")
                .value(example: "FA+9qCX9VSu", "the 11-character hash of the app", { AndroidAppHash($0) }) {
                    "The hash of your Android app, which then reads the code by itself (SMS Retriever API)."
                }
            names = MessageContext(
                service: service,
                localNames: Dictionary(localNames) { $1 },
                webHost: webHost,
                androidAppHash: appHash
            )
            allowsLong = messages("allow_long").flag(false) {
                "Whether a message may take more than one SMS. The notice to an old number always may."
            }
            self.localNames = Dictionary(localNames.map { ($0, $1.description) }) { $1 }
        }

        /// The section `pages`, which takes the names from here unless it has one.
        func pages(_ reader: SettingsReader) -> (PageIdentity, ConsentPolicy?) {
            let pages = reader.section("pages") { "The pages at /signup. What a client has set of them comes first." }
            let name = pages("name")
                .value(
                    example: "Ace",
                    "1 to 30 characters in one line, without control characters",
                    {
                        ServiceName($0)
                    }
                ) {
                    "The name on top. By default that of messages, in the page's language if it has one in it."
                }
            let logo = pages("logo_url")
                .value(
                    example: "https://example.com/logo.svg",
                    "an https URL with a host in lower case",
                    {
                        RedirectURI($0).flatMap { try? ClientTheme(logo: $0, accent: nil, radius: nil).logo }
                    }
                ) {
                    "The logo beside the name."
                }
            let accent = pages("accent")
                .value(
                    example: "\"#0b57d0\"",
                    "a color such as #0b57d0 on which white text can be read (4.5:1)",
                    {
                        Color($0).flatMap { try? ClientTheme(logo: nil, accent: $0, radius: nil).accent }
                    }
                ) {
                    "The color of buttons and links. The dark scheme gets a lighter tint of it."
                }
            func rules(_ key: String, _ page: String, _ help: String) -> RedirectURI? {
                let parse = { (text: String) in RedirectURI(text).flatMap { $0.origin.contains("://") ? $0 : nil } }
                return pages(key).value(example: "https://example.com/\(page)", "an https URL", parse) { help }
            }
            let identity = PageIdentity(
                name: (name ?? names.service).description,
                localNames: name == nil ? localNames : [:],
                theme: (try? ClientTheme(logo: logo, accent: accent, radius: nil)) ?? .none,
                terms: rules("terms_url", "terms", "Your terms of service, which every page links to."),
                privacy: rules("privacy_url", "privacy", "Your privacy policy, which every page links to.")
            )
            return (identity, identity.consent(pages))
        }
    }

    /// How people accept the rules.
    package enum Consent: String, CaseIterable {
        case none, notice, required
    }

    package enum Gateway: String, CaseIterable {
        case stub, console, twilio, sens, solapi, sns, vonage, http
    }

    /// The gateways that messages are sent by.
    package struct SMS {
        /// The gateways to try, at least one, without duplicates.
        package var gateways: [Gateway]
        package private(set) var dispatching = DispatcherConfiguration.standard
        package let allowsRemoteStub: Bool
        /// Host names by which programs on this machine call the stub, beside its own.
        package let stubHosts: Set<String>
        /// What the vendors' gateways in use need.
        package let vendors: [Gateway: Vendor]

        package init(_ reader: SettingsReader) {
            let sms = reader.section("sms")
            let gateways = Self.gateways(sms)
            sms("timeout_seconds").set(&dispatching.sendTimeout, in: 1...30) {
                "How long a gateway may take to respond."
            }
            dispatching.lease = dispatching.sendTimeout * 6
            sms("concurrent_sends").set(&dispatching.maxConcurrentSends, in: 1...1000) {
                "Maximum number of messages that are being sent at the same time. 64 of them make 320 messages a"
                "second with a gateway that responds within 200 ms."
            }
            sms("max_attempts").set(&dispatching.maxAttempts, in: 1...1000) {
                "Maximum number of attempts to send a message, all of them before its code expires. Then it is"
                "failed, or unknown if a gateway that did not respond may have accepted it (`phoneproof outbox`)."
            }
            let breaker = reader.section("sms.breaker")
            breaker("failures").set(&dispatching.breakerFailures, in: 1...1000) {
                "Number of consecutive failures (unreachable or no response) after which messages skip a gateway."
            }
            breaker("open_seconds").set(&dispatching.breakerOpenTime, in: 1...600) {
                "How long a failing gateway is skipped before one message tries it again. Doubles up to two minutes"
                "while it keeps failing."
            }
            dispatching.longestBreakerOpenTime = max(dispatching.breakerOpenTime, .seconds(120))
            let stub = reader.section("sms.stub")
            allowsRemoteStub = stub("allow_remote").flag(false) {
                "Whether other machines can reach the stub, which shows every code. A proxy on this machine must not"
                "forward /stub, /inbox and /2010-04-01. Every instance has its own stub; to share one, run"
                "`phoneproof sms-stub` and set sms.twilio.base_url. If true, messages with a StatusCallback are"
                "refused."
            }
            stubHosts = Set(
                stub("hosts")
                    .list(
                        [],
                        "host names in lower case without a port, such as api.twilio.com",
                        {
                            WebHost($0)?.description
                        }
                    ) {
                        "Host names by which programs on this machine call the stub, besides localhost and 127.0.0.1,"
                        "for programs that know only api.twilio.com. They must resolve to this machine (/etc/hosts)"
                        "and be in the certificate."
                    }
            )
            func used(_ gateway: Gateway) -> Gateway? { gateways.contains(gateway) ? gateway : nil }
            var vendors = [
                Gateway.twilio: Vendor.twilio(reader, used(.twilio)),
                .sens: Vendor.sens(reader, used(.sens)),
                .solapi: Vendor.solapi(reader, used(.solapi)),
            ]
            let receipts = reader.section("sms.receipts") {
                "Polling of sens and solapi for delivery reports. The interval doubles each time."
            }
            let first = receipts("first_seconds").duration(.seconds(5), in: 1...3600) {
                "The age of a message when it is first polled, in seconds."
            }
            let last = receipts("hours").duration(orNever: .seconds(24 * 3600), of: .seconds(3600), in: 0...48) {
                "The age of a message when it is last polled, in hours. 0 turns polling off."
            }
            dispatching.receiptSchedule = last.map { ReceiptSchedule(from: first, to: $0) }
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
            let gateways = setting.list([.stub], wanted, shown: \.rawValue, Gateway.init) {
                "The gateways that send messages, in this order. The next one is used if one is down, busy or out of"
                "credit, but never if that one may have accepted the message. stub: messages stay here and are shown"
                "at /inbox, for development. console: they are printed to standard error. http: any other vendor."
            }
            if !gateways.isEmpty, Set(gateways).count == gateways.count { return gateways }
            sms.reader.reject(setting.key, gateways.map(\.rawValue).joined(separator: ", "), wanted: wanted)
            return [.stub]
        }
    }
}

extension PageIdentity {
    /// How people accept the rules that the section links to; nil if they are not asked to.
    fileprivate func consent(_ pages: SettingsSection) -> ConsentPolicy? {
        let consent = pages("consent")
            .choice(terms == nil ? Settings.Consent.none : .notice) {
                "How people accept your terms and privacy policy. notice: a line says that going on accepts them."
                "required: a box must be ticked, and there is no new account without it. The account keeps the"
                "version and the time. By default notice if terms_url is set, otherwise none."
            }
        let version = pages("consent_version")
            .value("1", "1 to 40 letters, digits, and any of -._", { $0.isVersion ? $0 : nil }) {
                "The version of the rules, such as a date. Change it with them: a new account then needs consent to"
                "the new version."
            }
        guard consent != .none else { return nil }
        if terms == nil, privacy == nil {
            pages.reader.failTogether(
                "pages.consent is \(consent.rawValue), but there are no rules; set pages.terms_url or pages.privacy_url"
            )
        }
        return ConsentPolicy(
            version: version,
            isRequired: consent == .required,
            terms: terms,
            privacy: privacy
        )
    }
}

extension String {
    fileprivate var isVersion: Bool { wholeMatch(of: /[A-Za-z0-9._-]{1,40}/) != nil }
}
