import Glibc
import Hummingbird
import Logging
import NIOCore
import PhoneCLI
import PhoneDomain
import PhoneHTTP
import ServiceLifecycle

/// The metrics on a listener of their own.
struct MetricsServer: Service {
    let page: MetricsPage
    let listener: Settings.Observability.Listener
    let clock: any WallClock
    let logger: Logger

    func run() async throws {
        let server = Application(
            serving: page.makeRouter(),
            host: listener.host,
            port: listener.port,
            clock: clock,
            logger: logger,
            onServerRunning: { [logger] port in logger.info("metrics are shown", metadata: ["metrics.port": "\(port)"])
            }
        )
        do {
            try await server.run()
        } catch let error as IOError {
            throw Failure(
                .unreachable,
                "cannot listen on \(listener.host):\(listener.port): \(String(cString: strerror(error.errnoCode))); "
                    + "choose another address by metrics.host and metrics.port"
            )
        }
    }
}
