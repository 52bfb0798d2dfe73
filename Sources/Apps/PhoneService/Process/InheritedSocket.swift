import Glibc

/// The listening socket that a service manager has opened for this process
/// (https://www.freedesktop.org/software/systemd/man/latest/sd_listen_fds.html).
package struct InheritedSocket {
    package let descriptor: CInt
    /// Nil for a socket of the Unix domain.
    package let address: (host: String, port: Int)?

    /// The first descriptor that a manager passes on.
    private static let first: CInt = 3

    /// Removes the manager's variables, so that no child of this process takes the socket for its own. Call once, at
    /// the start.
    ///
    /// - Returns: nil if there is none.
    /// - Throws: ``Failure`` if there are several, or it is no socket that listens.
    package static func take() throws -> InheritedSocket? {
        defer { for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) } }
        guard let process = variable("LISTEN_PID"), let count = variable("LISTEN_FDS"),
            Int32(process) == getpid()
        else { return nil }
        guard let count = Int32(count), count >= 0 else {
            throw Failure.configuration(
                "LISTEN_FDS is \(count), which is no number of sockets; correct the socket unit"
            )
        }
        if count == 0 { return nil }
        for descriptor in first..<first + count { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        guard count == 1 else {
            let names = variable("LISTEN_FDNAMES").map { " (\($0))" } ?? ""
            throw Failure.configuration(
                "the service manager passes \(count) sockets\(names), and one is served; leave one ListenStream in the socket unit"
            )
        }
        guard option(SO_ACCEPTCONN) == 1, option(SO_TYPE) == Int32(SOCK_STREAM.rawValue) else {
            throw Failure.configuration(
                "what the service manager passes is no socket that listens; the socket unit needs ListenStream and Accept=no"
            )
        }
        return InheritedSocket(descriptor: first, address: address())
    }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    private static func option(_ name: CInt) -> CInt? {
        var value: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        return getsockopt(first, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }

    private static func address() -> (host: String, port: Int)? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var (host, port) = (
            [CChar](repeating: 0, count: Int(NI_MAXHOST)), [CChar](repeating: 0, count: Int(NI_MAXSERV))
        )
        let isFound = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getsockname(first, address, &size) == 0
                    && [AF_INET, AF_INET6].contains(Int32(address.pointee.sa_family))
                    && getnameinfo(
                        address,
                        size,
                        &host,
                        socklen_t(host.count),
                        &port,
                        socklen_t(port.count),
                        NI_NUMERICHOST | NI_NUMERICSERV
                    ) == 0
            }
        }
        func text(_ characters: [CChar]) -> String {
            String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
        guard isFound, let port = Int(text(port)) else { return nil }
        return (text(host), port)
    }
}
