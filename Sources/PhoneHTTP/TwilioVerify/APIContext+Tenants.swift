import Hummingbird
import PhoneDomain

extension APIContext {
    /// Whose tenants the caller may speak for.
    ///
    /// - Throws: ``TwilioError`` if nobody has found that out: nothing is served then.
    func tenants() throws -> TenantCaller {
        guard let tenantCaller else { throw TwilioError.unauthenticated }
        return tenantCaller
    }

    /// The tenant that the path names, if the caller may speak for it.
    ///
    /// - Throws: ``TwilioError``.
    func tenantID() throws -> Tenant.ID {
        let id: Tenant.ID = try sid("service", prefix: "VA")
        if let only = try tenants().tenant, only != id { throw TwilioError.notFound }
        return id
    }

    /// What a part of the path names.
    ///
    /// - Throws: ``TwilioError`` for a name of anything else.
    func sid<Subject>(_ part: String, prefix: String) throws -> Identifier<Subject> {
        guard let id: Identifier<Subject> = parameters.get(part).flatMap({ TwilioSID.id($0, prefix: prefix) }) else {
            throw TwilioError.notFound
        }
        return id
    }
}

extension TenantUseCase {
    /// The tenant that the path names.
    ///
    /// - Throws: ``TenantFailure``, and ``TwilioError`` if the caller may not speak for it.
    func tenant(in context: APIContext) async throws -> Tenant {
        try await tenant(context.tenantID(), of: context.tenants().account)
    }
}
