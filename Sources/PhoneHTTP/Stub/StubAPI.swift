public import Hummingbird
public import PhoneDomain

/// The HTTP interface of the SMS stub: Twilio's Messages API to send by, and its own to see what was sent.
public struct StubAPI: Sendable {
    private let stub: any StubInbox
    private let identifiers: any IdentifierSource
    private let clock: any WallClock
    private let servesAnyone: Bool
    private let hosts: Set<String>

    /// The interface of this stub.
    ///
    /// - Parameters:
    ///   - stub: what takes the messages.
    ///   - identifiers: the source of the nonces by which the page's own script and style are known.
    ///   - clock: says what time it is, where a message is to be sent later.
    ///   - servesAnyone: whether others than programs on the machine itself are served. Nobody is called back then: an
    ///     address that anyone may name, in a network that they may not reach, is not to be posted to from here.
    ///   - hosts: the names, beside those of the machine itself, by which programs on it call the stub: those that know
    ///     `api.twilio.com` alone.
    public init(
        stub: any StubInbox,
        identifiers: any IdentifierSource,
        clock: any WallClock,
        servesAnyone: Bool = false,
        hosts: Set<String> = []
    ) {
        self.stub = stub
        self.identifiers = identifiers
        self.clock = clock
        self.servesAnyone = servesAnyone
        self.hosts = hosts
    }

    /// A router with the stub's routes alone, for a stub that runs by itself.
    public func makeRouter() -> Router<APIContext> {
        let router = Router(context: APIContext.self, options: .autoGenerateHeadEndpoints)
        router.addRoutes(HealthRoutes(isReady: {}).routes, atPath: "/health")
        addRoutes(to: router)
        return router
    }

    func addRoutes(to router: Router<APIContext>) {
        let routes = router.group()
        if !servesAnyone { routes.add(middleware: LocalCallersOnly(hosts: hosts)) }
        routes.addRoutes(StubRoutes(stub: stub).routes, atPath: "/stub")
        routes.addRoutes(InboxRoutes(stub: stub, identifiers: identifiers).routes, atPath: "/inbox")
        routes.addRoutes(
            TwilioAccountRoutes(stub: stub, clock: clock, start: clock.now()).routes,
            atPath: "/2010-04-01/Accounts"
        )
        routes.addRoutes(
            TwilioMessageRoutes(stub: stub, clock: clock, allowsCallbacks: !servesAnyone).routes,
            atPath: "/2010-04-01/Accounts/{account}"
        )
        routes.addRoutes(
            TwilioMessagePartRoutes(stub: stub, clock: clock).routes,
            atPath: "/2010-04-01/Accounts/{account}/Messages/{message}"
        )
    }
}
