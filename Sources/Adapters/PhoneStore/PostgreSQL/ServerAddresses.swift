import Dispatch
import Glibc
import Synchronization

/// The servers that a connection string names, each with all there is to connect to it.
///
/// libpq would go through them by itself, but only with a time limit if it may block, and then without a word on why
/// one refused. So each is a connection attempt of its own here, with a limit of its own.
struct ServerAddresses: Sendable {
    /// The keywords of libpq (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-PARAMKEYWORDS) for each
    /// server, in the order in which they are to be tried.
    let all: [[String: String]]
    /// The server that they are all connected with, shared by the copies of this.
    let inUse = ServerInUse()
    let clock = ServerClock()

    /// - Throws: ``PostgreSQLStoreError/invalidURL(reason:)``, which does not repeat the URL: a password may be in it.
    init(url text: String) throws(PostgreSQLStoreError) {
        let url = try PostgreSQLURL(text)
        var keywords = url.keywords
        // Whether a server accepts writes is asked in every case: one that does not is another error than one that
        // cannot be reached.
        keywords["target_session_attrs"] = "any"
        // Whatever the environment and the database would have: this is what is sent.
        keywords["client_encoding"] = "UTF8"
        let (hosts, addresses, ports) = (url.hosts, url.addresses, url.ports)
        let count = max(hosts.count, addresses.count)
        guard addresses.isEmpty || hosts.isEmpty || addresses.count == hosts.count else {
            throw .invalidURL(reason: "it names \(hosts.count) hosts and \(addresses.count) addresses")
        }
        guard ports.count <= 1 || ports.count == count else {
            throw .invalidURL(reason: "it names \(count) hosts and \(ports.count) ports")
        }
        guard count > 1 else {
            all = [keywords]
            return
        }
        all = (0..<count).map { [keywords] index in
            var one = keywords
            one["host"] = hosts.isEmpty ? nil : hosts[index]
            one["hostaddr"] = addresses.isEmpty ? nil : addresses[index]
            one["port"] = ports.isEmpty ? nil : ports[ports.count == 1 ? 0 : index]
            return one
        }
    }
}

/// Which of the servers that a URL names the connections of a store lead to.
///
/// All to the same: a primary that was cut off would otherwise keep what comes over one connection, and its successor
/// what comes over the next. It is also the first that is tried when a connection is lost, so that nobody goes back to
/// one that has been replaced. What one connection finds out holds for all.
final class ServerInUse: Sendable {
    private struct State {
        var index = 0
        var failure: PostgreSQLStoreError?
        /// Before this, it is not worth trying again.
        var pauseEnd = ContinuousClock.now
        var failuresInRun = 0
        var diskFailure: PostgreSQLStoreError?
    }

    private let state = Mutex(State())

    /// Its place in ``ServerAddresses/all``.
    var index: Int { state.withLock(\.index) }

    /// Moves on to another, unless somebody has moved meanwhile.
    func move(from old: Int, to new: Int) -> Bool {
        state.withLock { state in
            if state.index == old { state.index = new }
            return state.index == new
        }
    }

    /// Why there is no server, if that was found a moment ago.
    var failure: PostgreSQLStoreError? { state.withLock { $0.pauseEnd > .now ? $0.failure : nil } }

    /// Has nobody try for a moment: a short one at first, so that a restart is over as soon as the server is back.
    func recordFailure(_ error: PostgreSQLStoreError) {
        state.withLock { state in
            state.failuresInRun += 1
            state.failure = error
            state.pauseEnd = .now + .milliseconds(min(1000, 50 << min(state.failuresInRun, 5)))
        }
    }

    /// That the server's disk was full, until ``PostgreSQLStore/ping()`` finds that it takes a batch again.
    var diskFailure: PostgreSQLStoreError? {
        get { state.withLock(\.diskFailure) }
        set { state.withLock { $0.diskFailure = newValue } }
    }

    /// Has everybody try again at once.
    func recordSuccess() { state.withLock { ($0.failure, $0.failuresInRun) = (nil, 0) } }
}

/// The addresses of servers' names, looked up with a time limit.
///
/// libpq calls getaddrinfo(3), which takes 5 seconds for each of several tries if name servers do not answer
/// (resolv.conf(5)). Here the caller goes on at its deadline, and the lookup in a thread of its own: one for each name
/// at a time.
final class HostAddresses: Sendable {
    private final class Lookup: Sendable {
        let end = DispatchGroup()
        let addresses = Mutex<Result<[String], PostgreSQLStoreError>?>(nil)
    }

    static let system = HostAddresses { host in try lookUp(host) }

    private let underWay = Mutex<[String: Lookup]>([:])
    private let resolve: @Sendable (String) throws -> [String]

    /// - Parameter resolve: waits for the addresses of a name; throws ``PostgreSQLStoreError``.
    init(resolve: @escaping @Sendable (String) throws -> [String]) { self.resolve = resolve }

    func find(_ host: String, until deadline: DispatchTime) throws(PostgreSQLStoreError) -> [String] {
        let lookup = underWay.withLock { underWay in
            if let lookup = underWay[host] { return lookup }
            let lookup = Lookup()
            underWay[host] = lookup
            lookup.end.enter()
            DispatchQueue(label: "phoneproof.postgresql.lookup").async { [self] in
                let addresses = Result { try resolve(host) }
                    .mapError { $0 as? PostgreSQLStoreError ?? .unreachable(reason: "\(host) cannot be resolved") }
                lookup.addresses.withLock { $0 = addresses }
                self.underWay.withLock { $0[host] = nil }
                lookup.end.leave()
            }
            return lookup
        }
        guard lookup.end.wait(timeout: deadline) == .success, let addresses = lookup.addresses.withLock({ $0 }) else {
            throw .unreachable(reason: "the name servers do not answer for \(host)")
        }
        return try addresses.get()
    }

    private static func lookUp(_ host: String) throws(PostgreSQLStoreError) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, nil, &hints, &list)
        guard code == 0 else {
            throw .unreachable(reason: "\(host) cannot be resolved: \(String(cString: gai_strerror(code)))")
        }
        defer { freeaddrinfo(list) }
        var addresses: [String] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ai_next
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let size = socklen_t(text.count)
            guard getnameinfo(entry.ai_addr, entry.ai_addrlen, &text, size, nil, 0, NI_NUMERICHOST) == 0 else {
                continue
            }
            addresses.append(String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
        }
        return addresses
    }
}
