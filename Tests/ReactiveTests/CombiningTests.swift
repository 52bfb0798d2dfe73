import Reactive
import Testing

@Suite struct CombiningTests {
    @Test func mergeEmitsWhatAnyEmits() {
        let history = Marbles.play("1 x A 2 y | 3") { .merge($0.digits.stream, $0.letters.stream, $0.capitals.stream) }
        #expect(history == "1 x A 2 y")
    }

    @Test func mergeWithPutsItselfFirst() {
        let log = Recorder<String>()
        let lanes = Marbles()
        let subscription = lanes.digits.stream.noting("a", in: log)
            .merge(with: lanes.letters.stream.noting("b", in: log), lanes.capitals.stream.noting("c", in: log))
            .subscribe(log.record)
        lanes.send("A x 1")
        subscription.dispose()
        subscription.dispose()
        #expect(log.history == ["+a", "+b", "+c", "A", "x", "1", "-a", "-b", "-c"])
    }

    @Test func mergeOfNothingIsSilent() {
        #expect(Marbles.play("1 x") { _ in .merge([]) } == "")
    }

    @Test func mergeQueuesWhatDownstreamSendsToTheOtherSide() {
        let lanes = Marbles()
        let recorder = Recorder<String>()
        let subscription = Observable.merge(lanes.digits.stream, lanes.letters.stream)
            .map { element in
                recorder.record("begin \(element)")
                if element == "1" {
                    lanes.send("x y")
                }
                recorder.record("end \(element)")
            }
            .subscribe {}
        lanes.send("1")
        #expect(recorder.history == ["begin 1", "end 1", "begin x", "end x", "begin y", "end y"])
        subscription.dispose()
    }

    @Test func mergeDropsWhatIsQueuedWhenDisposed() {
        let lanes = Marbles()
        let bag = DisposeBag()
        let recorder = Recorder<String>()
        Observable.merge(lanes.digits.stream, lanes.letters.stream)
            .map { element in
                recorder.record(element)
                if element == "1" {
                    lanes.send("x y")
                    bag.dispose()
                }
            }
            .subscribe {}
            .disposed(by: bag)
        lanes.send("1 2 z")
        #expect(recorder.history == ["1"])
    }

    @Test func combineLatestWaitsForAllThenEmitsAtEach() {
        let history = Marbles.play("1 2 x y 3 | z") {
            Observable.combineLatest($0.digits.stream, $0.letters.stream).map { $0 + $1 }
        }
        #expect(history == "2x 2y 3y")
    }

    @Test func combineLatestOfThree() {
        let history = Marbles.play("1 A x 2 B y") {
            Observable.combineLatest($0.digits.stream, $0.letters.stream, $0.capitals.stream).map { $0 + $1 + $2 }
        }
        #expect(history == "1xA 2xA 2xB 2yB")
    }

    @Test func combineLatestOfFour() {
        let fourth = PublishRelay<Int>()
        let history = Marbles.play("1 A x 2 9 B") { lanes in
            let nine = lanes.digits.stream.filter { $0 == "9" }.do { _ in fourth.accept(0) }
            return Observable.combineLatest(nine, lanes.digits.stream, lanes.letters.stream, lanes.capitals.stream)
                .map { $0 + $1 + $2 + $3 }
        }
        #expect(history == "92xA 99xA 99xB")
    }

    @Test func combineLatestSubscribesInTheOrderGivenAndDisposesEachOnce() {
        let log = Recorder<String>()
        let lanes = Marbles()
        let subscription = Observable.combineLatest(
            lanes.digits.stream.noting("a", in: log),
            lanes.letters.stream.noting("b", in: log),
            lanes.capitals.stream.noting("c", in: log)
        )
        .subscribe { log.record($0 + $1 + $2) }
        lanes.send("1 x A")
        subscription.dispose()
        subscription.dispose()
        #expect(log.history == ["+a", "+b", "+c", "1xA", "-a", "-b", "-c"])
    }

    @Test func combineLatestCountsNilAsAValue() {
        let a = PublishRelay<Int?>()
        let b = PublishRelay<Int?>()
        let recorder = Recorder<[Int?]>()
        let subscription = Observable.combineLatest(a.asObservable(), b.asObservable()).subscribe {
            recorder.record([$0, $1])
        }
        a.accept(nil)
        b.accept(nil)
        a.accept(1)
        #expect(recorder.history == [[nil, nil], [1, nil]])
        subscription.dispose()
    }

    @Test func combineLatestKeepsThePairsThatADownstreamSendMakes() {
        let lanes = Marbles()
        let recorder = Recorder<String>()
        let subscription = Observable.combineLatest(lanes.digits.stream, lanes.letters.stream)
            .map { digit, letter in
                recorder.record("begin \(digit)\(letter)")
                if digit == "1" {
                    lanes.send("y 2")
                }
                recorder.record("end \(digit)\(letter)")
            }
            .subscribe {}
        lanes.send("1 x")
        #expect(recorder.history == ["begin 1x", "end 1x", "begin 2x", "end 2x", "begin 2y", "end 2y"])
        subscription.dispose()
    }
}
