import PhoneDomain

/// How to connect, and how connections are set up.
struct ConnectionOptions: Sendable {
    let servers: ServerAddresses
    /// How long the server may take to answer.
    let timeout: Duration
    /// How long it may take to take us in.
    private let connectTimeout: Duration
    /// What every connection begins with.
    let settings: [String]
    /// What it begins with where the server knows of it.
    ///
    /// Every row that is asked for on the way of a request is found by an index, or the index is missing. A server that
    /// has not counted a table's rows yet, as after its first thousands of a morning, might read all of it instead, and
    /// go on so for as long as the statement lives. A small table that is read whole after all is told to cost so much
    /// then that the plan would be compiled, for some hundred milliseconds.
    ///
    /// And a statement that waits for a row is to notice that nobody waits for it any more (since PostgreSQL 14).
    let optionalSettings = [
        "SET enable_seqscan = off", "SET plan_cache_mode = force_generic_plan", "SET jit = off",
        "SET client_connection_check_interval = 500",
    ]
    /// Called with what is sent, before the answers come.
    let didSend: @Sendable ([[Query]]) -> Void

    /// - Parameters:
    ///   - isDurable: whether an acknowledged operation must survive a crash of the server.
    ///   - timeout: how long the server may take to answer, and to take us in; at least a second.
    ///   - didSend: called with what is sent.
    init(
        servers: ServerAddresses,
        isDurable: Bool,
        timeout: Duration,
        didSend: @escaping @Sendable ([[Query]]) -> Void = { _ in }
    ) {
        self.init(
            servers: servers,
            isDurable: isDurable,
            timeout: timeout,
            connectTimeout: timeout,
            didSend: didSend
        )
    }

    private init(
        servers: ServerAddresses,
        isDurable: Bool,
        timeout: Duration,
        connectTimeout: Duration,
        didSend: @escaping @Sendable ([[Query]]) -> Void
    ) {
        self.didSend = didSend
        self.servers = servers
        self.timeout = max(timeout, .seconds(1))
        self.connectTimeout = max(connectTimeout, .seconds(1))
        settings =
            [
                // A statement that nobody waits for any more must not go on, above all not wait for a lock.
                "SET statement_timeout = \(self.timeout.wholeMilliseconds)",
                // An instance that stops in the middle, as a virtual machine that is moved, must not keep the rows of
                // others locked. What it does between two statements takes milliseconds.
                "SET idle_in_transaction_session_timeout = 2000",
                "SET client_min_messages = error",
            ] + (isDurable ? [] : ["SET synchronous_commit = off"])
    }

    /// The same for work that takes its time: to change tables, or to rewrite them.
    var patient: ConnectionOptions {
        ConnectionOptions(
            servers: servers,
            isDurable: true,
            timeout: .seconds(3600),
            connectTimeout: connectTimeout,
            didSend: didSend
        )
    }

    /// What libpq does unless the URL says otherwise: name us, and notice within the timeout that nothing that was sent
    /// arrives (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNECT-TCP-USER-TIMEOUT).
    var defaults: [String: String] {
        [
            "application_name": "phoneproof",
            "keepalives_idle": "30",
            "keepalives_interval": "5",
            "keepalives_count": "3",
            "tcp_user_timeout": "\(connectTimeout.wholeMilliseconds)",
        ]
    }

    /// How long one server may take to take us in; with several, none must keep us from the others for long.
    func timeout(of server: [String: String]) -> Duration {
        if let seconds = server["connect_timeout"].flatMap(Int64.init), seconds > 0 { return .seconds(seconds) }
        return servers.all.count > 1 ? min(connectTimeout, .seconds(2)) : connectTimeout
    }
}
