import Glibc
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Notifies the service manager that started the process, such as systemd, by the socket that `NOTIFY_SOCKET` names;
/// without one it does nothing (https://www.freedesktop.org/software/systemd/man/latest/sd_notify.html).
package enum ServiceManager {
    /// Best effort: a service manager that cannot be reached is no reason not to serve.
    package static func notify(_ state: String) {
        guard let path = getenv("NOTIFY_SOCKET").map({ String(cString: $0) }), let first = path.first else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // vsock, which containers of other kinds have, is not spoken here.
        guard "/@".contains(first), path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { bytes in
            bytes.copyBytes(from: path.utf8)
            // The name of an abstract socket begins with a zero byte (unix(7)).
            if first == "@" { bytes[0] = 0 }
        }
        let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.utf8.count)
        _ = withUnsafePointer(to: address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, state, state.utf8.count, CInt(MSG_NOSIGNAL), $0, length)
            }
        }
    }

    /// That the settings are read again, until it is ready again. The time tells this from what came before
    /// (sd_notify(3)).
    static func notifyReloading() {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        notify("RELOADING=1\nMONOTONIC_USEC=\(time.tv_sec * 1_000_000 + time.tv_nsec / 1000)")
    }

    /// How often the service manager must be notified that the service works: half of the time after which it restarts
    /// it. Nil if it does not watch this process.
    package static var watchdogInterval: Duration? {
        func number(_ name: String) -> Int64? { getenv(name).flatMap { Int64(String(cString: $0)) } }
        guard let microseconds = number("WATCHDOG_USEC"), microseconds > 0 else { return nil }
        // Started by a shell in between, the variables are meant for that one.
        guard number("WATCHDOG_PID") ?? Int64(getpid()) == Int64(getpid()) else { return nil }
        return .microseconds(microseconds) / 2
    }
}

/// Notifies the service manager while the services run, and when they begin to stop.
package struct NotifyingService: Service {
    package func run() async {
        if let interval = ServiceManager.watchdogInterval {
            await cancelWhenGracefulShutdown { await notifyWatchdog(every: interval) }
        } else {
            try? await gracefulShutdown()
        }
        ServiceManager.notify("STOPPING=1")
    }

    private func notifyWatchdog(every interval: Duration) async {
        while (try? await Task.sleep(for: interval)) != nil {
            // Each thread that serves connections must respond: one that hangs would hold up its connections for ever.
            for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() { try? await loop.submit {}.get() }
            ServiceManager.notify("WATCHDOG=1")
        }
    }
}
