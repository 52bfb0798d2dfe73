import Glibc
import ServiceLifecycle
import UnixSignals

/// Ends the process at once when it is told to stop for the second time: whoever asks twice does not want to wait.
///
/// It is the first of all services, so that it is the last to stop.
struct SecondSignal: Service {
    func run() async {
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        await cancelWhenGracefulShutdown {
            var count = 0
            for await signal in signals {
                count += 1
                // As a shell has it for a process that a signal ended. Nothing is lost: what was acknowledged is kept.
                if count == 2 { _exit(128 + signal.rawValue) }
            }
        }
    }
}
