import Glibc
import UnixSignals

/// What a command has to say when it is told to stop in the middle of its work.
enum Interruption {
    /// Says it on the first signal and ends the process as a shell has it for one that a signal ended. Nothing is waited
    /// for: a transaction that is under way is undone by the database.
    ///
    /// - Returns: the watch, to be cancelled when the work is done.
    static func watch(_ say: @escaping @Sendable () -> Void) -> Task<Void, Never> {
        Task {
            for await signal in await UnixSignalsSequence(trapping: .sigint, .sigterm) {
                say()
                _exit(128 + signal.rawValue)
            }
        }
    }
}
