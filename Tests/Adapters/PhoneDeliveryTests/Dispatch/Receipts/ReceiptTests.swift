import CoreMetrics
import PhoneDomain
import PhoneTestSupport
import Telemetry
import Testing

@testable import PhoneDelivery

@Suite("Receipts of gateways", .hangLimit)
struct ReceiptTests {
    @Test("receipts are recorded with their messages")
    func records() async throws {
        let world = try World()
        let (a, b) = (ScriptedGateway("a", script: [.take("1"), .fail(.failover("no money"))]), ScriptedGateway("b"))
        for last in 1...2 { try await world.queue("010-1234-567\(last)") }
        let dispatcher = world.dispatcher(
            [a, b],
            configuration: DispatcherConfiguration(maxConcurrentSends: 1)
        )
        try await dispatcher.drain()
        try await dispatcher.record(DeliveryReceipt(messageID: "1", outcome: .undelivered(code: 30008)), of: "a")
        try await dispatcher.record(DeliveryReceipt(messageID: "b-1", outcome: .delivered), of: "b")
        #expect(await world.outbox == ["undelivered by a, attempt 1", "delivered by b, attempt 1"])
        #expect(await world.store.outbox.map(\.failure) == ["lost in transit (30008)", "a: no money"])
        #expect(
            world.log.lines.filter { $0.hasPrefix("warning: A message was lost") } == [
                "warning: A message was lost in transit [failure.code=30008 gateway.message_id=1 gateway.name=a]"
            ]
        )
    }

    @Test("an immediate outcome is recorded with the message, logged and counted")
    func atOnce() async throws {
        let world = try World()
        let gateway = ScriptedGateway("a", script: [.take("1", .delivered), .take("2", .undelivered(code: 30008))])
        for last in 1...2 { try await world.queue("010-1234-567\(last)") }
        let registry = PrometheusRegistry(MetricFamily.all)
        let configuration = DispatcherConfiguration(maxConcurrentSends: 1)

        try await world.dispatcher([gateway], configuration: configuration, metrics: registry).drain()

        #expect(await world.outbox == ["delivered by a, attempt 1", "undelivered by a, attempt 1"])
        #expect(
            world.log.lines.filter { !$0.hasPrefix("info:") } == [
                "debug: A message was delivered [gateway.message_id=1 gateway.name=a]",
                "warning: A message was lost in transit [failure.code=30008 gateway.message_id=2 gateway.name=a]",
            ]
        )
        #expect(world.log.messages.count { $0 == "info: A message was sent" } == 2)
        let samples = registry.text().split(separator: "\n").filter { $0.hasPrefix("phoneproof_messages_total") }
        #expect(
            samples.filter { !$0.hasSuffix(" 0") } == [
                #"phoneproof_messages_total{gateway="a",outcome="delivered"} 1"#,
                #"phoneproof_messages_total{gateway="a",outcome="sent"} 2"#,
                #"phoneproof_messages_total{gateway="a",outcome="undelivered"} 1"#,
            ]
        )
    }

    @Test("a receipt that comes before the message is recorded as sent is recorded after it")
    func early() async throws {
        let world = try await World.withMessage()
        let gateway = ScriptedGateway("a", script: [.hold])
        let dispatcher = world.dispatcher([gateway])
        try await whileRunning(dispatcher.run) {
            try await gateway.receives(1)
            try await dispatcher.record(DeliveryReceipt(messageID: "SM1", outcome: .delivered), of: "a")
            try await world.timer.sleeper(of: .seconds(1))
            try await gateway.release(.success(GatewayReceipt(messageID: "SM1")))
            try await world.log.logged("info: A message was sent")
            #expect(await world.outbox == ["sent by a as SM1, attempt 1"])

            world.advance(by: .seconds(1))
            try await world.log.logged("debug: A message was delivered")
        }
        #expect(await world.outbox == ["delivered by a, attempt 1"])
    }

    @Test("one that fits no message is given up after five tries")
    func unknown() async throws {
        let world = try World()
        let recorder = world.receiptRecorder
        recorder.retryLater(DeliveryReceipt(messageID: "SM9", outcome: .delivered), of: "a")
        try await whileRunning(recorder.run) {
            try await world.pass(1, 2, 4, 8)
            try await world.log.logged("debug: A receipt matched no message")
        }
        #expect(world.elapsed == .seconds(15))
    }

    @Test("while the store is down they wait, and none is lost")
    func outage() async throws {
        let world = try await World.withMessage()
        let gateway = ScriptedGateway("a", script: [.take("SM1")])
        let dispatcher = world.dispatcher([gateway])
        try await dispatcher.drain()
        world.store.fail(with: Outage())
        let recorder = world.receiptRecorder
        recorder.retryLater(DeliveryReceipt(messageID: "SM1", outcome: .delivered), of: "a")
        try await whileRunning(recorder.run) {
            try await world.pass(1, 2, 4, 8, 16, 30)
            try await world.timer.sleeper(of: .seconds(30))
            world.store.fail(with: nil)
            world.advance(by: .seconds(30))
            try await world.log.logged("debug: A message was delivered")
        }
        #expect(await world.outbox == ["delivered by a, attempt 1"])
    }

    @Test("it ends when it is cancelled, whatever waits")
    func cancellation() async throws {
        let world = try World()
        let recorder = world.receiptRecorder
        recorder.retryLater(DeliveryReceipt(messageID: "SM9", outcome: .delivered), of: "a")
        try await whileRunning(recorder.run) {
            try await world.timer.sleeper(of: .seconds(1))
        }
        #expect(world.timer.sleeps == [])
    }
}
