import Reactive
import Testing

@Suite struct TransformingTests {
    @Test func mapTransformsEach() {
        #expect(Marbles.play("1 2 3") { $0.digits.stream.map { $0 + "!" } } == "1! 2! 3!")
    }

    @Test func doRunsBeforeTheElementGoesOn() {
        let recorder = Recorder<String>()
        let relay = PublishRelay<Int>()
        let subscription = relay.asObservable().do { recorder.record("do \($0)") }.subscribe {
            recorder.record("got \($0)")
        }
        [1, 2].forEach(relay.accept)
        #expect(recorder.history == ["do 1", "got 1", "do 2", "got 2"])
        subscription.dispose()
    }

    @Test func distinctUntilChangedDropsRepetitionsOnly() {
        #expect(Marbles.play("1 1 2 2 2 1") { $0.digits.stream.distinctUntilChanged() } == "1 2 1")
    }

    @Test func distinctUntilChangedKnowsNilFromNothing() {
        let recorder = Recorder<Int?>()
        let relay = PublishRelay<Int?>()
        let subscription = relay.asObservable().distinctUntilChanged().subscribe(recorder.record)
        [nil, nil, 1, nil].forEach(relay.accept)
        #expect(recorder.history == [nil, 1, nil])
        subscription.dispose()
    }
}
