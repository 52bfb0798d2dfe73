import Glibc
import Synchronization

@testable import PhoneCLI

/// A terminal, or a pipe, with a test at its other end.
final class ScriptedTerminal: Terminal {
    private struct Watcher {
        let id: UInt64
        let text: String
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var screen = Screen()
        var output = ""
        var errors = ""
        var modes: [String] = []
        var input: [[UInt8]] = []
        var hasEnded = false
        var reader: CheckedContinuation<[UInt8]?, Never>?
        var lastWatcher: UInt64 = 0
        var watchers: [Watcher] = []
    }

    let isInputTerminal: Bool
    let isOutputTerminal: Bool
    let width: Int? = 80
    private let hasRawMode: Bool
    private let state = Mutex(State())

    init(isTerminal: Bool = true, hasRawMode: Bool = true) {
        isInputTerminal = isTerminal
        isOutputTerminal = isTerminal
        self.hasRawMode = hasRawMode
    }

    /// A pipe through which all of this comes.
    static func pipe(_ input: String) -> ScriptedTerminal {
        let terminal = ScriptedTerminal(isTerminal: false)
        terminal.type(input)
        terminal.end()
        return terminal
    }

    var screen: String { state.withLock { $0.screen.shown } }
    var output: String { state.withLock { $0.output } }
    var errors: String { state.withLock { $0.errors } }
    /// `raw` and `cooked`, in the order that the modes were taken.
    var modes: [String] { state.withLock { $0.modes } }

    func type(_ text: String) {
        let reader = state.withLock { state in
            guard let reader = state.reader else {
                state.input.append(Array(text.utf8))
                return nil as CheckedContinuation<[UInt8]?, Never>?
            }
            state.reader = nil
            return reader
        }
        reader?.resume(returning: Array(text.utf8))
    }

    func end() {
        let reader = state.withLock { state in
            state.hasEnded = true
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }

    /// Waits until this is to be seen, or the test is cancelled.
    func shows(_ text: String) async {
        let id = state.withLock { state in
            state.lastWatcher += 1
            return state.lastWatcher
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let hasEnded = state.withLock { state in
                    // Whoever cancels later finds the watcher.
                    if Task.isCancelled || state.screen.shown.contains(text) { return true }
                    state.watchers.append(Watcher(id: id, text: text, continuation: continuation))
                    return false
                }
                if hasEnded { continuation.resume() }
            }
        } onCancel: {
            takeWatchers { $0.id == id }.forEach { $0.continuation.resume() }
        }
    }

    private func takeWatchers(where isTaken: (Watcher) -> Bool) -> [Watcher] {
        state.withLock { state in
            let taken = state.watchers.filter(isTaken)
            state.watchers.removeAll(where: isTaken)
            return taken
        }
    }

    func read() async -> [UInt8]? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let portion: [UInt8]?? = state.withLock { state in
                    if !state.input.isEmpty { return state.input.removeFirst() }
                    if state.hasEnded { return .some(nil) }
                    state.reader = continuation
                    return nil
                }
                if let portion { continuation.resume(returning: portion) }
            }
        } onCancel: {
            end()
        }
    }

    func write(_ text: String) {
        let shown = state.withLock { state in
            state.output += text
            state.screen.write(text)
            return state.screen.shown
        }
        takeWatchers { shown.contains($0.text) }.forEach { $0.continuation.resume() }
    }

    func writeError(_ text: String) {
        state.withLock { $0.errors += text }
    }

    func enterRawMode() -> Bool {
        guard hasRawMode else { return false }
        state.withLock { $0.modes.append("raw") }
        return true
    }

    func leaveRawMode() {
        state.withLock { $0.modes.append("cooked") }
    }
}

/// What a person sees of a terminal that was written to: it knows carriage return, newline, cursor up and forward,
/// "erase to the end of the screen", and that colours are not text. Anything else shows as `�`, so that no test
/// overlooks it.
struct Screen {
    /// The cells of each line. A wide character has a second cell, which is nil.
    private var lines: [[Character?]] = [[]]
    private var row = 0
    private var column = 0

    mutating func write(_ text: String) {
        var rest = Array(text.unicodeScalars)[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\r": column = 0
            case "\n":
                row += 1
                if row == lines.count { lines.append([]) }
                column = 0
            case "\u{1B}": escape(&rest)
            case _ where scalar.properties.generalCategory == .control: put("�")
            default: put(Character(scalar))
            }
        }
    }

    /// All lines; the cursor is a bar.
    var shown: String {
        lines.enumerated().map { index, line in
            if index != row { return text(line[...]) }
            return "\(text(line.prefix(column)))▏\(text(line.dropFirst(column)))"
        }
        .joined(separator: "\n")
    }

    private func text(_ cells: ArraySlice<Character?>) -> String { String(cells.compactMap(\.self)) }

    private mutating func put(_ character: Character) {
        let cells = [character] + Array(repeating: nil, count: max(0, String(character).columns - 1))
        let end = min(lines[row].count, column + cells.count)
        lines[row].replaceSubrange(column..<max(column, end), with: cells)
        column += cells.count
    }

    private mutating func escape(_ rest: inout ArraySlice<Unicode.Scalar>) {
        guard rest.first == "[", let end = rest.firstIndex(where: \.properties.isAlphabetic) else { return put("�") }
        let sequence = String(String.UnicodeScalarView(rest[...end]))
        rest = rest[(end + 1)...]
        let count = Int(sequence.dropFirst().dropLast()) ?? 1
        switch sequence.last {
        case "A": row -= count
        case "C": column += count
        case "J":
            lines[row].removeSubrange(column...)
            lines.removeSubrange((row + 1)...)
        case "m": break
        default: put("�")
        }
    }
}

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
