#if Hummingbird
import HTTPTypes
public import Hummingbird
import Logging
public import PhoneProofClient

/// The context of requests by people who are signed in.
public protocol SignedInRequestContext: RequestContext {
    /// Set by ``AccessTokenMiddleware``.
    var accessToken: VerifiedAccessToken? { get set }
}

/// Lets requests through that have a valid access token in `Authorization`, and responds to all others with a 401, or
/// with a 503 while the service's keys cannot be had.
///
/// ```swift
/// router.add(middleware: AccessTokenMiddleware(verifier))
/// router.get("orders") { _, context in orders(of: context.accessToken?.accountID) }
/// ```
public struct AccessTokenMiddleware<Context: SignedInRequestContext>: RouterMiddleware {
    private let verifier: AccessTokenVerifier

    public init(_ verifier: AccessTokenVerifier) { self.verifier = verifier }

    @concurrent public func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let scheme = "bearer "
        guard let field = request.headers[.authorization], field.lowercased().hasPrefix(scheme) else {
            throw HTTPError(.unauthorized, headers: [.wwwAuthenticate: "Bearer"])
        }
        let token: VerifiedAccessToken?
        do throws(PhoneProofError) {
            token = try await verifier.verified(String(field.dropFirst(scheme.count)))
        } catch {
            context.logger.error("no keys of access tokens", metadata: ["error": "\(error)"])
            throw HTTPError(.serviceUnavailable, headers: [.retryAfter: "10"])
        }
        guard let token else {
            throw HTTPError(.unauthorized, headers: [.wwwAuthenticate: #"Bearer error="invalid_token""#])
        }
        var context = context
        context.accessToken = token
        return try await next(request, context)
    }
}
#endif
