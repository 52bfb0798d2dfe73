import PhoneDelivery

/// What the gateways need and what is unsafe about them.
extension ConfigurationCheck {
    mutating func checkTwilio(_ settings: Settings) {
        guard let twilio = settings.twilio else { return }
        let reports = twilio.statusCallback.map { ", which reports to \($0)" } ?? ""
        add("twilio", "\(twilio.account) from \(twilio.sender), by \(twilio.address)\(reports)")
        warnIfPlain(twilio.address, "codes and the auth token", "sms.twilio.base_url")
        if let callback = twilio.statusCallback, callback.isPlain, !Self.isThisMachine(callback.host) {
            warn("numbers can be read on their way to \(callback) (sms.twilio.status_callback_url)")
        }
    }

    mutating func checkSENS(_ settings: Settings) {
        guard let sens = settings.sens else { return }
        add("sens", "\(sens.account) from \(sens.sender), by \(sens.address)")
        warnIfPlain(sens.address, "codes", "sms.sens.base_url")
        checkReceipts(of: .sens, settings)
    }

    mutating func checkSolapi(_ settings: Settings) {
        guard let solapi = settings.solapi else { return }
        let alimtalk = solapi.alimtalk.map { ", in KakaoTalk first by \($0.templateID)" } ?? ""
        add("solapi", "\(solapi.account) from \(solapi.sender), by \(solapi.address)\(alimtalk)")
        warnIfPlain(solapi.address, "codes", "sms.solapi.base_url")
        checkReceipts(of: .solapi, settings)
    }

    mutating func checkAmazonSNS(_ settings: Settings) {
        guard let sns = settings.amazonSNS else { return }
        let sender = [sns.sender.id?.description, sns.sender.number?.description].compactMap(\.self)
        let from = sender.isEmpty ? "whom Amazon chooses" : sender.joined(separator: ", ")
        add("sns", "\(sns.credentials) in \(sns.region) from \(from), by \(sns.address)")
        if sns.credentials.isTemporary {
            warn("temporary credentials end within hours, and are not renewed (sms.sns.session_token)")
        }
        // The secret signs, and does not travel.
        warnIfPlain(sns.address, "codes", "sms.sns.base_url")
    }

    mutating func checkVonage(_ settings: Settings) {
        guard let vonage = settings.vonage else { return }
        add("vonage", "\(vonage.account) from \(vonage.sender), by \(vonage.address)")
        warnIfPlain(vonage.address, "codes and the secret", "sms.vonage.base_url")
    }

    mutating func checkHTTPGateway(_ settings: Settings) {
        guard let gateway = settings.httpGateway else { return }
        add("http", "\(gateway)\(gateway.isIdempotent ? ", again where nobody knows" : "")")
        if gateway.endpoint.isPlain, !gateway.endpoint.isLoopback {
            warn(
                "codes and whatever else is sent can be read on their way to \(gateway.endpoint.origin) (sms.http.url)"
            )
        }
    }

    private mutating func checkReceipts(of gateway: Settings.Gateway, _ settings: Settings) {
        guard settings.receiptSchedule == nil else { return }
        warn(
            "nobody asks \(gateway.rawValue) how messages fared, so none counts as delivered or lost (sms.receipts.hours)"
        )
    }

    private mutating func warnIfPlain(_ address: GatewayAddress, _ what: String, _ key: String) {
        guard address.isPlain, !Self.isThisMachine(address.host) else { return }
        warn("\(what) can be read on their way to \(address) (\(key))")
    }

    private static func isThisMachine(_ host: String) -> Bool {
        ["127.0.0.1", "::1", "localhost"].contains(host)
    }
}
