public import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore
public import PhoneDomain

extension Application where Responder == APIResponder {
    /// - Parameters:
    ///   - port: 0 for any free one.
    ///   - proxies: may have any number of connections.
    ///   - identity: the certificate, which turns plain HTTP/1.1 into TLS with HTTP/1.1 and HTTP/2; nil for none.
    ///   - language: of messages for people, unless the client prefers another.
    ///   - transportSecurity: for how long browsers must use TLS (`Strict-Transport-Security`); nil for no such header.
    public init(
        serving router: Router<APIContext>,
        host: String,
        port: Int,
        limits: ConnectionLimits = ConnectionLimits(),
        proxies: TrustedProxies = .none,
        identity: TLSIdentityInUse? = nil,
        transportSecurity: Duration? = nil,
        origins: CrossOrigins = .none,
        language: LanguageTag = .english,
        clock: any WallClock,
        instruments: Instruments = .none,
        logger: Logger,
        onServerRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) {
        let fields = CommonHeaders(transportSecurity: identity == nil ? nil : transportSecurity)
        let requestMetrics = RequestMetrics(instruments.metrics)
        let refusals = Refusals(
            limits: limits,
            fields: fields,
            clock: clock,
            requestMetrics: requestMetrics,
            logger: logger
        )
        self.init(
            responder: APIResponder(
                router: router,
                clock: clock,
                fields: fields,
                origins: origins,
                language: language,
                requestMetrics: requestMetrics,
                tracer: instruments.tracer
            ),
            server: HTTPServerBuilder { responder in
                ServingChannel(
                    limits: limits,
                    proxies: proxies,
                    identity: identity,
                    refusals: refusals,
                    responder: responder
                )
            },
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port),
                // As many as Linux lets wait (net.core.somaxconn), so that a burst of connections is not rejected.
                backlog: 4096,
                availableConnectionsDelegate: .maximum(limits.maxConnections, logger: logger)
            ),
            onServerRunning: { channel in await onServerRunning(channel.localAddress?.port ?? port) },
            logger: logger
        )
    }
}

/// Decides about a request before the routes of a group see it, and adds to its context.
protocol RequestFilter: RouterMiddleware where Context == APIContext {
    /// - Throws: what the client gets instead of the route's response.
    func check(_ request: Request, _ context: inout APIContext) async throws
}

extension RequestFilter {
    func handle(
        _ request: Request,
        context: APIContext,
        next: (Request, APIContext) async throws -> Response
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
