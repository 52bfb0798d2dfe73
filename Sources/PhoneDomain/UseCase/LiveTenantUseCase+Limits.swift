extension LiveTenantUseCase {
    public func makeLimit(
        _ name: UniqueName,
        text: String,
        in tenant: Tenant
    ) async throws(TenantFailure) -> TenantLimit {
        let now = clock.now()
        let limit = TenantLimit(
            id: try await reach { try identifiers.makeIdentifier() },
            uniqueName: name,
            text: Self.line(text),
            buckets: [],
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

    public func describe(
        _ id: TenantLimit.ID,
        as text: String,
        in tenant: Tenant
    ) async throws(TenantFailure) -> TenantLimit {
        try await change(id, in: tenant) { limit in
            limit.text = Self.line(text)
            return nil
        }
    }

    public func deleteLimit(_ id: TenantLimit.ID, in tenant: Tenant) async throws(TenantFailure) {
        _ = try await change(tenant.id, tenant.account) { tenant in
            guard let index = tenant.limits.firstIndex(where: { $0.id == id }) else { return .notFound }
            tenant.limits.remove(at: index)
            return nil
        }
    }

    public func makeBucket(
        _ limit: RateLimit,
        of id: TenantLimit.ID,
        in tenant: Tenant
    ) async throws(TenantFailure) -> TenantLimit.Bucket {
        let now = clock.now()
        let bucket = TenantLimit.Bucket(
            id: try await reach { try identifiers.makeIdentifier() },
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

    public func update(
        _ bucket: TenantLimit.Bucket.ID,
        of id: TenantLimit.ID,
        in tenant: Tenant,
        _ change: @escaping @Sendable (RateLimit) -> RateLimit?
    ) async throws(TenantFailure) -> TenantLimit.Bucket {
        let now = clock.now()
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
        guard let found = changed.buckets.first(where: { $0.id == bucket }) else { throw .notFound }
        return found
    }

    public func delete(
        _ bucket: TenantLimit.Bucket.ID,
        of id: TenantLimit.ID,
        in tenant: Tenant
    ) async throws(TenantFailure) {
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
    ) async throws(TenantFailure) -> TenantLimit {
        let now = clock.now()
        let changed = try await self.change(tenant.id, tenant.account) { tenant in
            guard let index = tenant.limits.firstIndex(where: { $0.id == id }) else { return .notFound }
            if let failure = change(&tenant.limits[index]) { return failure }
            tenant.limits[index].updatedAt = now
            return nil
        }
        guard let found = changed.limits.first(where: { $0.id == id }) else { throw .notFound }
        return found
    }

    /// The text as one line of 256 bytes at most, without control characters: as every store can keep it.
    private static func line(_ text: String) -> String {
        var line = ""
        for character in text {
            let kept = character.unicodeScalars.contains(where: \.isControl) ? " " : character
            guard line.utf8.count + kept.utf8.count <= 256 else { break }
            line.append(kept)
        }
        return line
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool {
        [.control, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
    }
}
