import PhoneDelivery

extension Settings {
    /// What is needed to send by Twilio.
    struct Twilio {
        let account: TwilioAccount
        let sender: TwilioSender
        let address: GatewayAddress

        /// Reads it.
        ///
        /// - Parameter isNeeded: whether messages go there; if not, the keys are read for their form alone.
        /// - Returns: nil if it is not needed.
        init?(_ reader: inout SettingsReader, isNeeded: Bool) throws(SettingsError) {
            let sid = try reader.text("sms.twilio.account_sid")
            let token = try reader.secret("sms.twilio.auth_token", isNeeded: isNeeded)
            let sender = try reader.value(
                "sms.twilio.from",
                default: nil,
                wanted: "a number such as +15005550006, a messaging service (MG and 32 digits), or a name of up to 11 "
                    + "letters and digits"
            ) { TwilioSender($0).map(Optional.some) }
            let address = try reader.value(
                "sms.twilio.base_url",
                default: GatewayAddress(TwilioGateway.standardAddress),
                wanted: "an http or https address without a query"
            ) { GatewayAddress($0).map(Optional.some) }
            guard isNeeded else { return nil }
            guard let sid else { throw SettingsError(needed: "sms.twilio.account_sid", by: .twilio) }
            guard let token else { throw SettingsError(neededSecret: "sms.twilio.auth_token", by: .twilio) }
            guard let sender else { throw SettingsError(needed: "sms.twilio.from", by: .twilio) }
            guard let account = TwilioAccount(sid: sid, authToken: token), let address else {
                // Nothing is quoted: one may have been put where the other belongs.
                throw SettingsError(
                    "sms.twilio.account_sid must be AC and 32 hexadecimal digits, and the auth token one word of up to 128 "
                        + "characters"
                )
            }
            self.account = account
            self.sender = sender
            self.address = address
        }
    }
}
