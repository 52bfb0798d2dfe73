import CoreEncodings
import OpenSSLCrypto
import PhoneDelivery
import PhoneDomain
import PhoneSignup

extension Settings.Vendor {
    private static func languageCode(_ text: String) -> String? {
        text.wholeMatch(of: /[a-z]{2,3}(_[A-Z]{2})?/) == nil ? nil : text
    }

    /// Meta's WhatsApp Cloud API.
    static func whatsApp(_ reader: SettingsReader, _ gateway: Settings.Gateway?) -> Self? {
        let whatsApp = reader.section(of: .whatsapp, gateway) {
            "Meta's WhatsApp Cloud API, with an approved template of the category authentication."
        }
        let id = whatsApp("phone_number_id").text(example: "\"100000000000000\"", for: gateway) {
            "Meta's ID of the number that messages come from."
        }
        let token = whatsApp("access_token").secret(example: "/run/secrets/whatsapp", for: gateway) {
            "The access token of a system user, with the permission whatsapp_business_messaging."
        }
        let name = whatsApp("template").text(example: "login_code", for: gateway) { "The template's name." }
        let languages = whatsApp("languages")
            .list(
                ["en_US"],
                "language codes such as en_US or ko",
                orElse: "one or more language codes",
                Self.languageCode
            ) { "The languages that it is approved in. The first is for people of any other." }
        let secret = whatsApp("app_secret").secret(example: "/run/secrets/whatsapp-app", isNeeded: gateway != nil) {
            "The app's secret, by which Meta signs what it posts to /v1/receipts/whatsapp (or the gateway's own name)."
            "Without it the service does not know whether messages arrive."
        }
        let verifyToken = whatsApp("verify_token").text(example: "a-word-of-yours") {
            "What is entered beside that address in Meta's console, in the app's webhook of whatsapp_business_account."
        }
        let address = whatsApp("base_url").address(WhatsAppGateway.standardAddress) { "The URL of the API." }
        guard gateway != nil, let id, let token, let name, let address,
            let account = reader.together(
                WhatsAppAccount(phoneNumberID: id, accessToken: token),
                "\(whatsApp.name).phone_number_id must be 5 to 20 digits, and the access token one word"
            ),
            let template = reader.together(
                WhatsAppTemplate(name: name, languages: languages),
                "\(whatsApp.name).template must be of lower-case letters, digits and underscores, and languages not empty"
            )
        else { return nil }
        var receipts: Intake?
        if let secret {
            receipts = { name, dispatcher in
                WhatsAppReceipts(
                    of: name,
                    secret: secret,
                    verifyToken: verifyToken,
                    authenticator: OpenSSLRequestAuthenticator(),
                    dispatcher: dispatcher
                )
            }
        }
        return Self(
            channels: [.whatsapp],
            summary: "\(account) with template \(name), by \(address)"
                + (secret == nil ? "" : ", with delivery reports"),
            address: address,
            warnings: exposed("codes and the access token", to: address, "\(whatsApp.name).base_url"),
            receipts: receipts
        ) { name, settings in
            WhatsAppGateway(
                name: name,
                account: account,
                template: template,
                reportsDelivery: secret != nil,
                access: settings.vendorAccess(to: address)
            )
        }
    }
}
