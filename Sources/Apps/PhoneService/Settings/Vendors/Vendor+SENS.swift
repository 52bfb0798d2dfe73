import CoreEncodings
import PhoneDelivery
import PhoneDomain

extension Settings.Vendor {
    static func sens(_ reader: SettingsReader, _ gateway: Settings.Gateway?) -> Self? {
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
        ) { name, settings in
            SENSGateway(
                name: name,
                account: account,
                sender: sender,
                allowsLongMessages: settings.messages.allowsLong,
                access: settings.vendorAccess(to: address)
            )
        }
    }
}

extension Setting {
    /// A number that Korean carriers allow as a sender.
    func koreanSender(
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
}
