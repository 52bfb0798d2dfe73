import PhoneTestSupport
import Reactive
import Testing

@Suite(.hangLimit) struct ValuesTests {
    @Test func subscribesAtOnceAndLosesNothingOfABurst() async {
        let relay = PublishRelay<Int>()
        let values = relay.asObservable().values
        (0..<1_000).forEach(relay.accept)
        var received: [Int] = []
        for await value in values.prefix(1_000) {
            received.append(value)
        }
        #expect(received == Array(0..<1_000))
    }

    @Test func beginsWithTheCurrentValue() async {
        let relay = BehaviorRelay(value: 1)
        var values = relay.asObservable().values.makeAsyncIterator()
        relay.accept(2)
        #expect(await values.next() == 1)
        #expect(await values.next() == 2)
    }

    @Test func endsTheSubscriptionWhenReleasedUnread() {
        let log = Recorder<String>()
        let relay = PublishRelay<Int>()
        var values: AsyncStream<String>? = relay.asObservable().map { "\($0)" }.noting("source", in: log).values
        relay.accept(1)
        #expect(values != nil)
        #expect(log.history == ["+source"])
        values = nil
        #expect(log.history == ["+source", "-source"])
    }

    @Test func endsTheSubscriptionWhenTheLoopIsLeft() async {
        let log = Recorder<String>()
        let relay = BehaviorRelay(value: "1")
        for await value in relay.asObservable().noting("source", in: log).values {
            log.record(value)
            break
        }
        #expect(log.history == ["+source", "1", "-source"])
    }

    @Test func endsTheSubscriptionWhenTheConsumerIsCancelled() async {
        let log = Recorder<String>()
        let relay = PublishRelay<String>()
        let values = relay.asObservable().noting("source", in: log).values
        let consumer = Task {
            for await value in values {
                log.record(value)
            }
        }
        consumer.cancel()
        await consumer.value
        #expect(log.history == ["+source", "-source"])
    }
}
