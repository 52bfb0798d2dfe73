import CoreEncodings
import HTTPTypes
import PhoneAccounts
import PhoneDomain
import PhoneHTTP
import PhoneSignup
import SMSStub

/// Twilio Verify's services, which are tenants here.
extension TwilioAPI {
    /// Whether a parameter requests something that is not supported: other factors than a text message, and Twilio's
    /// event streams.
    private static func isUnsupported(_ name: String) -> Bool {
        ["Push.", "Totp.", "Whatsapp.", "Passkeys."].contains { name.hasPrefix($0) }
            || ["Psd2Enabled", "TtsName", "VerifyEventSubscriptionEnabled"].contains(name)
    }

    func addServices(to router: APIRouter) {
        router
            .post(use: create)
            .get(use: list)
            .get("{service}", use: show)
            .post("{service}", use: update)
            .delete("{service}", use: delete)
    }

    @Sendable private func create(request: Request, context: APIContext) async throws -> Response {
        let account = try context.wholeAccount()
        let form = try await TwilioForm(of: request)
        guard let name = form.text("FriendlyName") else { throw TwilioError.parameter("FriendlyName") }
        guard let name = DisplayName(name) else { throw TenantFailure.nameRestricted }
        let tenant = try await useCase.makeTenant(of: account, change(form), name: name)
        return Response(.created, json: tenant.twilioJSON(urls(request)))
    }

    @Sendable private func list(request: Request, context: APIContext) async throws -> Response {
        let caller = try context.tenants()
        let urls = urls(request)
        let page = TwilioPage(request, address: urls.base + "/Services")
        let tenants: [Tenant]
        if let only = caller.tenant {
            tenants = page.number == 0 ? [try await useCase.tenant(only, of: caller.account)] : []
        } else {
            tenants = try await useCase.tenants(of: caller.account, offset: page.offset, limit: page.size + 1)
        }
        return Response(json: page.json("services", tenants.map { $0.twilioJSON(urls) }))
    }

    @Sendable private func show(request: Request, context: APIContext) async throws -> Response {
        Response(json: try context.tenant().twilioJSON(urls(request)))
    }

    @Sendable private func update(request: Request, context: APIContext) async throws -> Response {
        let account = try context.wholeAccount()
        let form = try await TwilioForm(of: request)
        let name = form.text("FriendlyName")
        let newName = name.flatMap { DisplayName($0) }
        if name != nil, newName == nil { throw TenantFailure.nameRestricted }
        let change = try change(form)
        let tenant = try await useCase.update(context.sid("service"), of: account) { tenant in
            if let newName { tenant.name = newName }
            change(&tenant)
        }
        return Response(json: tenant.twilioJSON(urls(request)))
    }

    @Sendable private func delete(request: Request, context: APIContext) async throws -> Response {
        let account = try context.wholeAccount()
        try await useCase.deleteTenant(context.sid("service"), of: account)
        return Response(status: .noContent)
    }

    private func change(_ form: TwilioForm) throws -> @Sendable (inout Tenant) -> Void {
        if let name = form.named(Self.isUnsupported) { throw TwilioError.missingFeature(name) }
        let codeLength = try form.integer("CodeLength", in: VerificationCode.lengths)
        let template = try form.value("DefaultTemplateSid", "the Sid of a template", TemplateName.init(sid:))
        var options: [(TenantOptions, Bool)] = []
        for (name, option) in [
            ("DoNotShareWarningEnabled", TenantOptions.sharingWarning), ("CustomCodeEnabled", .customCodes),
            ("LookupEnabled", .lookup), ("SkipSmsToLandlines", .landlinesSkipped),
        ] {
            if let flag = try form.flag(name) { options.append((option, flag)) }
        }
        return { [options] tenant in
            if let codeLength { tenant.codeLength = codeLength }
            if let template { tenant.defaultTemplate = template }
            for (option, flag) in options {
                if flag { tenant.options.insert(option) } else { tenant.options.remove(option) }
            }
        }
    }
}

extension Tenant {
    /// The tenant as a service of Twilio Verify, every member that it has and no other
    /// (https://github.com/twilio/twilio-oai, `verify.v2.service`). What is not supported is reported as off.
    func twilioJSON(_ urls: TwilioURLs) -> JSON {
        let url = urls.service(id)
        return [
            "sid": .string(id.sid),
            "account_sid": .string(account.sid),
            "friendly_name": .string(name.description),
            "code_length": .integer(codeLength),
            "lookup_enabled": .bool(options.contains(.lookup)),
            "psd2_enabled": false,
            "skip_sms_to_landlines": .bool(options.contains(.landlinesSkipped)),
            "dtmf_input_required": true,
            "tts_name": nil,
            "do_not_share_warning_enabled": .bool(options.contains(.sharingWarning)),
            "custom_code_enabled": .bool(options.contains(.customCodes)),
            "push": ["include_date": false, "apn_credential_sid": nil, "fcm_credential_sid": nil],
            "totp": ["issuer": nil, "time_step": 30, "code_length": 6, "skew": 1],
            "whatsapp": ["msg_service_sid": nil, "from": nil],
            "passkeys": ["relying_party": nil],
            "default_template_sid": .string(defaultTemplate?.sid),
            "verify_event_subscription_enabled": false,
            "date_created": .string(createdAt.wholeSecondsText),
            "date_updated": .string(updatedAt.wholeSecondsText),
            "url": .string(url),
            "links": [
                "verification_checks": .string(url + "/VerificationCheck"),
                "verifications": .string(url + "/Verifications"),
                "rate_limits": .string(url + "/RateLimits"),
                "messaging_configurations": .string(url + "/MessagingConfigurations"),
                "entities": .string(url + "/Entities"),
                "webhooks": .string(url + "/Webhooks"),
                "access_tokens": .string(url + "/AccessTokens"),
            ],
        ]
    }
}
