public import Hummingbird
public import Logging
import PhoneDomain

/// Decides about a request before the routes of a group see it, and adds to its context.
protocol RequestFilter: RouterMiddleware where Context == APIContext {
    /// - Throws: what the client gets instead of the route's response.
    func check(_ request: Request, _ context: inout APIContext) async throws
}

extension RequestFilter {
    func handle(
        _ request: Request,
        context: APIContext,
        next: @concurrent (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        try await check(request, &context)
        return try await next(request, context)
    }
}

public struct APIContext: Hummingbird.RequestContext {
    public typealias Source = RequestSource

    public var coreContext: CoreRequestContextStorage
    /// The other end of the connection, a client or a proxy; nil if it is unknown.
    let peer: IPAddress?
    /// Whether the connection has been closed already, so that its address is lost.
    let isAbandoned: Bool
    /// Of messages for people, unless the client prefers another; set by ``APIResponder``.
    var language = LanguageTag.english
    /// The template of the path, such as `/v1/verifications/{id}`; nil if no route matched. Set by ``APIResponder``, as are
    /// the parameters.
    var route: String?
    package var parameters = PathParameters()
    /// The address by which limits know the client, if there is one.
    var address: ClientAddress?
    /// Set by ``CallersOnly``.
    var caller: Caller?
    /// Set by ``TenantCallersOnly``.
    var tenantCaller: TenantCaller?
    /// Set by ``SignedInOnly``.
    var signedIn: SignedIn?

    /// - Parameter source: Hummingbird knows it by this name.
    public init(source: RequestSource) {
        coreContext = CoreRequestContextStorage(source: source)
        (peer, isAbandoned) = (source.peer.address, source.peer.isAbandoned)
    }
}

/// What is known of a request besides itself.
public struct RequestSource: RequestContextSource {
    let peer: Peer
    public let logger: Logger

    public init(peer: Peer, logger: Logger) { (self.peer, self.logger) = (peer, logger) }
}
