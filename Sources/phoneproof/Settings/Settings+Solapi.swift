import PhoneDelivery

extension Settings {
    /// What is needed to send by Solapi.
    struct Solapi {
        let account: SolapiAccount
        let sender: KoreanSender
        /// Nil for SMS alone.
        let alimtalk: Alimtalk?
        let address: GatewayAddress

        /// Reads it.
        ///
        /// - Parameter isNeeded: whether messages go there; if not, the keys are read for their form alone.
        /// - Returns: nil if it is not needed.
        init?(_ reader: inout SettingsReader, isNeeded: Bool) throws(SettingsError) {
            let apiKey = try reader.text("sms.solapi.api_key")
            let apiSecret = try reader.secret("sms.solapi.api_secret", isNeeded: isNeeded)
            let sender = try reader.koreanSender("sms.solapi.from")
            let alimtalk = try Self.alimtalk(&reader)
            let address = try reader.value(
                "sms.solapi.base_url",
                default: GatewayAddress(SolapiGateway.standardAddress),
                wanted: "an http or https address without a query"
            ) { GatewayAddress($0).map(Optional.some) }
            guard isNeeded else { return nil }
            guard let apiKey else { throw .missing("sms.solapi.api_key", for: .solapi) }
            guard let apiSecret else { throw .missing(secret: "sms.solapi.api_secret", for: .solapi) }
            guard let sender else { throw .missing("sms.solapi.from", for: .solapi) }
            guard let account = SolapiAccount(apiKey: apiKey, apiSecret: apiSecret), let address else {
                // Nothing is quoted: one may have been put where the other belongs.
                throw SettingsError(
                    "sms.solapi.api_key must be up to 64 letters and digits, and the secret one word of up to 128 characters"
                )
            }
            self.account = account
            self.sender = sender
            self.alimtalk = alimtalk
            self.address = address
        }

        private static func alimtalk(_ reader: inout SettingsReader) throws(SettingsError) -> Alimtalk? {
            let channel = try reader.text("sms.solapi.alimtalk.channel_id")
            let template = try reader.text("sms.solapi.alimtalk.template_id")
            let variables = try reader.list(
                "sms.solapi.alimtalk.variables",
                default: [],
                wanted:
                    "texts such as #{code}={{code}}, with no other variables on the right than {{code}}, {{service}} and "
                    + "{{minutes}}",
                AlimtalkVariable.init
            )
            guard channel != nil || template != nil || !variables.isEmpty else { return nil }
            guard let channel, let template,
                let alimtalk = Alimtalk(channelID: channel, templateID: template, variables: variables)
            else {
                throw SettingsError(
                    "sms.solapi.alimtalk needs channel_id and template_id, letters and digits each, and variables, each named "
                        + "once, one of which bears {{code}}; leave out all three for SMS alone"
                )
            }
            return alimtalk
        }
    }
}
