import PhoneAdministration
import PhoneDomain
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

extension StoreScene {
    fileprivate func turn(
        _ purpose: TakeTurn.Purpose,
        _ rates: [Double],
        order: [Int]? = nil,
        within life: Duration = .seconds(600)
    ) async throws -> TakeTurn.Turn {
        try await store.take(
            TakeTurn(
                purpose,
                gateway: "slow",
                intervals: rates.map { Int64(1_000_000 / $0) },
                order: order ?? Array(rates.indices),
                before: now + life,
                now: now
            )
        )
    }

    /// The turn in words: `now 1`, `+2.0 seconds`, `never`.
    fileprivate func words(_ turn: TakeTurn.Turn) -> String {
        switch turn {
        case .now(let sender): "now \(sender)"
        case .later(let moment): "+\(moment - StoreScene.start)"
        case .never: "never"
        }
    }

    /// What becomes of everything that is due, in order: what is not pending gives up its turn.
    @discardableResult
    fileprivate func work(
        _ rates: [Double],
        order: [Int]? = nil,
        within life: Duration = .seconds(600),
        limit: Int = 1000
    ) async throws -> [String] {
        var all: [String] = []
        while true {
            let claims = try await store.claim(limit: limit, at: now, until: now + .seconds(60))
            if claims.isEmpty { return all }
            for claim in claims {
                guard claim.isDeliverable(at: now) else {
                    _ = try await settle(claim.message, .dropped)
                    _ = try await turn(.leave(claim), rates)
                    continue
                }
                let turn = try await turn(.send(claim), rates, order: order, within: life)
                all.append(words(turn))
                switch turn {
                case .now: _ = try await settle(claim.message, .sent(gateway: "slow", gatewayMessageID: nil))
                case .later(let moment): #expect(try await settle(claim.message, .waiting(until: moment)))
                case .never: _ = try await settle(claim.message, .failed("busy"))
                }
            }
        }
    }

    /// Asks for this many codes and returns the IDs.
    @discardableResult
    fileprivate func ask(_ count: Int, from first: Int = 0) async throws -> [Verification] {
        var all: [Verification] = []
        for index in 0..<count { all.append(try await request("010-1234-\(5000 + first + index)")) }
        return all
    }
}

extension StoreSuite {
    static let turnRules = [
        StoreRule("a message goes by a sender that is free, and else waits for the first that is, in order") { scene in
            try await scene.ask(8)
            #expect(
                try await scene.work([1, 0.5]) == [
                    "now 0", "now 1", "+1.0 seconds", "+2.0 seconds", "+2.0 seconds", "+3.0 seconds", "+4.0 seconds",
                    "+4.0 seconds",
                ]
            )
            let waiting = try await scene.store.messages(status: .queued, limit: 9).map(\.message)
            #expect(waiting.count == 6)
            #expect(waiting.allSatisfy { $0.countedAttempts == 0 && $0.failure == "slow: waits for its turn" })
            #expect(try await scene.store.nextAttempt() == StoreScene.start + .seconds(1))
            scene.advance(by: .seconds(1))
            // What comes meanwhile does not overtake.
            try await scene.ask(1, from: 8)
            #expect(try await scene.work([1, 0.5]) == ["now 0", "+5.0 seconds"])
            scene.advance(by: .seconds(1))
            #expect(try await scene.work([1, 0.5]) == ["now 0", "now 1"])
        },
        StoreRule("a sender may use up a second's messages at once, and nobody gets a turn beyond the end") { scene in
            try await scene.ask(7)
            #expect(
                try await scene.work([4], within: .milliseconds(600)) == Array(repeating: "now 0", count: 4)
                    + ["+0.25 seconds", "+0.5 seconds", "never"]
            )
        },
        StoreRule("a message that must keep its sender waits for that one") { scene in
            try await scene.ask(2)
            #expect(try await scene.work([1, 1], order: [1]) == ["now 1", "+1.0 seconds"])
        },
        StoreRule("who comes late for a turn gets a new one, in the same order, so that the rate is kept") { scene in
            try await scene.ask(4)
            #expect(try await scene.work([1]) == ["now 0", "+1.0 seconds", "+2.0 seconds", "+3.0 seconds"])
            scene.advance(by: .seconds(60))
            #expect(try await scene.work([1]) == ["now 0", "+61.0 seconds", "+62.0 seconds"])
            for _ in 0..<2 {
                scene.advance(by: .seconds(1))
                #expect(try await scene.work([1]) == ["now 0"])
            }
        },
        StoreRule("what is canceled while it waits makes nobody wait") { scene in
            let all = try await scene.ask(6)
            try await scene.work([1])
            for index in [1, 2, 4] { try await scene.cancel(all[index].id) }
            scene.advance(by: .seconds(1))
            #expect(try await scene.work([1]) == ["now 0"])
            #expect(
                try await scene.store.messages(status: nil, limit: 9).reversed().map(\.message.status) == [
                    .sent, .dropped, .dropped, .sent, .queued, .queued,
                ]
            )
            scene.advance(by: .seconds(1))
            #expect(try await scene.work([1]) == ["now 0"])
            // The line is as short as it seems.
            try await scene.ask(1, from: 6)
            #expect(try await scene.work([1]) == ["+3.0 seconds"])
        },
        StoreRule("what is erased while it waits makes nobody wait") { scene in
            let all = try await scene.ask(4)
            try await scene.work([1])
            for verification in all[1...2] {
                let number = verification.phoneNumber
                let digester = PlainNumberDigester()
                _ = try await scene.store.erase(
                    try EraseNumber(number, digester: digester, now: scene.now)
                )
            }
            scene.advance(by: .seconds(1))
            #expect(try await scene.work([1]) == [])
            scene.advance(by: .seconds(1))
            // Whoever comes next finds that they are gone.
            try await scene.ask(1, from: 4)
            #expect(try await scene.work([1]) == ["+3.0 seconds", "now 0"])
            scene.advance(by: .seconds(1))
            #expect(try await scene.work([1]) == ["now 0"])
        },
        StoreRule("a code that is asked for again has the place of the first") { scene in
            let all = try await scene.ask(6)
            #expect(try await scene.work([0.1]).last == "+50.0 seconds")
            for step in [10, 10, 10, 1] {
                scene.advance(by: .seconds(step))
                try await scene.work([0.1])
            }
            #expect(try await scene.request("010-1234-5004").id == all[4].id)
            try await scene.ask(1, from: 6)
            #expect(try await scene.work([0.1]) == ["+40.0 seconds", "+60.0 seconds"])
        },
        StoreRule("a process that crashes at its turn delays nobody else") { scene in
            try await scene.ask(4)
            try await scene.work([1])
            scene.advance(by: .seconds(1))
            #expect(try await scene.claim().count == 1)
            for _ in 0..<2 {
                scene.advance(by: .seconds(1))
                #expect(try await scene.work([1]) == ["now 0"])
            }
            scene.advance(by: .seconds(60))
            #expect(try await scene.work([1]) == ["now 0"])
        },
        StoreRule("a test takes a turn or goes not at all, and who only asks takes none") { scene in
            var turns: [String] = []
            for purpose in [TakeTurn.Purpose.ask, .test, .test, .ask, .test, .ask] {
                turns.append(scene.words(try await scene.turn(purpose, [1])))
            }
            #expect(turns == ["now 0", "now 0"] + Array(repeating: "+1.0 seconds", count: 4))
        },
        StoreRule("a clock that ran ahead holds up no sender, and one that another instance uses keeps its rate") {
            scene in
            scene.advance(by: .seconds(3600))
            #expect(scene.words(try await scene.turn(.test, [1])) == "now 0")
            scene.advance(by: .seconds(-3600))
            #expect(scene.words(try await scene.turn(.test, [1])) == "+6.0 seconds")
            #expect(scene.words(try await scene.turn(.test, [1, 1], order: [1])) == "now 1")
            _ = try await scene.turn(.test, [1])
            #expect(scene.words(try await scene.turn(.test, [1, 1], order: [1])) == "+1.0 seconds")
        },
        StoreRule("two dispatchers at once keep the rate of every sender, use it, and drop nothing") { scene in
            let rates = [2.0, 3.0]
            try await scene.ask(60)
            var sent: [(sender: Int, at: Timestamp)] = []
            for step in 0..<400 where sent.count < 60 {
                // What is asked for meanwhile, and what is given up.
                if step == 20 { try await scene.cancel(try await scene.ask(1, from: 60)[0].id) }
                let now = scene.now
                let turns = try await atOnce(2) { _ in try await scene.work(rates, limit: 2) }.joined()
                sent += turns.compactMap { turn in
                    turn.hasPrefix("now") ? (turn == "now 0" ? 0 : 1, now) : nil
                }
                if turns.isEmpty || step % 2 == 1 { scene.advance(by: .milliseconds(50)) }
            }
            #expect(sent.count == 60)
            #expect(try await scene.store.messages(status: .sent, limit: 99).count == 60)
            for (sender, rate) in rates.enumerated() {
                let times = sent.filter { $0.sender == sender }.map { Double($0.at.milliseconds) / 1000 }.sorted()
                // Of any stretch, no more than its seconds allow and what had been saved up in one.
                let excess = times.enumerated().contains { first, start in
                    times[first...].enumerated().contains { Double($0 + 1) > rate * ($1 - start + 1) + 0.001 }
                }
                #expect(!excess)
            }
            let time = Double(sent.map { $0.at - StoreScene.start }.max()?.wholeMilliseconds ?? 0) / 1000
            // 60 at 5 a second, of which 5 go at once.
            #expect(time <= 55 / 5 / 0.9)
        },
    ]
}
