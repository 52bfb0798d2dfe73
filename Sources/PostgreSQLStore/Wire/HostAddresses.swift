import Dispatch
import Glibc
import Synchronization

/// The addresses of servers' names, looked up with a time limit.
///
/// libpq calls getaddrinfo(3), which takes as long as the system's resolver likes: with name servers that do not answer, 5 seconds
/// for each of several tries (resolv.conf(5)). Here the caller goes on at its deadline, and the lookup in a thread of its own. Of
/// a name there is one lookup at a time, so that the threads are as few as the names.
final class HostAddresses: Sendable {
    private final class Lookup: Sendable {
        let end = DispatchGroup()
        let addresses = Mutex<Result<[String], PostgreSQLStoreError>?>(nil)
    }

    static let system = HostAddresses { host in try lookUp(host) }

    private let underWay = Mutex<[String: Lookup]>([:])
    private let resolve: @Sendable (String) throws -> [String]

    /// - Parameter resolve: waits for the addresses of a name; throws ``PostgreSQLStoreError``.
    init(resolve: @escaping @Sendable (String) throws -> [String]) {
        self.resolve = resolve
    }

    /// - Throws: ``PostgreSQLStoreError/unreachable(reason:)``.
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
