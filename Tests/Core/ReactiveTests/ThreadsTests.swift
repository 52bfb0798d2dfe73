import Reactive
import Synchronization
import Testing

/// Many threads send at once. The guarantees hold for every interleaving; run it with the thread sanitizer as well.
@Suite struct ThreadsTests {
    private let senders = 8
    private let perSender = 2_000

    private struct Sent: Hashable, Sendable {
        let sender: Int
        let number: Int
    }

    /// Each sender sends 0, 1, 2 … When this returns all has been delivered, since who delivers does not return
    /// earlier.
    private func sendFromAll(_ send: @escaping @Sendable (Sent) -> Void) async {
        await onThreads(senders) { sender in
            for number in 0..<perSender {
                send(Sent(sender: sender, number: number))
            }
        }
    }

    private func expectComplete(_ history: [Sent], sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(history.count == senders * perSender, sourceLocation: sourceLocation)
        for sender in 0..<senders {
            let numbers = history.filter { $0.sender == sender }.map(\.number)
            #expect(numbers == Array(0..<perSender), sourceLocation: sourceLocation)
        }
    }

    @Test func everySubscriberSeesOneOrderAndNothingIsLost() async {
        let relay = PublishRelay<Sent>()
        let recorders = (0..<3).map { _ in Recorder<Sent>() }
        let bag = DisposeBag()
        for recorder in recorders {
            relay.asObservable().subscribe(recorder.record).disposed(by: bag)
        }
        await sendFromAll(relay.accept)
        expectComplete(recorders[0].history)
        #expect(recorders[1].history == recorders[0].history)
        #expect(recorders[2].history == recorders[0].history)
    }

    @Test func aBehaviorRelayEndsWithTheValueDeliveredLast() async {
        let relay = BehaviorRelay(value: Sent(sender: -1, number: -1))
        let recorder = Recorder<Sent>()
        let subscription = relay.asObservable().subscribe(recorder.record)
        await sendFromAll(relay.accept)
        expectComplete(Array(recorder.history.dropFirst()))
        #expect(recorder.history.last == relay.value)
        subscription.dispose()
    }

    @Test func subscribingToABehaviorRelayDuringSendsMissesAndRepeatsNothing() async {
        for _ in 0..<2_000 {
            let relay = BehaviorRelay(value: 0)
            let recorder = Recorder<Int>()
            await onThreads(2) { thread in
                if thread == 0 {
                    for number in 1...100 {
                        relay.accept(number)
                    }
                } else {
                    while relay.value < 10 {}
                    _ = relay.asObservable().subscribe(recorder.record)
                }
            }
            let history = recorder.history
            #expect(history == Array((history.first ?? 0)...100))
        }
    }

    @Test func anObservableFromAClosureCallsDownstreamOneElementAtATime() async {
        let relays = (0..<senders).map { _ in PublishRelay<Sent>() }
        let streams = relays.map { $0.asObservable() }
        let inside = Atomic(0)
        let overlaps = Atomic(0)
        let recorder = Recorder<Sent>()
        let bag = DisposeBag()
        let watched: @Sendable (Sent) -> Void = { _ in
            if inside.add(1, ordering: .relaxed).oldValue != 0 {
                overlaps.add(1, ordering: .relaxed)
            }
            inside.subtract(1, ordering: .relaxed)
        }
        Observable.merged(streams).do(onNext: watched).subscribe(recorder.record).disposed(by: bag)
        await sendFromAll { relays[$0.sender].accept($0) }
        expectComplete(recorder.history)
        #expect(overlaps.load(ordering: .relaxed) == 0)
    }

    @Test func withLatestFromSeesEachFirstOnceAndSecondsInOrder() async {
        let first = PublishRelay<Sent>()
        let second = BehaviorRelay(value: 0)
        let recorder = Recorder<(Sent, Int)>()
        let subscription = first.asObservable()
            .withLatestFrom(second.asObservable()) { ($0, $1) }
            .subscribe(recorder.record)
        async let seconds: Void = onThreads(1) { _ in
            for number in 1...20_000 {
                second.accept(number)
            }
        }
        await sendFromAll(first.accept)
        await seconds
        expectComplete(recorder.history.map(\.0))
        let latest = recorder.history.map(\.1)
        #expect(latest == latest.sorted())
        subscription.dispose()
    }

    @Test func anActivityIndicatorComesToRest() async {
        let activity = ActivityIndicator()
        let recorder = Recorder<Bool>()
        let subscription = activity.asObservable().subscribe(recorder.record)
        await sendFromAll { _ in activity.begin().dispose() }
        #expect(!activity.isActive)
        let history = recorder.history
        #expect(history == history.indices.map { $0 % 2 == 1 })
        #expect(history.last == false)
        subscription.dispose()
    }

    @Test func subscribersComeAndGoDuringSends() async {
        let relay = PublishRelay<Sent>()
        let shared = relay.asObservable().shareReplayingLatest()
        let steady = Recorder<Sent>()
        let subscription = shared.subscribe(steady.record)
        async let passersBy: Void = onThreads(4) { _ in
            for _ in 0..<500 {
                Observable.merged(shared, relay.asObservable()).subscribe { _ in }.dispose()
            }
        }
        await sendFromAll(relay.accept)
        await passersBy
        expectComplete(steady.history)
        subscription.dispose()
    }

    @Test func updatesFromAllThreadsAreAllThereInOneOrder() async {
        let relay = BehaviorRelay(value: 0)
        let recorder = Recorder<Int>()
        let subscription = relay.asObservable().subscribe(recorder.record)
        await sendFromAll { _ in relay.update { $0 += 1 } }
        #expect(recorder.history == Array(0...senders * perSender))
        subscription.dispose()
    }
}
