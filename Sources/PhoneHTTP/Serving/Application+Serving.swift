public import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore
public import PhoneDomain

extension Application where Responder == APIResponder {
    /// The server of these routes.
    ///
    /// - Parameters:
    ///   - router: all routes.
    ///   - host: the address or name to listen on.
    ///   - port: the port to listen on; 0 for any that is free.
    ///   - limits: what a connection may use up.
    ///   - proxies: those that may have as many connections as there are. Standard: nobody.
    ///   - identity: the certificate to show to those who connect, by TLS alone then, where HTTP/2 is spoken as well; nil
    ///     for plain HTTP/1.1.
    ///   - transportSecurity: for how long browsers are to come back by TLS alone, which they are told by TLS alone; nil
    ///     to tell them nothing.
    ///   - origins: pages of which other sites may sign people up.
    ///   - clock: says how long a caller is to wait.
    ///   - instruments: measure and trace requests. Standard: none.
    ///   - logger: where requests and what goes wrong with them are noted.
    ///   - onServerRunning: called with the port once requests are taken.
    public init(
        serving router: Router<APIContext>,
        host: String,
        port: Int,
        limits: ConnectionLimits = ConnectionLimits(),
        proxies: TrustedProxies = .none,
        identity: TLSIdentityInUse? = nil,
        transportSecurity: Duration? = nil,
        origins: CrossOrigins = .none,
        clock: any WallClock,
        instruments: Instruments = .none,
        logger: Logger,
        onServerRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) {
        let fields = CommonFields(transportSecurity: identity == nil ? nil : transportSecurity)
        let measures = RequestMeasures(instruments.metrics)
        let refusals = Refusals(limits: limits, fields: fields, clock: clock, measures: measures, logger: logger)
        self.init(
            responder: APIResponder(
                router: router,
                clock: clock,
                fields: fields,
                origins: origins,
                measures: measures,
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
                // As many as Linux lets wait (net.core.somaxconn), so that a crowd at the door turns nobody away.
                backlog: 4096,
                availableConnectionsDelegate: .maximum(limits.maxConnections, logger: logger)
            ),
            onServerRunning: { channel in await onServerRunning(channel.localAddress?.port ?? port) },
            logger: logger
        )
    }
}
