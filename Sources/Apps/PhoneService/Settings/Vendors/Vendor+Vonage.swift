import CoreEncodings
import OpenSSLCrypto
import PhoneDelivery
import PhoneDomain
import PhoneSignup

extension Settings.Vendor {
    static func vonage(_ reader: SettingsReader, _ gateway: Settings.Gateway?) -> Self? {
        let vonage = reader.section(of: .vonage, gateway)
        let key = vonage("api_key").text(example: "abcd1234", for: gateway) { "The API key: 8 letters and digits." }
        let secret = vonage("api_secret").secret(example: "/run/secrets/vonage", for: gateway) { "The API secret." }
        let senders = vonage("senders").senders(RatedSender<VonageSender>.init)
        let from = vonage("from")
            .value(
                example: "Acme",
                "a number such as +15005550006, or a name of up to 11 letters and digits",
                for: senders.isEmpty ? gateway : nil,
                VonageSender.init
            ) { "The sender. Only some countries allow names." }
        let sender = senders.first?.sender ?? from
        let address = vonage("base_url").address(VonageGateway.standardAddress) { "The URL of the SMS API." }
        let channels = vonage("serves").channels([.sms, .call])
        let application = vonage("application_id").text(example: "00000000-0000-0000-0000-000000000000") {
            "For call, the application with the capability Voice."
        }
        let pem = vonage("private_key").secret(example: "/run/secrets/vonage.key", isNeeded: gateway != nil) {
            "For call, the application's private key as Vonage gives it (PEM)."
        }
        let voiceAddress = vonage("voice_url").address(VonageVoice.standardAddress) {
            "The URL of the Voice API, and of the Conversion API."
        }
        let feedback = feedback(vonage)
        let inboundSecret = vonage("signature_secret")
            .secret(example: "/run/secrets/vonage-signature", isNeeded: gateway != nil) {
                "The account's signature secret, with the method SHA-256 HMAC, by which Vonage signs what it posts to"
                "/v1/inbound/vonage (or the gateway's own name), for sms.inbound."
            }
        let signer = pem.flatMap(JSONWebTokenSigner.init(pem:))
        if gateway != nil, channels.contains(.call),
            application == nil || signer == nil
                || !(senders.map(\.sender) + [sender].compactMap(\.self)).allSatisfy(\.isNumber)
        {
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
            summary:
                "\(account) from \(senders.isEmpty ? "\(sender)" : senders.map(\.description).joined(separator: ", ")), by \(address)",
            address: address,
            takesFeedback: feedback,
            warnings: exposed("codes and the secret", to: address, "\(vonage.name).base_url"),
            inbound: inbound
        ) { name, settings in
            var voice: VonageVoice?
            if channels.contains(.call), let application, let signer, let voiceAddress {
                voice = VonageVoice(applicationID: application, access: settings.vendorAccess(to: voiceAddress)) {
                    try await signer.sign(header: ["alg": "RS256", "typ": "JWT"], claims: $0)
                }
            }
            return VonageGateway(
                name: name,
                account: account,
                sender: sender,
                senders: senders,
                channels: channels,
                voice: voice,
                address: address,
                conversions: feedback ? voiceAddress : nil,
                connectTimeout: settings.connectTimeout
            )
        }
    }
}
