import Glibc
import PhoneCLI
import PhoneDomain
import Synchronization

/// Shows how far a copy is, on the standard error stream: what is printed is the result alone.
final class CopyDisplay: Sendable {
    private let meter: Mutex<CopyMeter>?
    private let terminal = PosixTerminal()

    /// - Parameter isQuiet: whether it shows nothing.
    init(isQuiet: Bool) {
        var size = winsize()
        let hasSize = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        let redraws = isatty(STDERR_FILENO) == 1 && getenv("TERM").map { String(cString: $0) != "dumb" } ?? false
        let columns = hasSize ? Int(size.ws_col) : 80
        meter = isQuiet ? nil : Mutex(CopyMeter(redraws: redraws, columns: columns))
    }

    func show(_ progress: CopyProgress) {
        meter?.withLock { terminal.writeError($0.text(for: progress)) }
    }

    /// Takes away what is shown.
    func end() {
        meter?.withLock { terminal.writeError($0.end()) }
    }
}
