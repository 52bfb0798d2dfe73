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

    /// Why no message could be made in the tenant's name, in none of the languages that messages have of themselves. One that
    /// can be made in either will do: a name in Hangul makes an English message too long, and need never be in one. What the
    /// template wants beside is the request's to give.
    private static func failure(in tenant: Tenant, _ catalog: any MessageCatalog) -> TenantFailure? {
        let wording = MessageWording(
            service: tenant.name.description,
            template: tenant.defaultTemplate,
            warnsAgainstSharing: tenant.options.contains(.sharingWarning)
        )
        var first: MessageWordingFault?
        for language in [LanguageTag.english, .korean] {
            switch catalog.fault(in: wording, language: language) {
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
    ) async throws(TenantFailure) -> Tenant {
        let command = UpdateTenant(id: id, account: account, now: clock.now(), change: change)
        return try await reach { try await store.update(command) }.get()
    }
}
