import PhoneDelivery

extension ConfigurationCheck {
    mutating func checkTwilio(_ settings: Settings) {
        guard let twilio = settings.twilio else { return }
        add("twilio", "\(twilio.account) from \(twilio.sender), by \(twilio.address)")
        checkPrivacy(of: twilio.address, "the auth token", "sms.twilio.base_url")
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
        checkPrivacy(of: sns.address, nil, "sms.sns.base_url")
    }

    mutating func checkVonage(_ settings: Settings) {
        guard let vonage = settings.vonage else { return }
        add("vonage", "\(vonage.account) from \(vonage.sender), by \(vonage.address)")
        checkPrivacy(of: vonage.address, "the secret", "sms.vonage.base_url")
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

    private mutating func checkPrivacy(of address: GatewayAddress, _ secret: String?, _ key: String) {
        guard address.isPlain, !["127.0.0.1", "::1", "localhost"].contains(address.host) else { return }
        warn("codes\(secret.map { " and \($0)" } ?? "") can be read on their way to \(address) (\(key))")
    }
}
