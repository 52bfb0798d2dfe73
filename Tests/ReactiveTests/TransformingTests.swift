import Reactive
import Testing

@Suite struct TransformingTests {
    @Test func mapTransformsEach() {
        #expect(Marbles.play("1 2 3") { $0.digits.stream.map { $0 + "!" } } == "1! 2! 3!")
    }

    @Test func compactMapDropsNil() {
        #expect(
            Marbles.play("a 1 b 2") {
                .merged($0.digits.stream, $0.letters.stream).compactMap { Int($0).map { "\($0)" } }
            } == "1 2"
        )
    }

    @Test func compactMapKeepsNilOfANestedOptional() {
        let recorder = Recorder<Int?>()
        let relay = PublishRelay<Int>()
        let subscription = relay.asObservable()
            .compactMap { $0 == 0 ? nil : .some($0 == 1 ? nil : $0) }
            .subscribe(recorder.record)
        [0, 1, 2].forEach(relay.accept)
        #expect(recorder.history == [nil, 2])
        subscription.dispose()
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
