import Glibc

/// The standard error stream, whole lines at a time.
enum StandardError {
    static func write(_ line: String) {
        var text = line.hasSuffix("\n") ? line : line + "\n"
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
