import CoreEncodings
import PhoneAccounts
package import PhoneDelivery
package import PhoneDomain
import PhoneHTTP
import PhoneNumbers
package import PhoneSignup

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
                    { text -> (String, ServiceName)? in
                        guard let (tag, name) = text.pair, let tag = LanguageTag(tag) else { return nil }
                        return ServiceName(name).map { (tag.language, $0) }
                    }
                ) {
                    "The name of your service in other languages: [ko=에이스, en=Ace]. Hangul does not fit an English"
                    "message, nor an umlaut a Korean one."
                }
            let webHost = messages("web_host")
                .value(
                    example: "example.com",
                    "a host name such as example.com, without scheme and port",
                    { WebHost($0) }
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
                    { ServiceName($0) }
                ) {
                    "The name on top. By default that of messages, in the page's language if it has one in it."
                }
            let logo = pages("logo_url")
                .value(
                    example: "https://example.com/logo.svg",
                    "an https URL with a host in lower case",
                    { RedirectURI($0).flatMap { try? ClientTheme(logo: $0, accent: nil, radius: nil).logo } }
                ) {
                    "The logo beside the name."
                }
            let accent = pages("accent")
                .value(
                    example: "\"#0b57d0\"",
                    "a color such as #0b57d0 on which white text can be read (4.5:1)",
                    { Color($0).flatMap { try? ClientTheme(logo: nil, accent: $0, radius: nil).accent } }
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

    /// A gateway in use: one of each kind by the kind's name, or any number by names of the operator's.
    package struct Gateway: Hashable, CustomStringConvertible {
        package enum Kind: String, CaseIterable {
            case stub, console, twilio, sens, solapi, sns, aws, vonage, whatsapp, telegram, http
        }

        package let description: String
        package let kind: Kind
        /// The section with its settings.
        package let section: String

        package init(_ kind: Kind) {
            (description, self.kind, section) = (kind.rawValue, kind, "sms.\(kind.rawValue)")
        }

        /// - Parameter name: 1 to 32 lower-case letters, digits and hyphens, the first a letter.
        init?(named name: String, kind: Kind) {
            guard 1...32 ~= name.utf8.count, name.utf8.first.map(\.isASCIILowerCase) ?? false,
                name.utf8.allSatisfy({ $0.isASCIILowerCase || $0.isASCIIDigit || $0 == UInt8(ascii: "-") })
            else { return nil }
            (description, self.kind, section) = (name, kind, "sms.gateways.\(name)")
        }

        package static let stub = Gateway(.stub)
    }

    /// The gateways that messages are sent by.
    package struct SMS {
        /// The gateways to try, at least one, without duplicates.
        package private(set) var gateways: [Gateway]
        package private(set) var dispatching = DispatcherConfiguration.standard
        package let allowsRemoteStub: Bool
        /// Host names by which programs on this machine call the stub, beside its own.
        package let stubHosts: Set<String>
        let stubChannels: Set<Channel>
        /// How sentences name channels, where the operator has names for them.
        package let channelNames: [Channel: String]
        package private(set) var routes: Routes
        /// The numbers to which people send messages, by whom they are for (``InboundNumbers``).
        package private(set) var inbound: [Routes.Destination: String] = [:]
        /// What the vendors' gateways in use need.
        package let vendors: [Gateway: Vendor]

        package init(_ reader: SettingsReader) {
            let sms = reader.section("sms")
            let gateways = Self.gateways(sms)
            sms("timeout_seconds").set(&dispatching.sendTimeout, in: 1...30) {
                "How long a gateway may take to respond."
            }
            dispatching.lease = dispatching.sendTimeout * 6
            let stub = reader.section("sms.stub")
            allowsRemoteStub = stub("allow_remote").flag(false) {
                "Whether other machines can reach the stub, which shows every code. A proxy on this machine must not"
                "forward /stub, /inbox and /2010-04-01. Every instance has its own stub; to share one, run"
                "`phoneproof sms-stub` and set sms.twilio.base_url. If true, messages with a StatusCallback are"
                "refused."
            }
            stubChannels = stub("serves").channels()
            stubHosts = Set(
                stub("hosts")
                    .list(
                        [],
                        "host names in lower case without a port, such as api.twilio.com",
                        { WebHost($0)?.description }
                    ) {
                        "Host names by which programs on this machine call the stub, besides localhost and 127.0.0.1,"
                        "for programs that know only api.twilio.com. They must resolve to this machine (/etc/hosts)"
                        "and be in the certificate."
                    }
            )
            // What a named gateway does not set is in the section of its kind, which is read in any case.
            var vendors: [Gateway: Vendor] = [:]
            for gateway in Gateway.Kind.allCases.map({ Gateway($0) }) + gateways.filter({ $0 != Gateway($0.kind) }) {
                vendors[gateway] = Vendor.read(gateway.kind, reader, gateways.contains(gateway) ? gateway : nil)
            }
            self.vendors = vendors
            self.gateways = gateways
            let served = gateways.map { [stubChannels] gateway in
                let channels = gateway.kind == .stub ? stubChannels : vendors[gateway]?.channels ?? [.sms]
                return Routes.Gateway(
                    gateway.description,
                    serves: channels,
                    takesNotices: vendors[gateway]?.takesNotices ?? true,
                    address: vendors[gateway]?.address.origin
                )
            }
            routes = Self.routes(sms, served)
            let names = sms("channel_names")
                .list(
                    [(Channel, ServiceName)](),
                    example: "[imo=imo, viber=Viber]",
                    "a channel, an equals sign and a name of up to 30 characters, such as viber=Viber",
                    { text -> (Channel, ServiceName)? in
                        guard let (channel, name) = text.pair, let channel = Channel(rawValue: channel) else {
                            return nil
                        }
                        return ServiceName(name).map { (channel, $0) }
                    }
                ) {
                    "How pages and the prompt name channels of yours. By default a messenger's own name, or the"
                    "channel's with a capital."
                }
            channelNames = Dictionary(names.map { ($0, $1.description) }) { $1 }
            inbound = Self.inbound(reader)
            if !inbound.isEmpty, !gateways.contains(where: { $0.kind == .stub || vendors[$0]?.inbound != nil }) {
                reader.failTogether(
                    "sms.inbound needs a gateway in use that passes messages on: sms.twilio.inbound_url, "
                        + "sms.vonage.signature_secret_file, sms.http.inbound, or the stub"
                )
            }
        }

        /// The numbers to which people send messages, by whom they are for.
        private static func inbound(_ reader: SettingsReader) -> [Routes.Destination: String] {
            let section = reader.section("sms.inbound") {
                "Numbers of yours to which people may send a message to prove theirs, instead of receiving a code (the channel"
                "inbound): by their region, by the beginning of their numbers, or for all (\"*\"). The gateway that they"
                "belong to passes such messages on. In the file only."
            }
            section("KR").example("\"+82215881234\"")
            return rules(section).reduce(into: [:]) { numbers, rule in
                let text = reader.text(at: rule.key) ?? ""
                if text.wholeMatch(of: /\+?[0-9]{3,15}/) == nil {
                    reader.fail("\(rule.key) must be a number such as \"+15005550006\" or a short code, in quotes")
                }
                numbers[rule.destination] = text
            }
        }

        /// What an operator has set by whom it is for and, if the section has that, by what for.
        ///
        /// - Parameter channels: for which there can be rules of their own; nil where a section has none by purpose.
        private static func rules(
            _ section: SettingsSection,
            byPurpose channels: [Channel]? = nil
        ) -> [(key: String, destination: Routes.Destination, purpose: Routes.Purpose)] {
            let reader = section.reader
            return reader.keys(below: section.name).compactMap { name in
                let (key, parts) = ("\(section.name).\(name)", name.split(separator: ".").map(String.init))
                if parts.count <= (channels == nil ? 1 : 2), let destination = Routes.Destination(parts[0]),
                    let purpose = Routes.Purpose(parts.count == 2 ? parts[1] : "all"),
                    purpose.channel.map({ channels?.contains($0) ?? false }) ?? true
                {
                    return (key, destination, purpose)
                }
                _ = reader.texts(at: key)
                let meant = Settings.region(near: parts[0]).map { "; did you mean \($0)?" } ?? ""
                reader.fail(
                    "\(key): it is for a region such as KR, the beginning of numbers such as \"+44\", or \"*\""
                        + (channels.map { ", and below it for \(names(of: $0)), notice or all" } ?? "")
                        + meant
                )
                return nil
            }
        }

        /// The channels that can be named: the standard ones, and those that gateways serve.
        private static func channels(_ gateways: [Routes.Gateway]) -> [Channel] {
            Routes.standardOrder + Routes(gateways).channels.filter { !Routes.standardOrder.contains($0) }
        }

        private static func names(of channels: [Channel]) -> String { channels.map(\.rawValue).joined(separator: ", ") }

        /// Leaves the stub as the only gateway, for a process whose messages must not leave it.
        package mutating func useStubAlone() {
            (gateways, inbound) = ([.stub], [:])
            routes = Routes([Routes.Gateway("\(Gateway.stub)", serves: [.sms, .call])])
        }

        private static func gateways(_ sms: SettingsSection) -> [Gateway] {
            let kinds = Gateway.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            let named = named(sms, kinds)
            let names = (named.map(\.description) + [kinds]).joined(separator: ", ")
            let wanted = "one or more of \(names), each once, in order of preference"
            let setting = sms("gateway")
            let standard = named.isEmpty ? [Gateway.stub] : named
            let parse = { (text: String) in
                named.first { $0.description == text } ?? Gateway.Kind(rawValue: text).map(Gateway.init)
            }
            let gateways = setting.list([.stub], wanted, shown: \.description, parse) {
                "The gateways that send messages, in this order. The next one is used if one is down, busy or out of"
                "credit, but never if that one may have accepted the message. stub: messages stay here and are shown"
                "at /inbox, for development. console: they are printed to standard error. http: any other vendor."
                "By default those of sms.gateways, if there are any."
            }
            if !sms.reader.isSet(setting.key) { return standard }
            if !gateways.isEmpty, Set(gateways).count == gateways.count { return gateways }
            sms.reader.reject(setting.key, gateways.map(\.description).joined(separator: ", "), wanted: wanted)
            return standard
        }

        /// The gateways that the operator has named, in alphabetical order.
        private static func named(_ sms: SettingsSection, _ kinds: String) -> [Gateway] {
            let reader = sms.reader
            let section = reader.section("sms.gateways") {
                "Several gateways of one kind, by names of yours: each has a kind and the settings of that kind's section,"
                "and takes from there what it does not set. In the file only."
            }
            section("twilio-us").example("{kind: twilio, from: \"+15005550006\"}")
            return Set(reader.keys(below: section.name).map { String($0.prefix { $0 != "." }) }).sorted().compactMap {
                name in
                let key = "\(section.name).\(name).kind"
                guard let kind = reader.text(at: key).flatMap(Gateway.Kind.init), kind != .stub, kind != .console else {
                    reader.reject(key, reader.text(at: key) ?? "", wanted: "a vendor's, among \(kinds)")
                    return nil
                }
                guard let gateway = Gateway(named: name, kind: kind) else {
                    reader.fail(
                        "\(section.name).\(name): a name is 1 to 32 lower-case letters, digits and hyphens, the first a letter"
                    )
                    return nil
                }
                reader.inherit(gateway.section, from: Gateway(kind).section)
                return gateway
            }
        }

        private static func routes(
            _ sms: SettingsSection,
            _ gateways: [Routes.Gateway]
        ) -> Routes {
            let reader = sms.reader
            let routes = reader.section("sms.routes") {
                "Which gateways are tried for whom, in order: by region (KR), by the beginning of numbers (\"+4477\"), or for"
                "all others (\"*\"). The longest beginning applies, then the region. Below one, each channel"
                "(sms, call ...) and notice (the notice to an old number) can have gateways of their own, and all the"
                "others. A number without a route gets no code. Without any, every gateway of sms.gateway serves every"
                "number. In the file only."
            }
            routes("KR").example("[stub]")
            let (names, known) = (Set(gateways.map(\.name)), channels(gateways))
            var rules: [Routes.Destination: [Routes.Purpose: [String]]] = [:]
            for (key, destination, purpose) in Self.rules(routes, byPurpose: known) {
                let listed = reader.texts(at: key) ?? []
                if let unknown = listed.first(where: { !names.contains($0) }) {
                    let known = names.sorted().joined(separator: ", ")
                    reader.reject(key, unknown, wanted: "gateways in use, among \(known)")
                }
                if case .codes(let channel) = purpose,
                    let deaf = gateways.first(where: { listed.contains($0.name) && !$0.channels.contains(channel) })
                {
                    reader.failTogether("\(key) names \(deaf.name), which does not serve \(channel)")
                }
                if purpose == .notices,
                    let deaf = gateways.first(where: { listed.contains($0.name) && !$0.takesNotices })
                {
                    reader.failTogether("\(key) names \(deaf.name), which takes messages with a code alone")
                }
                rules[destination, default: [:]][purpose] = listed
            }
            let learns = sms("routing").value(
                false,
                "order or learn",
                shown: "order",
                { ["order": false, "learn": true][$0] }
            ) {
                "Which gateway of a route is tried first. order: the first. learn: one that is drawn by how often and how"
                "fast people have entered the codes that came by each; the others follow, and a code that is asked for"
                "again goes by another one. `phoneproof route` shows the odds."
            }
            let channels = reader.section("sms.channels") {
                "The order in which channels are tried where a request names none, by region, by the beginning of numbers or"
                "for all (\"*\"), as far as gateways serve them. By default kakaotalk, sms, whatsapp, call: any other"
                "is tried by itself, and offered, only where it is named here. In the file only."
            }
            channels("KR").example("[kakaotalk, sms, call]")
            var orders: [Routes.Destination: [Channel]] = [:]
            for rule in Self.rules(channels) {
                let texts = reader.texts(at: rule.key) ?? []
                let order = texts.compactMap { text in known.first { $0.rawValue == text } }
                if order.isEmpty || order.count != texts.count || Set(order).count != order.count {
                    let wanted = "some of \(Self.names(of: known)), each once"
                    reader.reject(rule.key, texts.joined(separator: ", "), wanted: wanted)
                }
                orders[rule.destination] = order
            }
            let prices = Self.prices(reader, names, known)
            let takes = sms("fallback")
                .value(false, "offer or take", shown: "offer", { ["offer": false, "take": true][$0] }) {
                    "What happens where a request names no channel and its message fails, since no gateway accepts it or"
                    "it is not reported as delivered: offer leaves the next channel to the person, take sends the same"
                    "code by it, as a message that counts like any other."
                }
            let time = sms("fallback_seconds").duration(.seconds(30), in: 10...300) {
                "How long a delivery report is waited for before the next channel is taken; after a report that it is not"
                "delivered it is taken at once."
            }
            return Routes(
                gateways,
                rules: rules,
                orders: orders,
                fallbackTime: takes ? time : nil,
                prices: prices,
                learns: learns
            )
        }

        private static func prices(
            _ reader: SettingsReader,
            _ gateways: Set<String>,
            _ known: [Channel]
        ) -> PriceList {
            let section = reader.section("sms.prices") {
                "What each gateway charges for a message, by region, by the beginning of numbers or for all (\"*\"), and below"
                "one by channel where they differ (all for the others): for `phoneproof costs`. In the file only."
            }
            let currency = section("currency").text("USD") { "The currency of all prices." }
            section("stub").example("{KR: 0.04, \"*\": {all: 0.05, call: 0.02}}")
            var prices: [String: [Routes.Destination: [Routes.Purpose: Int]]] = [:]
            let listed = Set(reader.keys(below: section.name).map { String($0.prefix { $0 != "." }) })
            for gateway in listed.subtracting(["currency"]).sorted() {
                if !gateways.contains(gateway) { reader.fail("\(section.name).\(gateway) is no gateway in use") }
                for rule in rules(reader.section("\(section.name).\(gateway)"), byPurpose: known) {
                    let text = reader.text(at: rule.key) ?? ""
                    guard let price = Double(text), (0...1000).contains(price) else {
                        reader.reject(rule.key, text, wanted: "a price from 0 to 1000")
                        continue
                    }
                    let millionths = Int((price * 1_000_000).rounded())
                    prices[gateway, default: [:]][rule.destination, default: [:]][rule.purpose] = millionths
                }
            }
            return PriceList(currency: currency, prices: prices)
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
