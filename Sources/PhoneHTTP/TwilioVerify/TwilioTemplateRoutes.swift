import HTTPTypes
import Hummingbird
import PhoneDomain

/// Twilio Verify's templates: the texts that whoever runs the service has put beside it.
struct TwilioTemplateRoutes: Sendable {
    let useCase: any TenantUseCase
    let base: String?

    var routes: RouteCollection<APIContext> {
        RouteCollection(context: APIContext.self).get(use: list)
    }

    @Sendable private func list(request: Request, context: APIContext) async throws -> Response {
        let caller = try context.tenants()
        let place = TwilioPlace(request, base: base)
        let page = TwilioPage(request, address: place.address + "/Templates", filters: ["FriendlyName"])
        let wanted = request.query("FriendlyName")
        let templates = useCase.templates.filter { wanted == nil || $0.name.description == wanted }
        return Response(
            json: page.json("templates", templates.dropFirst(page.offset).map { $0.twilioJSON(caller.account) })
        )
    }
}

extension MessageTemplateListing {
    /// The template as Twilio Verify shows it (https://github.com/twilio/twilio-oai, `verify.v2.template`). Texts are files that
    /// are read when the service starts, so they have no dates.
    fileprivate func twilioJSON(_ account: TenantAccount.ID) -> JSON {
        [
            "sid": .string(TwilioSID.of(name)),
            "account_sid": .string(TwilioSID.of(account)),
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
