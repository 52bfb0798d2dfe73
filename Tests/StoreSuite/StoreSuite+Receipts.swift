import PhoneDomain
import Testing

extension StoreSuite {
    static let receiptRules = [
        StoreRule("a receipt moves on the message that its gateway calls so, and no other") { scene in
            for (index, gateway) in ["a", "a", "b"].enumerated() {
                try await scene.request("010-1111-111\(index)")
                let claimed = try await scene.claim()
                #expect(
                    try await scene.settle(claimed[0], .sent(gateway: gateway, gatewayMessageID: "SM\(index % 2)"))
                )
                scene.advance(by: .seconds(1))
            }
            #expect(try await scene.receive("SM0", from: "a", .delivered))
            #expect(try await scene.receive("SM0", from: "b", .undelivered(code: 30008)))
            #expect(try await scene.receive("SM2", from: "a", .delivered) == false)
            #expect(try await scene.receive("SM1", from: "c", .delivered) == false)
            let messages = try await scene.store.messages(status: nil, limit: 9).map(\.message)
            #expect(messages.map(\.status) == [.undelivered, .sent, .delivered])
            #expect(messages.map(\.failure) == ["lost on its way (30008)", nil, nil])
        },
        StoreRule("a receipt that is repeated, or contradicts an earlier one, changes nothing") { scene in
            try await scene.request()
            let claimed = try await scene.claim()
            #expect(try await scene.receive("SM1", from: "a", .delivered) == false)
            #expect(try await scene.settle(claimed[0], .sent(gateway: "a", gatewayMessageID: "SM1")))
            let outcomes = try await scene.atOnce(20) { _ in try await scene.receive("SM1", from: "a", .delivered) }
            #expect(outcomes.count { $0 } == 1)
            let settled = try await scene.store.messages(status: nil, limit: 9)
            #expect(try await scene.receive("SM1", from: "a", .undelivered(code: nil)) == false)
            #expect(try await scene.store.messages(status: nil, limit: 9) == settled)
        },
    ]
}

extension StoreScene {
    fileprivate func receive(
        _ messageID: String,
        from gateway: String,
        _ outcome: RecordReceipt.Outcome
    ) async throws -> Bool {
        try await store.record(
            RecordReceipt(gateway: gateway, gatewayMessageID: messageID, outcome: outcome, now: now)
        )
    }
}
