import Foundation
import Reactive
import Synchronization

/// Everything that arrived, in order.
final class Recorder<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    var history: [Element] {
        elements.withLock { $0 }
    }

    func record(_ element: Element) {
        elements.withLock { $0.append(element) }
    }
}

/// What happened, in order, whichever threads it happened on; a test awaits it entry by entry.
final class Journal: Sendable {
    private let entries: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init() {
        (entries, continuation) = AsyncStream.makeStream()
    }

    func note(_ entry: String) {
        continuation.yield(entry)
    }

    /// The next `count` entries; waits for those that are still to come.
    func next(_ count: Int) async -> [String] {
        var taken: [String] = []
        for await entry in entries.prefix(count) {
            taken.append(entry)
        }
        return taken
    }

    /// Everything noted and not taken yet. Nothing can be noted after it.
    func rest() async -> [String] {
        continuation.finish()
        var taken: [String] = []
        for await entry in entries {
            taken.append(entry)
        }
        return taken
    }
}

/// An element whose release can be seen.
final class Token: Sendable, Equatable {
    let name: String
    private let onRelease: @Sendable () -> Void

    init(_ name: String = "", onRelease: @escaping @Sendable () -> Void = {}) {
        self.name = name
        self.onRelease = onRelease
    }

    static func == (one: Token, other: Token) -> Bool { one === other }

    deinit {
        onRelease()
    }
}

/// Asynchronous work that ends when the test says so, cancelled or not.
final class ManualWork: Sendable {
    private struct State {
        var ended: Set<String> = []
        var waiting: [String: CheckedContinuation<Void, Never>] = [:]
    }

    private let journal: Journal
    private let state = Mutex(State())

    init(_ journal: Journal) {
        self.journal = journal
    }

    /// Notes its beginning and its end; its result is its name.
    func run(_ name: String) async -> String {
        journal.note("begin \(name)")
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                if state.ended.contains(name) { return true }
                state.waiting[name] = continuation
                return false
            }
            if hasEnded {
                continuation.resume()
            }
        }
        journal.note(Task.isCancelled ? "end \(name), cancelled" : "end \(name)")
        return name
    }

    func end(_ name: String) {
        let waiting = state.withLock { state in
            state.ended.insert(name)
            return state.waiting.removeValue(forKey: name)
        }
        waiting?.resume()
    }
}

/// Two lanes to which a script sends, one character a time: digits go to the first, letters to the second; `|`
/// disposes.
struct Marbles {
    let digits = PublishRelay<String>()
    let letters = PublishRelay<String>()

    /// What comes out while `script` is played, elements parted by spaces.
    static func play(_ script: String, _ build: (Marbles) -> Observable<String>) -> String {
        let lanes = Marbles()
        let recorder = Recorder<String>()
        let subscription = build(lanes).subscribe(recorder.record)
        lanes.send(script, disposing: subscription)
        subscription.dispose()
        return recorder.history.joined(separator: " ")
    }

    func send(_ script: String, disposing subscription: Disposable? = nil) {
        for character in script where character != " " {
            let element = String(character)
            switch character {
            case "|": subscription?.dispose()
            case _ where character.isNumber: digits.accept(element)
            default: letters.accept(element)
            }
        }
    }
}

extension PublishRelay where Element == String {
    var stream: Observable<String> { asObservable() }
}

extension ActivityIndicator {
    /// Whether work is under way at this moment.
    var isActive: Bool {
        let recorder = Recorder<Bool>()
        asObservable().subscribe(recorder.record).dispose()
        return recorder.history == [true]
    }
}

extension Observable {
    static func just(_ element: Element) -> Observable {
        Observable { observer in
            observer(element)
            return Disposable {}
        }
    }

    /// The same elements; notes `+name` at each subscription and `-name` at each disposal.
    func noting(_ name: String, in log: Recorder<String>) -> Observable {
        Observable { observer in
            log.record("+\(name)")
            let upstream = subscribe(observer)
            return Disposable {
                log.record("-\(name)")
                upstream.dispose()
            }
        }
    }

    /// What each of `sources` emits. Made by the public initialiser, so its observer is called by several sources.
    static func merged(_ sources: [Observable]) -> Observable {
        Observable { observer in
            let subscriptions = sources.map { $0.subscribe(observer) }
            return Disposable {
                for subscription in subscriptions { subscription.dispose() }
            }
        }
    }

    static func merged(_ sources: Observable...) -> Observable {
        merged(sources)
    }
}

/// Runs `body` on `count` threads of its own at once, and returns when all have ended. Tasks would not do: with all
/// tests at work on the few threads of the pool, they mostly run one after another.
func onThreads(_ count: Int, _ body: @escaping @Sendable (_ thread: Int) -> Void) async {
    await withTaskGroup(of: Void.self) { group in
        for thread in 0..<count {
            group.addTask {
                await withCheckedContinuation { ended in
                    Thread.detachNewThread {
                        body(thread)
                        ended.resume()
                    }
                }
            }
        }
    }
}
