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
    ///   - clock: says how long a caller is to wait.
    ///   - logger: where requests and what goes wrong with them are noted.
    ///   - onServerRunning: called with the port once requests are taken.
    public init(
        serving router: Router<APIContext>,
        host: String,
        port: Int,
        clock: any WallClock,
        logger: Logger,
        onServerRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) {
        self.init(
            responder: APIResponder(router: router, clock: clock),
            // A connection that says nothing for a minute is a client that has gone, or one that means to use them up.
            server: .http1(configuration: HTTP1Channel.Configuration(idleTimeout: .seconds(60))),
            configuration: ApplicationConfiguration(address: .hostname(host, port: port)),
            onServerRunning: { channel in await onServerRunning(channel.localAddress?.port ?? port) },
            logger: logger
        )
    }
}
