import Hummingbird
import PhoneDomain

/// Lets nobody through but devices that are signed in, by their access token, and tells the routes behind it whose they
/// are. A refresh token is none, nor is the token of a signup, nor an API key.
struct SignedInOnly: RouterMiddleware {
    typealias Context = APIContext

    let accounts: any AccountUseCase

    func handle(
        _ request: Request,
        context: APIContext,
        next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        guard let token = request.bearerToken else { throw Self.noToken }
        var context = context
        context.signedIn = try await accounts.signedIn(by: token)
        return try await next(request, context)
    }

    static let noToken = Problem.unauthorized(
        "Send the access token that signing up gave: Authorization: Bearer …."
    )
}

extension APIContext {
    /// Who is signed in.
    ///
    /// - Throws: ``Problem`` if nobody has found that out: nothing is served then.
    func whoIsSignedIn() throws(Problem) -> SignedIn {
        guard let signedIn else { throw Problem.internalError(cause: "nobody is signed in") }
        return signedIn
    }
}
