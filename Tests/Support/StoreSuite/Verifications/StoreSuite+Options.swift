import PhoneAdministration
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

@testable import PhoneDomain

extension StoreSuite {
    static let optionRules = [
        clientRule("a message keeps its wording and its owner's group, and has neither where there is none") { scene in
            var options = ClientScene.options
            options.dialect.wording = MessageWording(
                service: "가게 & Co. e\u{301}",
                template: TemplateName("winter-1"),
                appHash: "FA+9qCX9VSu",
                warnsAgainstSharing: true,
                substitutions: ["name": "a=b 'c' \\ ; --", "empty": "", "v x": "s t"]
            )
            options.dialect.wording?.text = MessageText("\u{301}가 {{code}}\n\n w")
            try await scene.request("+821011111111", with: options)
            scene.advance(by: .seconds(1))
            try await scene.request("+821022222222")
            scene.advance(by: .seconds(1))
            try await scene.request("+821033333333", as: StoreScene.alice, with: VerificationOptions())
            let claims = try await scene.store.claim(limit: 9, at: scene.now, until: scene.now + .seconds(60))
                .map(\.message).sorted { $0.createdAt < $1.createdAt }
            #expect(claims.map(\.wording) == [options.dialect.wording, nil, nil])
            #expect(claims.map(\.group) == [ClientScene.ours, ClientScene.ours, nil])
            // What becomes of a message leaves both as they are.
            let settle = SettleMessage(
                id: claims[0].id,
                attempt: claims[0].attempts,
                result: .retry(at: scene.now, failure: "busy"),
                now: scene.now
            )
            #expect(try await scene.store.settle(settle))
            let again = try await scene.store.claim(limit: 9, at: scene.now, until: scene.now + .seconds(60))
            #expect(again.map(\.message.wording) == [options.dialect.wording])
            #expect(again.map(\.message.group) == [ClientScene.ours])
        },
        auditRule("a client's own words stay with a verification until it has others, and go with the number") {
            scene in
            func request(_ labels: Labels) async throws -> Verification {
                var options = VerificationOptions()
                options.labels = labels
                return try await scene.useCase.requestCode(for: StoreScene.phone, options, context: scene.context)
            }
            let order = Labels(
                reference: Labels.Reference("order 4711, e\u{301}"),
                tags: Labels.Tags([try #require(Labels.Tag("campaign", "봄: \"50 %\" = '\\'"))])
            )
            let begun = try await request(order)
            #expect(begun.labels == order)
            scene.clock.advance(by: .seconds(30))
            #expect(try await request(.none).labels == order)
            scene.clock.advance(by: .seconds(60))
            let next = Labels(reference: Labels.Reference("order 4712"))
            let again = try await request(next)
            #expect((again.id, again.labels) == (begun.id, next))
            #expect(try await scene.store.verification(begun.id) == again)
            try await scene.check(StoreScene.rightCode, begun.id)
            #expect(try await scene.trail().map(\.labels) == [next, next, order, order])
            _ = try await scene.store.erase(try scene.erasing())
            #expect(try await scene.store.verification(begun.id) == nil)
            #expect(try await scene.trail().map(\.labels) == Array(repeating: .none, count: 5))
        },
        StoreRule("verifications are found and counted by a reference, and by a tag as a whole") { scene in
            func begin(_ last: Int, _ reference: String?, _ tags: String?) async throws -> Verification.ID {
                var options = VerificationOptions()
                options.labels = Labels(
                    reference: reference.flatMap { Labels.Reference($0) },
                    tags: tags.flatMap { Labels.Tags($0) }
                )
                let context = RequestContext(owner: StoreScene.alice, region: .korea, language: .korean)
                return try await scene.useCase.requestCode(for: "010-1234-000\(last)", options, context: context).id
            }
            let ids = [
                try await begin(0, "a", "a:1\nplan:free\nz:2"), try await begin(1, "a", "plan:free '_%\\"),
                try await begin(2, "A", "plan:freedom\nx-plan:free"), try await begin(3, "a%", "a:plan:free"),
                try await begin(4, nil, "plan:Free"), try await begin(5, nil, nil),
            ]
            let command = RollUp(now: scene.now, limit: 2, maxChecks: 5)
            for (reference, tag, expected) in [
                ("a", nil, [1, 0]), ("A", nil, [2]), ("b", nil, []), (nil, "plan:free", [0]), (nil, "z:2", [0]),
                (nil, "a:1", [0]), (nil, "plan:free '_%\\", [1]), (nil, "a:plan:free", [3]), (nil, "plan:fre", []),
                ("a", "plan:free", [0]), ("A", "plan:free", []),
            ] as [(String?, String?, [Int])] {
                var query = VerificationQuery(limit: 1)
                query.reference = reference.flatMap { Labels.Reference($0) }
                query.tag = tag.flatMap { Labels.Tag($0) }
                let figures = try await scene.store.figures(of: query, command)
                #expect(figures.reduce(0) { $0 + $1.requested } == expected.count, "\(reference ?? "") \(tag ?? "")")
                query.limit = 9
                let found = try await scene.store.verifications(query).items.map(\.id)
                #expect(found == expected.map { ids[$0] }, "\(reference ?? "") \(tag ?? "")")
            }
        },
        clientRule("a code that a client brings takes the place of the one before, also while that is live") { scene in
            let begun = try await scene.request("+821012345678")
            for digits in ["777777", "88888888", "999999"] {
                var options = ClientScene.options
                let code = try #require(VerificationCode(digits))
                options.dialect.code = code
                let again = try await scene.request("+821012345678", with: options)
                #expect(again.id == begun.id)
                #expect(again.code != begun.code)
                #expect(try await scene.store.verification(begun.id) == again)
            }
            // One that is made here leaves it.
            let last = try await scene.request("+821012345678")
            #expect(try await scene.refusal(of: "123456", begun.id)?.checksLeft == 4)
            #expect(try await scene.refusal(of: "777777", begun.id)?.checksLeft == 3)
            #expect(last.sendsLeft == 0)
            #expect(try await scene.check("999999", begun.id).recordedStatus == .approved)
        },
        StoreRule("a new verification takes the place of the live one where the options say so, many at once too") {
            scene in
            let clients = try ClientScene(scene.store)
            var options = ClientScene.options
            options.dialect.replacesLive = true
            let begun = try await clients.request("+821012345678")
            let other = try await clients.request("+821022222222")
            let next = try await atOnce(8) { [options] _ in
                try await clients.request("+821012345678", with: options)
            }
            #expect(Set(next.map(\.id)).count == 8)
            var statuses: [VerificationStatus] = []
            for id in [begun.id] + next.map(\.id) {
                statuses.append(try #require(try await clients.store.verification(id)).recordedStatus)
            }
            #expect(statuses.count { $0 == .pending } == 1)
            #expect(statuses.count { $0 == .canceled } == 8)
            // The tenth message is the number's last of the day; a refusal leaves the verification as it is.
            let last = try await clients.request("+821012345678", with: options)
            let refused = try await refusingLimits { try await clients.request("+821012345678", with: options) }
            #expect(refused == ["number-day"])
            #expect(try await clients.store.verification(last.id)?.recordedStatus == .pending)
            #expect(try await clients.store.verification(other.id)?.recordedStatus == .pending)
        },
        clientRule("a code is good for one answer where the options say so, and a client's own word for one as well") {
            scene in
            let checked = try await scene.request("+821012345678")
            #expect(try await scene.check("123456", checked.id).recordedStatus == .approved)
            #expect(try await scene.refusal(of: "123456", checked.id) == .verificationClosed)
            #expect(try await scene.refusal { try await scene.approve(checked.id) } == .verificationClosed)

            let reported = try await scene.request("+821022222222")
            #expect(
                try await scene.refusal { try await scene.approve(reported.id, as: ClientScene.second) }
                    == .verificationNotFound
            )
            let approved = try await scene.approve(reported.id)
            #expect(approved.recordedStatus == .approved)
            #expect(approved.checksLeft == reported.checksLeft)
            #expect(try await scene.store.verification(reported.id) == approved)
            #expect(try await scene.refusal { try await scene.approve(reported.id) } == .verificationClosed)
            #expect(
                try await scene.refusal { try await scene.approve(Verification.ID(bits: 9, 9)) }
                    == .verificationNotFound
            )
            // A mere word tells nobody that the message was of use.
            #expect(try await scene.store.traffic(of: .service).lastDay(at: scene.now).approved == 1)
            let trail = try await scene.store.entries(AuditQuery(limit: 9)).entries
            #expect(trail.map(\.action) == [.approve, .begin, .approve, .begin])
        },
        StoreRule("of 20 approvals at once by a client's own word one is heard") { scene in
            let clients = try ClientScene(scene.store)
            let begun = try await clients.request("+821012345678")
            let refusals = try await atOnce(20) { _ in
                try await clients.refusal { try await clients.approve(begun.id) }
            }
            #expect(refusals.count { $0 == nil } == 1)
            #expect(refusals.count { $0 == .verificationClosed } == 19)
        },
        StoreRule("a safe number is past its country and the guard, and not past what an operator has blocked") {
            scene in
            let scene = try ClientScene(scene.store, guarding: try GuardPolicy(prefixSample: 5))
            let america = try #require(Region("US"))
            let safe = {
                var options = ClientScene.options
                options.dialect.isSafeListed = true
                return options
            }()
            #expect(
                try await scene.refusal { try await scene.request("+12125550123") }
                    == .regionNotAllowed(america, allowed: [.korea])
            )
            try await scene.request("+12125550123", with: safe)
            for index in 0..<5 { try await scene.request("+82101234500\(index)") }
            #expect(try await refusingLimits { try await scene.request("+821012345678") } == ["guard-challenge"])
            try await scene.request("+821012345678", with: safe)
            let block = GuardRule(prefix: "+82101234", action: .block, until: nil, createdAt: scene.now)
            try await scene.store.set(try #require(block))
            #expect(
                try await refusingLimits { try await scene.request("+821012345679", with: safe) } == ["guard-block"]
            )
        },
        clientRule("codes are as long as the options say, and any length is compared") { scene in
            var options = ClientScene.options
            options.dialect.codeLength = 4
            let begun = try await scene.request("+821012345678", with: options)
            // The options of the check are of six digits: the client has changed its mind since.
            #expect(try await scene.refusal(of: "123456", begun.id)?.checksLeft == 4)
            #expect(try await scene.check("1234", begun.id).recordedStatus == .approved)
        },
        clientRule("a client waits between messages as its options say, and others as the service says") { scene in
            for _ in 1...5 { try await scene.request("+821012345678") }
            let sends = try await scene.store.messages(MessageQuery(group: ClientScene.ours), limit: 9)
            #expect(sends.count == 5)
            for options in [VerificationOptions(), VerificationOptions(dialect: DialectOptions(codeLength: 6))] {
                let phone = options.dialect.codeLength == nil ? "+821011111111" : "+821022222222"
                let begun = try await scene.request(phone, with: options)
                #expect(
                    try await scene.refusal { try await scene.request(phone, with: options) }
                        == .resendTooSoon(nextSendAt: begun.nextSendAt)
                )
            }
        },
        StoreRule("of 30 requests at once as many come through as a client's own limit says") { scene in
            let clients = try ClientScene(scene.store)
            var options = ClientScene.options
            options.limits = [LimitRule("shop", try #require(RateLimit("4/1m")), of: "shop.digest")]
            let limited = options
            let refusals = try await atOnce(30) { index in
                try await refusingLimits {
                    try await clients.request("+8210\(20_000_000 + index)", with: limited)
                }
            }
            #expect(refusals.count { $0 == [] } == 4)
            #expect(refusals.count { $0 == ["shop-1m"] } == 26)
            #expect(try await clients.seconds(MessageQuery(group: ClientScene.ours)).count == 4)
            // Counted by something else there is room.
            options.limits = [LimitRule("shop", try #require(RateLimit("4/1m")), of: "shop.other")]
            try await clients.request("+821030000000", with: options)
        },
        StoreRule("the live verification is the one that a request for a code would concern") { scene in
            let clients = try ClientScene(scene.store)
            let store = scene.store
            let number = try PhoneNumber(e164: "+821012345678")
            func live(_ owner: Owner = ClientScene.first) async throws -> Verification? {
                try await store.liveVerification(of: number, owner: owner, at: clients.now)
            }
            #expect(try await live() == nil)
            let begun = try await clients.request(number.e164)
            #expect(try await live() == begun)
            #expect(try await live(ClientScene.second) == nil)
            #expect(try await live(ClientScene.stranger) == nil)
            let other = try PhoneNumber(e164: "+821012345679")
            #expect(try await store.liveVerification(of: other, owner: ClientScene.first, at: clients.now) == nil)
            func check(_ code: String, as owner: Owner = ClientScene.first) async throws -> PhoneFailure? {
                try await clients.refusal { try await clients.check(code, for: .live(number), as: owner) }
            }
            #expect(try await check("123456", as: ClientScene.second) == .verificationNotFound)
            // Locked, it still keeps a new one away.
            for left in (0...4).reversed() { #expect(try await check("000000")?.checksLeft == left) }
            #expect(try await live()?.recordedStatus == .maxAttemptsReached)
            let locked = try #require(try await live())
            #expect(try await check("123456") == .maxChecksReached(retryAt: locked.expiresAt))
            clients.advance(by: .seconds(600))
            #expect(try await live() == nil)
            let approved = try await clients.request(number.e164)
            #expect(try await check("123456") == nil)
            #expect(try await live() == nil)
            #expect(try await check("123456") == .verificationNotFound)
            #expect(try await store.verification(approved.id)?.recordedStatus == .approved)

            // Two that a clock made live which was set back: the one that lives longer.
            let lives = [300, 500, 400].enumerated().map { index, seconds in
                Verification.stored(
                    Verification.ID(bits: 5, UInt64(index)),
                    of: number,
                    owner: ClientScene.first,
                    at: clients.now,
                    living: .seconds(seconds),
                    acceptedAt: clients.now
                )
            }
            try await store.restore(lives.map(StoredRecord.verification))
            #expect(try await live() == lives[1])
            #expect(try await clients.request(number.e164).id == lives[1].id)
        },
    ]
}
