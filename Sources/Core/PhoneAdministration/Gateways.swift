public import PhoneAccounts
public import PhoneDomain
public import PhoneNumbers
public import PhoneSignup

/// A gateway as an operator sees it.
public struct GatewayOverview: Sendable {
    public let name: String
    /// What it can send by, in order of their names.
    public let channels: [Channel]
    /// As in ``Routes/Gateway``.
    public let address: String?
    /// Nil unless it is paused.
    public let pausedSince: Timestamp?
    public let state: State
    /// Why it is not ``State/works``.
    public let finding: Finding?
    /// What this process knows of it; nil where no messages are sent, as in a command.
    public let health: GatewayHealth?
    public let deliveries: GatewayDeliveries

    /// Raw values are on the wire.
    public enum State: String, Sendable {
        /// As far as any instance knows.
        case works
        case paused, down, refuses
        /// No instance runs that sends by it.
        case unknown
    }
}

/// What one process knows of a gateway since it started. Every instance has a circuit breaker of its own.
public struct GatewayHealth: Hashable, Sendable {
    public enum Breaker: String, Sendable, CaseIterable {
        case closed, open
        /// One message is under way that decides whether it closes.
        case probing
    }

    public let breaker: Breaker
    /// When the next message is sent to see whether an open breaker can close; nil if it is not open.
    public let nextTry: Timestamp?
    /// Messages that it was asked to send, and how many of them it accepted.
    public let requests: Int
    public let accepted: Int
    /// Whether delivery reports come from it.
    public let reportsDelivery: Bool
    /// What it answered since it last accepted a message; nil if it has accepted the last one.
    public let trouble: Trouble?

    /// Messages in a row that it did not accept, without those that no gateway would (a bad number).
    public struct Trouble: Hashable, Sendable {
        /// Why it did not accept some of them.
        public struct Cause: Hashable, Sendable {
            /// The reason with the vendor's code.
            public let failure: String
            /// Whether the gateway is down, or did not respond, rather than refused.
            public let isFault: Bool
            /// When it was the answer for the first time.
            public let since: Timestamp
            public fileprivate(set) var messages = 0
        }

        /// When the first of them was not accepted.
        public let since: Timestamp
        public private(set) var messages = 0
        /// The last one is of the last message.
        public private(set) var causes: [Cause] = []

        /// A gateway that gives each message another code must not fill the memory.
        private static let mostCauses = 8

        public init(since: Timestamp) { self.since = since }

        public mutating func record(_ failure: String, isFault: Bool, at now: Timestamp) {
            messages += 1
            let known = causes.firstIndex { $0.failure == failure }
            var cause = known.map { causes.remove(at: $0) } ?? Cause(failure: failure, isFault: isFault, since: now)
            cause.messages += 1
            if causes.count == Self.mostCauses { causes.removeFirst() }
            causes.append(cause)
        }
    }

    public init(
        breaker: Breaker,
        nextTry: Timestamp? = nil,
        requests: Int,
        accepted: Int,
        reportsDelivery: Bool = true,
        trouble: Trouble? = nil
    ) {
        (self.breaker, self.nextTry, self.reportsDelivery) = (breaker, nextTry, reportsDelivery)
        (self.requests, self.accepted, self.trouble) = (requests, accepted, trouble)
    }

    /// How many refusals in a row are more than chance: one or two may be about a country or a sender.
    private static let refusals = 3

    /// What is wrong with the gateway; nil if nothing is.
    func finding(of gateway: Routes.Gateway, at now: Timestamp) -> Finding? {
        let all = trouble?.causes ?? []
        // Who is woken by it must know that the last one is not all that happened.
        let causes = all.reversed().prefix(3).enumerated().map { index, cause in
            "\(cause.failure), \(cause.messages)" + (index == 0 ? " of the last \(trouble?.messages ?? 0)" : "")
                + (all.count > 1 ? " since \(cause.since.time(on: now))" : "")
        }
        let reason = causes.isEmpty ? "" : ": " + causes.joined(separator: "; before, ")
        let vendor = gateway.address.map { "the vendor (\($0))" } ?? "the vendor"
        let page = "see the status page of \(vendor)"
        func finding(_ state: String, _ kind: Finding.Kind, _ advice: String) -> Finding {
            Finding(gateway.name, .failed, state + reason, kind: kind, advice: advice, since: trouble?.since)
        }
        guard breaker == .closed else {
            guard let nextTry else { return finding("is down", .gatewayDown, "a message is trying it again; \(page)") }
            let time = nextTry.description.dropFirst(11).prefix(8)
            if nextTry < now - Self.quiet {
                let advice = "no message has come to it since; a test message shows whether it works again; \(page)"
                return finding("was down when it was last tried", .gatewayDown, advice)
            }
            return finding(
                "is down",
                .gatewayDown,
                "\(page); the next message after \(time) UTC tries it again, a test message at once"
            )
        }
        guard let trouble, trouble.messages >= Self.refusals else { return nil }
        if all.last?.isFault == true { return finding("is down", .gatewayDown, "\(page); each message still tries it") }
        return finding(
            "refuses",
            .gatewayRefuses,
            "check account, credentials, balance and sender with \(vendor), then send a test message"
        )
    }

    /// How long after the time for it nothing has tried a gateway, where its messages go by others.
    private static let quiet: Duration = .seconds(10)
}

/// One message with a code: what its gateway did with it.
public struct SentSample: Hashable, Sendable {
    /// The one that accepted it; nil if none did.
    public let gateway: String?
    public let status: OutboxMessage.Status
    /// The time from the request until a gateway accepted it, and until the gateway reported its delivery; nil if
    /// unknown.
    public let acceptedAfter: Duration?
    public let deliveredAfter: Duration?

    public init(
        gateway: String?,
        status: OutboxMessage.Status,
        acceptedAfter: Duration?,
        deliveredAfter: Duration?
    ) {
        (self.gateway, self.status) = (gateway, status)
        (self.acceptedAfter, self.deliveredAfter) = (acceptedAfter, deliveredAfter)
    }
}

/// What became of the newest messages that a gateway accepted, or may have.
public struct GatewayDeliveries: Hashable, Sendable {
    public let messages: Int
    public let delivered: Int
    public let undelivered: Int
    /// How many have come, good or bad. Without any the vendor may not send them here.
    public var reports: Int { delivered + undelivered }
    /// Ascending.
    private let acceptances: [Duration]
    private let deliveries: [Duration]

    public init(_ samples: [SentSample]) {
        messages = samples.count
        delivered = samples.count { $0.status == .delivered }
        undelivered = samples.count { $0.status == .undelivered }
        acceptances = samples.compactMap(\.acceptedAfter).sorted()
        deliveries = samples.compactMap(\.deliveredAfter).sorted()
    }

    /// The time within which this share was accepted or delivered; nil without any.
    public func accepted(percent: Int) -> Duration? { Self.part(percent, of: acceptances) }
    public func delivered(percent: Int) -> Duration? { Self.part(percent, of: deliveries) }

    private static func part(_ percent: Int, of times: [Duration]) -> Duration? {
        times.isEmpty ? nil : times[max(0, (times.count * percent + 99) / 100 - 1)]
    }
}

/// The gateways that this process sends by.
public protocol GatewayDesk: Sendable {
    /// What is known of each gateway, by its name.
    var health: [String: GatewayHealth] { get }
    /// Sends a message in the service's own words, with a code that proves nothing, past pause and circuit breaker. An
    /// accepted one closes the breaker.
    ///
    /// - Parameter key: identifies it at the gateway.
    func sendTest(to number: PhoneNumber, by gateway: String, _ language: LanguageTag, key: String) async -> TestResult
}

public enum TestResult: Hashable, Sendable {
    /// `id` is the gateway's.
    case accepted(id: String?, after: Duration)
    /// A fixed phrase.
    case rejected(String)
}

extension Administration {
    /// The messages that deliveries are judged by: the newest of a day, so that it takes as long however many there
    /// are.
    private static let samples = (count: 2000, time: Duration.seconds(86_400))

    public func gateways() async throws -> [GatewayOverview] {
        let samples = try await store.sentSamples(since: now - Self.samples.time, limit: Self.samples.count)
        let byGateway = Dictionary(grouping: samples) { $0.gateway }
        let (paused, health) = (Overrides(try await store.overrides()).pausedGateways, desk?.health)
        let reports = Reports(try await store.instances(), of: self)
        let findings = gatewayFindings(reports, paused: paused)
        return policies.routes.gateways.map { gateway in
            let finding = findings.first { $0.subject == gateway.name }
            let state: GatewayOverview.State =
                switch finding?.kind {
                case .gatewayPaused: .paused
                case .gatewayDown: .down
                case .gatewayRefuses: .refuses
                default: reports.ofGateways.isEmpty ? .unknown : .works
                }
            return GatewayOverview(
                name: gateway.name,
                channels: gateway.channels.sorted(),
                address: gateway.address,
                pausedSince: paused[gateway.name],
                state: state,
                finding: finding,
                health: health?[gateway.name],
                deliveries: GatewayDeliveries(byGateway[gateway.name] ?? [])
            )
        }
    }

    /// The odds of routes that learn, as a service that starts now would read them. One that has run for longer has
    /// read more where more than it reads at once came in a day.
    public func routeOdds() async throws -> OddsInForce {
        let odds = OddsInForce()
        try await odds.read(from: store, at: now)
        return odds
    }

    /// Whatever instance is asked, no instance gives the gateway another message from a few seconds later on. Messages
    /// go by the other gateways of their route, or wait as long as their codes are valid.
    public func pause(_ gateway: String, by author: Operator) async throws {
        try requireGateway(gateway)
        let pause = Override(Override.gateway + gateway, "paused", since: now)
        guard try await store.insert(pause, audit: author.entry(.pauseGateway, gateway, at: now)) else {
            throw AdministrationFailure.conflict("\(gateway) is paused already")
        }
    }

    /// It need not be among the gateways any more.
    public func resume(_ gateway: String, by author: Operator) async throws {
        let entry = author.entry(.resumeGateway, gateway, at: now)
        guard try await store.removeOverride(Override.gateway + gateway, audit: entry) else {
            throw AdministrationFailure.conflict("\(gateway) is not paused")
        }
    }

    /// Sends a message by one gateway, to a number that the service sends to, within ``LimitPolicy/gatewayTests``. It
    /// is on the audit log before it is sent.
    public func sendTest(to number: PhoneNumber, by gateway: String, author: Operator) async throws -> TestResult {
        try requireGateway(gateway)
        guard let desk else { throw AdministrationFailure.conflict("no gateway runs in this process") }
        try policies.verification.accept(number, isSafeListed: false)
        let moment = now
        let entry = try author.entry(.testGateway, number, gateway, digester: makeDigester(), at: moment)
        try await store.record(entry, within: TakeLimits(rules: LimitPolicy.gatewayTests, now: moment))
        let key = OutboxMessage.ID(bits: UInt64(max(0, moment.milliseconds)) << 16, 0).description
        return await desk.sendTest(to: number, by: gateway, policies.language, key: key)
    }

    private func requireGateway(_ name: String) throws {
        guard policies.routes.gateways.contains(where: { $0.name == name }) else {
            let names = policies.routes.gateways.map(\.name).joined(separator: ", ")
            throw AdministrationFailure.notFound("there is no gateway \(name); there are \(names)")
        }
    }

    /// Sends all messages of a failure again whose codes are still valid, the newest 5,000 at most.
    ///
    /// - Parameter search: its status is `failed` or `unknown`.
    /// - Returns: how many were queued, at least one, and how many cannot be sent again.
    public func retryAll(_ search: MessageSearch, by author: Operator) async throws -> (queued: Int, refused: Int) {
        guard search.status == .failed || search.status == .unknown else {
            throw AdministrationFailure.invalid(field: "status", "must be failed or unknown")
        }
        var (search, count, refused) = (search, 0, 0)
        search.limit = 200
        for _ in 0..<25 {
            let page = try await store.messages(search)
            for claim in page.items {
                do {
                    _ = try await retry(claim.message.id, by: author)
                    count += 1
                } catch is AdministrationFailure {
                    refused += 1
                }
            }
            ActProgress.report?("Queued \(count) of \(counted(count + refused, "message"))")
            guard let next = page.next.flatMap({ OutboxMessage.ID($0) }) else { break }
            search.before = next
        }
        guard count > 0 else {
            throw AdministrationFailure.conflict("none of them can be sent again: their codes have expired")
        }
        return (count, refused)
    }
}
