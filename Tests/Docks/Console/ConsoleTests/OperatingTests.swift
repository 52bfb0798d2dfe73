import DockTestSupport
import PhoneAdministration
import PhoneDomain
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

/// What operators do on Deliveries, Guard and Health.
@Suite struct OperatingTests {
    @Test func aGatewayIsPausedResumedAndTested() async throws {
        try await ConsoleTests.run { server in
            let browser = try await Browser(server, as: [.admin])
            let down = try await browser.get("deliveries").body
            #expect(
                down.contains(
                    "<span class=\"state bad\">down</span><small>since 2025-12-31 23:50 UTC: busy (503), 7 of the last 7</small>"
                )
            )
            #expect(down.contains(">Pause sms</h2>"))
            let paused = try await browser.act("deliveries/pause", ["gateway": "sms"])
            #expect(paused.status == 303)
            let page = try await browser.note(after: paused, "deliveries")
            #expect(
                page.contains("<p role=\"status\" class=\"done\">Paused sms: no instance gives it another message.</p>")
            )
            #expect(page.contains(">paused</span><small>since 2026-01-01 00:00 UTC</small>"))
            #expect(page.contains(">Resume sms</h2>") && !page.contains(">Pause sms</h2>"))
            #expect(try await !browser.get("deliveries").body.contains("class=\"done\""))
            #expect(try await browser.act("deliveries/pause", ["gateway": "sms"]).status == 409)
            #expect(try await browser.act("deliveries/pause", ["gateway": "other"]).status == 404)
            #expect(try await browser.act("deliveries/resume", ["gateway": "sms"]).status == 303)
            let test = try await browser.act("deliveries/test", ["gateway": "sms", "number": "010-1234-5678"])
            #expect(
                try await browser.note(after: test, "deliveries")
                    .contains("sms accepted the test message to +82 10-****-5678 in 0.1 s.")
            )
            let refused = try await browser.act("deliveries/test", ["gateway": "sms", "number": "010-1234-0000"])
            #expect(refused.status == 409)
            #expect(refused.body.contains("The test message was not accepted by sms: no credit (402)."))
        }
    }

    @Test func aMessageSaysWhatItFailedOverFromAndWhetherItsVendorWasTold() async throws {
        try await ConsoleTests.run { server in
            _ = try await ConsoleTests.begin(server)
            let now = server.clock.now()
            let claim = try #require(try await server.store.claim(limit: 1, at: now, until: now + .seconds(60)).first)
            let sent = DeliveryResult.sent(gateway: "sms", gatewayMessageID: "SM1", refusals: "main: no money (402)")
            #expect(
                try await server.store.settle(SettleMessage(id: claim.message.id, attempt: 1, result: sent, now: now))
            )
            let browser = try await Browser(server, as: [.admin])
            func details() async throws -> String {
                let page = try await browser.get("deliveries").body
                return String(page.firstMatch(of: /data-label="Details">([^<]*)</)?.1 ?? "")
            }
            #expect(try await details() == "failed over from main: no money (402)")
            let event = SettleEvent(id: EventID(exampleOf: (0, 1)), attempt: 1, result: .delivered)
            for (answer, text) in [
                ("the gateway is down (503)", "was not told that the code was entered: the gateway is down (503)"),
                (OutboxMessage.acceptedFeedback, "was told that the code was entered"),
            ] {
                _ = try await server.store.settle(event, RecordFeedback(answer, of: claim.message.id))
                #expect(try await details() == "failed over from main: no money (402); the vendor \(text)")
            }
        }
    }

    @Test func theGuardsModeIsChangedAndLevelsAreCompared() async throws {
        try await ConsoleTests.run { server in
            _ = try await ConsoleTests.begin(server)
            let browser = try await Browser(server, as: [.admin])
            let page = try await browser.get("guard")
            #expect(page.body.contains("mode <b>enforce</b>, as set"))
            #expect(!page.body.contains("Use the configured mode"))
            #expect(
                page.body.contains(
                    "<td data-label=\"Level\">as set</td><td data-label=\"Requested\" class=\"num\">1</td>"
                )
            )
            #expect(try await browser.act("guard/mode", ["mode": "shadow"]).status == 303)
            let shadow = try await browser.get("guard")
            #expect(shadow.body.contains("mode <b>shadow</b>, set by an operator (configured: enforce)"))
            #expect(shadow.body.contains(">Switch the guard to enforce, its configured mode</h2>"))
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
                "<td data-label=\"Host\">&lt;web-1&gt;</td><td data-label=\"Process\" class=\"num\">7</td>",
                "Encryption keys</td><td data-label=\"Value\">2 in a file that was last changed 2025-12-01</td>",
                "setting&#39;&amp;&quot;</li>", "Schema</td><td data-label=\"Value\">version 1</td>",
                "API keys</td><td data-label=\"Value\">1 valid, the oldest 0 days old",
                "<td data-label=\"Value\">gateway sms: paused, since 2026-01-01T00:00</td>",
                "address</td><td data-label=\"Value\">127.0.0.1:8080</td>",
            ] {
                #expect(page.contains(part), "\(part)")
            }
        }
    }

    @Test func aWholeCountryIsBlockedOnlyWhenThatIsConfirmed() async throws {
        try await ConsoleTests.run { server in
            _ = try await ConsoleTests.begin(server)
            let browser = try await Browser(server, as: [.admin])
            let asked = try await browser.act("guard/rule", ["prefix": "+82", "action": "block"])
            #expect(asked.status == 200)
            #expect(
                asked.body.contains(
                    "<b>+82 is a whole country or more.</b> It had 1 message in the last day, 0 of them approved."
                )
            )
            #expect(try await server.store.guardRules() == [])
            let done = try await browser.act("guard/rule", ["prefix": "+82", "action": "block", "confirmation": "yes"])
            #expect(
                try await browser.note(after: done, "guard").contains(
                    "Added the rule to block +82 until it is removed."
                )
            )
            #expect(try await server.store.guardRules().map(\.prefix) == ["+82"])
            // Neither a part of a country nor a rule that allows it.
            for form in [["prefix": "+8210", "action": "block"], ["prefix": "+82", "action": "allow"]] {
                #expect(try await browser.act("guard/rule", form).status == 303)
            }
        }
    }

    @Test func anotherPageCannotPutALineIntoTheConsole() async throws {
        try await ConsoleTests.run { server in
            let browser = try await Browser(server, as: [.admin])
            let forged = "phoneproof_console_done=UGF5IG1l.AAAA"
            let page = try await server.send(
                "GET",
                "/console/deliveries",
                headers: ["Cookie": "\(browser.cookie ?? ""); \(forged)"]
            )
            #expect(page.status == 200)
            #expect(!page.body.contains("class=\"done\""))
        }
    }

    @Test func theAuditLogShowsOperatorsFirstAndRefusesWhatItDoesNotUnderstand() async throws {
        try await ConsoleTests.run { server in
            _ = try await ConsoleTests.begin(server)
            let browser = try await Browser(server, as: [.admin])
            _ = try await browser.act("deliveries/pause", ["gateway": "sms"])
            let acts = try await browser.get("audit").body
            #expect(acts.contains("<td data-label=\"Action\">pause gateway</td>"))
            #expect(!acts.contains("<td data-label=\"Action\">begin</td>"))
            #expect(try await browser.get("audit?all=true").body.contains("<td data-label=\"Action\">begin</td>"))
            #expect(try await browser.get("audit?action=begin").body.contains("<td data-label=\"Action\">begin</td>"))
            for (field, text) in [
                ("since", "yesterday"), ("until", "31"), ("number", "five"), ("by", "nobody"), ("action", "odd"),
            ] {
                let page = try await browser.get("audit?\(field)=\(text)")
                #expect(page.status == 200, "\(field)")
                #expect(page.body.contains("Nothing is shown: see above."), "\(field)")
                #expect(try await browser.get("audit.csv?\(field)=\(text)").status == 422, "\(field)")
            }
            #expect(
                try await browser.get("audit?since=yesterday").body.contains(
                    "value=\"yesterday\" autocomplete=\"off\" aria-invalid"
                )
            )
            #expect(try await browser.get("audit?since=1h").body.contains("pause gateway</td>"))
        }
    }
}
