import Glibc
import Logging
import NIOCore
import PhoneCLI
import ServiceLifecycle
import UnixSignals

/// Runs these until one fails or the process is told to stop. They stop in reverse order: the server first, so that
/// nothing new comes in while the others finish. Told so twice, the process ends at once.
func runServices(_ services: [any Service], logger: Logger, at address: String) async throws {
    var configuration = ServiceGroupConfiguration(
        services: [ProcessEnd(logger: logger)] + services,
        gracefulShutdownSignals: [.sigterm, .sigint],
        logger: logger
    )
    // Shorter than what comes after it elsewhere: Docker kills after 10 seconds, Kubernetes after 30.
    configuration.maximumGracefulShutdownDuration = ProcessEnd.longestEnd
    do {
        try await ServiceGroup(configuration: configuration).run()
    } catch let error as IOError {
        let reason = String(cString: strerror(error.errnoCode))
        throw Failure(
            .unreachable,
            "cannot listen on \(address): \(reason); choose another address by --host and --port"
        )
    }
}
