import CoreMetrics
import OpenSSLCrypto
import PhoneAccounts
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing
import Tracing

@testable import PhoneDelivery
@testable import PhoneDomain

/// The environment of a dispatcher: the use case that queues messages, the store, time and the log.
struct World {
    let store: MemoryStore
    let wall = ManualClock()
    let timer = ManualTimer()
    let log = LogRecorder()
    let vault: FixedCodeVault
    private let identifiers = CountingIdentifiers()
    let useCase: VerificationUseCase

    private let context = RequestContext(owner: .local, region: .korea, language: .korean)

    init(
        routes: Routes = .standard,
        abusePolicy: AbusePolicy = .none,
        sendHook: (any SendHook)? = nil,
        announcing events: EventSubscription = .none
    ) throws {
        store = MemoryStore(announcing: events)
        vault = try FixedCodeVault(digits: "482913")
        useCase = try VerificationUseCase.plain(
            over: store,
            abusePolicy: abusePolicy,
            sendHook: sendHook,
            routes: routes,
            vault: vault,
            identifiers: identifiers,
            clock: wall
        )
    }

    /// A world with one queued message.
    static func withMessage() async throws -> World {
        let world = try World()
        try await world.queue()
        return world
    }

    /// Queues a code for a number in the process of a dispatcher, which claims it if its queue is open.
    ///
    /// - Parameters:
    ///   - isWithheld: whether the guard withholds it silently.
    ///   - meanwhile: is done between the store's work and the dispatcher's.
    func queue(
        _ number: String = "010-1234-5678",
        isWithheld: Bool = false,
        through dispatcher: OutboxDispatcher,
        _ meanwhile: () async -> Void = {}
    ) async throws {
        let number = try PhoneNumber(parsing: number, region: .korea)
        let lease = dispatcher.leaseOfNewMessage()
        let id: Verification.ID = try identifiers.makeIdentifier()
        if isWithheld {
            let rule = GuardRule(prefix: "+8210", action: .block, until: nil, createdAt: wall.now())
            try await store.set(try #require(rule))
        }
        var command = BeginVerification(
            id: id,
            messageID: try identifiers.makeIdentifier(),
            phoneNumber: number,
            context: context,
            code: vault.seal(vault.makeCode(length: 6), for: CodeContext(verificationID: id, e164: number.e164)),
            policy: .standard,
            abusePolicy: AbusePolicy(limits: .none, trafficGuard: try GuardPolicy(answer: .silent), testNumbers: .none),
            auditor: Auditor(digester: PlainNumberDigester(), owner: .local, address: nil),
            now: wall.now()
        )
        command.lease = lease
        let answer = try await store.begin(command)
        await meanwhile()
        dispatcher.messageQueued(answer.claim)
    }

    /// Queues a code for a number.
    @discardableResult
    func queue(
        _ number: String = "010-1234-5678",
        wording: MessageWording? = nil,
        code: String? = nil
    ) async throws -> Verification {
        var options = VerificationOptions()
        (options.dialect.wording, options.dialect.code) = (wording, code.flatMap { VerificationCode($0) })
        return try await useCase.requestCode(for: number, options, context: context)
    }

    /// The secrets of links, under the key that changes are made with.
    static let undoTokens = UndoTokens(deriver: PlainSecretDeriver(), vault: PlainTokenVault())

    /// Queues the notice of a change to 010-8765-4321, made now and undoable for a day.
    ///
    /// - Parameters:
    ///   - number: the old number.
    ///   - isKept: whether the change is still there.
    ///   - closedAt: when it was undone.
    @discardableResult
    func queueNotice(
        to number: String = "+821012345678",
        in language: LanguageTag = .korean,
        isKept: Bool = true,
        closedAt: Timestamp? = nil
    ) async throws -> NumberChange {
        // The verification is of a world of its own, where its code went out.
        let verification = try await World().queue("010-8765-4321")
        let id: NumberChange.ID = try #require(Identifier("chg_0000000000000000000000000000000c"))
        let change = NumberChange(
            id: id,
            accountID: try #require(Identifier("acc_0000000000000000000000000000000a")),
            sessionID: try #require(Identifier("ses_0000000000000000000000000000000b")),
            verificationID: verification.id,
            oldNumber: try PhoneNumber(e164: number),
            newNumber: verification.phoneNumber,
            language: language,
            changedAt: wall.now(),
            undoableUntil: wall.now() + .seconds(86_400),
            undoDigest: try Self.undoTokens.make(for: id).digest,
            closedAt: closedAt
        )
        let notice = OutboxMessage(
            id: try #require(Identifier("msg_0000000000000000000000000000000d")),
            verificationID: verification.id,
            numberChangeID: id,
            createdAt: wall.now()
        )
        let kept: [StoredRecord] = isKept ? [.numberChange(change)] : []
        try await store.restore([.verification(verification)] + kept + [.message(notice)])
        return change
    }

    func dispatcher(
        _ gateways: [any MessageGateway],
        routes: Routes? = nil,
        odds: OddsInForce = OddsInForce(),
        overrides: OverridesInForce = OverridesInForce(),
        store: (any OutboxStore)? = nil,
        vault: (any CodeVault)? = nil,
        undoTokens: UndoTokens = World.undoTokens,
        renderer: any MessageRendering = PlainRenderer(),
        configuration: DispatcherConfiguration = .standard,
        jitter: Double = 0.5,
        metrics: any MetricsFactory = NOOPMetricsHandler.instance,
        tracer: (any Tracer)? = nil
    ) -> OutboxDispatcher {
        OutboxDispatcher(
            store: store ?? self.store,
            composer: MessageComposer(vault: vault ?? self.vault, undoTokens: undoTokens, renderer: renderer),
            gateways: gateways,
            routes: routes,
            odds: odds,
            overrides: overrides,
            configuration: configuration,
            authenticator: OpenSSLRequestAuthenticator(),
            environment: DeliveryEnvironment(
                wallClock: wall,
                clock: timer,
                jitter: { jitter },
                metrics: metrics,
                tracer: tracer,
                logger: log.logger
            )
        )
    }

    /// For what is tested without a dispatcher.
    var receiptRecorder: ReceiptRecorder {
        ReceiptRecorder(
            outbox: store,
            store: StoreRetry(
                health: StoreHealth(logger: log.logger),
                backoff: DispatcherConfiguration.standard.backoff,
                wallClock: wall,
                clock: timer
            ),
            authenticator: OpenSSLRequestAuthenticator(),
            logger: log.logger,
            metrics: MessageMetrics(gateways: [], NOOPMetricsHandler.instance)
        )
    }

    func advance(by duration: Duration) {
        wall.advance(by: duration)
        timer.advance(by: duration)
    }

    /// Waits until something sleeps for exactly this long, and lets that time pass; then for the next.
    func pass(_ seconds: Int...) async throws {
        for wait in seconds {
            try await timer.sleeper(of: .seconds(wait))
            advance(by: .seconds(wait))
        }
    }

    /// The outbox in words, oldest message first: `sent by a as a-1, attempt 1`.
    var outbox: [String] {
        get async {
            await store.outbox.map { message in
                let state =
                    switch message.status {
                    case .queued: "queued for +\(message.nextAttemptAt - start)"
                    case .sent: "sent by \(message.gateway ?? "nobody") as \(message.gatewayMessageID ?? "unconfirmed")"
                    case .unknown: "unknown at \(message.gateway ?? "nobody")"
                    case .delivered: "delivered by \(message.gateway ?? "nobody")"
                    case .undelivered: "undelivered by \(message.gateway ?? "nobody")"
                    case .failed: "failed"
                    case .dropped: "dropped"
                    case .withheld: "withheld"
                    }
                return "\(state), attempt \(message.attempts)"
            }
        }
    }

    /// How long after the beginning it is.
    var elapsed: Duration { wall.now() - start }

    private let start = Timestamp(seconds: 1_767_225_600)
}
