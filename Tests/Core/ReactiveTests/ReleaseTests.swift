import Reactive
import Testing

/// What a chain keeps alive, and for how long. Every operator is tried on two relays of tokens, with closures that
/// capture a token of their own.
@Suite struct ReleaseTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let build: @Sendable (Observable<Token>, Observable<Token>, Token) -> Observable<Token>

        init(
            _ name: String,
            _ build: @escaping @Sendable (Observable<Token>, Observable<Token>, Token) -> Observable<Token>
        ) {
            testDescription = name
            self.build = build
        }
    }

    static let cases = [
        Case("plain") { a, _, _ in a },
        Case("map") { a, _, kept in a.map { $0.name == kept.name ? kept : $0 } },
        Case("do") { a, _, kept in a.do { _ in _ = kept.name } },
        Case("just") { a, _, kept in .merged(a, .just(kept)) },
        Case("distinctUntilChanged") { a, _, _ in a.distinctUntilChanged() },
        Case("withLatestFrom") { a, b, kept in a.withLatestFrom(b) { $0.name == kept.name ? kept : $1 } },
        Case("withLatestFrom itself") { a, _, kept in a.withLatestFrom(a) { $0.name == kept.name ? kept : $1 } },
        Case("withLatestFrom a relay") { a, _, kept in
            let held = BehaviorRelay(value: kept)
            return a.withLatestFrom(held.asObservable()) { $0.name == $1.name ? kept : $0 }
        },
        Case("a relay of each subscription") { a, b, kept in
            Observable { observer in
                let held = BehaviorRelay(value: kept)
                let chains = [a.bind(to: held), b.bind(to: held), held.asObservable().subscribe(observer)]
                return Disposable { for chain in chains { chain.dispose() } }
            }
        },
        Case("shareReplayingLatest") { a, b, kept in
            let shared = a.map { $0.name == kept.name ? kept : $0 }.shareReplayingLatest()
            return .merged(shared, shared, b)
        },
        Case("made from a closure") { a, _, kept in
            Observable { observer in a.subscribe { observer($0.name == kept.name ? kept : $0) } }
        },
    ]

    @Test(arguments: cases)
    func disposalReleasesClosuresElementsAndLatestValues(_ tried: Case) {
        let a = PublishRelay<Token>()
        let b = PublishRelay<Token>()
        let released = Recorder<String>()
        func token(_ name: String) -> Token {
            Token(name) { released.record(name) }
        }
        func subscribed() -> Disposable {
            let kept = token("kept")
            return tried.build(a.asObservable(), b.asObservable(), kept).subscribe { _ in _ = kept.name }
        }
        let subscription = subscribed()
        b.accept(token("b1"))
        a.accept(token("a1"))
        b.accept(token("b2"))
        a.accept(token("a2"))
        #expect(!released.history.contains("kept"))
        subscription.dispose()
        #expect(released.history.sorted() == ["a1", "a2", "b1", "b2", "kept"])
    }

    @Test(arguments: cases)
    func withoutDisposalEverythingGoesWithItsRelays(_ tried: Case) {
        let released = Recorder<String>()
        weak var lost: PublishRelay<Token>?
        func subscribeAndForget() {
            let a = PublishRelay<Token>()
            let b = PublishRelay<Token>()
            lost = a
            let kept = Token("kept") { released.record("kept") }
            _ = tried.build(a.asObservable(), b.asObservable(), kept).subscribe { _ in _ = kept.name }
            b.accept(Token("b") { released.record("b") })
            a.accept(Token("a") { released.record("a") })
        }
        subscribeAndForget()
        #expect(lost == nil)
        #expect(released.history.sorted() == ["a", "b", "kept"])
    }

    @Test func anOlderLatestValueIsReleasedWhenReplaced() {
        let first = PublishRelay<Int>()
        let second = PublishRelay<Token>()
        let events = Recorder<String>()
        let subscription = first.asObservable()
            .withLatestFrom(second.asObservable()) { "\($0)\($1.name)" }
            .subscribe(events.record)
        for name in ["x", "y", "z"] {
            second.accept(Token(name) { events.record("released \(name)") })
        }
        first.accept(1)
        #expect(events.history == ["released x", "released y", "1z"])
        subscription.dispose()
        #expect(events.history == ["released x", "released y", "1z", "released z"])
    }

    /// A send from a deinitialiser comes back to the very operator that let go of the element: were a lock held, the
    /// process would end here.
    @Test(arguments: cases)
    func anElementMaySendWhenItIsReleased(_ tried: Case) {
        let a = PublishRelay<Token>()
        let b = PublishRelay<Token>()
        let released = Recorder<String>()
        func token(_ name: String) -> Token {
            Token(name) { [weak a, weak b] in
                released.record(name)
                a?.accept(Token("echo"))
                b?.accept(Token("echo"))
            }
        }
        let subscription = tried.build(a.asObservable(), b.asObservable(), Token("kept")).subscribe { _ in }
        for round in 1...3 {
            b.accept(token("b\(round)"))
            a.accept(token("a\(round)"))
        }
        subscription.dispose()
        #expect(released.history.sorted() == ["a1", "a2", "a3", "b1", "b2", "b3"])
    }

    @Test func disposalWithinADeliveryReleasesWhatWasWaiting() {
        let relay = PublishRelay<Token>()
        let released = Recorder<String>()
        let bag = DisposeBag()
        Observable.merged(relay.asObservable(), relay.asObservable())
            .subscribe { token in
                if token.name == "1" {
                    relay.accept(Token("2") { released.record("2") })
                    bag.dispose()
                }
            }
            .disposed(by: bag)
        relay.accept(Token("1") { released.record("1") })
        #expect(released.history.sorted() == ["1", "2"])
    }
}
