import DockTestSupport
import PhoneAdministration
import PhoneDomain
import PhoneStore
import PhoneTestSupport
import Testing

/// What operators do on Deliveries, Guard and Health.
@Suite struct OperatingTests {
    @Test func aGatewayIsPausedResumedAndTested() async throws {
        try await ConsoleTests.run { server in
            let browser = try await Browser(server, as: [.admin])
            #expect(try await browser.get("deliveries").body.contains(">breaker open</span>"))
            #expect(try await browser.act("deliveries/pause", ["gateway": "sms"]).status == 303)
            let page = try await browser.get("deliveries")
            #expect(page.body.contains(">paused since 2026-01-01T00:00</span>"))
            #expect(page.body.contains("<summary>Resume</summary>") && !page.body.contains("<summary>Pause</summary>"))
            #expect(try await browser.act("deliveries/pause", ["gateway": "sms"]).status == 409)
            #expect(try await browser.act("deliveries/pause", ["gateway": "other"]).status == 404)
            #expect(try await browser.act("deliveries/resume", ["gateway": "sms"]).status == 303)
            let test = try await browser.act("deliveries/test", ["gateway": "sms", "number": "010-1234-5678"])
            let place = try #require(test.headers["location"])
            #expect(place == "/console/deliveries?accepted=120")
            let shown = try await browser.get(String(place.dropFirst("/console/".count)))
            #expect(shown.body.contains("The gateway accepted the test message in 0.1 s."))
            let refused = try await browser.act("deliveries/test", ["gateway": "sms", "number": "010-1234-0000"])
            #expect(refused.status == 409)
            #expect(refused.body.contains("Sms did not accept it: no credit (402)."))
        }
    }

    @Test func theGuardsModeIsChangedAndLevelsAreCompared() async throws {
        try await ConsoleTests.run { server in
            _ = try await ConsoleTests.begin(server)
            let browser = try await Browser(server, as: [.admin])
            let page = try await browser.get("guard")
            #expect(page.body.contains("mode <b>enforce</b>, as set"))
            #expect(!page.body.contains("Back to the setting"))
            #expect(page.body.contains("<td>as set</td><td class=\"num\">1</td>"))
            #expect(try await browser.act("guard/mode", ["mode": "shadow"]).status == 303)
            let shadow = try await browser.get("guard")
            #expect(shadow.body.contains("mode <b>shadow</b>, by an operator over the setting enforce"))
            #expect(shadow.body.contains("<summary>Back to the setting</summary>"))
            #expect(try await browser.act("guard/mode", ["mode": "odd"]).status == 422)
            #expect(try await browser.act("guard/mode", ["mode": "settings"]).status == 303)
            #expect(try await browser.get("guard").body.contains("mode <b>enforce</b>, as set"))
        }
    }

    @Test func healthShowsTheDatabaseKeysOverridesAndWarnings() async throws {
        try await ConsoleTests.run { server in
            let browser = try await Browser(server, as: [.admin])
            _ = try await browser.act("deliveries/pause", ["gateway": "sms"])
            let now = server.clock.now()
            try await server.store.record(
                Instance(
                    id: Instance.ID(bits: 0, 7),
                    host: "<web-1>",
                    process: 7,
                    version: "1.0",
                    startedAt: now,
                    seenAt: now
                )
            )
            let page = try await browser.get("health").body
            for part in [
                "<td>&lt;web-1&gt;</td><td class=\"num\">7</td><td>1.0</td>",
                "<td>Encryption keys</td><td>2 in a file that was last changed 2025-12-01</td>",
                "setting&#39;&amp;&quot;</li>", "<td>Schema</td><td>version 1</td>",
                "<td>API keys</td><td>1 valid, the oldest 0 days old",
                "<td>gateway sms: paused, since 2026-01-01T00:00</td>", "<td>address</td><td>127.0.0.1:8080</td>",
            ] {
                #expect(page.contains(part), "\(part)")
            }
        }
    }
}
