import Glibc

/// Standard input, output and error of the process.
public final class PosixTerminal: Terminal {
    private let reader = DescriptorReader(STDIN_FILENO)
    private let rawMode = RawMode(input: STDIN_FILENO, output: STDOUT_FILENO)

    /// The terminal, or whatever else the process was started with.
    ///
    /// From here on a write to a reader who has gone fails and does not end the process (SIGPIPE): it would leave the
    /// terminal in raw mode.
    public init() {
        signal(SIGPIPE, SIG_IGN)
    }

    public var isInputTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    public var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    public var width: Int? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    public func read() async -> [UInt8]? { await reader.read() }

    public func write(_ text: String) { write(text, to: STDOUT_FILENO) }

    public func writeError(_ text: String) { write(text, to: STDERR_FILENO) }

    public func enterRawMode() -> Bool { rawMode.enter() }

    public func leaveRawMode() { rawMode.leave() }

    /// Whoever was reading may have gone. Then there is nobody to tell, so that a failure ends the writing and nothing
    /// else.
    private func write(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count > 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
                } else if errno == EAGAIN {
                    // The descriptor was made non-blocking by another program that shares it.
                    var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&ready, 1, -1)
                } else if errno != EINTR {
                    return
                }
            }
        }
    }
}
