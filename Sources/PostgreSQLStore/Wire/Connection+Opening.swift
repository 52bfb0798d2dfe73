import CPostgreSQL
import Dispatch
import Glibc
import PhoneDomain
import Records

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
        throw failures.first(where: \.isRefusal) ?? failures.first { $0 == .readOnly } ?? failures.first
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
        let connection: Connection
        do throws(PostgreSQLStoreError) {
            // libpq would write notices to the standard error stream, between the lines of the log.
            PQsetNoticeReceiver(pointer, { _, _ in }, nil)
            // So that the message begins with the code by which errors are told apart in every language.
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
        connection = try Connection(pointer, timeout: options.timeout, didSend: options.didSend)
        _ = try connection.exchange(options.optionalSettings.map { [.once($0)] })
        let settings = options.settings.map(Query.once) + [.once("SELECT current_setting('transaction_read_only')")]
        let answer = try connection.exchange(settings).last
        guard answer?.firstValue == .text("off") else { throw .readOnly }
        return connection
    }

    /// The server with the addresses of its name, so that libpq, which waits for name servers without a limit, need not look it up.
    /// The name stays, for certificates.
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
        // https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-PQCONNECTSTARTPARAMS: as if it had said WRITING.
        var state = PGRES_POLLING_WRITING
        while state != PGRES_POLLING_OK {
            guard PQstatus(pointer) != CONNECTION_BAD, state != PGRES_POLLING_FAILED else { throw refusal(pointer) }
            var descriptor = pollfd(
                fd: PQsocket(pointer),
                events: Int16(state == PGRES_POLLING_READING ? POLLIN : POLLOUT),
                revents: 0
            )
            let left = deadline - .now
            guard left > .zero else {
                let host = PQhost(pointer).map { String(cString: $0) } ?? "the server"
                let port = PQport(pointer).map { String(cString: $0) } ?? ""
                throw .unreachable(reason: "\(host):\(port) does not answer")
            }
            let count = poll(&descriptor, 1, Int32(clamping: max(1, left.wholeMilliseconds)))
            if count > 0 { state = PQconnectPoll(pointer) }
        }
    }

    private static func refusal(_ pointer: OpaquePointer) -> PostgreSQLStoreError {
        if PQconnectionNeedsPassword(pointer) == 1 {
            return .refused(sqlState: "28P01", reason: "a password is needed, and none was given")
        }
        return refusal(saying: String(cString: PQerrorMessage(pointer)))
    }

    /// Told apart by the code in libpq's message: what a server says that is there, and everything else.
    static func refusal(saying message: String) -> PostgreSQLStoreError {
        // A line for each address that a name stands for, of which the one that answers says most; what is indented
        // is advice.
        let lines = message.split(whereSeparator: \.isNewline)
        for line in lines {
            // A code has a digit in it, unlike `FATAL` before it.
            guard let sqlState = line.firstMatch(of: /: +((?=[A-Z]*[0-9])[0-9A-Z]{5}): +/) else { continue }
            let code = String(sqlState.1)
            let words = String(line[sqlState.range.upperBound...])
            // 53: too many connections; 57: starting up or shutting down; 08: the connection. Those pass.
            let passes = ["53", "57", "08"].contains { code.hasPrefix($0) }
            return passes ? .unreachable(reason: words) : .refused(sqlState: code, reason: words)
        }
        let reason = lines.last { $0.first?.isWhitespace == false }
        return .unreachable(reason: reason.map(String.init) ?? "the connection ended")
    }
}

extension PostgreSQLStoreError {
    fileprivate var isRefusal: Bool {
        if case .refused = self { true } else { false }
    }
}
