import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneNumbers
import PhoneService

/// What programs can do on behalf of tenants: manage them, their limits and safe numbers, and verify numbers by them.
/// The rules of verification are those of the ``VerificationUseCase``.
///
/// Every method throws ``TenantFailure/notFound`` for what does not exist or is another account's, and
/// ``PhoneFailure/unavailable(cause:)`` where a port fails.
struct TenantUseCase: Sendable {
    let service: DockService
    /// The waits between a tenant's messages (``VerificationPolicy/resendCooldowns``).
    let resendCooldowns: [Duration]

    /// The number must have its `+`: a tenant has no region.
    func phoneNumber(in text: String) throws(PhoneFailure) -> PhoneNumber {
        do throws(PhoneNumberError) {
            return try PhoneNumber(parsing: text, region: .world)
        } catch {
            switch error {
            case .unsupportedCallingCode: throw .regionNotAllowed(nil, allowed: [])
            case .unknownRegion: throw .invalidPhoneNumber(.notANumber)
            default: throw .invalidPhoneNumber(error)
            }
        }
    }

    var templates: [MessageTemplateListing] { service.catalog.templates }

    /// Throws also ``TenantFailure/wording(_:)`` if no message can be made in its name.
    func makeTenant(
        of account: TenantAccount.ID,
        _ describe: @Sendable (inout Tenant) -> Void,
        name: DisplayName
    ) async throws -> Tenant {
        let now = service.clock.now()
        var tenant = Tenant(
            id: try available { try service.identifiers.makeIdentifier() },
            account: account,
            name: name,
            codeLength: VerificationPolicy.standard.codeLength,
            options: [],
            defaultTemplate: nil,
            limits: [],
            createdAt: now,
            updatedAt: now
        )
        describe(&tenant)
        if let failure = Self.failure(in: tenant, service.catalog) { throw failure }
        try await available { [tenant] in try await service.store.insert(tenant) }
        return tenant
    }

    /// The tenant with this ID, of any account; nil if there is none, or no ID.
    func tenant(_ id: Tenant.ID?) async throws -> Tenant? {
        guard let id else { return nil }
        return try await available { try await service.store.tenant(id) }
    }

    func tenant(_ id: Tenant.ID, of account: TenantAccount.ID) async throws -> Tenant {
        guard let found = try await tenant(id), found.account == account else { throw TenantFailure.notFound }
        return found
    }

    /// Newest first.
    func tenants(of account: TenantAccount.ID, offset: Int, limit: Int) async throws -> [Tenant] {
        try await available { try await service.store.tenants(of: account, offset: offset, limit: limit) }
    }

    /// Changes a tenant's name, codes, options or template. Throws also ``TenantFailure/wording(_:)`` if no message
    /// could be made in its name then.
    func update(
        _ id: Tenant.ID,
        of account: TenantAccount.ID,
        _ change: @escaping @Sendable (inout Tenant) -> Void
    ) async throws -> Tenant {
        try await self.change(id, account) { [service] tenant in
            change(&tenant)
            return Self.failure(in: tenant, service.catalog)
        }
    }

    func deleteTenant(_ id: Tenant.ID, of account: TenantAccount.ID) async throws {
        guard try await available({ try await service.store.deleteTenant(id, of: account) }) else {
            throw TenantFailure.notFound
        }
    }

    /// Why no message can be made in the tenant's name, in any of the languages of the built-in messages. One language
    /// is enough: a name in Hangul makes an English message too long, and need never be in one. The template's other
    /// variables come with the request.
    private static func failure(in tenant: Tenant, _ catalog: any MessageCatalog) -> TenantFailure? {
        let wording = MessageWording(
            service: tenant.name.description,
            template: tenant.defaultTemplate,
            warnsAgainstSharing: tenant.options.contains(.sharingWarning)
        )
        var first: MessageWordingError?
        for language in catalog.builtInLanguages {
            switch catalog.error(in: wording, language: language) {
            case nil, .substitutionsMissing: return nil
            case .some(let fault): first = first ?? fault
            }
        }
        return first.map(TenantFailure.wording)
    }

    func change(
        _ id: Tenant.ID,
        _ account: TenantAccount.ID,
        _ change: @escaping @Sendable (inout Tenant) -> TenantFailure?
    ) async throws -> Tenant {
        let command = UpdateTenant(id: id, account: account, now: service.clock.now(), change: change)
        return try await available { try await service.store.update(command) }.get()
    }

    /// A limit counts nothing before it has a bucket. Throws also ``TenantFailure/uniqueNameTaken`` and
    /// ``TenantFailure/tooManyLimits``.
    func makeLimit(_ name: UniqueName, text: String, in tenant: Tenant) async throws -> TenantLimit {
        let now = service.clock.now()
        let limit = TenantLimit(
            id: try available { try service.identifiers.makeIdentifier() },
            uniqueName: name,
            text: Self.line(text),
            createdAt: now,
            updatedAt: now
        )
        _ = try await change(tenant.id, tenant.account) { tenant in
            if tenant.limits.contains(where: { $0.uniqueName == name }) { return .uniqueNameTaken }
            guard tenant.limits.count < Tenant.mostLimits else { return .tooManyLimits }
            tenant.limits.append(limit)
            return nil
        }
        return limit
    }

    func describe(_ id: TenantLimit.ID, as text: String, in tenant: Tenant) async throws -> TenantLimit {
        try await change(id, in: tenant) { limit in
            limit.text = Self.line(text)
            return nil
        }
    }

    func deleteLimit(_ id: TenantLimit.ID, in tenant: Tenant) async throws {
        _ = try await change(tenant.id, tenant.account) { tenant in
            guard let index = tenant.limits.firstIndex(where: { $0.id == id }) else { return .notFound }
            tenant.limits.remove(at: index)
            return nil
        }
    }

    /// Throws also ``TenantFailure/intervalTaken`` and ``TenantFailure/tooManyBuckets``.
    func makeBucket(_ limit: RateLimit, of id: TenantLimit.ID, in tenant: Tenant) async throws -> TenantLimit.Bucket {
        let now = service.clock.now()
        let bucket = TenantLimit.Bucket(
            id: try available { try service.identifiers.makeIdentifier() },
            limit: limit,
            createdAt: now,
            updatedAt: now
        )
        _ = try await change(id, in: tenant) { tenantLimit in
            if tenantLimit.buckets.contains(where: { $0.limit.window == limit.window }) { return .intervalTaken }
            guard tenantLimit.buckets.count < TenantLimit.mostBuckets else { return .tooManyBuckets }
            tenantLimit.buckets.append(bucket)
            return nil
        }
        return bucket
    }

    /// `change` returns the new limit, or nil if it is invalid. Throws also ``TenantFailure/intervalTaken``.
    func update(
        _ bucket: TenantLimit.Bucket.ID,
        of id: TenantLimit.ID,
        in tenant: Tenant,
        _ change: @escaping @Sendable (RateLimit) -> RateLimit?
    ) async throws -> TenantLimit.Bucket {
        let now = service.clock.now()
        let changed = try await self.change(id, in: tenant) { tenantLimit in
            guard let index = tenantLimit.buckets.firstIndex(where: { $0.id == bucket }),
                let limit = change(tenantLimit.buckets[index].limit)
            else { return .notFound }
            if tenantLimit.buckets.contains(where: { $0.id != bucket && $0.limit.window == limit.window }) {
                return .intervalTaken
            }
            tenantLimit.buckets[index].limit = limit
            tenantLimit.buckets[index].updatedAt = now
            return nil
        }
        guard let found = changed.buckets.first(where: { $0.id == bucket }) else { throw TenantFailure.notFound }
        return found
    }

    func delete(_ bucket: TenantLimit.Bucket.ID, of id: TenantLimit.ID, in tenant: Tenant) async throws {
        _ = try await change(id, in: tenant) { limit in
            guard let index = limit.buckets.firstIndex(where: { $0.id == bucket }) else { return .notFound }
            limit.buckets.remove(at: index)
            return nil
        }
    }

    private func change(
        _ id: TenantLimit.ID,
        in tenant: Tenant,
        _ change: @escaping @Sendable (inout TenantLimit) -> TenantFailure?
    ) async throws -> TenantLimit {
        let now = service.clock.now()
        let changed = try await self.change(tenant.id, tenant.account) { tenant in
            guard let index = tenant.limits.firstIndex(where: { $0.id == id }) else { return .notFound }
            if let failure = change(&tenant.limits[index]) { return failure }
            tenant.limits[index].updatedAt = now
            return nil
        }
        guard let found = changed.limits.first(where: { $0.id == id }) else { throw TenantFailure.notFound }
        return found
    }

    /// One line of at most 256 bytes, without control characters, so that every store can keep it.
    private static func line(_ text: String) -> String {
        var line = ""
        for character in text {
            let isControl = character.unicodeScalars.contains {
                [.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
            }
            let printable = isControl ? " " : character
            guard line.utf8.count + printable.utf8.count <= 256 else { break }
            line.append(printable)
        }
        return line
    }

    /// Newest first.
    func messages(_ query: MessageQuery, limit: Int) async throws -> [OutboxClaim] {
        try await available { try await service.store.messages(query, limit: limit) }
    }

    func count(_ query: MessageQuery) async throws -> MessageCount {
        try await available { try await service.store.count(query) }
    }

    /// Adds a number to the safe list of an account. Throws also ``TenantFailure/numberListed``, and
    /// ``PhoneFailure/invalidPhoneNumber(_:)``.
    func makeSafe(_ phoneText: String, for account: TenantAccount.ID) async throws -> SafeNumber {
        let number = try phoneNumber(in: phoneText)
        let safe = SafeNumber(
            id: try available { try service.identifiers.makeIdentifier() },
            account: account,
            e164: number.e164,
            createdAt: service.clock.now()
        )
        guard try await available({ try await service.store.insert(safe) }) else { throw TenantFailure.numberListed }
        return safe
    }

    func safeNumber(_ phoneText: String, of account: TenantAccount.ID) async throws -> SafeNumber {
        let number = try phoneNumber(in: phoneText)
        guard let found = try await available({ try await service.store.safeNumber(number.e164, of: account) })
        else { throw TenantFailure.notFound }
        return found
    }

    func removeSafeNumber(_ phoneText: String, of account: TenantAccount.ID) async throws {
        let number = try phoneNumber(in: phoneText)
        guard try await available({ try await service.store.removeSafeNumber(number.e164, of: account) })
        else { throw TenantFailure.notFound }
    }
}
