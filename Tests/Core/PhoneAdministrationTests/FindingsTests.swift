import CoreEncodings
import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

@Suite struct FindingsTests {
    private struct Desk: GatewayDesk {
        var health: [String: GatewayHealth]
        func sendTest(to number: PhoneNumber, by gateway: String, _ language: LanguageTag, key: String) -> TestResult {
            .rejected("not here")
        }
    }

    private let store = MemoryStore()
    private let clock = ManualClock()
    private let own = Instance.ID(bits: 0, 1)
    private let other = Instance.ID(bits: 0, 2)

    private func health(_ breaker: GatewayHealth.Breaker, _ messages: Int) -> GatewayHealth {
        var trouble = GatewayHealth.Trouble(since: clock.now())
        for _ in 0..<messages { trouble.record("no money (402)", isFault: false, at: clock.now()) }
        return GatewayHealth(breaker: breaker, requests: 9, accepted: 0, trouble: messages > 0 ? trouble : nil)
    }

    /// With two gateways.
    private func administration(
        _ health: [String: GatewayHealth],
        instance: Instance.ID?,
        machine: [Finding] = [],
        routes: Routes = Routes([Routes.Gateway("a"), Routes.Gateway("b")])
    ) -> Administration {
        let keys = APIKeys(store: store, tokens: PlainTokenVault(), identifiers: CountingIdentifiers(), clock: clock)
        return Administration(
            policies: Administration.Policies(routes: routes),
            store: store,
            keys: keys,
            clients: OAuthClients(
                store: store,
                tokens: PlainTokenVault(),
                identifiers: CountingIdentifiers(),
                clock: clock
            ),
            clock: clock,
            digester: { PlainNumberDigester() },
            gateways: instance == nil ? nil : Desk(health: health),
            machine: { machine },
            instance: instance
        )
    }

    private func record(_ findings: [Finding]) async throws {
        let now = clock.now()
        try await store.record(
            Instance(id: other, host: "b", process: 2, version: "1", startedAt: now, seenAt: now, findings: findings)
        )
    }

    private func lines(_ administration: Administration) async throws -> [String] {
        try await administration.findings().map { "\($0.verdict.rawValue) \($0.subject) \($0.text)" }
    }

    @Test func `a gateway refuses all from the third message in a row on`() async throws {
        for (messages, expected) in [(0, 0), (2, 0), (3, 1)] {
            let found = administration(["a": health(.closed, messages)], instance: own).ownFindings()
            #expect(found.count == expected, "\(messages)")
        }
    }

    @Test func `what some instances find is not what all do`() async throws {
        let down = Finding("a", .failed, "is down", kind: .gatewayDown)
        try await record([down])
        #expect(
            try await lines(administration(["a": health(.closed, 0)], instance: own)) == [
                "warning a is down, at 1 of 2 instances"
            ]
        )
        try await record([down])
        #expect(
            try await lines(administration(["a": health(.open, 5)], instance: own)) == [
                "warning a is down: no money (402), 5 of the last 5; its messages go by b"
            ]
        )
        // Each time anew, since the database's own clock says which instances run.
        try await record([down])
        // A command sends by no gateway: it knows what the instances wrote.
        #expect(try await lines(administration([:], instance: nil)) == ["warning a is down; its messages go by b"])
        try await record([down])
        let states = try await administration([:], instance: nil).gateways().map(\.state)
        #expect(states == [.down, .works])
    }

    @Test func `without a gateway that is left nobody gets a code`() async throws {
        let service = administration(["a": health(.open, 5), "b": health(.closed, 3)], instance: own)
        #expect(
            try await lines(service) == [
                "error messages no gateway accepts messages: a is down, b refuses",
                "error a is down: no money (402), 5 of the last 5", "error b refuses: no money (402), 3 of the last 3",
            ]
        )
    }

    @Test func `a gateway is out as badly as its messages have no other`() async throws {
        let down = ["a": health(.open, 5)]
        func found(_ routes: Routes) async throws -> String? {
            try await lines(administration(down, instance: own, routes: routes)).first
        }
        let (error, warning) = (
            "error a is down: no money (402), 5 of the last 5", "warning a is down: no money (402), 5 of the last 5"
        )
        let (a, b) = (Routes.Gateway("a", serves: [.sms, .call]), Routes.Gateway("b", serves: [.sms]))
        #expect(try await found(Routes([a, b])) == error)
        #expect(try await found(Routes([b, Routes.Gateway("a")])) == "\(warning); its messages go by b")
        let (korea, world) = (Routes.Destination.region(.korea), Routes.Destination.everywhere)
        let sms = [Routes.Gateway("a"), b]
        #expect(
            try await found(Routes(sms, rules: [korea: [.everything: ["a"]], world: [.everything: ["b"]]])) == error
        )
        let both = Routes(sms, rules: [korea: [.everything: ["a", "b"]], world: [.everything: ["b"]]])
        #expect(try await found(both) == "\(warning); its messages go by b")
    }

    @Test func `each cause is counted for itself, the newest first`() throws {
        var trouble = GatewayHealth.Trouble(since: clock.now())
        for failure in ["unreachable", "refused (401)", "unreachable", "refused (401)", "refused (401)"] {
            trouble.record(failure, isFault: failure == "unreachable", at: clock.now())
            clock.advance(by: .seconds(60))
        }
        func sentence(_ breaker: GatewayHealth.Breaker, nextTry: Timestamp? = nil) -> Finding? {
            let health = GatewayHealth(breaker: breaker, nextTry: nextTry, requests: 9, accepted: 0, trouble: trouble)
            let routes = Routes([Routes.Gateway("a", address: "https://a.example.com")])
            return administration(["a": health], instance: own, routes: routes).ownFindings().first
        }
        #expect(
            sentence(.closed)?.sentence
                == "refuses, since 2026-01-01 00:00 UTC: refused (401), 3 of the last 5 since 00:01 UTC; "
                + "before, unreachable, 2 since 00:00 UTC"
        )
        trouble.record("unreachable", isFault: true, at: clock.now())
        // Before the breaker opens, too.
        #expect(sentence(.closed)?.kind == .gatewayDown)
        let down = sentence(.open, nextTry: clock.now() + .seconds(330))
        #expect(
            down?.sentence
                == "is down, since 2026-01-01 00:00 UTC: unreachable, 3 of the last 6 since 00:00 UTC; "
                + "before, refused (401), 3 since 00:01 UTC"
        )
        #expect(
            down?.advice
                == "see the status page of the vendor (https://a.example.com); the next message after 00:10:30 UTC tries it again, "
                + "a test message at once"
        )
        clock.advance(by: .seconds(86_400))
        #expect(sentence(.closed)?.text.contains("since 2026-01-01 00:01 UTC") == true)
        // Others take its messages: nobody knows whether it works again.
        let old = sentence(.open, nextTry: clock.now() - .seconds(11))
        #expect(old?.text.hasPrefix("was down when it was last tried: unreachable") == true)
        for code in 0..<20 { trouble.record("\(code)", isFault: false, at: clock.now()) }
        #expect(trouble.causes.map(\.failure) == (12..<20).map { "\($0)" })
    }

    @Test func `messages that failed are an alarm until a quarter of an hour after the last`() async throws {
        let (now, verification) = (clock.now(), try sampleVerification())
        let messages = (0..<5).map { index in
            StoredRecord.message(
                OutboxMessage(
                    id: OutboxMessage.ID(bits: UInt64(now.milliseconds) << 16, index),
                    verificationID: verification.id,
                    createdAt: now,
                    status: .failed,
                    failure: "a: no money (402)"
                )
            )
        }
        try await store.restore([.verification(verification)] + messages)
        let text =
            "messages 5 messages failed, or may have failed, in the last hour, the last of 00:00 UTC: 5 failed, a: no money (402)"
        clock.advance(by: .seconds(899))
        #expect(try await lines(administration([:], instance: own)) == ["error \(text)"])
        clock.advance(by: .seconds(1))
        #expect(try await lines(administration([:], instance: own)) == ["warning \(text)"])
    }

    @Test func `what a command finds of the machine is not listed twice`() async throws {
        let disk = Finding("disk", .failed, "1 MB free", kind: .disk)
        try await record([
            Finding("disk", .failed, "2 MB free", kind: .disk), .init("webhooks", .failed, "down", kind: .webhooksDown),
        ])
        #expect(
            try await lines(administration([:], instance: nil, machine: [disk])) == [
                "error disk 1 MB free", "error webhooks down",
            ]
        )
    }

    @Test func `without an instance nothing is known of gateways`() async throws {
        let command = administration([:], instance: nil)
        #expect(try await lines(command) == ["warning instances no instance is running"])
        #expect(try await command.gateways().map(\.state) == [.unknown, .unknown])
    }

    @Test func `a finding is the same after it was stored`() throws {
        let since = clock.now()
        let finding = Finding("a", .doubtful, "is \"down\"", kind: .gatewayDown, advice: "wait", since: since)
        #expect(Finding(finding.json) == finding)
        #expect(finding.sentence == "is \"down\", since 2026-01-01 00:00 UTC")
        #expect(Finding(["subject": "a", "text": "b"]) == nil)
        let facts = Finding("keys", "1 key")
        #expect(Finding(facts.json) == facts)
    }
}
