import HangLimit
import Reactive
import Testing

@Suite(.hangLimit) struct FirstTests {
    @Test func hearsWhatComesOfTheBeginningAndThenNoMore() async {
        let log = Recorder<String>()
        let relay = PublishRelay<String>()
        let first = await relay.asObservable().noting("source", in: log).first {
            log.record($0)
            return $0 == "c"
        } after: {
            log.record("begun")
            ["a", "b", "c", "d"].forEach(relay.accept)
        }
        relay.accept("e")
        #expect(first == "c")
        #expect(log.history == ["+source", "begun", "a", "b", "c", "d", "-source"])
    }

    @Test func waitsForWhatIsYetToCome() async {
        let relay = BehaviorRelay(value: 0)
        let journal = Journal()
        async let first = relay.asObservable().first {
            $0 == 2
        } after: {
            journal.note("begun")
        }
        #expect(await journal.next(1) == ["begun"])
        relay.accept(1)
        relay.accept(2)
        relay.accept(3)
        #expect(await first == 2)
    }

    @Test func returnsWithoutAnElementWhenItsTaskIsCancelled() async {
        let log = Recorder<String>()
        let relay = PublishRelay<String>()
        let waiting = Task {
            await relay.asObservable().noting("source", in: log).first { _ in
                true
            } after: {
            }
        }
        waiting.cancel()
        #expect(await waiting.value == nil)
        #expect(log.history == ["+source", "-source"])
    }
}
