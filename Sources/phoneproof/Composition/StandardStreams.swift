import Glibc
import PhoneCLI

/// Prints a line. It takes the place of the standard library's function in this module, so that no command can write to a
/// terminal what somebody put into a name, a message or metadata to act on it.
func print(_ line: String) {
    Swift.print(line.escapedForTerminal)
}

/// The standard error stream, whole lines at a time.
enum StandardError {
    /// Writes a line of a log, an error or a hint, with the same characters escaped as ``print(_:)``.
    static func write(_ line: String) {
        var text = (line.hasSuffix("\n") ? line : line + "\n").escapedForTerminal
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = Glibc.write(STDERR_FILENO, rest.baseAddress, rest.count)
                guard count > 0 || errno == EINTR else { return }
                if count > 0 { rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count)) }
            }
        }
    }
}
