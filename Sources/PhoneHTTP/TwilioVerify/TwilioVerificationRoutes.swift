import HTTPTypes
import Hummingbird
import PhoneDomain

/// Twilio Verify's verifications and checks, of the tenant that the path names.
struct TwilioVerificationRoutes: Sendable {
    let useCase: any TenantUseCase
    let clock: any WallClock
    let base: String?

    var routes: RouteCollection<APIContext> {
        RouteCollection(context: APIContext.self)
            .post("Verifications", use: create)
            .get("Verifications/{verification}", use: show)
            .post("Verifications/{verification}", use: update)
            .post("VerificationCheck", use: check)
    }

    @Sendable private func create(request: Request, context: APIContext) async throws -> Response {
        let tenant = try await useCase.tenant(in: context)
        let form = try await TwilioForm(of: request)
        let verification = try await useCase.begin(try TenantRequest(form), by: tenant)
        return answer(.created, verification, tenant, request)
    }

    @Sendable private func show(request: Request, context: APIContext) async throws -> Response {
        let tenant = try await useCase.tenant(in: context)
        let verification = try await useCase.verification(named(context), of: tenant)
        return answer(.ok, verification, tenant, request)
    }

    @Sendable private func update(request: Request, context: APIContext) async throws -> Response {
        let tenant = try await useCase.tenant(in: context)
        let form = try await TwilioForm(of: request)
        let status = try form.required("Status", "canceled or approved") { Change(rawValue: $0) }
        let verification =
            switch status {
            case .canceled: try await useCase.cancel(named(context), of: tenant)
            case .approved: try await useCase.approve(named(context), of: tenant)
            }
        return answer(.ok, verification, tenant, request)
    }

    @Sendable private func check(request: Request, context: APIContext) async throws -> Response {
        let tenant = try await useCase.tenant(in: context)
        let form = try await TwilioForm(of: request)
        if let name = form.named(Self.isOfPayment) { throw TwilioError.missingFeature(name) }
        let which: TenantVerification
        if let sid = form.text("VerificationSid") {
            guard let id: Verification.ID = TwilioSID.id(sid, prefix: "VE") else {
                throw TwilioError.parameter("VerificationSid")
            }
            which = .id(id)
        } else {
            which = .phoneText(try form.required("To") { $0 })
        }
        let code = try form.required("Code") { VerificationCode.lengths.contains($0.count) ? $0 : nil }
        let checked = try await useCase.check(code, which, of: tenant, from: nil)
        return Response(.created, json: checked.twilioCheckJSON(tenant, at: clock.now()))
    }

    private enum Change: String {
        case canceled, approved
    }

    /// Whether a parameter ties a code to a payment (PSD2), which no tenant can have.
    fileprivate static func isOfPayment(_ name: String) -> Bool {
        name == "Amount" || name == "Payee"
    }

    /// The verification that the path names: by its own name, or by its number.
    private func named(_ context: APIContext) throws -> TenantVerification {
        let text = try context.pathText("verification")
        if let id: Verification.ID = TwilioSID.id(text, prefix: "VE") { return .id(id) }
        guard text.hasPrefix("+") else { throw TwilioError.notFound }
        return .phoneText(text)
    }

    private func answer(
        _ status: HTTPResponse.Status,
        _ sent: SentVerification,
        _ tenant: Tenant,
        _ request: Request
    ) -> Response {
        Response(status, json: sent.twilioJSON(tenant, TwilioPlace(request, base: base), at: clock.now()))
    }
}

extension TenantRequest {
    /// How many substitutions and rate limits a request may name.
    private static let mostValues = 10
    /// How many tags it may have (https://www.twilio.com/docs/verify/api/verification).
    private static let mostTags = 10

    /// The ways to send a code that Twilio Verify has and this service has not.
    private static let otherChannels: Set<String> = ["call", "email", "whatsapp", "sna", "rcs"]

    /// Reads what Twilio Verify takes when a verification begins.
    ///
    /// - Throws: ``TwilioError`` and ``TenantFailure``.
    fileprivate init(_ form: TwilioForm) throws {
        self.init(phoneText: try form.required("To") { $0 })
        let channel = try form.required("Channel", "sms") { text -> String? in
            let name = text.lowercased()
            return ["sms", "auto"].contains(name) || Self.otherChannels.contains(name) ? name : nil
        }
        guard !Self.otherChannels.contains(channel) else {
            throw TwilioError(60223, "Delivery channel disabled: \(channel.uppercased())", status: .forbidden)
        }
        let unmet = form.named { TwilioVerificationRoutes.isOfPayment($0) || $0 == "CustomMessage" }
        if let unmet { throw TwilioError.missingFeature(unmet) }
        language = try form.value("Locale", "a language such as ko or en-GB") { LanguageTag($0) }
        if let text = form.text("CustomFriendlyName") {
            guard let name = TenantName(text) else { throw TenantFailure.nameRestricted }
            self.name = name
        }
        template = try form.value("TemplateSid", "the Sid of a template", TwilioSID.template)
        substitutions = try form.texts("TemplateCustomSubstitutions", atMost: Self.mostValues)
        appHash = form.text("AppHash")
        code = try form.value("CustomCode", "4 to 10 digits") { VerificationCode($0) }
        counted = try form.texts("RateLimits", atMost: Self.mostValues)
        address = try form.value("DeviceIp", "an IP address") { ClientAddress($0) }
        isVouched =
            try form.value("RiskCheck", "enable or disable") { text -> Bool? in
                ["disable": true, "enable": false][text.lowercased()]
            } ?? false
        _ = try form.texts("Tags", atMost: Self.mostTags)
    }
}
