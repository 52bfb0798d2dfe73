import Hummingbird
import PhoneDomain

/// Lets nobody through but programs whose key has a scope, and tells the routes behind it who they are.
struct CallersOnly: RouterMiddleware {
    typealias Context = APIContext

    let authority: CallerAuthority
    let scope: APIScope

    func handle(
        _ request: Request,
        context: APIContext,
        next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        let caller = try await authority.caller(of: request)
        guard caller.scopes.contains(scope) else { throw Problem.insufficientScope(scope) }
        var context = context
        context.caller = caller
        return try await next(request, context)
    }
}
