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

    @Test func aLateSubscriberGetsTheCurrentValue() {
        let activity = ActivityIndicator()
        let work = activity.begin()
        let recorder = Recorder<Bool>()
        let subscription = activity.asObservable().subscribe(recorder.record)
        work.dispose()
        #expect(recorder.history == [true, false])
        subscription.dispose()
    }
}
