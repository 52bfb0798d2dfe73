import CoreEncodings
import Glibc
import OpenSSLCrypto
import PhoneDelivery
import PhoneDomain
import PhoneSignup

extension Settings.Vendor {
    static func amazonSNS(_ reader: SettingsReader, _ gateway: Settings.Gateway?) -> Self? {
        let sns = reader.section(of: .sns, gateway)
        let region = sns("region")
            .value(example: "ap-northeast-2", "a region such as ap-northeast-2", for: gateway, AWSRegion.init) {
                "The AWS region to send from. Not every region can send SMS."
            }
        let source = credentials(sns, region, gateway)
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
        guard gateway != nil, let region, let source else { return nil }
        let address = ownAddress ?? .amazon("sns", in: region)
        let senders = [senderID?.description, number?.description].compactMap(\.self).joined(separator: ", ")
        return Self(
            summary:
                "\(source) in \(region) from \(senders.isEmpty ? "a number that Amazon chooses" : senders), by \(address)",
            address: address,
            // The secret signs, and is not sent.
            warnings: temporary(source, sns) + exposed("codes", to: address, "\(sns.name).base_url")
        ) { name, settings in
            SNSGateway(
                name: name,
                credentials: AWSCredentialsProvider(source, wallClock: SystemWallClock()),
                region: region,
                sender: SNSSender(id: senderID, number: number),
                access: settings.vendorAccess(to: address)
            )
        }
    }

    /// AWS End User Messaging.
    static func aws(_ reader: SettingsReader, _ gateway: Settings.Gateway?) -> Self? {
        let aws = reader.section(of: .aws, gateway) { "AWS End User Messaging (SMS and Voice)." }
        let region = aws("region")
            .value(example: "ap-northeast-2", "a region such as ap-northeast-2", for: gateway, AWSRegion.init) {
                "The AWS region to send from."
            }
        let source = credentials(aws, region, gateway)
        func named(_ key: String, _ example: String, @Sentences _ help: () -> String) -> String? {
            let parse = { (text: String) in text.wholeMatch(of: /[A-Za-z0-9_:\/+-]{1,256}/) == nil ? nil : text }
            return aws(key).value(example: example, "a name, an ID or an ARN of Amazon's", parse, help: help)
        }
        var options = AWSGateway.Options(
            origin: named("origination_identity", "pool-0123456789abcdef0123456789abcdef") {
                "The number, sender ID or pool to send from, or its ARN. By default Amazon chooses; a call needs one."
            }
        )
        options.configurationSet = named("configuration_set", "phoneproof") {
            "The configuration set, whose events are the delivery reports."
        }
        options.protectConfiguration = named("protect_configuration", "protect-0123456789abcdef0123456789abcdef") {
            "The protect configuration, by which Amazon blocks countries. By default that of the set or of the account."
        }
        let channels = aws("serves").channels([.sms, .call])
        options.reportsEntries = feedback(aws)
        let secret = aws("receipts_secret").secret(example: "/run/secrets/receipts", isNeeded: gateway != nil) {
            "The token, at least 16 characters, with which events come to /v1/receipts/aws (or the gateway's own name), as"
            "the field token of the URL or in Authorization: by an HTTPS subscription of the configuration set's SNS topic,"
            "which is confirmed by itself, or by an API destination of EventBridge."
        }
        let ownAddress = aws("base_url")
            .value(example: "http://127.0.0.1:4566", Setting.addressForm, EndpointURL.init(base:)) {
                "The URL of the API, if it is not Amazon's in that region."
            }
        if gateway != nil, channels.contains(.call), options.origin == nil {
            reader.failTogether("\(aws.name).serves names call, which needs \(aws.name).origination_identity")
        }
        if let secret, secret.utf8.count < 16 {
            reader.failTogether("\(aws.name).receipts_secret must have 16 characters or more")
        }
        guard gateway != nil, let region, let source else { return nil }
        let address = ownAddress ?? .amazon("sms-voice", in: region)
        var receipts: Intake?
        if let secret {
            let authenticator = OpenSSLRequestAuthenticator()
            let proof = HTTPReportProof(.token, header: "Authorization", secret: secret, authenticator: authenticator)
            receipts = { AWSReceipts(of: $0, proof: proof, dispatcher: $1) }
        }
        let hasReceipts = secret != nil
        return Self(
            channels: channels,
            summary: "\(source) in \(region) from \(options.origin ?? "a number that Amazon chooses"), by \(address)"
                + (hasReceipts ? ", with delivery reports" : ""),
            address: address,
            takesFeedback: options.reportsEntries,
            warnings: temporary(source, aws) + exposed("codes", to: address, "\(aws.name).base_url"),
            receipts: receipts
        ) { [options] name, settings in
            AWSGateway(
                name: name,
                credentials: AWSCredentialsProvider(source, wallClock: SystemWallClock()),
                region: region,
                options: options,
                channels: channels,
                reportsDelivery: hasReceipts,
                access: settings.vendorAccess(to: address)
            )
        }
    }

    /// Nil if there are none, or they are wrong.
    private static func credentials(
        _ section: SettingsSection,
        _ region: AWSRegion?,
        _ gateway: Settings.Gateway?
    ) -> AWSCredentialsSource? {
        let reader = section.reader
        let id = section("access_key_id").text(example: "AKIAIOSFODNN7EXAMPLE") {
            "The access key ID of an IAM user. Without it the credentials are those that Amazon's own programs find: in"
            "AWS_ACCESS_KEY_ID, of a role by the token of a service account (EKS), in ~/.aws/credentials, or of the role of"
            "the container (ECS, EKS) or of the machine (EC2). Those of a role are renewed before they end."
        }
        let secretSetting = section("secret_access_key")
        let secret = secretSetting.secret(example: "/run/secrets/aws", isNeeded: gateway != nil && id != nil) {
            "The secret access key."
        }
        let token = section("session_token").secret(example: "/run/secrets/aws-session", isNeeded: gateway != nil) {
            "The session token of temporary credentials, which expire and are not renewed."
        }
        guard let gateway, let region else { return nil }
        if let id {
            guard let secret else {
                secretSetting.failWithoutSecret(for: gateway)
                return nil
            }
            return reader.together(
                AWSCredentials(accessKeyID: id, secretAccessKey: secret, sessionToken: token).map { .fixed($0) },
                "\(section.name).access_key_id must be at least 11 letters and digits, and the secret and the session "
                    + "token one word each"
            )
        }
        return reader.together(
            secret == nil
                ? AWSCredentialsSource(
                    region: region,
                    variable: { reader.shared($0) },
                    fileExists: { access($0, R_OK) == 0 }
                ) : nil,
            "\(section.name).access_key_id is not set, and there is no role in its place: set it with its secret, or "
                + "neither and valid AWS_… variables"
        )
    }

    private static func temporary(_ source: AWSCredentialsSource, _ section: SettingsSection) -> [String] {
        guard case .fixed(let credentials) = source, credentials.isTemporary else { return [] }
        return ["temporary credentials expire within hours and are not renewed (\(section.name).session_token)"]
    }
}
