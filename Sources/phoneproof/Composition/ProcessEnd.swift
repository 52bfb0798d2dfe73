import Glibc
import Logging
import ServiceLifecycle
import UnixSignals

/// Sees to it that the process ends when it is told to: at once when it is told for the second time, since whoever asks
/// twice does not want to wait, and in any case when the services have not ended in time.
///
/// Nothing is lost by that: what was acknowledged is kept. It is the first of all services, so that it is the last to stop,
/// and what it begins goes on when the others are stopped by force.
struct ProcessEnd: Service {
    /// How long after it was told to the process ends whatever goes on: later than ``longestEnd``, and before Docker kills
    /// it.
    static let hardEnd: Duration = .milliseconds(9500)
    /// How long the services have to end by themselves.
    static let longestEnd: Duration = .seconds(8)

    let logger: Logger

    func run() async {
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        Task.detached { [logger] in
            var count = 0
            for await signal in signals {
                count += 1
                // As a shell has it for a process that a signal ended.
                if count == 2 { _exit(128 + signal.rawValue) }
                Task.detached {
                    try? await Task.sleep(for: Self.hardEnd)
                    logger.warning("somebody did not let go in time; ending without them")
                    _exit(0)
                }
            }
        }
        try? await gracefulShutdown()
    }
}
