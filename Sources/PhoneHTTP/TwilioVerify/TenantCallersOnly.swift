import HTTPTypes
import Hummingbird
import Logging
import PhoneDomain

/// Lets nobody through but programs that hold a key of an account of tenants, as Twilio's libraries send it: by Basic
/// authentication (RFC 7617), the account's name and its token, or a key's name and its secret
/// (https://www.twilio.com/docs/iam/api-keys). Whatever goes wrong behind it is answered as Twilio answers it.
struct TenantCallersOnly: RouterMiddleware {
    typealias Context = APIContext

    let keys: APIKeys
    let clock: any WallClock

    func handle(
        _ request: Request,
        context: APIContext,
        next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        do {
            var context = context
            context.tenantCaller = try await caller(of: request)
            return try await next(request, context)
        } catch {
            let told = TwilioError(anyOf: error, at: clock.now())
            if let cause = told.cause {
                context.logger.error("A request in a tenant's name failed", metadata: ["error.cause": "\(cause)"])
            }
            return told.response(from: request, context: context)
        }
    }

    private func caller(of request: Request) async throws -> TenantCaller {
        guard let (name, secret) = request.basicCredentials else { throw TwilioError.unauthenticated }
        let key: APIKey?
        do {
            key = try await self.key(name, secret)
        } catch {
            throw PhoneFailure.unavailable(cause: String(describing: error))
        }
        guard let key, let account = key.account else { throw TwilioError.unauthenticated }
        return TenantCaller(account: account, tenant: key.tenant)
    }

    private func key(_ name: String, _ secret: SecretToken) async throws -> APIKey? {
        if let id: APIKey.ID = TwilioSID.id(name, prefix: "AC") {
            return try await keys.keyForTenants(id, isFirst: true, secret: secret)
        }
        guard let id: APIKey.ID = TwilioSID.id(name, prefix: "SK") else { return nil }
        return try await keys.keyForTenants(id, isFirst: false, secret: secret)
    }
}
