import PhoneDelivery

extension Settings {
    /// What is needed to send by NAVER Cloud SENS.
    struct SENS {
        let account: SENSAccount
        let sender: KoreanSender
        let address: GatewayAddress

        /// Reads it.
        ///
        /// - Parameter isNeeded: whether messages go there; if not, the keys are read for their form alone.
        /// - Returns: nil if it is not needed.
        init?(_ reader: inout SettingsReader, isNeeded: Bool) throws(SettingsError) {
            let serviceID = try reader.text("sms.sens.service_id")
            let accessKey = try reader.text("sms.sens.access_key")
            let secretKey = try reader.secret("sms.sens.secret_key", isNeeded: isNeeded)
            let isAgency = try reader.flag("sms.sens.agency", default: false)
            let sender = try reader.koreanSender("sms.sens.from", isOfAgency: isAgency)
            let address = try reader.value(
                "sms.sens.base_url",
                default: GatewayAddress(isAgency ? SENSGateway.agencyAddress : SENSGateway.standardAddress),
                wanted: "an http or https address without a query"
            ) { GatewayAddress($0).map(Optional.some) }
            guard isNeeded else { return nil }
            guard let serviceID else { throw .missing("sms.sens.service_id", for: .sens) }
            guard let accessKey else { throw .missing("sms.sens.access_key", for: .sens) }
            guard let secretKey else { throw .missing(secret: "sms.sens.secret_key", for: .sens) }
            guard let sender else { throw .missing("sms.sens.from", for: .sens) }
            guard let account = SENSAccount(serviceID: serviceID, accessKey: accessKey, secretKey: secretKey),
                let address
            else {
                // Nothing is quoted: one may have been put where the other belongs.
                throw SettingsError(
                    "sms.sens.service_id must be as the console shows it (ncp:sms:kr:…), and access key and secret key one "
                        + "word each of up to 128 characters"
                )
            }
            self.account = account
            self.sender = sender
            self.address = address
        }
    }
}
