import CoreEncodings
import PhoneDomain
import PhoneHTTP
import SMSStub

/// Twilio Verify's templates: the operator's message templates.
extension TwilioAPI {
    @Sendable func listTemplates(request: Request, context: APIContext) async throws -> Response {
        let caller = try context.tenants()
        let urls = urls(request)
        let page = TwilioPage(request, address: urls.base + "/Templates", filters: ["FriendlyName"])
        let wanted = request.query("FriendlyName")
        let templates = useCase.templates.filter { wanted == nil || $0.name.description == wanted }
        return Response(
            json: page.json("templates", templates.dropFirst(page.offset).map { $0.twilioJSON(caller.account) })
        )
    }
}

extension MessageTemplateListing {
    /// https://github.com/twilio/twilio-oai, `verify.v2.template`. Templates are files that are read at start, so they
    /// have no dates.
    fileprivate func twilioJSON(_ account: TenantAccount.ID) -> JSON {
        [
            "sid": .string(name.sid),
            "account_sid": .string(account.sid),
            "friendly_name": .string(name.description),
            "channels": ["sms"],
            "translations": .object(
                translations.map { translation in
                    JSON.Member(
                        translation.locale,
                        [
                            "is_default_translation": .bool(translation.isDefault),
                            "status": "approved",
                            "locale": .string(translation.locale),
                            "text": .string(translation.text.replacing("{{service}}", with: "{{friendly_name}}")),
                            "date_updated": nil,
                            "date_created": nil,
                        ]
                    )
                }
            ),
        ]
    }
}
