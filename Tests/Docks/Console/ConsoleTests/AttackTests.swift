import Console
import DockTestSupport
import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

/// What attackers try: with texts that others wrote, with forms of other sites, with a role or a cookie that is not
/// enough.
@Suite struct AttackTests {
    /// An account with a device and a change of its number, messages to it and to others that nobody knows to have
    /// arrived, an event that reached nobody, a key and a client.
    struct Scene {
        let account: Account
        let key: APIKey.ID
        let messages = [0xA0, 0xA1, 0xA2].map { OutboxMessage.ID(bits: 0, $0) }
        let change = NumberChange.ID(bits: 0, 0xA3)
        let event: EventID

        /// - Parameter text: makes what others wrote from what it is.
        init(_ server: DockServer<Console>, writing text: (String) -> String = { $0 }) async throws {
            let now = server.clock.now()
            let client = Owner.client(of: "twilio", group: "VA1", id: text("owner"))
            let context = RequestContext(owner: client, region: .korea, language: .korean)
            let proven = try await server.useCase.begin(
                PhoneNumber(parsing: "010-1234-5678", region: .korea),
                context: context
            ).verification
            let all = [
                proven, try await ConsoleTests.begin(server, "010-2222-3333"),
                try await ConsoleTests.begin(server, "010-4444-9999"),
            ]
            account = try await server.useCase.signUp("314159", for: proven.id, context: context).account
            let number = account.phoneNumber
            key = try await server.keys.create(name: #require(CallerName("shop")), scopes: [.verifications]).key.id
            var wording = MessageWording(service: text("service"))
            wording.text = MessageText(text("text") + " {{code}}")
            let lost = zip(messages, all).map { id, verification in
                OutboxMessage(
                    id: id,
                    verificationID: verification.id,
                    createdAt: now,
                    wording: wording,
                    status: .unknown,
                    attempts: 1,
                    gateway: text("gateway"),
                    failure: text("failure")
                )
            }
            let change = NumberChange(
                id: change,
                accountID: account.id,
                sessionID: Session.ID(bits: 0, 0xA4),
                verificationID: proven.id,
                oldNumber: try PhoneNumber(parsing: "010-7777-8888", region: .korea),
                newNumber: try #require(number),
                language: .korean,
                changedAt: now,
                undoableUntil: now + .seconds(3600),
                undoDigest: [1]
            )
            let device = Session(
                id: Session.ID(bits: 0, 0xA4),
                accountID: account.id,
                userAgent: text("device"),
                createdAt: now,
                expiresAt: now + .seconds(3600),
                tokenDigest: [1],
                refreshedAt: now,
                idleUntil: now + .seconds(3600),
                generation: account.sessionGeneration
            )
            let event = Event(
                kind: .accountCreated,
                subject: .account(account.id),
                occurredAt: now,
                status: .failed,
                nextAttemptAt: now,
                failure: text("event")
            )
            self.event = event.id
            let name = try #require(DisplayName("R&D 'x'"))
            let uri = try #require(RedirectURI("https://x.example/?a='b'&c=d"))
            let program = OAuthClient(
                id: OAuthClient.ID(bits: 0, 0xA5),
                profile: ClientProfile(name: name, redirectURIs: [uri]),
                secretDigest: nil,
                createdAt: now
            )
            var figure = DailyFigure(
                DailyFigure.Key(
                    day: now.milliseconds / 86_400_000,
                    region: .korea,
                    channel: .sms,
                    gateway: text("carrier"),
                    caller: text("caller")
                )
            )
            figure.requested = 1
            try await server.store.execute(.change) { [figure] records in
                for message in lost { try records.put(message) }
                try records.put(change)
                try records.put(device)
                try records.put(event)
                try records.put(program)
                try records.put(figure)
            }
            let metadata = AccountMetadata(json: "{\"note\":\"\(text("metadata").replacing("\"", with: "\\\""))\"}")
            let author = Operator(owner: .operator(text("operator")), reason: AuditReason(text("reason")))
            let digester = PlainNumberDigester()
            _ = try await server.store.act(
                ActOnAccount(.edit { _ in metadata }, on: account.id, by: author, digester: digester, now: now)
            )
            let other = try await server.keys.create(name: #require(CallerName("old")), scopes: [.verifications]).key
            _ = try await server.store.revoke(
                other.id,
                at: now,
                audit: author.entry(.revokeKey, text("subject"), at: now)
            )
        }

        /// Every act: the least role for it, and a form by which it is done when those before it were.
        var acts: [(path: String, role: String, form: [String: String])] {
            let account = ["account": account.id.description]
            return [
                ("deliveries/retry", "support", ["message": messages[1].description]),
                ("deliveries/retry-all", "operator", ["status": "unknown"]),
                ("deliveries/pause", "operator", ["gateway": "sms"]),
                ("deliveries/resume", "operator", ["gateway": "sms"]),
                ("deliveries/test", "operator", ["gateway": "sms", "number": "+821012345678"]),
                ("guard/mode", "operator", ["mode": "shadow"]),
                ("guard/rule", "operator", ["prefix": "+8210123", "action": "block"]),
                ("guard/unblock", "operator", ["subject": "+8210123"]),
                ("person/clear-limits", "support", ["number": "+821022223333"]),
                ("person/sign-out", "support", account),
                ("person/suspend", "support", account),
                ("person/restore", "support", account),
                ("person/change-number", "operator", account.merging(["new_number": "010-8765-4321"]) { $1 }),
                // To the number that it had before the change of the scene.
                ("person/undo-change", "support", account.merging(["change": change.description]) { $1 }),
                ("person/remove-passkey", "operator", account.merging(["key": "key-1"]) { $1 }),
                ("person/export", "operator", account),
                ("programs/revoke-key", "operator", ["key": key.description]),
                ("programs/redeliver", "operator", ["event": event.description]),
                ("person/erase", "operator", ["number": "+821012345678", "confirmation": "erase"]),
            ]
        }
    }

    private static func trail(_ server: DockServer<Console>) async throws -> [AuditEntry] {
        try await server.store.entries(AuditQuery(limit: 1000)).entries
    }

    // MARK: - Roles

    @Test func noActIsMissingInTheTable() async throws {
        try await ConsoleTests.run { server in
            let posts = Set(server.routes.filter { $0.hasPrefix("POST ") })
            let acts = try await Scene(server).acts.map { "POST /console/" + $0.path }
            #expect(posts.subtracting(acts) == ["POST /console/sign-in", "POST /console/sign-out"])
            #expect(Set(acts).subtracting(posts) == [])
        }
    }

    @Test(arguments: [APIScope.viewer, .support, .admin])
    func whoMayNotActIsRefusedAndChangesNothing(scope: APIScope) async throws {
        try await ConsoleTests.run(keys: [PersonKeysTests.key()]) { server in
            let scene = try await Scene(server)
            let browser = try await Browser(server, as: [scope])
            let roles = ["viewer", "support", "operator"]
            let own = try #require(roles.firstIndex(of: scope == .admin ? "operator" : scope.rawValue))
            for act in scene.acts {
                let before = try await Self.trail(server)
                let answer = try await browser.act(act.path, act.form)
                if try own >= #require(roles.firstIndex(of: act.role)) {
                    // A file, and what shows its progress.
                    let isShown = ["person/export", "person/erase", "deliveries/retry-all"].contains(act.path)
                    #expect(answer.status == (isShown ? 200 : 303), "\(act.path): \(answer.body)")
                    let entry = try #require(try await Self.trail(server).first)
                    #expect(try entry.owner == .caller(#require(CallerName("anna"))), "\(act.path)")
                    #expect(entry.reason?.description == "ticket 7", "\(act.path)")
                } else {
                    #expect(answer.status == 403, "\(act.path)")
                    #expect(answer.body.contains("Your role does not allow this; ask an operator."))
                    #expect(try await Self.trail(server) == before, "\(act.path)")
                }
            }
        }
    }

    @Test func aViewerSeesNoNumberNoPrefixAndNoAddress() async throws {
        try await ConsoleTests.run(keys: [PersonKeysTests.key("of +82 10-7777-8888")]) { server in
            let scene = try await Scene(server)
            // From an address, so that the guard and the log have it.
            _ = try await server.useCase.begin(
                PhoneNumber(parsing: "010-3333-4444", region: .korea),
                context: RequestContext(
                    owner: .caller(#require(CallerName("shop"))),
                    region: .korea,
                    language: .korean,
                    address: ClientAddress("203.0.113.66")
                )
            )
            let chief = try await Browser(server, as: [.admin], name: "chief")
            let reason = "of ＋82 (10) 1234 5678 (2001:db8::7)."
            for (path, form) in [
                ("guard/rule", ["prefix": "+821012", "action": "block"]),
                ("guard/unblock", ["subject": "203.0.113.66"]),
                ("person/clear-limits", ["number": "010-1234-5678"]),
            ] {
                _ = try await chief.act(path, form.merging(["reason": reason]) { $1 })
            }
            let secrets = [
                "1234-5678", "12345678", "1234 5678", "2222-3333", "22223333", "7777-8888", "77778888", "+8210",
                "203.0.113", "db8::7",
            ]
            let viewer = try await Browser(server, as: [.viewer])
            let support = try await Browser(server, as: [.support])
            var shown: Set<String> = []
            for path in ConsoleTests.places + ["person?q=\(scene.account.id)", "audit.csv"] {
                let page = try await viewer.get(path)
                #expect(page.status == 200, "\(path)")
                for text in secrets { #expect(!page.body.contains(text), "\(path): \(text)") }
                #expect(!page.body.contains("popovertarget=\"") && !page.body.contains("metadata"), "\(path)")
                let whole = try await support.get(path).body
                shown.formUnion(secrets.filter { whole.contains($0) })
            }
            #expect(shown.isSuperset(of: ["1234-5678", "1234 5678", "+8210", "203.0.113", "db8::7"]))
        }
    }

    /// Nor would ten thousand searches for what is masked find it.
    @Test func aViewerFindsNobodyByANumber() async throws {
        try await ConsoleTests.run { server in
            _ = try await Scene(server)
            let viewer = try await Browser(server, as: [.viewer])
            for place in ["person", "guard", "audit"] {
                #expect(try await !viewer.get(place).body.contains("umber\"></div>"), "\(place)")
            }
            for number in ["%2B821012345678", "010-1234-5678", "010-9876-5432"] {
                let answer = try await viewer.get("person?q=\(number)")
                #expect(answer.body.contains("Only the support desk finds people by their numbers."))
                #expect(!answer.body.contains("<h2>"))
                #expect(try await viewer.get("guard?number=\(number)").status == 403)
                #expect(try await viewer.get("audit?number=\(number)").status == 403)
                #expect(try await viewer.get("audit.csv?number=\(number)").status == 403)
            }
        }
    }

    // MARK: - Forms of others

    @Test func noActIsDoneForAnotherSiteOrAnotherPage() async throws {
        try await ConsoleTests.run { server in
            let scene = try await Scene(server)
            let browser = try await Browser(server, as: [.admin])
            let token = try await browser.formToken()
            let other = try await Browser(server, as: [.admin], name: "ben").formToken()
            let before = try await Self.trail(server)
            let forged: [([String: String], [String: String])] = [
                ([:], [:]), (["form_token": ""], [:]), (["form_token": String(token.reversed())], [:]),
                (["form_token": other], [:]),
                (["form_token": token], ["Sec-Fetch-Site": "cross-site"]),
                (["form_token": token], ["Sec-Fetch-Site": "same-site"]),
                // As a browser sends a form of another site, which brings no cookie.
                (["form_token": token], ["Cookie": ""]),
            ]
            for path in scene.acts.map(\.path) + ["sign-out"] {
                let form = scene.acts.first { $0.path == path }?.form ?? [:]
                for (own, headers) in forged {
                    let all = form.merging(own) { $1 }.merging(["reason": "ticket 7"]) { $1 }
                    let answer = try await browser.post(path, all, headers: headers)
                    let isStranger = headers["Cookie"] != nil && path != "sign-out"
                    #expect(answer.status == (isStranger ? 303 : 403), "\(path) \(own) \(headers)")
                    #expect(answer.headers["location"] == (isStranger ? "/console/sign-in" : nil), "\(path)")
                }
                #expect(try await browser.get(path).status == 405, "\(path)")
                if path == "sign-out" { continue }
                for reason in ["", " ", "two\nlines", String(repeating: "x", count: 201)] {
                    #expect(
                        try await browser.act(path, form.merging(["reason": reason]) { $1 }).status == 422,
                        "\(path)"
                    )
                }
            }
            #expect(try await Self.trail(server) == before)
            #expect(try await browser.get("").status == 200)
        }
    }

    @Test func noOtherSiteSignsAnybodyIn() async throws {
        try await ConsoleTests.run { server in
            let form = ["key": try await server.secret([.admin])]
            let browser = Browser(server)
            for site in ["cross-site", "same-site"] {
                let answer = try await browser.post("sign-in", form, headers: ["Sec-Fetch-Site": site])
                #expect(answer.status == 403)
                #expect(answer.headers["set-cookie"] == nil)
            }
            // Older browsers name the origin, and `null` where a page hides it.
            for origin in [
                "http://evil.example", "null", "http://127.0.0.1:8081", "http://127.0.0.1:8080.evil.example",
            ] {
                let answer = try await browser.post("sign-in", form, headers: ["Origin": origin])
                #expect(answer.status == 403, "\(origin)")
                #expect(answer.headers["set-cookie"] == nil)
            }
            let own = ["Origin": "http://127.0.0.1:8080"]
            #expect(try await browser.post("sign-in", form, headers: own).status == 303)
        }
    }

    // MARK: - A stolen cookie

    @Test func aStolenCookieIsOfNoUseAfterSignOut() async throws {
        try await ConsoleTests.run { server in
            let scene = try await Scene(server)
            let browser = try await Browser(server, as: [.admin])
            let (thief, token) = (browser, try await browser.formToken())
            #expect(try await thief.get("audit.csv").status == 200)
            let signedOut = try await browser.post("sign-out", ["form_token": token])
            #expect(signedOut.headers["location"] == "/console/sign-in")
            #expect(
                signedOut.headers["set-cookie"]
                    == "phoneproof_console=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"
            )
            let before = try await Self.trail(server)
            for place in ConsoleTests.places {
                #expect(try await thief.get(place).headers["location"] == "/console/sign-in", "\(place)")
            }
            for act in scene.acts {
                let answer = try await thief.post(
                    act.path,
                    act.form.merging(["form_token": token, "reason": "ticket 7"]) { $1 }
                )
                #expect(answer.headers["location"] == "/console/sign-in", "\(act.path)")
            }
            #expect(try await thief.get("audit.csv").status == 403)
            #expect(try await Self.trail(server) == before)
        }
    }

    @Test(arguments: [false, true])
    func theCookieIsForThisHostAndNoScript(isSecure: Bool) async throws {
        let settings = ["PHONEPROOF_CONSOLE_PORT": "8090", "PHONEPROOF_CONSOLE_HTTPS": "\(isSecure)"]
        try await DockServer<Console>.run(settings: settings) { server in
            let cookie = try await Browser(server).signIn(server.secret([.viewer])).headers["set-cookie"]
            #expect(
                cookie
                    == (isSecure
                        ? "__Host-phoneproof_console=con_1; Path=/; Max-Age=14400; HttpOnly; SameSite=Lax; Secure"
                        : "phoneproof_console=con_1; Path=/; Max-Age=14400; HttpOnly; SameSite=Lax")
            )
        }
    }

    // MARK: - Texts of others

    @Test func everyPageRefusesScriptsFramesAndFormsToOthers() async throws {
        try await ConsoleTests.run { server in
            let browser = try await Browser(server, as: [.admin])
            var nonces: Set<String> = []
            for path in ConsoleTests.places + ["sign-in", "person?q=nobody", "nowhere"] {
                let page = try await browser.get(path)
                let start = try #require(page.body.firstRange(of: "<style nonce=\"")).upperBound
                let nonce = String(page.body[start...].prefix { $0 != "\"" })
                nonces.insert(nonce)
                var headers = page.headers
                for name in ["content-length", "x-request-id"] { headers[name] = nil }
                #expect(
                    headers == [
                        "cache-control": "no-store",
                        "content-security-policy": "default-src 'none'; "
                            + (path.isEmpty ? "script-src 'nonce-\(nonce)'; connect-src 'self'; " : "")
                            + "style-src 'nonce-\(nonce)'; img-src data:; "
                            + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
                        "content-type": "text/html; charset=utf-8", "cross-origin-opener-policy": "same-origin",
                        "cross-origin-resource-policy": "same-origin",
                        "referrer-policy": path == "sign-in" ? "same-origin" : "no-referrer",
                        "x-content-type-options": "nosniff",
                    ],
                    "\(path)"
                )
                #expect(page.body.contains("<script") == path.isEmpty && !page.body.contains(" style=\""), "\(path)")
            }
            #expect(nonces.count == ConsoleTests.places.count + 3)
        }
    }

    @Test func whatOthersWriteIsText() async throws {
        try await ConsoleTests.run(keys: [PersonKeysTests.key("\"<i>passkey'&")]) { server in
            let names = [
                "owner", "service", "text", "gateway", "failure", "device", "event", "carrier", "caller", "metadata",
                "operator", "reason", "subject", "setting", "passkey",
            ]
            let scene = try await Scene(server) { "\"<i>\($0)'&" }
            let browser = try await Browser(server, as: [.admin])
            let paths = [
                "", "deliveries", "guard", "person?q=\(scene.account.id)", "funnel?by=gateway", "funnel?by=caller",
                "programs", "audit", "audit?all=true", "health",
            ]
            var shown: [String: [String]] = [:]
            for path in paths {
                let page = try await browser.get(path)
                #expect(page.status == 200, "\(path)")
                #expect(!page.body.contains("<i>"), "\(path)")
                for name in names {
                    #expect(!page.body.contains("\(name)'"), "\(path)")
                    if page.body.contains("&quot;&lt;i&gt;\(name)&#39;&amp;") { shown[name, default: []].append(path) }
                }
            }
            let person = "person?q=\(scene.account.id)"
            #expect(
                shown == [
                    "gateway": ["", "deliveries", person, "funnel?by=gateway", "health"],
                    "failure": ["", "deliveries", person, "health"],
                    "owner": [person, "funnel?by=caller", "audit?all=true"], "device": [person], "metadata": [person],
                    "event": ["", "programs", "health"], "carrier": ["funnel?by=gateway"],
                    "caller": ["funnel?by=caller"], "operator": ["audit", "audit?all=true"],
                    "reason": ["audit", "audit?all=true"], "subject": ["audit", "audit?all=true"],
                    "setting": ["health"], "passkey": [person],
                ]
            )
            let programs = try await browser.get("programs").body
            #expect(programs.contains(">R&amp;D &#39;x&#39;</td>"))
            #expect(programs.contains(">https://x.example/?a=&#39;b&#39;&amp;c=d</td>"))
            // A key cannot even have such a name.
            #expect(CallerName("<i>") == nil && CallerName("a'b") == nil && CallerName("a\"b") == nil)
        }
    }

    @Test func whatAVisitorTypesIsText() async throws {
        try await ConsoleTests.run { server in
            let browser = try await Browser(server, as: [.admin])
            let typed = "%22%3E%3Ci%3Etyped%27%26"
            let paths = [
                "audit?by=\(typed)", "audit?number=\(typed)", "audit?since=\(typed)", "audit?until=\(typed)",
                "audit?action=\(typed)", "audit?verification=\(typed)", "audit?cursor=\(typed)",
                "guard?number=\(typed)", "person?q=\(typed)", "deliveries?gateway=\(typed)",
                "deliveries?failure=\(typed)", "deliveries?status=\(typed)", "deliveries?cursor=\(typed)",
                "funnel?days=\(typed)", "funnel?by=\(typed)", "sign-in?\(typed)=\(typed)", typed,
            ]
            for path in paths {
                let page = try await browser.get(path)
                #expect(page.headers["content-type"] == "text/html; charset=utf-8")
                #expect(!page.body.contains("<i>") && !page.body.contains("typed'"), "\(path)")
            }
            #expect(
                try await browser.get("audit?by=\(typed)").body.contains("value=\"&quot;&gt;&lt;i&gt;typed&#39;&amp;\"")
            )
            let elsewhere = try await browser.act("person/suspend", ["account": "\"><i>typed'&"])
            #expect(elsewhere.status == 404)
            #expect(!elsewhere.body.contains("<i>"))
        }
    }
}
