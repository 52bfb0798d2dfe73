import PhoneCLI
import Synchronization

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
        var isRaw = false
        var modes: [String] = []
        var input: [[UInt8]] = []
        var hasEnded = false
        var reader: CheckedContinuation<[UInt8]?, Never>?
        var lastWatcher: UInt64 = 0
        var watchers: [Watcher] = []
    }

    let isInputTerminal: Bool
    let isOutputTerminal: Bool
    let width: Int?
    private let hasRawMode: Bool
    private let state = Mutex(State())

    init(isTerminal: Bool = true, hasRawMode: Bool = true, width: Int? = 80) {
        isInputTerminal = isTerminal
        isOutputTerminal = isTerminal
        self.hasRawMode = hasRawMode
        self.width = width
    }

    /// A pipe through which all of this comes.
    static func pipe(_ input: String) -> ScriptedTerminal {
        let terminal = ScriptedTerminal(isTerminal: false, width: nil)
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
                let isOver = state.withLock { state in
                    // Whoever cancels later finds the watcher.
                    if Task.isCancelled || state.screen.shown.contains(text) { return true }
                    state.watchers.append(Watcher(id: id, text: text, continuation: continuation))
                    return false
                }
                if isOver { continuation.resume() }
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
