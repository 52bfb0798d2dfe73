public import PhoneDomain

extension PostgreSQLStore: TenantStore {
    public func insert(_ tenant: Tenant) async throws {
        _ = try await transact { try $0.run(TenantTable.inserts([(tenant.id.description, tenant)])) }
    }

    public func tenant(_ id: Tenant.ID) async throws -> Tenant? {
        try await read(TenantTable.self, "WHERE id = $1", [.text(id.description)]).first
    }

    public func tenants(of account: TenantAccount.ID, offset: Int, limit: Int) async throws -> [Tenant] {
        try await read(
            TenantTable.self,
            "WHERE account = $1 ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3",
            [.text(account.description), .integer(max(0, limit)), .integer(max(0, offset))]
        )
    }

    public func update(_ command: UpdateTenant) async throws -> Result<Tenant, TenantFailure> {
        var keys = RowKeys()
        keys.tenants = [command.id.description]
        return try await change(needing: keys) { rows in
            let loaded = try rows.tenants.find(command.id.description)
            var tenant = loaded
            let outcome = command.apply(to: &tenant)
            if tenant != loaded { rows.tenants.keep(tenant, under: command.id.description) }
            return outcome
        }
    }

    public func deleteTenant(_ id: Tenant.ID, of account: TenantAccount.ID) async throws -> Bool {
        try await transact { transaction in
            try transaction.run(
                "DELETE FROM tenant WHERE id = $1 AND account = $2",
                [.text(id.description), .text(account.description)]
            ) > 0
        }
    }

    public func insert(_ number: SafeNumber) async throws -> Bool {
        var keys = RowKeys()
        keys.safeNumbers = [number.key]
        return try await change(needing: keys) { rows in
            guard try rows.safeNumbers.find(number.key) == nil else { return false }
            rows.safeNumbers.keep(number, under: number.key)
            return true
        }
    }

    public func safeNumber(_ e164: String, of account: TenantAccount.ID) async throws -> SafeNumber? {
        try await read(SafeNumberTable.self, "WHERE key = $1", [.text(SafeNumber.key(e164, of: account))]).first
    }

    public func removeSafeNumber(_ e164: String, of account: TenantAccount.ID) async throws -> Bool {
        try await transact { transaction in
            try transaction.run(
                "DELETE FROM safe_number WHERE key = $1",
                [.text(SafeNumber.key(e164, of: account))]
            ) > 0
        }
    }

    /// The one that `begin` would find (``Rows/live(_:owner:at:)``).
    public func liveVerification(
        of number: PhoneNumber,
        owner: Owner,
        at now: Timestamp
    ) async throws -> Verification? {
        try await read(
            VerificationTable.self,
            "WHERE e164 = $1 AND owner = $2 AND expires_at > $3 ORDER BY expires_at DESC, id DESC",
            [
                .text(number.e164), .text(owner.rawValue),
                .integer((now - Verification.longestLife).milliseconds),
            ]
        )
        .first { $0.isLive(at: now) }
    }

    public func take(_ command: TakeLimits) async throws -> PhoneFailure? {
        var keys = RowKeys()
        keys.need(meters: command.rules)
        return try await change(needing: keys) { rows in
            let loaded = try rows.ledger(command.rules)
            var limits = loaded
            let refusal = command.apply(to: &limits)
            rows.keep(limits, loaded: loaded)
            return refusal
        }
    }
}
