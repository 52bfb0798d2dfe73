public import Hummingbird
import HummingbirdCore
import NIOCore
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
    public var coreContext: CoreRequestContextStorage
    /// The other end of the connection, a client or a proxy; nil for a Unix domain socket, and if it is unknown.
    let peer: IPAddress?
    /// Whether the connection has been closed already, so that its address is lost.
    let isAbandoned: Bool
    /// Of messages for people, unless the client prefers another; set by ``APIResponder``.
    var language = LanguageTag.english
    /// The address by which limits know the client, if there is one.
    var address: ClientAddress?
    /// Set by ``CallersOnly``.
    var caller: Caller?
    /// Set by ``TenantCallersOnly``.
    var tenantCaller: TenantCaller?
    /// Set by ``SignedInOnly``.
    var signedIn: SignedIn?

    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        let peer = source.channel.remoteAddress
        // Nil for a Unix domain socket.
        self.peer = peer?.ipAddress.flatMap { IPAddress($0) }
        // A Unix domain socket has an address, if an empty one; a closed connection has none.
        let isOfUnixDomain = if case .unixDomainSocket? = source.channel.localAddress { true } else { false }
        isAbandoned = peer == nil && !isOfUnixDomain
    }
}
