import CoreEncodings
import PhoneDelivery
import PhoneDomain

extension Settings.Vendor {
    static func amazonSNS(_ reader: SettingsReader, _ gateway: Settings.Gateway?) -> Self? {
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
                access: settings.vendorAccess(to: address, clock)
            )
        }
    }
}
