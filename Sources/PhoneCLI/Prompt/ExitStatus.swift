/// How a command ends, as the shell sees it; 64 and up are those of `sysexits.h`.
public enum ExitStatus: Int32, Error, Sendable, CaseIterable {
    /// Done.
    case done = 0
    /// What the person entered, or a check, failed.
    case failed = 1
    /// The command was called wrongly.
    case usage = 64
    /// The service cannot be reached.
    case unreachable = 69
    /// The configuration will not do.
    case configuration = 78
    /// Ctrl-C: 128 and the number of SIGINT, as a shell has it.
    case interrupted = 130
}
