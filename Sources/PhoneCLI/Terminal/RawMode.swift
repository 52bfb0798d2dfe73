import Glibc
import Synchronization

/// The raw mode of the process's terminal, left again however the process ends, but for `SIGKILL`.
///
/// - It is left by ``leave()`` when the conversation ends, well or by an error.
/// - Ctrl-C and Ctrl-Z send no signals in raw mode: they are bytes 3 and 26, and the prompt's affair.
/// - Signals from elsewhere that would end the process are caught: the handler puts the terminal back and then lets the
///   signal do what it does by default, so that the parent sees the true cause.
///
/// A signal handler may interrupt anything, an allocation or a held lock included, and may therefore call next to
/// nothing. This one does an atomic exchange, `write`, `tcsetattr` and `raise`, all of which POSIX (signal-safety(7))
/// allows; it touches no object of Swift's and allocates nothing. That is why what it needs is a plain C structure
/// behind an atomic address.
struct RawMode: Sendable {
    private static let fatalSignals = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGUSR1, SIGUSR2]

    private let input: Int32
    private let output: Int32

    /// The terminal of these descriptors.
    init(input: Int32, output: Int32) {
        self.input = input
        self.output = output
    }

    /// Whether raw mode could be entered; false where the input is no terminal, or is in raw mode through us already.
    func enter() -> Bool {
        var attributes = termios()
        guard savedMode.load(ordering: .acquiring) == 0, tcgetattr(input, &attributes) == 0 else { return false }
        // Never freed: a handler may be reading it. It is a few bytes for each conversation.
        let saved = UnsafeMutablePointer<SavedMode>.allocate(capacity: 1)
        saved.initialize(to: SavedMode(input: input, output: output, attributes: attributes))
        savedMode.store(UInt(bitPattern: saved), ordering: .releasing)
        for signal in Self.fatalSignals { setHandler(restoreAndEnd, for: signal) }

        // Output processing (OPOST) stays on, so that a newline still returns to the first column.
        attributes.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN | ISIG)
        attributes.c_iflag &= ~tcflag_t(ICRNL | INLCR | IXON)
        guard tcsetattr(input, TCSADRAIN, &attributes) == 0 else {
            leave()
            return false
        }
        put(pasteBracketsOn, to: output)
        return true
    }

    /// Puts the terminal back, unless that was done already. The signals go back to what they do by default: the command
    /// that has a prompt catches them nowhere else.
    func leave() {
        guard restoreTerminal(TCSADRAIN) else { return }
        for signal in Self.fatalSignals { setHandler(SIG_DFL, for: signal) }
    }

    private func setHandler(_ handler: __sighandler_t?, for signal: Int32) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = handler
        // The handler works once; the signal that it raises again meets the default.
        action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
        sigaction(signal, &action, nil)
    }
}

/// How the terminal was before raw mode.
private struct SavedMode {
    var input: Int32
    var output: Int32
    var attributes: termios
}

/// The address of the ``SavedMode``, or 0 while the terminal is as it was. Whoever takes it out puts the terminal back,
/// so that this happens once.
private let savedMode = Atomic<UInt>(0)

// https://invisible-island.net/xterm/ctlseqs/ctlseqs.html#h2-Bracketed-Paste-Mode
private let pasteBracketsOn: StaticString = "\u{1B}[?2004h"
private let pasteBracketsOff: StaticString = "\u{1B}[?2004l"

private func put(_ text: StaticString, to output: Int32) {
    _ = write(output, text.utf8Start, text.utf8CodeUnitCount)
}

/// Safe in a signal handler.
@discardableResult
private func restoreTerminal(_ moment: Int32) -> Bool {
    let address = savedMode.exchange(0, ordering: .acquiringAndReleasing)
    guard let saved = UnsafeMutablePointer<SavedMode>(bitPattern: address) else { return false }
    put(pasteBracketsOff, to: saved.pointee.output)
    tcsetattr(saved.pointee.input, moment, &saved.pointee.attributes)
    return true
}

/// The signal handler. The signal stays blocked until it returns, and then ends the process.
private func restoreAndEnd(_ signal: Int32) {
    restoreTerminal(TCSANOW)
    raise(signal)
}
