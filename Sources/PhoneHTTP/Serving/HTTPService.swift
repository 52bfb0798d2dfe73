import HTTPTypes
public import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOPosix
public import PhoneDomain
public import ServiceLifecycle
import Synchronization

/// Serves a router, at an address of its own or on a listening socket that a service manager has opened.
///
/// A manager keeps its socket while this process ends and the next one begins. Connections that come meanwhile wait in the
/// socket's queue, so that none is refused (systemd.socket(5)).
public struct HTTPService: Service {
    /// What serves at the address.
    public let application: Application<APIResponder>
    private let socket: CInt?
    private let connections: @Sendable (@escaping HTTPChannelHandler.Responder) -> ServingChannel
    private let maxConnections: Int
    private let clock: any WallClock
    private let onServerRunning: @Sendable (any NIOCore.Channel) async -> Void

    /// - Parameters:
    ///   - port: 0 for any free one.
    ///   - socket: a listening socket to serve on in place of host and port. The service closes it.
    ///   - proxies: may have any number of connections.
    ///   - identity: the certificate, which turns plain HTTP/1.1 into TLS with HTTP/1.1 and HTTP/2; nil for none.
    ///   - language: of messages for people, unless the client prefers another.
    ///   - transportSecurity: for how long browsers must use TLS (`Strict-Transport-Security`); nil for no such header.
    public init(
        serving router: Router<APIContext>,
        host: String,
        port: Int,
        socket: CInt? = nil,
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
        let connections: @Sendable (@escaping HTTPChannelHandler.Responder) -> ServingChannel = { responder in
            ServingChannel(
                limits: limits,
                proxies: proxies,
                identity: identity,
                refusals: refusals,
                responder: responder
            )
        }
        let onServerRunning: @Sendable (any NIOCore.Channel) async -> Void = { channel in
            await onServerRunning(channel.localAddress?.port ?? port)
        }
        (self.socket, self.connections, self.maxConnections) = (socket, connections, limits.maxConnections)
        (self.clock, self.onServerRunning) = (clock, onServerRunning)
        application = Application(
            responder: APIResponder(
                router: router,
                clock: clock,
                fields: fields,
                origins: origins,
                language: language,
                requestMetrics: requestMetrics,
                tracer: instruments.tracer
            ),
            server: HTTPServerBuilder { connections($0) },
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port),
                // As many as Linux lets wait (net.core.somaxconn), so that a burst of connections is not rejected.
                backlog: 4096,
                availableConnectionsDelegate: .maximum(limits.maxConnections, logger: logger)
            ),
            onServerRunning: onServerRunning,
            logger: logger
        )
    }

    public func run() async throws {
        guard let socket else { return try await application.run() }
        try await serve(on: socket)
    }

    /// How long a connection that was accepted just before the shutdown has to bring its request. By then it is idle, and is
    /// closed as any idle one is.
    private static let lastRequests: TimeAmount = .milliseconds(500)

    /// What Hummingbird's server does, which can only open a socket of its own.
    private func serve(on socket: CInt) async throws {
        let (logger, date) = (application.logger, DateField(clock))
        let responder = application.responder
        let connections = connections {
            (request: Request, writer: consuming ResponseWriter, channel: any NIOCore.Channel) in
            let id = RequestID()
            var requestLogger = logger
            requestLogger[metadataKey: "hb.request.id"] = .stringConvertible(id)
            let source = ApplicationRequestContextSource(channel: channel, logger: requestLogger)
            var response = await responder.respond(to: request, context: APIContext(source: source))
            response.headers[.date] = date.current
            do {
                try await writer.write(response: response.head, body: response.body)
            } catch is HTTPParserError {
                // As itself it would be answered by another response.
                throw ResponseInterrupted()
            }
        }
        let quiescing = ServerQuiescingHelper(group: application.eventLoopGroup)
        let (limit, isStopping) = (maxConnections, Flag())
        let server = try await ServerBootstrap(group: application.eventLoopGroup)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    let intake = Intake(limit: limit, isStopping: isStopping)
                    try pipeline.addHandler(AvailableConnectionsChannelHandler(delegate: intake))
                    try pipeline.addHandler(quiescing.makeServerChannelHandler(channel: channel))
                }
            }
            .childChannelOption(ChannelOptions.allowRemoteHalfClosure, value: true)
            .bind(socket) { channel in connections.setup(channel: channel, logger: logger) }
        await withGracefulShutdownHandler {
            await onServerRunning(server.channel)
            await withDiscardingTaskGroup { group in
                do {
                    try await server.executeThenClose { accepted in
                        for try await connection in accepted {
                            group.addTask { await connections.handle(value: connection, logger: logger) }
                        }
                    }
                } catch {
                    logger.error("no more connections are accepted", metadata: ["error": "\(error)"])
                }
            }
        } onGracefulShutdown: {
            // Accepts no more: connections from now on wait for the next process. The channel is closed only when what it
            // has accepted is set up: NIO traps if a connection is dropped on its way.
            isStopping.set()
            server.channel.setOption(ChannelOptions.autoRead, value: false).whenComplete { _ in
                server.channel.eventLoop.scheduleTask(in: Self.lastRequests) {
                    quiescing.initiateShutdown(promise: nil)
                }
            }
        }
    }
}

private final class Flag: Sendable {
    private let value = Mutex(false)
    var isSet: Bool { value.withLock(\.self) }
    func set() { value.withLock { $0 = true } }
}

/// Whether another connection is accepted.
private struct Intake: AvailableConnectionsDelegate {
    let limit: Int
    let isStopping: Flag
    private var count = 0

    init(limit: Int, isStopping: Flag) { (self.limit, self.isStopping) = (limit, isStopping) }

    mutating func connectionOpened() { count += 1 }
    mutating func connectionClosed() { count -= 1 }
    func isAcceptingNewConnections() -> Bool { count < limit && !isStopping.isSet }
}

private struct ResponseInterrupted: Error {}

/// The field `Date` of responses, made once a second.
private final class DateField: Sendable {
    private let clock: any WallClock
    private let made: Mutex<(second: Int64, text: String)>

    init(_ clock: any WallClock) {
        self.clock = clock
        made = Mutex((second: .min, text: ""))
    }

    var current: String {
        let now = clock.now()
        return made.withLock { made in
            let second = now.milliseconds / 1000
            if made.second != second { made = (second, now.httpDate) }
            return made.text
        }
    }
}
