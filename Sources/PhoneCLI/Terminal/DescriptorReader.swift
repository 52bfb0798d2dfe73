import Dispatch
import Glibc

/// Reads a file descriptor without keeping a thread of Swift's cooperative pool waiting.
///
/// The waiting is done on a queue of its own, and only while somebody asks: what nobody asks for stays where it is, so
/// that a program that writes without end fills its pipe and not our memory.
final class DescriptorReader: Sendable {
    private static let portion = 4096

    private let descriptor: Int32
    private let queue = DispatchQueue(label: "phoneproof.terminal.input")
    /// Written to when a read is cancelled; whoever waits for the descriptor waits for the other end of this as well.
    /// Without it (-1, which `poll` passes over) a cancelled read ends with the next byte.
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
            // A terminal that has gone away reads as an error (EIO): that is an end as well.
            guard count < 0, errno == EINTR || errno == EAGAIN else { return nil }
        }
    }
}
