import Logging
import NIOCore
import PhoneCLI
import ServiceLifecycle
import UnixSignals

/// Runs these until one fails or the process is told to stop. They stop in reverse order: the server first, so that
/// nothing new comes in while the others finish.
func runServices(_ services: [any Service], logger: Logger, at address: String) async throws {
    var configuration = ServiceGroupConfiguration(
        services: services,
        gracefulShutdownSignals: [.sigterm, .sigint],
        logger: logger
    )
    configuration.maximumGracefulShutdownDuration = .seconds(30)
    do {
        try await ServiceGroup(configuration: configuration).run()
    } catch let error as IOError {
        throw Failure(.unreachable, "cannot listen on \(address): \(error); is another program using the port?")
    }
}
