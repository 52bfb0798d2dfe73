import PhoneTestSupport
import Reactive
import Testing

@Suite(.hangLimit) struct FlatMapFirstTests {
    private let journal = Journal()
    private let work: ManualWork
    private let relay = PublishRelay<Token>()

    init() {
        work = ManualWork(journal)
    }

    /// The token of a name is released when the task that works on it has come to its very end.
    private func send(_ name: String) {
        relay.accept(Token(name) { [journal] in journal.note("released \(name)") })
    }

    private func first(trackingIn activity: ActivityIndicator? = nil) -> Observable<String> {
        relay.asObservable().flatMapFirst(trackingIn: activity) { [work] in await work.run($0.name) }
    }

    private func note(_ result: String) {
        journal.note("result \(result)")
    }

    @Test func elementsDuringTheWorkAreIgnored() async {
        let subscription = first().subscribe(note)
        send("1")
        #expect(await journal.next(1) == ["begin 1"])
        send("2")
        #expect(await journal.next(1) == ["released 2"])
        work.end("1")
        #expect(await journal.next(3) == ["end 1", "result 1", "released 1"])
        send("3")
        work.end("3")
        #expect(await journal.next(4) == ["begin 3", "end 3", "result 3", "released 3"])
        subscription.dispose()
        #expect(await journal.rest() == [])
    }

    @Test func anElementSentInAnswerToAResultIsNotIgnored() async {
        let subscription = first().subscribe { result in
            note(result)
            if result == "1" {
                send("2")
            }
        }
        work.end("1")
        work.end("2")
        send("1")
        let history = await journal.next(8).filter { !$0.hasPrefix("released") }
        #expect(history == ["begin 1", "end 1", "result 1", "begin 2", "end 2", "result 2"])
        subscription.dispose()
    }

    @Test func disposalCancelsTheTaskAndDropsItsResult() async {
        let activity = ActivityIndicator()
        let subscription = first(trackingIn: activity).subscribe(note)
        send("1")
        #expect(await journal.next(1) == ["begin 1"])
        #expect(activity.isActive)
        subscription.dispose()
        #expect(!activity.isActive)
        work.end("1")
        #expect(await journal.next(2) == ["end 1, cancelled", "released 1"])
        send("2")
        #expect(await journal.rest() == ["released 2"])
        #expect(!activity.isActive)
    }

    @Test func busyFromBeforeTheWorkUntilAfterTheResult() async {
        let activity = ActivityIndicator()
        let busy = activity.asObservable().subscribe { [journal] in journal.note("busy \($0)") }
        let subscription = first(trackingIn: activity).subscribe(note)
        work.end("1")
        send("1")
        let history = await journal.next(7).filter { $0 != "released 1" }
        #expect(history == ["busy false", "busy true", "begin 1", "end 1", "result 1", "busy false"])
        subscription.dispose()
        busy.dispose()
        #expect(await journal.rest() == [])
    }

    @Test func disposalByTheBusySignalLetsNoWorkBegin() async {
        let activity = ActivityIndicator()
        let bag = DisposeBag()
        first(trackingIn: activity).subscribe(note).disposed(by: bag)
        let busy = activity.asObservable().subscribe { isBusy in
            if isBusy {
                bag.dispose()
            }
        }
        send("1")
        #expect(!activity.isActive)
        #expect(await journal.rest() == ["released 1"])
        busy.dispose()
    }

    @Test func eachSubscriptionWorksForItself() async {
        let stream = first()
        let bag = DisposeBag()
        stream.subscribe(note).disposed(by: bag)
        stream.subscribe(note).disposed(by: bag)
        work.end("1")
        send("1")
        let history = await journal.next(7)
        #expect(
            history.sorted() == [
                "begin 1", "begin 1", "end 1", "end 1", "released 1", "result 1", "result 1",
            ]
        )
        bag.dispose()
    }

    @Test func workInheritsTheTaskLocalValuesOfTheSender() async {
        let ids = PublishRelay<Int>()
        let subscription = ids.asObservable().flatMapFirst { _ in Self.request }.subscribe(note)
        Self.$request.withValue("r1") { ids.accept(1) }
        #expect(await journal.next(1) == ["result r1"])
        subscription.dispose()
    }

    @TaskLocal private static var request = "none"

    @Test func workThatNeverWaitsHasDeliveredItsResultWhenTheSendReturns() {
        let numbers = PublishRelay<Int>()
        let recorder = Recorder<Int>()
        let subscription = numbers.asObservable().flatMapFirst { $0 * 10 }.subscribe(recorder.record)
        numbers.accept(1)
        numbers.accept(2)
        #expect(recorder.history == [10, 20])
        subscription.dispose()
    }

    @Test func answersToResultsDoNotRecurse() {
        let numbers = PublishRelay<Int>()
        let recorder = Recorder<String>()
        let subscription = numbers.asObservable()
            .flatMapFirst { $0 }
            .subscribe { number in
                if number < 3 { recorder.record("begin \(number)") }
                // So many that the stack would not hold them.
                if number < 100_000 { numbers.accept(number + 1) }
                if number < 3 { recorder.record("end \(number)") }
            }
        numbers.accept(0)
        #expect(recorder.history == ["begin 0", "end 0", "begin 1", "end 1", "begin 2", "end 2"])
        subscription.dispose()
    }

    @Test func disposalWhileWorkBeginsCancelsItWhereItFirstWaits() async {
        let names = PublishRelay<String>()
        let bag = DisposeBag()
        let begin: @Sendable (String) async -> String = { [work] name in
            bag.dispose()
            return await work.run(name)
        }
        names.asObservable().flatMapFirst(begin).subscribe(note).disposed(by: bag)
        names.accept("1")
        work.end("1")
        #expect(await journal.next(2) == ["begin 1", "end 1, cancelled"])
        #expect(await journal.rest() == [])
    }
}
