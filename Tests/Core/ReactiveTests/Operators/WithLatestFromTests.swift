import Reactive
import Testing

@Suite struct WithLatestFromTests {
    @Test(
        arguments: [
            ("each first meets the latest second", "x 1 2 y z 3", "1x 2x 3z"),
            ("first is dropped until second is seeded", "1 2 x 3", "3x"),
            ("second that never emits lets nothing through", "1 2 3", ""),
            ("second emits nothing by itself", "x y z", ""),
            ("nothing comes after dispose", "x 1 | 2 y 3", "1x"),
        ]
    )
    func eachFirstMeetsTheLatestSecond(_ rule: String, script: String, history: String) {
        let played = Marbles.play(script) { $0.digits.stream.withLatestFrom($0.letters.stream) { $0 + $1 } }
        #expect(played == history, "\(rule)")
    }

    @Test func withoutSelectorTheLatestSecondIsEmitted() {
        let history = Marbles.play("1 x 2 y 3 4") { $0.digits.stream.withLatestFrom($0.letters.stream) }
        #expect(history == "x y y")
    }

    @Test func subscribesToSecondThenFirstOnceEachAndDisposesBothOnce() {
        let log = Recorder<String>()
        let lanes = Marbles()
        let stream = lanes.digits.stream.noting("first", in: log)
            .withLatestFrom(lanes.letters.stream.noting("second", in: log)) { $0 + $1 }
        #expect(log.history == [])
        let subscription = stream.subscribe(log.record)
        #expect(log.history == ["+second", "+first"])
        lanes.send("1 x 2 3")
        subscription.dispose()
        subscription.dispose()
        #expect(log.history == ["+second", "+first", "2x", "3x", "-second", "-first"])
    }

    @Test func eachSubscriptionHasALatestOfItsOwn() {
        let lanes = Marbles()
        let recorder = Recorder<String>()
        let stream = lanes.digits.stream.withLatestFrom(lanes.letters.stream) { $0 + $1 }
        let early = stream.subscribe { recorder.record("early \($0)") }
        lanes.send("x")
        let late = stream.subscribe { recorder.record("late \($0)") }
        lanes.send("1 y 2")
        #expect(recorder.history == ["early 1x", "early 2y", "late 2y"])
        early.dispose()
        late.dispose()
    }

    @Test func selectorIsEvaluatedOncePerOutputAndNotBefore() {
        let calls = Recorder<String>()
        let history = Marbles.play("1 x y 2 z 3") {
            $0.digits.stream.withLatestFrom($0.letters.stream) { first, second in
                calls.record(first + second)
                return first + second
            }
        }
        #expect(history == "2y 3z")
        #expect(calls.history == ["2y", "3z"])
    }

    @Test func nilIsAValueOfSecondLikeAnyOther() {
        let first = PublishRelay<Int>()
        let second = PublishRelay<String?>()
        let recorder = Recorder<String>()
        let subscription = first.asObservable()
            .withLatestFrom(second.asObservable()) { "\($0)\($1 ?? "nil")" }
            .subscribe(recorder.record)
        first.accept(1)
        second.accept(nil)
        first.accept(2)
        second.accept("x")
        first.accept(3)
        second.accept(nil)
        first.accept(4)
        #expect(recorder.history == ["2nil", "3x", "4nil"])
        subscription.dispose()
    }

    @Test func sendToSecondFromDownstreamServesTheNextFirst() {
        let lanes = Marbles()
        let recorder = Recorder<String>()
        let subscription = lanes.digits.stream.withLatestFrom(lanes.letters.stream) { $0 + $1 }.subscribe { output in
            recorder.record(output)
            lanes.letters.accept("y\(recorder.history.count)")
        }
        lanes.send("x 1 2 3")
        #expect(recorder.history == ["1x", "2y1", "3y2"])
        subscription.dispose()
    }

    @Test func sendToFirstFromDownstreamIsDeliveredRightAfter() {
        let lanes = Marbles()
        let recorder = Recorder<String>()
        let subscription = lanes.digits.stream.withLatestFrom(lanes.letters.stream) { $0 + $1 }.subscribe { output in
            recorder.record("begin \(output)")
            if output == "1x" {
                lanes.send("y 2")
            }
            recorder.record("end \(output)")
        }
        lanes.send("x 1")
        #expect(recorder.history == ["begin 1x", "end 1x", "begin 2y", "end 2y"])
        subscription.dispose()
    }

    @Test func bothSidesOfOneRelayGoSecondFirst() {
        let relay = PublishRelay<Int>()
        let recorder = Recorder<String>()
        let subscription = relay.asObservable()
            .withLatestFrom(relay.asObservable()) { "\($0) \($1)" }
            .subscribe(recorder.record)
        relay.accept(7)
        relay.accept(8)
        #expect(recorder.history == ["7 7", "8 8"])
        subscription.dispose()
    }

    @Test func bothSidesOfOneBehaviorRelayBeginWithItsValue() {
        let relay = BehaviorRelay(value: 6)
        let recorder = Recorder<String>()
        let subscription = relay.asObservable()
            .withLatestFrom(relay.asObservable()) { "\($0) \($1)" }
            .subscribe(recorder.record)
        relay.accept(7)
        #expect(recorder.history == ["6 6", "7 7"])
        subscription.dispose()
    }

    @Test func justMeetsTheCurrentValue() {
        let recorder = Recorder<String>()
        let subscription = Observable.just("1")
            .withLatestFrom(BehaviorRelay(value: "x").asObservable()) { $0 + $1 }
            .subscribe(recorder.record)
        #expect(recorder.history == ["1x"])
        subscription.dispose()
    }

    @Test func aRelayIsSampledWithoutASubscription() {
        let first = PublishRelay<Int>()
        let second = BehaviorRelay(value: "x")
        let recorder = Recorder<String>()
        let subscription = first.asObservable()
            .withLatestFrom(second.asObservable()) { element, latest in
                second.accept("\(latest)\(element)")
                return "\(element)\(latest)"
            }
            .subscribe(recorder.record)
        first.accept(1)
        second.accept("y")
        first.accept(2)
        first.accept(3)
        #expect(recorder.history == ["1x", "2y", "3y2"])
        subscription.dispose()
    }

    @Test func aRelaysValueIsSampledEvenWhileItsDeliveryWaits() {
        let relay = BehaviorRelay(value: 0)
        let taps = PublishRelay<Void>()
        let recorder = Recorder<Int>()
        let bag = DisposeBag()
        taps.asObservable().withLatestFrom(relay.asObservable()) { $1 }.subscribe(recorder.record).disposed(by: bag)
        relay.asObservable()
            .subscribe { element in
                guard element == 1 else { return }
                relay.accept(2)
                taps.accept(())
            }
            .disposed(by: bag)
        relay.accept(1)
        #expect(recorder.history == [2])
    }
}
