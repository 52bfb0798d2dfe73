import CoreMetrics
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Tracing

@testable import PhoneDelivery

/// The environment of a webhook dispatcher: the store, time and the log.
struct WebhookWorld {
    static let start = Timestamp(seconds: 1_767_225_600)

    let signal: WakeSignal
    let store: MemoryStore
    let wall = ManualClock()
    let timer = ManualTimer()
    let log = LogRecorder()

    init() {
        let signal = WakeSignal()
        self.signal = signal
        store = MemoryStore(announcing: EventSubscription(to: Set(Event.Kind.standard)) { signal.wake() })
    }

    /// Queues the event of a new account, of which there are nine.
    func announce(_ serial: UInt64 = 1) async throws {
        let account = Account(
            id: Account.ID(bits: 0, serial),
            phoneNumber: try PhoneNumber(e164: "+82101234567\(serial)"),
            createdAt: wall.now(),
            createdBy: Verification.ID(bits: 0, serial)
        )
        try await store.restore([
            .account(account), .event(Event(made: account, at: wall.now()).belonging(to: .current)),
        ])
        signal.wake()
    }

    func dispatcher(
        _ receiver: ScriptedReceiver,
        store: (any EventStore)? = nil,
        configuration: WebhookConfiguration = WebhookConfiguration(),
        metrics: any MetricsFactory = NOOPMetricsHandler.instance,
        tracer: (any Tracer)? = nil
    ) -> WebhookDispatcher {
        WebhookDispatcher(
            store: store ?? self.store,
            poster: WebhookPoster(
                transport: receiver,
                signer: PlainSigner(),
                timeout: configuration.timeout,
                environment: DeliveryEnvironment(
                    wallClock: wall,
                    clock: timer,
                    jitter: { 0 },
                    metrics: metrics,
                    tracer: tracer,
                    logger: log.logger
                )
            ),
            configuration: configuration,
            signal: signal
        )
    }

    /// Runs a dispatcher for as long as the test looks at it.
    func running(_ dispatcher: WebhookDispatcher, _ look: () async throws -> Void) async throws {
        try await whileRunning(dispatcher.run, look)
    }

    func advance(by duration: Duration) {
        wall.advance(by: duration)
        timer.advance(by: duration)
    }

    /// The events in words, oldest first: `queued for +2.5 seconds, attempt 1 (no response in time)`.
    var events: [String] {
        get async throws {
            try await store.events(status: nil, limit: 99).reversed().map { event in
                let state = event.status == .queued ? "queued for +\(event.nextAttemptAt - Self.start)" : "failed"
                return "\(state), attempt \(event.attempts)" + (event.failure.map { " (\($0))" } ?? "")
            }
        }
    }
}
