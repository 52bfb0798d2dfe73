import Glibc

/// A terminal of our own, with both of its ends.
final class PseudoTerminal {
    struct Failure: Error {}

    struct Modes: Equatable {
        var isEchoing: Bool
        var isCanonical: Bool
        var sendsSignals: Bool
        var returnsAtNewline: Bool
        var flags: [tcflag_t]
    }

    // TIOCSPTLCK and TIOCGPTN of asm-generic/ioctls.h: macros that the importer does not read.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    private let controller: Int32
    /// The end that a program has.
    let descriptor: Int32

    init() throws {
        controller = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var number: Int32 = 0
        var isLocked: Int32 = 0
        guard controller >= 0, ioctl(controller, Self.setLock, &isLocked) == 0,
            ioctl(controller, Self.getNumber, &number) == 0
        else { throw Failure() }
        descriptor = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        guard descriptor >= 0 else { throw Failure() }
    }

    deinit {
        close(descriptor)
        close(controller)
    }

    func modes() throws -> Modes {
        var attributes = termios()
        guard tcgetattr(descriptor, &attributes) == 0 else { throw Failure() }
        return Modes(
            isEchoing: attributes.c_lflag & tcflag_t(ECHO) != 0,
            isCanonical: attributes.c_lflag & tcflag_t(ICANON) != 0,
            sendsSignals: attributes.c_lflag & tcflag_t(ISIG) != 0,
            returnsAtNewline: attributes.c_oflag & tcflag_t(OPOST) != 0,
            flags: [attributes.c_iflag, attributes.c_oflag, attributes.c_cflag, attributes.c_lflag]
        )
    }

    /// What the program has written.
    func output() -> String {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = read(controller, &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }

    /// Presses keys.
    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(controller, bytes, bytes.count)
    }
}
