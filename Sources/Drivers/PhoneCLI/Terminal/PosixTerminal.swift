import Dispatch
import Glibc
import Synchronization

public final class PosixTerminal: Terminal {
    private let reader = DescriptorReader(STDIN_FILENO)
    private let rawMode = RawMode(input: STDIN_FILENO, output: STDOUT_FILENO)

    /// Also ignores SIGPIPE: a write to a closed pipe must not end the process while the terminal is in raw mode.
    public init() { signal(SIGPIPE, SIG_IGN) }

    public var isInputTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    public var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    public var width: Int? { Self.width(of: STDOUT_FILENO) }

    public static func width(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    public func read() async -> [UInt8]? { await reader.read() }

    public func write(_ text: String) { Self.write(text, to: STDOUT_FILENO) }

    public func writeError(_ text: String) { Self.write(text, to: STDERR_FILENO) }

    public func enterRawMode() -> Bool { rawMode.enter() }

    public func leaveRawMode() { rawMode.leave() }

    public func hasContinued() -> Bool { RawMode.hasContinued() }

    /// A failure, such as a closed pipe, ends the writing without an error: nobody could read one.
    public static func write(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count > 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
                } else if errno == EAGAIN {
                    // Another program that shares the descriptor has made it non-blocking.
                    var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&ready, 1, -1)
                } else if errno != EINTR {
                    return
                }
            }
        }
    }
}

/// Reads a file descriptor without blocking a thread of Swift's cooperative pool.
///
/// It waits on a queue of its own, and only while there is a read: a program that writes without end fills its pipe and
/// not our memory.
final class DescriptorReader: Sendable {
    /// How many bytes are read at once.
    private static let portion = 4096

    private let descriptor: Int32
    private let queue = DispatchQueue(label: "phoneproof.terminal.input")
    /// A pipe that is written to when a read is cancelled, and polled together with the descriptor. Without it (-1,
    /// which `poll` ignores) a cancelled read ends with the next byte.
    private let wakeUp: (read: Int32, write: Int32)

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        var ends: [Int32] = [-1, -1]
        wakeUp = pipe(&ends) == 0 ? (ends[0], ends[1]) : (-1, -1)
    }

    deinit {
        close(wakeUp.read)
        close(wakeUp.write)
    }

    /// The next bytes; nil at the end of the input, and from the first cancelled read on.
    func read() async -> [UInt8]? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async { continuation.resume(returning: self.waitAndRead()) }
            }
        } onCancel: {
            var byte: UInt8 = 0
            _ = write(wakeUp.write, &byte, 1)
        }
    }

    private func waitAndRead() -> [UInt8]? {
        while true {
            var ready = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeUp.read, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&ready, nfds_t(ready.count), -1) >= 0 || errno == EINTR else { return nil }
            if ready[1].revents != 0 { return nil }
            guard ready[0].revents != 0 else { continue }
            var count = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: Self.portion) { buffer, initializedCount in
                count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                initializedCount = max(0, count)
            }
            if count > 0 { return bytes }
            // A terminal that has been closed reads as an error (EIO): that is an end of input as well.
            guard count < 0, errno == EINTR || errno == EAGAIN else { return nil }
        }
    }
}

/// The raw mode of the process's terminal. It is left however the process ends, except by `SIGKILL`.
///
/// - ``leave()`` leaves it when the prompt ends.
/// - Ctrl-C and Ctrl-Z send no signals in raw mode: the prompt receives them as bytes 3 and 26.
/// - Signals from elsewhere that would end the process are caught: the handler restores the terminal and raises the
///   signal again with its default action, so that the parent sees the true cause.
/// - A stop by SIGTSTP restores the terminal, one by SIGSTOP cannot; shells then set modes of their own. SIGCONT enters
///   raw mode again, once the process is in the foreground.
///
/// A signal handler may interrupt anything, an allocation or a held lock included, so it may call very little. These
/// do atomic operations, `write`, `tcsetattr`, `tcgetpgrp`, `getpgrp` and `raise`, all of which POSIX allows
/// (signal-safety(7)). They use no Swift object and allocate nothing: what they need is a plain C structure behind an
/// atomic address.
struct RawMode: Sendable {
    private static let fatalSignals = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGUSR1, SIGUSR2]

    let input: Int32
    let output: Int32

    /// - Returns: false if the input is no terminal, or we have put it into raw mode already.
    func enter() -> Bool {
        var attributes = termios()
        guard savedMode.load(ordering: .acquiring) == 0, tcgetattr(input, &attributes) == 0 else { return false }
        // Never freed, because a handler may be reading it. It is a few bytes for each prompt.
        let saved = UnsafeMutablePointer<SavedMode>.allocate(capacity: 1)
        // Output processing (OPOST) stays on, so that a newline still returns to the first column.
        var raw = attributes
        raw.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN | ISIG)
        raw.c_iflag &= ~tcflag_t(ICRNL | INLCR | IXON)
        saved.initialize(to: SavedMode(input: input, output: output, attributes: attributes, raw: raw))
        savedMode.store(UInt(bitPattern: saved), ordering: .releasing)
        // The handler runs once; the signal that it raises again has its default action.
        for signal in Self.fatalSignals { setHandler(restoreAndEnd, for: signal, flags: UInt32(SA_RESETHAND)) }
        setHandler(restoreAndStop, for: SIGTSTP, flags: UInt32(SA_RESTART))
        setHandler(enterAgain, for: SIGCONT, flags: UInt32(SA_RESTART))

        guard tcsetattr(input, TCSADRAIN, &raw) == 0 else {
            leave()
            return false
        }
        put(pasteBracketsOn, to: output)
        return true
    }

    /// Restores the terminal, unless that was done already, and the default actions of the signals: the command with
    /// the prompt catches them nowhere else.
    func leave() {
        guard restoreTerminal(TCSADRAIN) != nil else { return }
        for signal in Self.fatalSignals + [SIGTSTP, SIGCONT] { setHandler(SIG_DFL, for: signal) }
    }

    /// Whether SIGCONT came since the last call.
    static func hasContinued() -> Bool { continued.exchange(false, ordering: .acquiringAndReleasing) }

    private func setHandler(_ handler: __sighandler_t?, for signal: Int32, flags: UInt32 = 0) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = handler
        action.sa_flags = Int32(bitPattern: flags)
        sigaction(signal, &action, nil)
    }
}

private struct SavedMode {
    var input: Int32
    var output: Int32
    var attributes: termios
    var raw: termios
}

private let continued = Atomic<Bool>(false)

/// The address of the ``SavedMode``, or 0 outside raw mode. Only the caller that exchanges it for 0 restores the
/// terminal, so that this happens once.
private let savedMode = Atomic<UInt>(0)

// https://invisible-island.net/xterm/ctlseqs/ctlseqs.html#h2-Bracketed-Paste-Mode
private let pasteBracketsOn: StaticString = "\u{1B}[?2004h"
private let pasteBracketsOff: StaticString = "\u{1B}[?2004l"
/// Makes room for the shell's prompt, which would otherwise stand in the field and above its hints.
private let nextLineErased: StaticString = "\r\n\u{1B}[J"

private func put(_ text: StaticString, to output: Int32) {
    _ = write(output, text.utf8Start, text.utf8CodeUnitCount)
}

/// Safe in a signal handler.
///
/// - Returns: the output, or nil if there was nothing to restore.
private func restoreTerminal(_ moment: Int32) -> Int32? {
    let address = savedMode.exchange(0, ordering: .acquiringAndReleasing)
    guard let saved = UnsafeMutablePointer<SavedMode>(bitPattern: address) else { return nil }
    put(pasteBracketsOff, to: saved.pointee.output)
    tcsetattr(saved.pointee.input, moment, &saved.pointee.attributes)
    return saved.pointee.output
}

/// The handler of SIGTSTP. SIGSTOP in its place, as it stays blocked until the handler returns.
private func restoreAndStop(_ signal: Int32) {
    if let saved = UnsafeMutablePointer<SavedMode>(bitPattern: savedMode.load(ordering: .acquiring)) {
        put(pasteBracketsOff, to: saved.pointee.output)
        tcsetattr(saved.pointee.input, TCSANOW, &saved.pointee.attributes)
    }
    raise(SIGSTOP)
}

/// The handler of SIGCONT. In the background it would be stopped for touching the terminal; it is continued once more
/// when it comes to the foreground.
private func enterAgain(_ signal: Int32) {
    guard let saved = UnsafeMutablePointer<SavedMode>(bitPattern: savedMode.load(ordering: .acquiring)),
        tcgetpgrp(saved.pointee.input) == getpgrp()
    else { return }
    tcsetattr(saved.pointee.input, TCSANOW, &saved.pointee.raw)
    put(pasteBracketsOn, to: saved.pointee.output)
    continued.store(true, ordering: .releasing)
}

/// The handler of fatal signals. The signal stays blocked until it returns, and then ends the process.
private func restoreAndEnd(_ signal: Int32) {
    if let output = restoreTerminal(TCSANOW) { put(nextLineErased, to: output) }
    raise(signal)
}
