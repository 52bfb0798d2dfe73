import PhoneDelivery

extension Settings {
    /// What is needed to send by Amazon SNS.
    struct AmazonSNS {
        let credentials: AWSCredentials
        let region: AWSRegion
        let sender: SNSSender
        let address: GatewayAddress

        /// Reads it.
        ///
        /// - Parameter isNeeded: whether messages go there; if not, the keys are read for their form alone.
        /// - Returns: nil if it is not needed.
        init?(_ reader: inout SettingsReader, isNeeded: Bool) throws(SettingsError) {
            let region = try reader.value("sms.sns.region", default: nil, wanted: "a region such as ap-northeast-2") {
                AWSRegion($0).map(Optional.some)
            }
            let id = try reader.text("sms.sns.access_key_id")
            let secret = try reader.secret("sms.sns.secret_access_key", isNeeded: isNeeded)
            let token = try reader.secret("sms.sns.session_token", isNeeded: isNeeded)
            sender = SNSSender(
                id: try reader.value(
                    "sms.sns.sender_id",
                    default: nil,
                    wanted: "a name of up to 11 letters and digits, at least one of them a letter"
                ) { SNSSenderID($0).map(Optional.some) },
                number: try reader.value(
                    "sms.sns.origination_number",
                    default: nil,
                    wanted: "a number such as +15005550006, or a short code of at least 5 digits"
                ) { SNSOriginationNumber($0).map(Optional.some) }
            )
            let address = try reader.value(
                "sms.sns.base_url",
                default: nil,
                wanted: "an http or https address without a query"
            ) { GatewayAddress($0).map(Optional.some) }
            guard isNeeded else { return nil }
            guard let region else { throw .missing("sms.sns.region", for: .sns) }
            guard let id else { throw .missing("sms.sns.access_key_id", for: .sns) }
            guard let secret else { throw .missing(secret: "sms.sns.secret_access_key", for: .sns) }
            guard let credentials = AWSCredentials(accessKeyID: id, secretAccessKey: secret, sessionToken: token) else {
                // Nothing is quoted: one may have been put where the other belongs.
                throw SettingsError(
                    "sms.sns.access_key_id must be at least 11 letters and digits, and the secret and the session token one "
                        + "word each"
                )
            }
            self.credentials = credentials
            self.region = region
            self.address = address ?? .sns(in: region)
        }
    }
}
