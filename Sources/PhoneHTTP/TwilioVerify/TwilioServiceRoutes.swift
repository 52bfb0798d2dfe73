import HTTPTypes
import Hummingbird
import PhoneDomain

/// Twilio Verify's services, which are tenants here.
struct TwilioServiceRoutes: Sendable {
    let useCase: any TenantUseCase
    let base: String?

    private static let codeLengths = VerificationCode.lengths
    /// Whether a parameter asks for something that this service has not: other ways to prove who one is than by a text message,
    /// and Twilio's own streams of events.
    private static func isElsewhere(_ name: String) -> Bool {
        ["Push.", "Totp.", "Whatsapp.", "Passkeys."].contains { name.hasPrefix($0) }
            || ["Psd2Enabled", "TtsName", "VerifyEventSubscriptionEnabled"].contains(name)
    }

    var routes: RouteCollection<APIContext> {
        RouteCollection(context: APIContext.self)
            .post(use: create)
            .get(use: list)
            .get("{service}", use: show)
            .post("{service}", use: update)
            .delete("{service}", use: delete)
    }

    @Sendable private func create(request: Request, context: APIContext) async throws -> Response {
        let caller = try context.tenants()
        guard caller.tenant == nil else { throw TwilioError.forbidden }
        let form = try await TwilioForm(of: request)
        guard let name = form.text("FriendlyName") else { throw TwilioError.parameter("FriendlyName") }
        guard let name = TenantName(name) else { throw TenantFailure.nameRestricted }
        let change = try change(form)
        let tenant = try await useCase.makeTenant(of: caller.account, change, name: name)
        return Response(.created, json: tenant.twilioJSON(TwilioPlace(request, base: base)))
    }

    @Sendable private func list(request: Request, context: APIContext) async throws -> Response {
        let caller = try context.tenants()
        let place = TwilioPlace(request, base: base)
        let page = TwilioPage(request, address: place.address + "/Services")
        let tenants: [Tenant]
        if let only = caller.tenant {
            tenants = page.number == 0 ? [try await useCase.tenant(only, of: caller.account)] : []
        } else {
            tenants = try await useCase.tenants(of: caller.account, offset: page.offset, limit: page.size + 1)
        }
        return Response(json: page.json("services", tenants.map { $0.twilioJSON(place) }))
    }

    @Sendable private func show(request: Request, context: APIContext) async throws -> Response {
        let tenant = try await useCase.tenant(in: context)
        return Response(json: tenant.twilioJSON(TwilioPlace(request, base: base)))
    }

    @Sendable private func update(request: Request, context: APIContext) async throws -> Response {
        let caller = try context.tenants()
        guard caller.tenant == nil else { throw TwilioError.forbidden }
        let form = try await TwilioForm(of: request)
        let name = form.text("FriendlyName")
        let newName = name.flatMap { TenantName($0) }
        if name != nil, newName == nil { throw TenantFailure.nameRestricted }
        let change = try change(form)
        let tenant = try await useCase.update(context.tenantID(), of: caller.account) { tenant in
            if let newName { tenant.name = newName }
            change(&tenant)
        }
        return Response(json: tenant.twilioJSON(TwilioPlace(request, base: base)))
    }

    @Sendable private func delete(request: Request, context: APIContext) async throws -> Response {
        let caller = try context.tenants()
        guard caller.tenant == nil else { throw TwilioError.forbidden }
        try await useCase.deleteTenant(context.tenantID(), of: caller.account)
        return Response(status: .noContent)
    }

    /// What the parameters change.
    private func change(_ form: TwilioForm) throws -> @Sendable (inout Tenant) -> Void {
        if let name = form.named(Self.isElsewhere) { throw TwilioError.missingFeature(name) }
        let codeLength = try form.integer("CodeLength", in: Self.codeLengths)
        let template = try form.value("DefaultTemplateSid", "the Sid of a template", TwilioSID.template)
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
