import PhoneAdministration
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

extension StoreSuite {
    static let receiptRules = [
        StoreRule("what was spent is known by day, country, gateway and channel, of what was sent and nothing else") {
            scene in
            // In the middle of a day.
            let start = scene.now + .seconds(43_200)
            var records: [StoredRecord] = []
            func add(
                _ serial: UInt64,
                _ status: OutboxMessage.Status,
                cost: Int?,
                channel: Channel = .sms,
                isApproved: Bool = false,
                daysAgo: Int = 0
            ) throws {
                let moment = start - .seconds(86_400 * daysAgo)
                let bits = UInt64(moment.milliseconds) << 16
                let verification = Verification.stored(
                    Verification.ID(bits: bits, serial),
                    of: try PhoneNumber(e164: "+82101111111\(serial)"),
                    channel: channel,
                    at: moment,
                    status: isApproved ? .approved : .pending
                )
                let message = OutboxMessage(
                    id: OutboxMessage.ID(bits: bits, serial),
                    verificationID: verification.id,
                    channel: channel,
                    createdAt: moment,
                    status: status,
                    gateway: status == .failed ? nil : "a",
                    cost: cost
                )
                records += [.verification(verification), .message(message)]
            }
            try add(1, .delivered, cost: 40_000, isApproved: true)
            try add(2, .sent, cost: 40_000)
            try add(3, .undelivered, cost: nil)
            try add(4, .sent, cost: 20_000, channel: .call)
            try add(5, .failed, cost: nil)
            try add(6, .sent, cost: 40_000, daysAgo: 2)
            try add(7, .sent, cost: 40_000, daysAgo: 40)
            let hours = [(-1, 1), (0, 2)].map { offset, suppressed in
                Traffic.Hour(number: start.milliseconds / 3_600_000 + offset, sent: 9, suppressed: suppressed)
            }
            let traffic = Traffic(hours: hours)
            records.append(StoredRecord(KeyedTraffic(key: .country(.korea), traffic: traffic)))
            try await scene.store.restore(records)
            let today = start.milliseconds / 86_400_000
            func lines() async throws -> [String] {
                let command = RollUp(now: start, limit: 2, maxChecks: 5)
                let figures = try await scene.store.currentFigures(from: today - 29, through: today, command)
                var sums: [DailyFigure.Key: DailyFigure] = [:]
                for figure in figures { sums[figure.key, default: DailyFigure(figure.key)].add(figure) }
                return sums.values.map { figure in
                    let (key, channel) = (figure.key, figure.key.channel?.rawValue ?? "-")
                    let counts = "\(figure.sent) \(figure.approved) \(figure.cost) \(figure.suppressed)"
                    return "\(today - key.day) \(key.region) \(key.gateway ?? "-") \(channel) \(counts)"
                }
                .sorted()
            }
            let expected = [
                "0 KR - - 0 0 0 3", "0 KR - sms 0 0 0 0", "0 KR a call 1 0 20000 0", "0 KR a sms 3 1 80000 0",
                "2 KR a sms 1 0 40000 0",
            ]
            #expect(try await lines() == expected)
            // However much of it is counted already.
            for hours in [0, 0, 1, 2, 2, 2] {
                _ = try await scene.store.rollUp(RollUp(now: start + .seconds(3600 * hours), limit: 2, maxChecks: 5))
                #expect(try await lines() == expected)
            }
            #expect(try await scene.store.dailyFigures(from: today, through: today).count == 4)
        },
        StoreRule(
            "what is not reported as delivered in time is taken once for the next channel, and what is not wanted never"
        ) { scene in
            let start = scene.now
            func message(_ serial: UInt64, due seconds: Int64, _ fallbacks: [Channel] = [.call]) throws
                -> [StoredRecord]
            {
                let number = try PhoneNumber(e164: "+82101111111\(serial)")
                let id = Verification.ID(bits: 7, serial)
                let verification = Verification.stored(id, of: number, at: start, fallbacks: fallbacks)
                let message = OutboxMessage(
                    id: OutboxMessage.ID(bits: 7, serial),
                    verificationID: verification.id,
                    createdAt: start,
                    status: .sent,
                    gateway: "a",
                    gatewayMessageID: "SM\(serial)",
                    awaitsReceipt: true,
                    fallbackAt: start + .seconds(seconds)
                )
                return [.verification(verification), .message(message)]
            }
            var records = try message(1, due: 30)
            records += try message(2, due: 40)
            records += try message(4, due: 30, [])
            records += try message(5, due: 30)
            try await scene.store.restore(records)
            #expect(try await scene.receive("SM5", from: "a", .delivered))
            @Sendable func take() async throws -> [UInt64] {
                try await scene.store.takeFallbacks(limit: 9, at: scene.now).map { $0.message.id.bits.low }.sorted()
            }
            scene.advance(by: .seconds(29))
            #expect(try await take() == [])
            scene.advance(by: .seconds(1))
            let taken = try await atOnce(8) { _ in try await take() }
            #expect(taken.flatMap(\.self) == [1])
            scene.advance(by: .seconds(10))
            #expect(try await take() == [2])
            scene.advance(by: .seconds(300))
            #expect(try await take() == [])
        },
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
            #expect(messages.map(\.failure) == ["lost in transit (30008)", nil, nil])
        },
        StoreRule("a receipt that is repeated, or contradicts an earlier one, changes nothing") { scene in
            try await scene.request()
            let claimed = try await scene.claim()
            #expect(try await scene.receive("SM1", from: "a", .delivered) == false)
            #expect(try await scene.settle(claimed[0], .sent(gateway: "a", gatewayMessageID: "SM1")))
            let outcomes = try await atOnce(20) { _ in try await scene.receive("SM1", from: "a", .delivered) }
            #expect(outcomes.count { $0 } == 1)
            let settled = try await scene.store.messages(status: nil, limit: 9)
            #expect(try await scene.receive("SM1", from: "a", .undelivered(code: nil)) == false)
            #expect(try await scene.store.messages(status: nil, limit: 9) == settled)
        },
        StoreRule("what a gateway knows at once is kept with the attempt, and heard no second time") { scene in
            let outcomes: [RecordReceipt.Outcome] = [.delivered, .undelivered(code: 30008)]
            for (index, outcome) in outcomes.enumerated() {
                let begun = try await scene.request("010-1111-111\(index)")
                let claimed = try await scene.claim()
                let result = DeliveryResult.sent(gateway: "a", gatewayMessageID: "SM\(index)", outcome: outcome)
                #expect(try await scene.settle(claimed[0], result))
                #expect(try await scene.receive("SM\(index)", from: "a", .delivered) == false)
                // The code is accepted either way: a gateway that lost it had taken it.
                #expect(try await scene.store.verification(begun.id)?.acceptedAt == scene.now)
                scene.advance(by: .seconds(1))
            }
            let messages = try await scene.store.messages(status: nil, limit: 9).map(\.message)
            #expect(messages.map(\.status) == [.undelivered, .delivered])
            #expect(messages.map(\.failure) == ["lost in transit (30008)", nil])
            #expect(messages.map(\.gatewayMessageID) == ["SM1", "SM0"])
            #expect(try await scene.awaited("a", after: scene.now - .seconds(9), through: scene.now) == [])
            #expect(try await scene.store.backlog() == OutboxBacklog(count: 0, oldest: nil))
        },
        StoreRule("a gateway is asked of what it took and said nothing of, oldest first") { scene in
            let start = scene.now
            let results: [DeliveryResult] = [
                .sent(gateway: "a", gatewayMessageID: "SM0"), .sent(gateway: "b", gatewayMessageID: "SM1"),
                .sent(gateway: "a", gatewayMessageID: "SM2"), .sent(gateway: "a", gatewayMessageID: nil),
                .failed("no"), .sent(gateway: "a", gatewayMessageID: "SM5"),
                .sent(gateway: "a", gatewayMessageID: "SM6"),
            ]
            for (index, result) in results.enumerated() {
                try await scene.request("010-1111-111\(index)")
                let claimed = try await scene.claim()
                #expect(try await scene.settle(claimed[0], result))
                scene.advance(by: .seconds(1))
            }
            try await scene.request("010-1111-1119")
            #expect(try await scene.receive("SM2", from: "a", .delivered))
            let all = try await scene.awaited("a", after: start - .seconds(1), through: scene.now)
            #expect(all.map(\.gatewayMessageID) == ["SM0", "SM5", "SM6"])
            #expect(all.map(\.createdAt) == [start, start + .seconds(5), start + .seconds(6)])
            #expect(
                Set(all.map(\.id)).isSubset(
                    of: try await scene.store.messages(status: .sent, limit: 9).map(\.message.id)
                )
            )
            #expect(try await scene.awaited("c", after: start - .seconds(1), through: scene.now) == [])
        },
        StoreRule("what a gateway is asked of is bounded by age and by number, and comes page by page") { scene in
            let start = scene.now
            for index in 0..<6 {
                try await scene.request("010-1111-111\(index)")
                let claimed = try await scene.claim()
                #expect(try await scene.settle(claimed[0], .sent(gateway: "a", gatewayMessageID: "SM\(index)")))
                // Two of each moment.
                if index % 2 == 1 { scene.advance(by: .seconds(1)) }
            }
            let (second, third) = (start + .seconds(1), start + .seconds(2))
            #expect(try await scene.awaited("a", after: start, through: second).map(\.createdAt) == [second, second])
            #expect(try await scene.awaited("a", after: start, through: third).count == 4)
            #expect(try await scene.awaited("a", after: third, through: third) == [])
            #expect(try await scene.awaited("a", after: second, through: start) == [])
            let all = try await scene.awaited("a", after: start - .seconds(1), through: third)
            #expect(all.count == 6)
            var (pages, last): ([[SentMessage]], SentMessage?) = ([], nil)
            repeat {
                pages.append(try await scene.awaited("a", after: start - .seconds(1), through: third, last, limit: 3))
                last = pages.last?.last
            } while last != nil
            #expect(pages == [Array(all[..<3]), Array(all[3...]), []])
            #expect(try await scene.awaited("a", after: start, through: third, limit: 0) == [])
            #expect(try await scene.awaited("a", after: start, through: third, limit: -1) == [])
        },
    ]
}

extension StoreScene {
    func receive(
        _ messageID: String,
        from gateway: String,
        _ outcome: RecordReceipt.Outcome
    ) async throws -> Bool {
        try await store.record(
            RecordReceipt(gateway: gateway, gatewayMessageID: messageID, outcome: outcome, now: now)
        )
    }

    fileprivate func awaited(
        _ gateway: String,
        after: Timestamp,
        through: Timestamp,
        _ last: SentMessage? = nil,
        limit: Int = 9
    ) async throws -> [SentMessage] {
        try await store.awaitingReceipts(
            AwaitedReceipts(gateway: gateway, after: after, through: through, behind: last, limit: limit)
        )
    }
}
