import CoreEncodings
import OpenSSLCrypto
import PhoneDelivery
import PhoneDomain
import PhoneSignup

extension Settings.Vendor {
    static func twilio(_ reader: SettingsReader, _ gateway: Settings.Gateway?) -> Self? {
        let twilio = reader.section(of: .twilio, gateway)
        let sid = twilio("account_sid").text(example: "AC00000000000000000000000000000000", for: gateway) {
            "The account SID: AC and 32 hexadecimal digits."
        }
        let token = twilio("auth_token").secret(example: "/run/secrets/twilio", for: gateway) {
            "The auth token of the account."
        }
        let senders = twilio("senders").senders(RatedSender<TwilioSender>.init)
        let from = twilio("from")
            .value(
                example: "\"+15005550006\"",
                "a number such as +15005550006, a messaging service (MG and 32 digits), or a name of up to 11 letters and "
                    + "digits",
                for: senders.isEmpty ? gateway : nil,
                TwilioSender.init
            ) { "The sender. A short code is valid too." }
        let sender = senders.first?.sender ?? from
        let channels = twilio("serves").channels([.sms, .call, .whatsapp, .rcs])
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
        let feedback = feedback(twilio)
        if gateway != nil, channels.contains(.whatsapp), contentSID == nil {
            reader.failTogether("\(twilio.name).serves names whatsapp, which needs \(twilio.name).content_sid")
        }
        let all = senders.map(\.sender) + [sender].compactMap(\.self)
        if gateway != nil, channels.contains(.call), !all.allSatisfy(\.isNumber) {
            reader.failTogether("\(twilio.name).serves names call, which needs a number as \(twilio.name).from")
        }
        if gateway != nil, channels.contains(.rcs), !all.allSatisfy(\.isMessagingService) {
            reader.failTogether(
                "\(twilio.name).serves names rcs, which needs a messaging service as \(twilio.name).from"
            )
        }
        guard gateway != nil, let sid, let token, let sender, let address,
            let account = reader.together(
                TwilioAccount(sid: sid, authToken: token),
                "\(twilio.name).account_sid must be AC and 32 hexadecimal digits, and the auth token one word of up to 128 "
                    + "characters"
            )
        else { return nil }
        let warnings =
            exposed("codes and the auth token", to: address, "\(twilio.name).base_url")
            + (callback.map { exposed("numbers", to: $0, "\(twilio.name).status_callback_url") } ?? [])
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
            summary:
                "\(account) from \(senders.isEmpty ? "\(sender)" : senders.map(\.description).joined(separator: ", ")), by \(address)"
                + (callback.map { ", with delivery reports to \($0)" } ?? ""),
            address: address,
            takesFeedback: feedback,
            warnings: warnings,
            receipts: receipts,
            inbound: inbound
        ) { name, settings in
            TwilioGateway(
                name: name,
                account: account,
                sender: sender,
                senders: senders,
                channels: channels,
                contentSID: contentSID,
                address: address,
                statusCallback: callback,
                reportsEntries: feedback,
                connectTimeout: settings.connectTimeout
            )
        }
    }
}
