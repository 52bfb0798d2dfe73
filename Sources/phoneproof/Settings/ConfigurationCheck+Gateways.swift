import PhoneDelivery

extension ConfigurationCheck {
    mutating func checkGateways() {
        let sms = settings.sms
        add("gateways", sms.gateways.map(\.rawValue).joined(separator: ", then "))
        for (index, gateway) in sms.gateways.enumerated() {
            // A gateway that takes every message leaves none to the next.
            let what = index == 0 ? "no message leaves this service" : "what other gateways do not take stays here"
            switch gateway {
            case .stub: warn("\(what); everyone who reaches it can read every code (sms.gateway)")
            case .console: warn("\(what); codes are written to its standard error (sms.gateway)")
            case .twilio: check(sms.twilio)
            case .sens: check(sms.sens)
            case .solapi: check(sms.solapi)
            case .sns: check(sms.amazonSNS)
            case .vonage: check(sms.vonage)
            case .http: check(sms.http)
            }
        }
    }

    private mutating func check(_ twilio: Settings.Twilio?) {
        guard let twilio else { return }
        let reports = twilio.statusCallback.map { ", which reports to \($0)" } ?? ""
        add("twilio", "\(twilio.account) from \(twilio.sender), by \(twilio.address)\(reports)")
        warnIfPlain(twilio.address, "codes and the auth token", "sms.twilio.base_url")
        if let callback = twilio.statusCallback, callback.isPlain, !Self.isThisMachine(callback.host) {
            warn("numbers can be read on their way to \(callback) (sms.twilio.status_callback_url)")
        }
    }

    private mutating func check(_ sens: Settings.SENS?) {
        guard let sens else { return }
        add("sens", "\(sens.account) from \(sens.sender), by \(sens.address)")
        warnIfPlain(sens.address, "codes", "sms.sens.base_url")
        checkReceipts(of: .sens)
    }

    private mutating func check(_ solapi: Settings.Solapi?) {
        guard let solapi else { return }
        let alimtalk = solapi.alimtalk.map { ", in KakaoTalk first by \($0.templateID)" } ?? ""
        add("solapi", "\(solapi.account) from \(solapi.sender), by \(solapi.address)\(alimtalk)")
        warnIfPlain(solapi.address, "codes", "sms.solapi.base_url")
        checkReceipts(of: .solapi)
    }

    private mutating func check(_ sns: Settings.AmazonSNS?) {
        guard let sns else { return }
        let sender = [sns.sender.id?.description, sns.sender.number?.description].compactMap(\.self)
        let from = sender.isEmpty ? "whom Amazon chooses" : sender.joined(separator: ", ")
        add("sns", "\(sns.credentials) in \(sns.region) from \(from), by \(sns.address)")
        if sns.credentials.isTemporary {
            warn("temporary credentials end within hours, and are not renewed (sms.sns.session_token)")
        }
        // The secret signs, and is not sent.
        warnIfPlain(sns.address, "codes", "sms.sns.base_url")
    }

    private mutating func check(_ vonage: Settings.Vonage?) {
        guard let vonage else { return }
        add("vonage", "\(vonage.account) from \(vonage.sender), by \(vonage.address)")
        warnIfPlain(vonage.address, "codes and the secret", "sms.vonage.base_url")
    }

    private mutating func check(_ gateway: HTTPGatewayConfiguration?) {
        guard let gateway else { return }
        add("http", "\(gateway)\(gateway.isIdempotent ? ", again where nobody knows" : "")")
        if gateway.endpoint.isPlain, !gateway.endpoint.isLoopback {
            warn(
                "codes and whatever else is sent can be read on their way to \(gateway.endpoint.origin) (sms.http.url)"
            )
        }
    }

    private mutating func checkReceipts(of gateway: Settings.Gateway) {
        guard settings.sms.receiptSchedule == nil else { return }
        warn(
            "nobody asks \(gateway.rawValue) how messages fared, so none counts as delivered or lost (sms.receipts.hours)"
        )
    }

    private mutating func warnIfPlain(_ address: EndpointURL, _ what: String, _ key: String) {
        guard address.isPlain, !Self.isThisMachine(address.host) else { return }
        warn("\(what) can be read on their way to \(address) (\(key))")
    }

    private static func isThisMachine(_ host: String) -> Bool {
        ["127.0.0.1", "::1", "localhost"].contains(host)
    }
}
