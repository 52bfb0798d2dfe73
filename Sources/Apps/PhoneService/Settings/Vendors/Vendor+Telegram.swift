import CoreEncodings
import OpenSSLCrypto
import PhoneDelivery
import PhoneDomain
import PhoneSignup

extension Settings.Vendor {
    static func telegram(_ reader: SettingsReader, _ gateway: Settings.Gateway?) -> Self? {
        let telegram = reader.section(of: .telegram, gateway) {
            "The Telegram Gateway, which serves the channel telegram with codes of 4 to 8 digits. It is tried by itself"
            "only where sms.channels names it."
        }
        let token = telegram("access_token").secret(example: "/run/secrets/telegram", for: gateway) {
            "The access token of the account."
        }
        let ttl = telegram("ttl_seconds").duration(.seconds(30), in: 30...3600) {
            "After how long a message that did not arrive is taken back and refunded. With a longer one than"
            "sms.fallback_seconds, a code may be paid for twice."
        }
        let callback = telegram("callback_url")
            .value(
                example: "https://phone.example.com/v1/receipts/telegram",
                "the public https URL of /v1/receipts/telegram of this service (or of the gateway's own name), of up "
                    + "to 256 characters",
                { text in EndpointURL(text).flatMap { $0.isPlain || text.utf8.count > 256 ? nil : $0 } }
            ) {
                "The URL to which Telegram posts what became of messages, signed by the access token. Without it"
                "Telegram is asked, which takes longer."
            }
        let checksFirst = telegram("check_first").flag(false) {
            "Whether Telegram is asked first if it can reach the number. It charges for that as for a message, and the"
            "message itself is then free; it says no without a charge either way."
        }
        let feedback = feedback(telegram)
        let address = telegram("base_url").address(TelegramGateway.standardAddress) { "The URL of the API." }
        guard gateway != nil, let token, let address,
            let account = reader.together(
                TelegramAccount(accessToken: token),
                "\(telegram.name).access_token must be one word of up to 128 characters"
            )
        else { return nil }
        var receipts: Intake?
        if callback != nil {
            receipts = { name, dispatcher in
                TelegramReceipts(
                    of: name,
                    account: account,
                    authenticator: OpenSSLRequestAuthenticator(),
                    dispatcher: dispatcher
                )
            }
        }
        return Self(
            channels: [.telegram],
            takesNotices: false,
            summary: "\(address)" + (callback.map { ", with delivery reports to \($0)" } ?? ""),
            address: address,
            takesFeedback: feedback,
            warnings: exposed("codes and the access token", to: address, "\(telegram.name).base_url"),
            receipts: receipts
        ) { name, settings in
            TelegramGateway(
                name: name,
                account: account,
                ttl: ttl,
                callback: callback,
                checksFirst: checksFirst,
                reportsEntries: feedback,
                access: settings.vendorAccess(to: address)
            )
        }
    }
}
