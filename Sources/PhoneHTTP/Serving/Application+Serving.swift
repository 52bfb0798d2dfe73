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
    ///   - clock: says how long a caller is to wait.
    ///   - instruments: measure and trace requests. Standard: none.
    ///   - logger: where requests and what goes wrong with them are noted.
    ///   - onServerRunning: called with the port once requests are taken.
    public init(
        serving router: Router<APIContext>,
        host: String,
        port: Int,
        limits: ConnectionLimits = ConnectionLimits(),
        clock: any WallClock,
        instruments: Instruments = .none,
        logger: Logger,
        onServerRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) {
        self.init(
            responder: APIResponder(router: router, clock: clock, instruments: instruments),
            server: .http1(
                configuration: HTTP1Channel.Configuration(
                    additionalChannelHandlers: [DeadlineInstaller(limits: limits)],
                    idleTimeout: TimeAmount(ConnectionLimits.idleTimeout)
                )
            ),
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
