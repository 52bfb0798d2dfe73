internal import Glibc

/// A file descriptor that is closed when it is no longer used.
struct OpenFile: ~Copyable {
    let descriptor: Int32

    /// Takes over what `open` returned.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        if isOpen { close(descriptor) }
    }

    /// Whether opening succeeded; if not, `errno` says why.
    var isOpen: Bool { descriptor >= 0 }

    /// Reads until the buffer is full; if it returns false, `errno` says why.
    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        var done = 0
        while done < buffer.count {
            let count = Glibc.read(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
            guard count > 0 else {
                // A file that ends too soon has become shorter since it was measured, which is no error to `read`.
                if count == 0 { errno = EIO }
                return false
            }
            done += count
        }
        return true
    }

    /// Writes all of the bytes; if it returns false, `errno` says why.
    func write(_ contents: SecretBytes) -> Bool {
        contents.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
                guard count > 0 else { return false }
                done += count
            }
            return true
        }
    }
}
