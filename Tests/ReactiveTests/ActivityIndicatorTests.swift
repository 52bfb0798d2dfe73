import Reactive
import Testing

@Suite struct ActivityIndicatorTests {
    @Test func countsOverlappingWorkAndEmitsChangesOnly() {
        let activity = ActivityIndicator()
        let recorder = Recorder<Bool>()
        let subscription = activity.asObservable().subscribe(recorder.record)
        let first = activity.begin()
        let second = activity.begin()
        first.dispose()
        first.dispose()
        #expect(activity.isActive)
        second.dispose()
        #expect(!activity.isActive)
        activity.begin().dispose()
        #expect(recorder.history == [false, true, false, true, false])
        subscription.dispose()
    }

    @Test func aPartBeginsAfterTheWholeAndEndsBeforeIt() {
        let whole = ActivityIndicator()
        let part = ActivityIndicator(partOf: whole)
        let recorder = Recorder<String>()
        let bag = DisposeBag()
        whole.asObservable().subscribe { recorder.record("whole \($0)") }.disposed(by: bag)
        part.asObservable().subscribe { recorder.record("part \($0)") }.disposed(by: bag)
        let other = whole.begin()
        let work = part.begin()
        other.dispose()
        work.dispose()
        #expect(
            recorder.history == ["whole false", "part false", "whole true", "part true", "part false", "whole false"]
        )
    }

    @Test func tellsWhoComesLaterHowItStands() {
        let activity = ActivityIndicator()
        let work = activity.begin()
        let recorder = Recorder<Bool>()
        let subscription = activity.asObservable().subscribe(recorder.record)
        work.dispose()
        #expect(recorder.history == [true, false])
        subscription.dispose()
    }
}
