import PhoneDelivery

extension Settings {
    /// What is needed to send by Vonage.
    struct Vonage {
        let account: VonageAccount
        let sender: VonageSender
        let address: GatewayAddress

        /// Reads it.
        ///
        /// - Parameter isNeeded: whether messages go there; if not, the keys are read for their form alone.
        /// - Returns: nil if it is not needed.
        init?(_ reader: inout SettingsReader, isNeeded: Bool) throws(SettingsError) {
            let key = try reader.text("sms.vonage.api_key")
            let secret = try reader.secret("sms.vonage.api_secret", isNeeded: isNeeded)
            let sender = try reader.value(
                "sms.vonage.from",
                default: nil,
                wanted: "a number such as +15005550006, or a name of up to 11 letters and digits"
            ) { VonageSender($0).map(Optional.some) }
            let address = try reader.value(
                "sms.vonage.base_url",
                default: GatewayAddress(VonageGateway.standardAddress),
                wanted: "an http or https address without a query"
            ) { GatewayAddress($0).map(Optional.some) }
            guard isNeeded else { return nil }
            guard let key else { throw .missing("sms.vonage.api_key", for: .vonage) }
            guard let secret else { throw .missing(secret: "sms.vonage.api_secret", for: .vonage) }
            guard let sender else { throw .missing("sms.vonage.from", for: .vonage) }
            guard let account = VonageAccount(apiKey: key, apiSecret: secret), let address else {
                // Nothing is quoted: one may have been put where the other belongs.
                throw SettingsError(
                    "sms.vonage.api_key must be 8 letters and digits, and the secret one word of 6 to 128 characters"
                )
            }
            self.account = account
            self.sender = sender
            self.address = address
        }
    }
}
