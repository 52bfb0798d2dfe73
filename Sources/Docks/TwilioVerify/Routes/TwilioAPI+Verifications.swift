import CoreEncodings
import HTTPTypes
import PhoneAccounts
import PhoneDomain
import PhoneHTTP
import PhoneNumbers
import PhoneService
import PhoneSignup
import SMSStub

/// Twilio Verify's verifications and checks, of the tenant in the path.
extension TwilioAPI {
    func addVerifications(to router: APIRouter) {
        router
            .post("Verifications", use: create)
            .get("Verifications/{verification}", use: show)
            .post("Verifications/{verification}", use: update)
            .post("VerificationCheck", use: check)
    }

    @Sendable private func create(request: Request, context: APIContext) async throws -> Response {
        let tenant = try context.tenant()
        let form = try await TwilioForm(of: request)
        let verification = try await useCase.begin(
            try TenantRequest(form, useCase.service.verifications.channels),
            by: tenant
        )
        return respond(.created, verification, tenant, request)
    }

    @Sendable private func show(request: Request, context: APIContext) async throws -> Response {
        let tenant = try context.tenant()
        let verification = try await useCase.verification(named(context), of: tenant)
        return respond(.ok, verification, tenant, request)
    }

    @Sendable private func update(request: Request, context: APIContext) async throws -> Response {
        let tenant = try context.tenant()
        let form = try await TwilioForm(of: request)
        let status = try form.required("Status", "canceled or approved") { Change(rawValue: $0) }
        let verification =
            switch status {
            case .canceled: try await useCase.cancel(named(context), of: tenant)
            case .approved: try await useCase.approve(named(context), of: tenant)
            }
        return respond(.ok, verification, tenant, request)
    }

    @Sendable private func check(request: Request, context: APIContext) async throws -> Response {
        let tenant = try context.tenant()
        let form = try await TwilioForm(of: request)
        if let name = form.named(Self.isOfPayment) { throw TwilioError.missingFeature(name) }
        let which: VerificationReference
        if let sid = form.text("VerificationSid") {
            guard let id = Verification.ID(sid: sid) else {
                throw TwilioError.parameter("VerificationSid")
            }
            which = .id(id)
        } else {
            which = .live(try useCase.phoneNumber(in: form.required("To") { $0 }))
        }
        let code = try form.required("Code") { text in
            VerificationCode.lengths.contains(text.count) || VerificationCode(typed: text) != nil ? text : nil
        }
        let checked = try await useCase.check(code, which, of: tenant)
        return Response(.created, json: checked.twilioCheckJSON(tenant, at: service.clock.now()))
    }

    private enum Change: String {
        case canceled, approved
    }

    /// Whether a parameter binds a code to a payment (PSD2), which is not supported.
    fileprivate static func isOfPayment(_ name: String) -> Bool { name == "Amount" || name == "Payee" }

    /// The verification in the path, by its SID or its number.
    private func named(_ context: APIContext) throws -> VerificationReference {
        let text = try context.pathText("verification")
        if let id = Verification.ID(sid: text) { return .id(id) }
        guard text.hasPrefix("+") else { throw TwilioError.notFound }
        return .live(try useCase.phoneNumber(in: text))
    }

    private func respond(
        _ status: HTTPResponse.Status,
        _ sent: SentVerification,
        _ tenant: Tenant,
        _ request: Request
    ) -> Response {
        Response(status, json: sent.twilioJSON(tenant, urls(request), at: service.clock.now()))
    }
}

extension TenantRequest {
    /// The most substitutions, rate limits and tags (https://www.twilio.com/docs/verify/api/verification).
    private static let maxValues = 10
    /// The channels that Twilio has and this service has not.
    private static let otherChannels: Set<String> = ["email", "sna", "rcs"]

    /// - Parameter offered: the channels that the service has beside Twilio's own.
    fileprivate init(_ form: TwilioForm, _ offered: [Channel]) throws {
        self.init(phoneText: try form.required("To") { $0 })
        let known = ["sms", "call", "whatsapp"]
        let names = known + offered.map(\.rawValue).filter { !known.contains($0) }
        let choice = names.joined(separator: ", ")
        let name = try form.required("Channel", "\(choice) or auto") { $0.asciiLowercased }
        let channel = (Routes.standardOrder + offered).first { $0.rawValue == name && $0.carriesCode }
        guard channel != nil || name == "auto" else {
            throw Self.otherChannels.contains(name)
                ? TwilioError(60200, "Invalid parameter `Channel`: \(name) is not among \(choice) and auto")
                : TwilioError.parameter("Channel", "\(choice) or auto")
        }
        self.channel = channel
        let unmet = form.named { TwilioAPI.isOfPayment($0) || $0 == "CustomMessage" }
        if let unmet { throw TwilioError.missingFeature(unmet) }
        language = try form.value("Locale", "a language such as ko or en-GB") { LanguageTag($0) }
        if let text = form.text("CustomFriendlyName") {
            guard let name = DisplayName(text) else { throw TenantFailure.nameRestricted }
            self.name = name
        }
        template = try form.value("TemplateSid", "the Sid of a template", TemplateName.init(sid:))
        substitutions = try form.texts("TemplateCustomSubstitutions", atMost: Self.maxValues)
        appHash = form.text("AppHash")
        code = try form.value("CustomCode", "4 to 10 digits") { VerificationCode($0) }
        counted = try form.texts("RateLimits", atMost: Self.maxValues)
        address = try form.value("DeviceIp", "an IP address") { ClientAddress($0) }
        isVouched =
            try form.value("RiskCheck", "enable or disable") { text -> Bool? in
                ["disable": true, "enable": false][text.asciiLowercased]
            } ?? false
        // They mean nothing to the verification, and must not be why somebody gets no code.
        tags = try form.texts("Tags", atMost: Self.maxValues, skipsOthers: true)
    }
}

extension SentVerification {
    /// Every member that Twilio Verify has and no other (https://github.com/twilio/twilio-oai,
    /// `verify.v2.service.verification`).
    func twilioJSON(_ tenant: Tenant, _ urls: TwilioURLs, at now: Timestamp) -> JSON {
        let (sid, channel) = (verification.id.sid, verification.channel)
        return [
            "sid": .string(sid),
            "service_sid": .string(tenant.id.sid),
            "account_sid": .string(tenant.account.sid),
            "to": .string(verification.phoneNumber.e164),
            "channel": .string(channel.rawValue),
            "status": .string(verification.status(at: now).rawValue),
            "valid": .bool(verification.recordedStatus == .approved),
            "date_created": .string(verification.createdAt.wholeSecondsText),
            "date_updated": .string(max(verification.updatedAt, verification.sentAt).wholeSecondsText),
            "lookup": tenant.options.contains(.lookup) ? verification.phoneNumber.twilioLookup : [:],
            "amount": nil,
            "payee": nil,
            "send_code_attempts": .array(
                messages.map { message in
                    [
                        "time": .string(message.createdAt.wholeSecondsText),
                        "channel": .string(message.channel.rawValue.uppercased()),
                        "attempt_sid": .string(message.id.sid),
                    ]
                }
            ),
            "sna": nil,
            "url": .string(urls.service(tenant.id) + "/Verifications/\(sid)"),
        ]
    }
}

extension Verification {
    /// The verification as a check of Twilio Verify (`verify.v2.service.verification_check`).
    func twilioCheckJSON(_ tenant: Tenant, at now: Timestamp) -> JSON {
        [
            "sid": .string(id.sid),
            "service_sid": .string(tenant.id.sid),
            "account_sid": .string(tenant.account.sid),
            "to": .string(phoneNumber.e164),
            "channel": .string(channel.rawValue),
            "status": .string(status(at: now).rawValue),
            "valid": .bool(recordedStatus == .approved),
            "amount": nil,
            "payee": nil,
            "sna_attempts_error_codes": [],
            "date_created": .string(createdAt.wholeSecondsText),
            "date_updated": .string(updatedAt.wholeSecondsText),
        ]
    }
}

extension PhoneNumber {
    /// What the numbering plan says, where Twilio reports the carrier, which is unknown here.
    fileprivate var twilioLookup: JSON {
        let type =
            switch kind {
            case .mobile, .fixedLineOrMobile: "mobile"
            case .voip: "voip"
            default: "landline"
            }
        return [
            "carrier": [
                "mobile_country_code": nil, "mobile_network_code": nil, "name": nil, "type": .string(type),
                "error_code": nil,
            ]
        ]
    }
}
