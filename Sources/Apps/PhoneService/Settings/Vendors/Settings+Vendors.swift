package import CoreEncodings
import OpenSSLCrypto
package import PhoneDelivery
package import PhoneDomain
package import PhoneSignup

extension Settings {
    /// A vendor's gateway that is in use and has all that it needs.
    package struct Vendor {
        /// What it can send by.
        package var channels: Set<Channel> = [.sms]
        /// Whether it can send a text that has no code.
        package var takesNotices = true
        /// What is set, for an operator, without secrets.
        package let summary: String
        package let address: EndpointURL
        /// Whether it wants to know that a code was entered.
        package var takesFeedback = false
        package var warnings: [String] = []
        /// Makes what takes a gateway's reports, given its name.
        package typealias Intake = @Sendable (String, OutboxDispatcher) -> any ReportIntake
        /// Makes what takes its delivery reports; nil if it sends none.
        package var receipts: Intake?
        /// Makes what takes the messages of people that it passes on; nil if it passes on none.
        package var inbound: (@Sendable (InboundReceiver) -> any ReportIntake)?
        /// Makes the gateway, given its name.
        package let make: @Sendable (String, Settings) -> any MessageGateway
    }

    var connectTimeout: Duration { min(sms.dispatching.sendTimeout / 2, .seconds(5)) }

    func vendorAccess(to address: EndpointURL) -> VendorAccess {
        VendorAccess(
            address: address,
            connectTimeout: connectTimeout,
            authenticator: OpenSSLRequestAuthenticator(),
            identifiers: OpenSSLRandom(),
            // Signatures need the time that vendors have, even if it was set after the start.
            wallClock: SystemWallClock()
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
        case .aws: aws(reader, gateway)
        case .vonage: vonage(reader, gateway)
        case .whatsapp: whatsApp(reader, gateway)
        case .telegram: telegram(reader, gateway)
        case .http: http(reader, gateway)
        }
    }

    /// Off unless it is set: what people do is told to a third party.
    static func feedback(_ section: SettingsSection) -> Bool {
        section("feedback").flag(false) {
            "Whether the vendor is notified when the code of a message was entered, from which its routes and its filters"
            "learn. It is then told that the person has verified the number."
        }
    }

    static func exposed(_ what: String, to address: EndpointURL, _ key: String) -> [String] {
        guard address.isPlain, !address.isLoopback else { return [] }
        return ["\(address.origin) is plain HTTP: \(what) can be read in transit (\(key))"]
    }
}

extension Setting {
    /// Several senders in place of one, with a rate each; none where they are not set.
    func senders<Sender>(_ parse: @escaping (String) -> RatedSender<Sender>?) -> [RatedSender<Sender>] {
        let wanted = "senders with messages a second from 0.1 to 1000, such as \"+15005550006=1\", each once"
        let example = "[\"+15005550006=1\", \"+15005550007=1\"]"
        let senders = list([], example: example, wanted, parse) {
            "Several senders in place of from, and how many messages a second each may send. A number has the same one"
            "as long as that is free; a message waits if none is. All instances share the rates."
        }
        if Set(senders.map(\.sender)).count < senders.count {
            reader.reject(key, senders.map(\.description).joined(separator: ", "), wanted: wanted)
        }
        return senders
    }

    /// What a gateway is used for.
    ///
    /// - Parameter possible: what it can be used for; nil for anything.
    func channels(_ possible: [Channel]? = nil) -> Set<Channel> {
        let names =
            possible?.map(\.rawValue).joined(separator: ", ")
            ?? "sms, call, whatsapp, kakaotalk, telegram, rcs, viber and any other channel: a lower-case letter and up to 19 "
            + "lower-case letters, digits, _ and -, but none of auto, all, notice, inbound and sim"
        let parse = { (text: String) in
            Channel(rawValue: text).flatMap { possible?.contains($0) ?? $0.carriesCode ? $0 : nil }
        }
        return Set(
            list([.sms], "some of \(names)", orElse: "one or more of \(names)", shown: \.rawValue, parse) {
                "The channels that it sends by."
            }
        )
    }
}
