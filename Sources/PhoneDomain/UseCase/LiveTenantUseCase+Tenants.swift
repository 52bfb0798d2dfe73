extension LiveTenantUseCase {
    public var templates: [MessageTemplateListing] { catalog.templates }

    public func makeTenant(
        of account: TenantAccount.ID,
        _ describe: @Sendable (inout Tenant) -> Void,
        name: TenantName
    ) async throws(TenantFailure) -> Tenant {
        let now = clock.now()
        var tenant = Tenant(
            id: try await reach { try identifiers.makeIdentifier() },
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
        if let failure = Self.failure(in: tenant, catalog) { throw failure }
        try await reach { [tenant] in try await store.insert(tenant) }
        return tenant
    }

    public func tenant(_ id: Tenant.ID, of account: TenantAccount.ID) async throws(TenantFailure) -> Tenant {
        let found = try await reach { try await store.tenant(id) }
        guard let found, found.account == account else { throw .notFound }
        return found
    }

    public func tenants(
        of account: TenantAccount.ID,
        offset: Int,
        limit: Int
    ) async throws(TenantFailure) -> [Tenant] {
        try await reach { try await store.tenants(of: account, offset: offset, limit: limit) }
    }

    public func update(
        _ id: Tenant.ID,
        of account: TenantAccount.ID,
        _ change: @escaping @Sendable (inout Tenant) -> Void
    ) async throws(TenantFailure) -> Tenant {
        try await self.change(id, account) { [catalog] tenant in
            change(&tenant)
            return Self.failure(in: tenant, catalog)
        }
    }

    public func deleteTenant(_ id: Tenant.ID, of account: TenantAccount.ID) async throws(TenantFailure) {
        guard try await reach({ try await store.deleteTenant(id, of: account) }) else { throw .notFound }
    }

    /// Why no message could be made in the tenant's name. One that is too long in either of the languages that messages have of
    /// themselves is refused; one that only Korean messages cannot bear is not, since it may never send one. What the template
    /// wants beside is the request's to give.
    private static func failure(in tenant: Tenant, _ catalog: any MessageCatalog) -> TenantFailure? {
        let wording = MessageWording(
            service: tenant.name.description,
            template: tenant.defaultTemplate,
            warnsAgainstSharing: tenant.options.contains(.sharingWarning)
        )
        let faults = [LanguageTag.english, .korean].map { language -> MessageWordingFault? in
            if case .substitutionsMissing? = catalog.fault(in: wording, language: language) { return nil }
            return catalog.fault(in: wording, language: language)
        }
        if faults.contains(.tooLong) { return .wording(.tooLong) }
        guard let first = faults[0], faults[1] != nil else { return nil }
        return .wording(first)
    }

    func change(
        _ id: Tenant.ID,
        _ account: TenantAccount.ID,
        _ change: @escaping @Sendable (inout Tenant) -> TenantFailure?
    ) async throws(TenantFailure) -> Tenant {
        let command = UpdateTenant(id: id, account: account, now: clock.now(), change: change)
        return try await reach { try await store.update(command) }.get()
    }
}
