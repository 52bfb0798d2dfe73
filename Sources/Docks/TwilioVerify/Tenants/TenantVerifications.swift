import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneNumbers
import PhoneService
import PhoneSignup
import PhoneStore

struct TenantRequest: Hashable, Sendable {
    /// The number, in E.164 with its `+`.
    var phoneText: String
    /// The language of the message; nil for that of the number's country.
    var language: LanguageTag?
    /// Nil for any (`auto`).
    var channel: Channel? = .sms
    /// The sender's name in this message; nil for the tenant's name.
    var name: DisplayName?
    /// The set of texts; nil for the tenant's.
    var template: TemplateName?
    var substitutions: [String: String] = [:]
    var appHash: String?
    var code: VerificationCode?
    /// The values that the message is counted by, by the name of a limit of the tenant (``TenantLimit/uniqueName``).
    var counted: [String: String] = [:]
    var address: ClientAddress?
    /// As the tenant has them: up to ten of 128 characters.
    var tags: [String: String] = [:]
    /// Whether the tenant vouches that a person asks, and not a machine.
    var isVouched = false
}

struct SentVerification: Hashable, Sendable {
    let verification: Verification
    /// Oldest first.
    let messages: [OutboxMessage]
}

extension TenantUseCase {
    /// Sends a code, or the same code once more if one is in flight. Throws also ``TenantFailure/limitUnknown(_:)``,
    /// ``TenantFailure/featureDisabled`` and ``TenantFailure/wording(_:)``.
    func begin(_ request: TenantRequest, by tenant: Tenant) async throws -> SentVerification {
        let number = try phoneNumber(in: request.phoneText)
        if request.code != nil, !tenant.options.contains(.customCodes) { throw TenantFailure.featureDisabled }
        let language = request.language ?? .standard(in: number.region)
        let wording = MessageWording(
            service: (request.name ?? tenant.name).description,
            template: request.template ?? tenant.defaultTemplate,
            appHash: request.appHash,
            warnsAgainstSharing: tenant.options.contains(.sharingWarning),
            substitutions: request.substitutions
        )
        if let fault = service.catalog.error(in: wording, language: language) { throw TenantFailure.wording(fault) }
        var dialect = DialectOptions(codeLength: tenant.codeLength, resendCooldowns: resendCooldowns)
        (dialect.code, dialect.wording) = (request.code, wording)
        dialect.isSafeListed =
            try await available { try await service.store.safeNumber(number.e164, of: tenant.account) } != nil
        var options = VerificationOptions(channel: request.channel, dialect: dialect)
        // Those that are none here are accepted all the same, as tags mean nothing to the verification.
        let tags = request.tags.sorted { $0.key < $1.key }.compactMap { Labels.Tag($0.key, $0.value) }
        options.labels = Labels(tags: Labels.Tags(Array(tags.prefix(Labels.Tags.most))))
        options.limits = try limitRules(request.counted, of: tenant)
        let answer = try await service.verifications.begin(
            number,
            options,
            context: RequestContext(
                owner: tenant.owner,
                region: number.region,
                language: language,
                address: request.address,
                isVouched: request.isVouched
            )
        )
        let verification = answer.verification
        // A test number's verification has no messages.
        guard let message = answer.message else { return SentVerification(verification: verification, messages: []) }
        if answer.isNew { return SentVerification(verification: verification, messages: [message]) }
        // Earlier messages do not change; a later one may exist by now.
        let earlier = try await messages(of: verification, tenant, until: message.createdAt)
            .filter { $0.id != message.id }
        return SentVerification(verification: verification, messages: earlier + [message])
    }

    /// The limits that the request is counted by. Values are stored as keyed digests: they may be people's addresses.
    private func limitRules(_ counted: [String: String], of tenant: Tenant) throws -> [LimitRule] {
        var rules: [LimitRule] = []
        for (name, value) in counted.sorted(by: { $0.key < $1.key }) {
            guard let limit = tenant.limits.first(where: { $0.uniqueName.description == name }),
                (1...TenantLimit.longestValue).contains(value.utf8.count)
            else { throw TenantFailure.limitUnknown(name) }
            let digest = try available {
                try service.digester.digest(of: "tenant limit \(tenant.id) \(name)\n\(value)")
            }
            rules += limit.rules(for: digest, of: tenant.id)
        }
        return rules
    }

    /// The verification with this ID, or of this number, while it is live (``Verification/isLive(at:)``). Throws also
    /// ``PhoneFailure/rateLimited(policies:retryAt:)``: a verification may be read 60 times a minute, 180 an hour and
    /// 250 a day (https://www.twilio.com/docs/verify/api/rate-limits-and-timeouts).
    func verification(_ which: VerificationReference, of tenant: Tenant) async throws -> SentVerification {
        let found = try await find(which, of: tenant)
        let take = TakeLimits(rules: LimitPolicy.reads(of: found.id), now: service.clock.now())
        try await available { try await service.store.take(take) }
        return try await withMessages(found, of: tenant)
    }

    /// Returns the verification as this check left it: approved, or with a wrong code counted.
    func check(_ codeText: String, _ which: VerificationReference, of tenant: Tenant) async throws -> Verification {
        // A code that was right is answered once, as at Twilio.
        let options = CheckOptions(codeLength: tenant.codeLength, repeatsApproval: false)
        do throws(PhoneFailure) {
            return try await service.verifications.check(codeText, for: which, options, context: context(of: tenant))
        } catch .codeIncorrect(let verification) {
            // A wrong code is no failure here: the verification goes on.
            return verification
        } catch .malformedCode {
            // What cannot be a code is a wrong one. It is not counted, since it could not have been right.
            let found = try await find(which, of: tenant)
            if let refusal = found.checkRefusal(at: service.clock.now()) { throw refusal }
            return found
        }
    }

    /// Approves a pending verification whose code the tenant has compared itself.
    func approve(_ which: VerificationReference, of tenant: Tenant) async throws -> SentVerification {
        try await end(which, of: tenant) { try await service.verifications.approve($0, context: context(of: tenant)) }
    }

    /// A verification that was canceled before no longer exists, as at Twilio.
    func cancel(_ which: VerificationReference, of tenant: Tenant) async throws -> SentVerification {
        let found = try await find(which, of: tenant)
        return try await end(.id(found.id), of: tenant) {
            try await service.verifications.cancel($0, owner: tenant.owner)
        }
    }

    /// A verification that has ended sends no further messages, so the messages can be read after the act.
    private func end(
        _ which: VerificationReference,
        of tenant: Tenant,
        _ act: (Verification.ID) async throws -> Verification
    ) async throws -> SentVerification {
        try await withMessages(act(id(which, of: tenant)), of: tenant)
    }

    private func withMessages(_ verification: Verification, of tenant: Tenant) async throws -> SentVerification {
        SentVerification(verification: verification, messages: try await messages(of: verification, tenant))
    }

    /// Oldest first, without those queued after `moment`.
    private func messages(
        of verification: Verification,
        _ tenant: Tenant,
        until moment: Timestamp? = nil
    ) async throws -> [OutboxMessage] {
        var query = MessageQuery(of: tenant.account, tenant: tenant.id)
        (query.verification, query.until) = (verification.id, moment)
        return try await messages(query, limit: Self.mostMessages).reversed().map(\.message)
    }

    /// How many messages of a verification are shown; there are never as many.
    private static let mostMessages = 20

    /// A number has a verification only while it is live.
    private func id(_ which: VerificationReference, of tenant: Tenant) async throws -> Verification.ID {
        switch which {
        case .id(let id): id
        case .live: try await find(which, of: tenant).id
        }
    }

    private func find(_ which: VerificationReference, of tenant: Tenant) async throws -> Verification {
        let found: Verification?
        switch which {
        case .id(let id):
            found = try await service.verifications.verification(id, owner: tenant.owner)
        case .live(let number):
            found = try await available {
                try await service.store.liveVerification(of: number, owner: tenant.owner, at: service.clock.now())
            }
        }
        guard let found, found.isLive(at: service.clock.now()) else { throw TenantFailure.notFound }
        return found
    }

    /// The context of acts on an existing verification, which has its region and language already.
    private func context(of tenant: Tenant) -> RequestContext {
        RequestContext(owner: tenant.owner, region: .korea, language: .korean)
    }
}

extension LimitPolicy {
    static func reads(of id: Verification.ID) -> [LimitRule] {
        [(60, 60), (180, 3600), (250, 86_400)]
            .compactMap { RateLimit(quota: $0.0, window: .seconds($0.1)) }
            .map { LimitRule("verification-looks", $0, of: id.hexadecimal) }
    }
}
