import Reactive
import Testing

@Suite struct DisposableTests {
    @Test func disposesOnce() {
        let recorder = Recorder<String>()
        let disposable = Disposable { recorder.record("disposed") }
        #expect(recorder.history == [])
        disposable.dispose()
        disposable.dispose()
        #expect(recorder.history == ["disposed"])
    }

    @Test func mayBeDisposedByItsOwnAction() {
        let bag = DisposeBag()
        let recorder = Recorder<String>()
        Disposable {
            recorder.record("disposed")
            bag.dispose()
        }
        .disposed(by: bag)
        bag.dispose()
        #expect(recorder.history == ["disposed"])
    }

    @Test func letsGoOfItsActionOnceDisposed() {
        let recorder = Recorder<String>()
        var token: Token? = Token { recorder.record("released") }
        let disposable = Disposable { [token] in recorder.record(token?.name ?? "") }
        token = nil
        #expect(recorder.history == [])
        disposable.dispose()
        #expect(recorder.history == ["", "released"])
    }

    @Test func isNotDisposedByBeingReleased() {
        let relay = PublishRelay<Int>()
        let recorder = Recorder<Int>()
        _ = relay.asObservable().subscribe(recorder.record)
        relay.accept(1)
        #expect(recorder.history == [1])
    }

    @Test func bagDisposesInOrderWhenReleased() {
        let recorder = Recorder<String>()
        var bag: DisposeBag? = DisposeBag()
        for name in ["a", "b", "c"] {
            if let bag { Disposable { recorder.record(name) }.disposed(by: bag) }
        }
        #expect(recorder.history == [])
        bag = nil
        #expect(recorder.history == ["a", "b", "c"])
    }

    @Test func disposedBagDisposesWhatIsInsertedAtOnce() {
        let recorder = Recorder<String>()
        let bag = DisposeBag()
        Disposable { recorder.record("early") }.disposed(by: bag)
        bag.dispose()
        bag.dispose()
        #expect(recorder.history == ["early"])
        Disposable { recorder.record("late") }.disposed(by: bag)
        #expect(recorder.history == ["early", "late"])
    }
}
