import CPostgreSQL
import Dispatch
import Glibc
import PhoneSignup

/// How to connect, and how connections are set up.
struct ConnectionOptions: Sendable {
    let servers: ServerAddresses
    /// How long the server may take to answer.
    private(set) var timeout: Duration
    /// How long it may take to take us in.
    private let connectTimeout: Duration
    /// Whether an acknowledged operation must survive a crash of the server.
    private var isDurable: Bool
    /// Called with what is sent, before the answers come.
    let didSend: @Sendable ([[Query]]) -> Void

    /// - Parameter timeout: how long the server may take to answer, and to take us in; at least a second.
    init(
        servers: ServerAddresses,
        isDurable: Bool,
        timeout: Duration,
        didSend: @escaping @Sendable ([[Query]]) -> Void = { _ in }
    ) {
        (self.servers, self.isDurable, self.didSend) = (servers, isDurable, didSend)
        self.timeout = max(timeout, .seconds(1))
        connectTimeout = self.timeout
    }

    /// What every connection begins with.
    var settings: [String] {
        [
            // A statement that nobody waits for any more must not go on, above all not wait for a lock.
            "SET statement_timeout = \(timeout.wholeMilliseconds)",
            // An instance that stops in the middle, as a virtual machine that is moved, must not keep the rows of
            // others locked. What it does between two statements takes milliseconds.
            "SET idle_in_transaction_session_timeout = 2000",
            "SET client_min_messages = error",
        ] + (isDurable ? [] : ["SET synchronous_commit = off"])
    }

    /// What it begins with where the server knows of it.
    ///
    /// Every row on the way of a request is found by an index. A server that has not counted a table's rows yet might
    /// read all of it instead, for as long as the statement lives. A small table that is read whole after all then
    /// seems so costly that the plan would be compiled, for some hundred milliseconds. And a statement that waits for a
    /// row is to notice that nobody waits for it any more (since PostgreSQL 14).
    let optionalSettings = [
        "SET enable_seqscan = off", "SET plan_cache_mode = force_generic_plan", "SET jit = off",
        "SET client_connection_check_interval = 500",
    ]

    /// The same for work that takes its time: to change tables, or to rewrite them.
    var patient: ConnectionOptions {
        var options = self
        (options.timeout, options.isDurable) = (.seconds(3600), true)
        return options
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

extension Connection {
    /// Connects to the first of the servers that takes us in and writes, beginning with the one that is in use.
    ///
    /// - Throws: ``PostgreSQLStoreError`` of the server that says most about what is wrong.
    static func open(_ options: ConnectionOptions) throws(PostgreSQLStoreError) -> Connection {
        var failures: [PostgreSQLStoreError] = []
        let servers = options.servers
        let first = servers.inUse.index
        for index in [first] + servers.all.indices.filter({ $0 != first }) {
            do throws(PostgreSQLStoreError) {
                let connection = try open(servers.all[index], options)
                connection.server = index
                // Others may have found another meanwhile, and that is then the one for all.
                return servers.inUse.move(from: first, to: index) ? connection : try open(options)
            } catch {
                failures.append(error)
            }
        }
        // One that refuses us has been set up wrongly; one that only reads is at least there.
        let refusal = failures.first { if case .refused = $0 { true } else { false } }
        throw refusal ?? failures.first { $0 == .readOnly } ?? failures.first
            ?? .unreachable(reason: "no server is named")
    }

    private static func open(
        _ server: [String: String],
        _ options: ConnectionOptions
    ) throws(PostgreSQLStoreError) -> Connection {
        let timeout = options.timeout(of: server)
        let deadline = ContinuousClock.now + timeout
        let server = try resolved(server, within: timeout)
        guard let pointer = start(server, options) else { throw .unreachable(reason: "there is no memory") }
        do throws(PostgreSQLStoreError) {
            // libpq would write notices to the standard error stream, between the lines of the log.
            PQsetNoticeReceiver(pointer, { _, _ in }, nil)
            // So that the message begins with the code that identifies the error in every language.
            PQsetErrorVerbosity(pointer, PQERRORS_VERBOSE)
            try finish(pointer, until: deadline)
            PQsetErrorVerbosity(pointer, PQERRORS_DEFAULT)
            guard PQserverVersion(pointer) >= 130_000 || PQserverVersion(pointer) == 0 else {
                throw .refused(sqlState: "0A000", reason: "the server is older than PostgreSQL 13")
            }
        } catch {
            PQfinish(pointer)
            throw error
        }
        let connection = try Connection(pointer, timeout: options.timeout, didSend: options.didSend)
        _ = try connection.exchange(options.optionalSettings.map { [.once($0)] })
        let settings = options.settings.map(Query.once) + [.once("SELECT current_setting('transaction_read_only')")]
        let asked = Timestamp.now
        let answers = try connection.exchange(settings + [ServerClock.query])
        guard answers.dropLast().last?.firstValue == .text("off") else { throw .readOnly }
        options.servers.clock.compare(answers.last?.firstValue, asked: asked)
        return connection
    }

    /// The server with the addresses of its name, so that libpq, which waits for name servers without a limit, need not
    /// look it up. The name stays, for certificates.
    private static func resolved(
        _ server: [String: String],
        within timeout: Duration
    ) throws(PostgreSQLStoreError) -> [String: String] {
        // A path is a socket's, and so is @ before a name.
        guard let host = server["host"], !host.isEmpty, !host.hasPrefix("/"), !host.hasPrefix("@"),
            server["hostaddr", default: ""].isEmpty
        else { return server }
        let milliseconds = Int(timeout.wholeMilliseconds)
        let addresses = try HostAddresses.system.find(host, until: .now() + .milliseconds(milliseconds))
        guard !addresses.isEmpty else { throw .unreachable(reason: "\(host) has no address") }
        var server = server
        server["host"] = addresses.map { _ in host }.joined(separator: ",")
        server["hostaddr"] = addresses.joined(separator: ",")
        return server
    }

    private static func start(_ server: [String: String], _ options: ConnectionOptions) -> OpaquePointer? {
        // What the URL says goes before what we would have.
        let keywords = options.defaults.merging(server) { $1 }
        let names = keywords.map { strdup($0.key) }
        let values = keywords.map { strdup($0.value) }
        defer { for text in names + values { free(text) } }
        return PQconnectStartParams(
            names.map { UnsafePointer($0) } + [nil],
            values.map { UnsafePointer($0) } + [nil],
            0
        )
    }

    private static func finish(
        _ pointer: OpaquePointer,
        until deadline: ContinuousClock.Instant
    ) throws(PostgreSQLStoreError) {
        // https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-PQCONNECTSTARTPARAMS: as if it had said
        // WRITING.
        var state = PGRES_POLLING_WRITING
        while state != PGRES_POLLING_OK {
            guard PQstatus(pointer) != CONNECTION_BAD, state != PGRES_POLLING_FAILED else { throw refusal(pointer) }
            let events = Int16(state == PGRES_POLLING_READING ? POLLIN : POLLOUT)
            guard poll(pointer, for: events, until: deadline) != 0 else {
                let host = PQhost(pointer).map { String(cString: $0) } ?? "the server"
                let port = PQport(pointer).map { String(cString: $0) } ?? ""
                throw .unreachable(reason: "\(host):\(port) does not answer")
            }
            state = PQconnectPoll(pointer)
        }
    }

    private static func refusal(_ pointer: OpaquePointer) -> PostgreSQLStoreError {
        if PQconnectionNeedsPassword(pointer) == 1 {
            return .refused(sqlState: "28P01", reason: "a password is needed, and none was given")
        }
        return refusal(saying: String(cString: PQerrorMessage(pointer)))
    }

    /// Judges by the code in libpq's message: either what a server that is there says, or that there is none.
    static func refusal(saying message: String) -> PostgreSQLStoreError {
        // A line for each address that a name stands for, of which the one that answers says most; what is indented
        // is advice.
        let lines = message.split(whereSeparator: \.isNewline)
        for line in lines {
            // A code has a digit in it, unlike `FATAL` before it.
            guard let sqlState = line.firstMatch(of: /: +((?=[A-Z]*[0-9])[0-9A-Z]{5}): +/) else { continue }
            let code = String(sqlState.1)
            let words = String(line[sqlState.range.upperBound...])
            if code == "53300" { return .tooFewConnections(had: nil, reason: words) }
            // 53: of other resources too few; 57: starting up or shutting down; 08: the connection. Those pass.
            let passes = ["53", "57", "08"].contains { code.hasPrefix($0) }
            return passes ? .unreachable(reason: words) : .refused(sqlState: code, reason: words)
        }
        let reason = lines.last { $0.first?.isWhitespace == false }
        return .unreachable(reason: reason.map(String.init) ?? "the connection ended")
    }
}
