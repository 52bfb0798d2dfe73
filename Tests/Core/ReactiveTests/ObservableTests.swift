import Reactive
import Synchronization
import Testing

@Suite struct ObservableTests {
    @Test func justEmitsOneElementToEachSubscriber() {
        let recorder = Recorder<Int>()
        let one = Observable.just(1)
        one.subscribe(recorder.record).dispose()
        one.subscribe(recorder.record).dispose()
        #expect(recorder.history == [1, 1])
    }

    @Test func aClosureRunsAnewForEachSubscription() {
        let log = Recorder<String>()
        let stream = Observable { observer in
            log.record("subscribed")
            observer(1)
            observer(2)
            return Disposable { log.record("disposed") }
        }
        #expect(log.history == [])
        let first = stream.subscribe { log.record("a\($0)") }
        let second = stream.subscribe { log.record("b\($0)") }
        first.dispose()
        first.dispose()
        #expect(log.history == ["subscribed", "a1", "a2", "subscribed", "b1", "b2", "disposed"])
        second.dispose()
    }

    @Test func aSourceThatSendsAfterDisposalIsIgnoredAndRetainsNothing() {
        let source = Stubborn()
        let recorder = Recorder<String>()
        var token: Token? = Token { recorder.record("released") }
        let subscription = source.stream.map { $0 }.subscribe { [token] in
            recorder.record("\($0)\(token?.name ?? "")")
        }
        token = nil
        source.send(1)
        subscription.dispose()
        source.send(2)
        #expect(recorder.history == ["1", "released"])
    }

    @Test func aSourceThatCallsItselfIsPutInOrder() {
        let source = Stubborn()
        let recorder = Recorder<String>()
        let subscription = source.stream.subscribe { element in
            recorder.record("begin \(element)")
            if element == 1 {
                source.send(2)
            }
            recorder.record("end \(element)")
        }
        source.send(1)
        #expect(recorder.history == ["begin 1", "end 1", "begin 2", "end 2"])
        subscription.dispose()
    }

    @Test func nothingIsDeliveredWhenAnOperatorDisposes() {
        let relay = PublishRelay<Int>()
        let recorder = Recorder<Int>()
        let bag = DisposeBag()
        relay.asObservable().do { _ in bag.dispose() }.subscribe(recorder.record).disposed(by: bag)
        relay.accept(1)
        #expect(recorder.history == [])
    }

    @Test func bindsToARelayUntilDisposed() {
        let source = PublishRelay<Int>()
        let current = BehaviorRelay(value: 0)
        let binding = source.asObservable().bind(to: current)
        source.accept(1)
        source.accept(2)
        binding.dispose()
        source.accept(3)
        #expect(current.value == 2)
    }

    @Test func aChainOfAThousandOperatorsDeliversAndIsReleased() {
        let relay = PublishRelay<Int>()
        let recorder = Recorder<Int>()
        var stream = relay.asObservable()
        for _ in 0..<1_000 {
            stream = stream.map { $0 + 1 }.withLatestFrom(.just(0)) { element, _ in element }
        }
        let subscription = stream.subscribe(recorder.record)
        relay.accept(0)
        #expect(recorder.history == [1_000])
        subscription.dispose()
    }
}

/// Keeps its observer for ever, disposed or not.
private final class Stubborn: Sendable {
    private let observer = Mutex<(@Sendable (Int) -> Void)?>(nil)

    var stream: Observable<Int> {
        Observable { observer in
            self.observer.withLock { $0 = observer }
            return Disposable {}
        }
    }

    func send(_ element: Int) {
        let observer = observer.withLock { $0 }
        observer?(element)
    }
}
