extension LiveTenantUseCase {
    public func begin(_ request: TenantRequest, by tenant: Tenant) async throws(TenantFailure) -> Verification {
        let number = try phoneNumber(in: request.phoneText)
        if request.code != nil, !tenant.options.contains(.customCodes) { throw .featureDisabled }
        let language = request.language ?? (number.region == .korea ? .korean : .english)
        let wording = MessageWording(
            service: (request.name ?? tenant.name).description,
            template: request.template ?? tenant.defaultTemplate,
            appHash: request.appHash,
            warnsAgainstSharing: tenant.options.contains(.sharingWarning),
            substitutions: request.substitutions
        )
        if let fault = catalog.fault(in: wording, language: language) { throw .wording(fault) }
        let limits = try limitRules(request.counted, of: tenant)
        let isSafe = try await reach { try await store.safeNumber(number.e164, of: tenant.account) } != nil
        let terms = VerificationTerms(
            codeLength: tenant.codeLength,
            code: request.code,
            wording: wording,
            limits: limits,
            isSafe: isSafe,
            resendCooldowns: resendCooldowns
        )
        do throws(PhoneFailure) {
            return try await verifications.requestCode(
                for: number.e164,
                context: RequestContext(
                    owner: tenant.owner,
                    region: number.region,
                    language: language,
                    address: request.address,
                    isVouched: request.isVouched,
                    terms: terms
                )
            )
        } catch {
            throw .refused(error)
        }
    }

    /// What the request is counted by. The value is kept as a digest, under the service's key: it may be somebody's address.
    private func limitRules(_ counted: [String: String], of tenant: Tenant) throws(TenantFailure) -> [LimitRule] {
        var rules: [LimitRule] = []
        for (name, value) in counted.sorted(by: { $0.key < $1.key }) {
            guard let limit = tenant.limits.first(where: { $0.uniqueName.description == name }),
                (1...TenantLimit.longestValue).contains(value.utf8.count)
            else { throw .limitUnknown(name) }
            do {
                let digest = try digester.digest(of: "tenant limit \(tenant.id) \(name)\n\(value)")
                rules += limit.rules(for: digest, of: tenant.id)
            } catch {
                throw .refused(.unavailable(cause: "\(error)"))
            }
        }
        return rules
    }

    public func verification(
        _ which: TenantVerification,
        of tenant: Tenant
    ) async throws(TenantFailure) -> Verification {
        let found = try await find(which, of: tenant)
        let take = TakeLimits(rules: LimitPolicy.looks(at: found.id), now: clock.now())
        if let refusal = try await reach({ try await store.take(take) }) { throw .refused(refusal) }
        return found
    }

    public func check(
        _ codeText: String,
        _ which: TenantVerification,
        of tenant: Tenant,
        from address: ClientAddress?
    ) async throws(TenantFailure) -> Verification {
        let found = try await find(which, of: tenant)
        let context = context(of: tenant, for: found, from: address)
        do throws(PhoneFailure) {
            return try await verifications.verify(codeText, for: found.id, context: context)
        } catch {
            switch error {
            // A wrong code is no failure here: the verification goes on.
            case .codeIncorrect: return try await find(.id(found.id), of: tenant)
            // What cannot be a code is a wrong one. It is not counted, since it could not have been right.
            case .malformedCode: return found
            default: throw Self.told(error)
            }
        }
    }

    public func approve(_ which: TenantVerification, of tenant: Tenant) async throws(TenantFailure) -> Verification {
        let found = try await find(which, of: tenant)
        do throws(PhoneFailure) {
            return try await verifications.approve(found.id, context: context(of: tenant, for: found, from: nil))
        } catch {
            throw Self.told(error)
        }
    }

    public func cancel(_ which: TenantVerification, of tenant: Tenant) async throws(TenantFailure) -> Verification {
        let found = try await find(which, of: tenant)
        do throws(PhoneFailure) {
            return try await verifications.cancel(found.id, owner: tenant.owner)
        } catch {
            throw Self.told(error)
        }
    }

    private func find(_ which: TenantVerification, of tenant: Tenant) async throws(TenantFailure) -> Verification {
        switch which {
        case .id(let id):
            do throws(PhoneFailure) {
                return try await verifications.verification(id, owner: tenant.owner)
            } catch {
                throw Self.told(error)
            }
        case .phoneText(let text):
            let number = try phoneNumber(in: text)
            let found = try await reach {
                try await store.liveVerification(of: number, owner: tenant.owner, at: clock.now())
            }
            guard let found else { throw .notFound }
            return found
        }
    }

    private func context(
        of tenant: Tenant,
        for verification: Verification,
        from address: ClientAddress?
    ) -> RequestContext {
        RequestContext(
            owner: tenant.owner,
            region: verification.phoneNumber.region,
            language: verification.language,
            address: address,
            terms: VerificationTerms(codeLength: tenant.codeLength)
        )
    }

    /// A verification that is over is as good as none.
    private static func told(_ failure: PhoneFailure) -> TenantFailure {
        switch failure {
        case .verificationNotFound, .verificationClosed, .codeExpired: .notFound
        default: .refused(failure)
        }
    }
}

extension LimitPolicy {
    /// What a look at a verification is subject to.
    static func looks(at id: Verification.ID) -> [LimitRule] {
        [(60, 60), (180, 3600), (250, 86_400)]
            .compactMap { RateLimit(quota: $0.0, window: .seconds($0.1)) }
            .map { LimitRule("verification-looks", $0, of: id.hexadecimal) }
    }
}
