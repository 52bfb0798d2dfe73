import HTTPTypes
public import Logging
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOPosix
public import PhoneDomain
import PhoneSignup
public import ServiceLifecycle
import Synchronization

/// Where and how a router is served.
public struct ServerOptions: Sendable {
    public let host: String
    /// 0 for any free one.
    public let port: Int
    /// A listening socket to serve on in place of host and port. The service closes it.
    public var socket: CInt?
    public var limits = ConnectionLimits()
    /// They may have any number of connections.
    public var proxies = TrustedProxies.none
    /// The certificate, which turns plain HTTP/1.1 into TLS with HTTP/1.1 and HTTP/2; nil for none.
    public var identity: TLSIdentityInUse?
    /// How long browsers must use TLS (`Strict-Transport-Security`); nil for no such header.
    public var transportSecurity: Duration?
    public var origins = CrossOrigins.none
    /// The language of messages for people, unless the client prefers another.
    public var language = LanguageTag.english

    public init(host: String, port: Int) { (self.host, self.port) = (host, port) }
}

/// Serves a router, at an address of its own or on a listening socket that a service manager has opened.
///
/// A manager keeps its socket while this process ends and the next one begins. Connections that come meanwhile wait in
/// the socket's queue, so that none is refused (systemd.socket(5)).
public struct HTTPService: Service {
    /// What responds to every request.
    public let responder: APIResponder
    private let address: (host: String, port: Int)
    private let socket: CInt?
    private let connections: ServingChannel
    private let streamedResponses: AsyncStream<StreamedResponse>
    private let onServerRunning: @Sendable (_ port: Int) async -> Void

    public init(
        serving router: APIRouter,
        _ options: ServerOptions,
        clock: any WallClock,
        instruments: Instruments = .none,
        logger: Logger,
        onServerRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) {
        let fields = CommonHeaders(transportSecurity: options.identity == nil ? nil : options.transportSecurity)
        let requestMetrics = RequestMetrics(instruments.metrics)
        requestMetrics.begin(router.routes)
        let refusals = Refusals(
            limits: options.limits,
            fields: fields,
            clock: clock,
            requestMetrics: requestMetrics,
            logger: logger
        )
        let responder = APIResponder(
            router: router,
            clock: clock,
            fields: fields,
            origins: options.origins,
            language: options.language,
            requestMetrics: requestMetrics,
            tracer: instruments.tracer
        )
        let (date, admission) = (DateField(clock), Admission(limits: options.limits, proxies: options.proxies))
        let (streamedResponses, continuation) = AsyncStream<StreamedResponse>.makeStream()
        connections = ServingChannel(
            limits: options.limits,
            admission: admission,
            identity: options.identity,
            refusals: refusals,
            respond: { request, peer, executor, send in
                responder.respond(to: request, APIContext(peer: peer, executor: executor, logger: logger)) { make in
                    send {
                        var response = make()
                        response.headers.append(.date, date.current)
                        return response
                    }
                }
            },
            streamedResponses: continuation
        )
        (self.responder, address, self.socket) = (responder, (options.host, options.port), options.socket)
        (self.streamedResponses, self.onServerRunning) = (streamedResponses, onServerRunning)
    }

    /// How long a connection that was accepted just before the shutdown has to bring its request. By then it is idle,
    /// and is closed as any idle one is.
    private static let lastRequests: TimeAmount = .milliseconds(500)

    public func run() async throws {
        // Makes this generic class before the event loops may: two that made it for their first connections at the same
        // time crashed Swift 6.3.1's runtime, in one of 1,400 starts (null in swift_checkMetadataState).
        _ = HTTPRequestDecoder()
        let group = MultiThreadedEventLoopGroup.singleton
        let (connections, quiescing) = (connections, ServerQuiescingHelper(group: group))
        let (limit, isStopping) = (connections.limits.maxConnections, Flag())
        let bootstrap = ServerBootstrap(group: group)
            // As many as Linux lets wait (net.core.somaxconn), so that a burst of connections is not rejected.
            .serverChannelOption(.backlog, value: 4096)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(IntakeHandler(limit: limit, isStopping: isStopping))
                    try pipeline.addHandler(quiescing.makeServerChannelHandler(channel: channel))
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer(connections.setUp)
        let server =
            if let socket {
                try await bootstrap.withBoundSocket(socket).get()
            } else {
                try await bootstrap.bind(host: address.host, port: address.port).get()
            }
        server.closeFuture.whenComplete { _ in
            quiescing.initiateShutdown(promise: nil)
            connections.streamedResponses.finish()
        }
        await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                await onServerRunning(server.localAddress?.port ?? address.port)
                await withDiscardingTaskGroup { group in
                    for await response in streamedResponses { group.addTask { await response.run() } }
                }
            } onGracefulShutdown: {
                guard socket != nil else { return quiescing.initiateShutdown(promise: nil) }
                // Accepts no more: connections from now on wait for the next process.
                isStopping.set()
                server.setOption(.autoRead, value: false).whenComplete { _ in
                    server.eventLoop.scheduleTask(in: Self.lastRequests) { quiescing.initiateShutdown(promise: nil) }
                }
            }
        } onCancel: {
            server.close(promise: nil)
        }
        // Until the last connection has closed.
        let end = server.eventLoop.makePromise(of: Void.self)
        quiescing.initiateShutdown(promise: end)
        try? await end.futureResult.get()
    }
}

private final class Flag: Sendable {
    private let value = Mutex(false)
    var isSet: Bool { value.withLock(\.self) }
    func set() { value.withLock { $0 = true } }
}

/// Accepts connections while there are less than the limit; those beyond it wait in the socket's queue.
private final class IntakeHandler: ChannelDuplexHandler {
    typealias InboundIn = any NIOCore.Channel
    typealias OutboundIn = Never

    private let limit: Int
    private let isStopping: Flag
    private var count = 0
    private var hasDeferredRead = false

    init(limit: Int, isStopping: Flag) { (self.limit, self.isStopping) = (limit, isStopping) }

    private var isAccepting: Bool { count < limit && !isStopping.isSet }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        count += 1
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        unwrapInboundIn(data).closeFuture.hop(to: context.eventLoop).whenComplete { _ in
            let (handler, context) = bound.value
            handler.count -= 1
            guard handler.hasDeferredRead, handler.isAccepting else { return }
            handler.hasDeferredRead = false
            context.read()
        }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        if isAccepting { context.read() } else { hasDeferredRead = true }
    }
}

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
