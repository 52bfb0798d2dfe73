import NIOCore
import PhoneDomain
import Synchronization

/// Decides which connections and HTTP/2 streams are admitted, across all event loops.
///
/// Every connection may have one stream, as every HTTP/1.1 connection may have one request: a client that opens as many
/// streams as there may be does not lock others out.
final class Admission: Sendable {
    private struct Open {
        var connections: [ClientAddress.Network: Int] = [:]
        var streams = 0
    }

    private let limits: ConnectionLimits
    private let proxies: TrustedProxies
    private let open = Mutex(Open())

    /// - Parameter proxies: many clients are behind each of them, so the limit per address does not apply to them.
    init(limits: ConnectionLimits, proxies: TrustedProxies = .none) {
        self.limits = limits
        self.proxies = proxies
    }

    var streams: Int { open.withLock { $0.streams } }
    var networks: Int { open.withLock { $0.connections.count } }

    /// Whether the connection may stay; it counts until it closes.
    func admit(_ channel: any NIOCore.Channel) -> Bool {
        // A Unix domain socket has no IP address: a proxy is behind it, or a program of this machine.
        guard let peer = channel.remoteAddress?.ipAddress.flatMap({ IPAddress($0) }) else { return true }
        guard admit(peer) else { return false }
        channel.closeFuture.whenComplete { _ in self.connectionClosed(peer) }
        return true
    }

    func admit(_ peer: IPAddress) -> Bool {
        if proxies.contains(peer) { return true }
        let networks = ClientAddress(peer).networks
        return open.withLock { open in
            let mayOpen = networks.allSatisfy {
                open.connections[$0, default: 0] < limits.maxConnectionsPerAddress * $0.allowance
            }
            guard mayOpen else { return false }
            for network in networks { open.connections[network, default: 0] += 1 }
            return true
        }
    }

    func connectionClosed(_ peer: IPAddress) {
        if proxies.contains(peer) { return }
        open.withLock { open in
            for network in ClientAddress(peer).networks {
                guard let count = open.connections[network] else { continue }
                // A network without connections must not take up memory.
                open.connections[network] = count > 1 ? count - 1 : nil
            }
        }
    }

    /// The streams of one connection. Confined to its event loop.
    final class Streams {
        private let admission: Admission
        private var count = 0

        init(_ admission: Admission) { self.admission = admission }

        /// Whether one more may be opened; it counts until it is closed.
        func open() -> Bool {
            let isFirst = count == 0
            let isAdmitted = admission.open.withLock { open in
                guard isFirst || open.streams < admission.limits.maxOpenStreams else { return false }
                open.streams += 1
                return true
            }
            if isAdmitted { count += 1 }
            return isAdmitted
        }

        func close() {
            count -= 1
            admission.open.withLock { $0.streams -= 1 }
        }
    }
}
