import CoreEncodings
import PhoneDelivery
import PhoneDomain
import PhoneSignup

extension Settings.Vendor {
    static func solapi(_ reader: SettingsReader, _ gateway: Settings.Gateway?) -> Self? {
        let solapi = reader.section(of: .solapi, gateway)
        let key = solapi("api_key").text(example: "NCSXXXXXXXXXXXXX", for: gateway) { "The API key." }
        let secret = solapi("api_secret").secret(example: "/run/secrets/solapi", for: gateway) {
            "The secret of the API key."
        }
        let sender = solapi("from").koreanSender(for: gateway) { "The sender." }
        let address = solapi("base_url").address(SolapiGateway.standardAddress) {
            "The URL of the API. For CoolSMS it is https://api.coolsms.co.kr."
        }
        let alimtalk = alimtalk(solapi)
        guard gateway != nil, let key, let secret, let sender, let address,
            let account = reader.together(
                SolapiAccount(apiKey: key, apiSecret: secret),
                "\(solapi.name).api_key must be up to 64 letters and digits, and the secret one word of up to 128 characters"
            )
        else { return nil }
        let first = alimtalk.map { ", to KakaoTalk with template \($0.templateID)" } ?? ""
        return Self(
            channels: alimtalk == nil ? [.sms] : [.sms, .kakaotalk],
            summary: "\(account) from \(sender), by \(address)\(first)",
            address: address,
            warnings: exposed("codes", to: address, "\(solapi.name).base_url")
        ) { name, settings in
            SolapiGateway(
                name: name,
                account: account,
                sender: sender,
                alimtalk: alimtalk,
                allowsLongMessages: settings.messages.allowsLong,
                access: settings.vendorAccess(to: address)
            )
        }
    }

    /// - Returns: nil for SMS only.
    private static func alimtalk(_ solapi: SettingsSection) -> Alimtalk? {
        let (reader, name) = (solapi.reader, "\(solapi.name).alimtalk")
        let section = reader.section(name) {
            "With all three settings the gateway serves kakaotalk, too, to Korean numbers: by it first, and by SMS to"
            "people who do not use it, where a request names no channel (sms.channels)."
        }
        let channel = section("channel_id").text(example: "KA01PF000000000000000000000000000") {
            "The KakaoTalk channel (pfId)."
        }
        let template = section("template_id").text(example: "KA01TP000000000000000000000000000") {
            "The ID of the approved template."
        }
        let variables = section("variables")
            .list(
                [],
                example: "[\"#{인증번호}={{code}}\", \"#{서비스}={{service}}\"]",
                "texts such as #{code}={{code}}, with only the variables {{code}}, {{service}} and "
                    + "{{minutes}} on the right",
                AlimtalkVariable.init
            ) { "The values of the template's variables." }
        if channel == nil, template == nil, variables.isEmpty { return nil }
        return reader.together(
            Alimtalk(channelID: channel ?? "", templateID: template ?? "", variables: variables),
            "\(name) needs channel_id and template_id, letters and digits each, and variables, each named once, one "
                + "of which contains {{code}}; leave out all three to send only SMS"
        )
    }
}
