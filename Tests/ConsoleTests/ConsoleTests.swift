import Console
import DockTestSupport
import PhoneDomain
import PhoneTestSupport
import Records
import Testing

/// A browser of somebody with a key of some scopes.
struct Browser: Sendable {
    let server: DockServer<Console>
    var cookie: String?

    init(_ server: DockServer<Console>) { self.server = server }

    /// Signs in with a new key.
    init(_ server: DockServer<Console>, as scopes: Set<APIScope>, name: String = "anna") async throws {
        self.init(server)
        let secret = try await server.keys.create(name: #require(CallerName(name)), scopes: scopes).secret
        let answer = try await signIn(secret.text)
        cookie = try #require(answer.headers["set-cookie"]?.split(separator: ";").first.map(String.init))
    }

    func signIn(_ key: String) async throws -> DockServer<Console>.Answer {
        try await post("sign-in", ["key": key])
    }

    func get(_ path: String) async throws -> DockServer<Console>.Answer {
        try await server.send("GET", "/console" + (path.isEmpty ? "" : "/" + path), headers: fields)
    }

    func post(
        _ path: String,
        _ form: [String: String],
        headers: [String: String] = [:]
    ) async throws -> DockServer<Console>.Answer {
        let body = form.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.encoded($0.value))" }.joined(separator: "&")
        return try await server.send(
            "POST",
            "/console/" + path,
            body,
            type: "application/x-www-form-urlencoded",
            headers: fields.merging(headers) { $1 }
        )
    }

    /// An act as the forms of pages have it.
    func act(_ path: String, _ form: [String: String] = [:]) async throws -> DockServer<Console>.Answer {
        let own = ["form_token": try await formToken(), "reason": "ticket 7"]
        return try await post(path, own.merging(form) { $1 })
    }

    func formToken() async throws -> String {
        let page = try await get("person")
        let start = try #require(page.body.firstRange(of: "name=\"form_token\" value=\"")).upperBound
        return String(page.body[start...].prefix { $0 != "\"" })
    }

    private var fields: [String: String] { cookie.map { ["Cookie": $0] } ?? [:] }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            return isPlain || byte == 0x5F ? String(UnicodeScalar(byte)) : "%" + hexadecimal(byte)
        }.joined()
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
}

@Suite struct ConsoleTests {
    static let places = ["", "deliveries", "guard", "person", "funnel", "programs", "audit", "health"]
    static let acts: [(path: String, role: String, form: [String: String])] = [
        ("deliveries/retry", "support", ["message": "msg_00000000000000000000000000000001"]),
        ("deliveries/retry-all", "operator", ["status": "failed"]),
        ("deliveries/pause", "operator", ["gateway": "sms"]),
        ("deliveries/resume", "operator", ["gateway": "sms"]),
        ("deliveries/test", "operator", ["gateway": "sms", "number": "+821012345678"]),
        ("guard/mode", "operator", ["mode": "shadow"]),
        ("guard/rule", "operator", ["prefix": "+8210123", "action": "block"]),
        ("guard/unblock", "operator", ["subject": "+8210123"]),
        ("person/clear-limits", "support", ["number": "+821012345678"]),
        ("person/sign-out", "support", ["account": "acc_00000000000000000000000000000009"]),
        ("person/suspend", "support", ["account": "acc_00000000000000000000000000000009"]),
        ("person/restore", "support", ["account": "acc_00000000000000000000000000000009"]),
        (
            "person/change-number", "operator",
            ["account": "acc_00000000000000000000000000000009", "new_number": "+821087654321"]
        ),
        ("person/erase", "operator", ["number": "+821012345678", "confirmation": "erase"]),
        ("programs/revoke-key", "operator", ["key": "key_00000000000000000000000000000001"]),
        ("programs/redeliver", "operator", ["event": "evt_verification_approved_00000000000000000000000000000001"]),
    ]

    static func run(_ work: (DockServer<Console>) async throws -> Void) async throws {
        try await DockServer<Console>.run(settings: ["PHONEPROOF_CONSOLE_PORT": "8090"], work)
    }

    static func begin(_ server: DockServer<Console>, _ number: String = "010-1234-5678", as name: String = "shop")
        async throws -> Verification
    {
        let owner = Owner.caller(try #require(CallerName(name)))
        return try await server.useCase.begin(
            PhoneNumber(parsing: number, region: .korea),
            context: RequestContext(owner: owner, region: .korea, language: .korean)
        ).verification
    }

    @Test func thereIsNoConsoleWithoutAPort() async throws {
        try await DockServer<Console>.run { server in
            let answer = try await server.send("GET", "/console")
            #expect(answer.status == 404)
        }
    }

    @Test func nobodySeesAPageWithoutSigningIn() async throws {
        try await Self.run { server in
            let browser = Browser(server)
            for place in Self.places {
                let answer = try await browser.get(place)
                #expect(answer.status == 303)
                #expect(answer.headers["location"] == "/console/sign-in")
            }
            #expect(try await browser.get("audit.csv").status == 403)
            for act in Self.acts { #expect(try await browser.post(act.path, act.form).status == 303) }
            let page = try await browser.get("sign-in")
            #expect(page.status == 200)
            let policy = try #require(page.headers["content-security-policy"])
            #expect(policy.hasPrefix("default-src 'none'; style-src 'nonce-"))
            #expect(policy.hasSuffix("img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"))
            #expect(!policy.contains("script") && !page.body.contains("<script"))
        }
    }

    @Test func onlyKeysForTheConsoleSignIn() async throws {
        try await Self.run { server in
            let browser = Browser(server)
            let name = try #require(CallerName("shop"))
            let (key, secret) = try await server.keys.create(name: name, scopes: [.verifications, .accounts])
            for text in [secret.text, "", "pk_1", "x"] {
                let refused = try await browser.signIn(text)
                #expect(refused.status == 403)
                #expect(refused.headers["set-cookie"] == nil)
                #expect(refused.body.contains("This key is invalid, was revoked, or is not for the console."))
            }
            _ = try await server.store.revoke(key.id, at: server.clock.now())
            let elsewhere = try await browser.post(
                "sign-in",
                ["key": secret.text],
                headers: ["Sec-Fetch-Site": "cross-site"]
            )
            #expect(elsewhere.status == 403)
        }
    }

    @Test(arguments: [APIScope.viewer, .support, .admin])
    func everyPageIsShown(to scope: APIScope) async throws {
        try await Self.run { server in
            _ = try await Self.begin(server)
            let browser = try await Browser(server, as: [scope])
            for place in Self.places {
                let page = try await browser.get(place)
                #expect(page.status == 200, "\(place)")
                #expect(page.body.contains("<h1>"), "\(place)")
                #expect(page.headers["cache-control"] == "no-store")
                #expect(!page.body.contains("<script") && !page.body.contains(" style=\""), "\(place)")
            }
            let person = try await browser.get("person?q=010-1234-5678")
            #expect(person.body.contains("Code requested by caller:shop"))
            #expect(person.body.contains(scope == .viewer ? "<h2>+82 10-****-5678</h2>" : "<h2>+82 10-1234-5678</h2>"))
            #expect(
                try await browser.get("deliveries").body.contains(scope == .viewer ? "10-****-5678" : "10-1234-5678")
            )
        }
    }

    @Test func aViewerSeesNoNumberAndMayDoNothing() async throws {
        try await Self.run { server in
            _ = try await Self.begin(server)
            let viewer = try await Browser(server, as: [.viewer])
            for place in Self.places {
                let page = try await viewer.get(place)
                #expect(!page.body.contains("1234-5678") && !page.body.contains("1012345678"), "\(place)")
                #expect(!page.body.contains("<details>"), "\(place)")
            }
            for act in Self.acts {
                let answer = try await viewer.act(act.path, act.form)
                #expect(answer.status == 403, "\(act.path)")
                #expect(answer.body.contains("Your key may not do this; ask an operator."))
            }
            let support = try await Browser(server, as: [.support], name: "ben")
            for act in Self.acts {
                let answer = try await support.act(act.path, act.form)
                #expect((answer.status == 403) == (act.role == "operator"), "\(act.path)")
            }
        }
    }

    @Test func aFormOfAnotherSiteOrWithoutAReasonDoesNothing() async throws {
        try await Self.run { server in
            let browser = try await Browser(server, as: [.admin])
            let other = try await Browser(server, as: [.admin], name: "ben")
            let rule = ["prefix": "+8210123", "action": "block", "reason": "ticket 7"]
            let token = try await browser.formToken()
            let forged: [([String: String], [String: String])] = [
                ([:], [:]), (["form_token": ""], [:]), (["form_token": String(token.reversed())], [:]),
                (["form_token": try await other.formToken()], [:]),
                (["form_token": token], ["Sec-Fetch-Site": "cross-site"]),
                (["form_token": token], ["Sec-Fetch-Site": "same-site"]),
            ]
            for (form, headers) in forged {
                let answer = try await browser.post("guard/rule", rule.merging(form) { $1 }, headers: headers)
                #expect(answer.status == 403)
                let signOut = try await browser.post("sign-out", form, headers: headers)
                #expect(signOut.status == 403)
            }
            for reason in ["", " ", "two\nlines", String(repeating: "x", count: 201)] {
                #expect(try await browser.act("guard/rule", rule.merging(["reason": reason]) { $1 }).status == 422)
            }
            #expect(try await server.store.guardRules() == [])
            #expect(try await browser.act("guard/rule", rule).status == 303)
            #expect(try await server.store.guardRules().map(\.prefix) == ["+8210123"])
            let entry = try #require(try await server.store.entries(AuditQuery(limit: 1)).entries.first)
            #expect(entry.action == .blockPrefix)
            #expect(entry.owner == .caller(try #require(CallerName("anna"))))
            #expect(entry.reason == AuditReason("ticket 7"))
        }
    }

    @Test func aCookieIsOfNoUseAfterSignOutRevocationAndItsTime() async throws {
        try await Self.run { server in
            let browser = try await Browser(server, as: [.admin])
            let cookie = try #require(browser.cookie)
            #expect(cookie.hasPrefix("phoneproof_console=con_"))
            let signedOut = try await browser.post("sign-out", ["form_token": try await browser.formToken()])
            #expect(signedOut.headers["location"] == "/console/sign-in")
            #expect(try await browser.get("").status == 303)

            let key = try #require(try await server.store.apiKeys().first)
            let second = try await Browser(server, as: [.admin], name: "ben")
            #expect(try await second.get("").status == 200)
            let other = try #require(try await server.store.apiKeys().first { $0.id != key.id })
            _ = try await server.store.revoke(other.id, at: server.clock.now())
            #expect(try await second.get("").status == 303)

            let third = try await Browser(server, as: [.admin], name: "cho")
            server.clock.advance(by: .seconds(4 * 3600 - 1))
            #expect(try await third.get("").status == 200)
            server.clock.advance(by: .seconds(1))
            #expect(try await third.get("").status == 303)
            _ = try await server.store.purgeExpired(at: server.clock.now(), limit: 9)
            #expect(try await Browser(server).get("").status == 303)
        }
    }

    @Test func whatPeopleAndProgramsWriteIsText() async throws {
        try await Self.run { server in
            let browser = try await Browser(server, as: [.admin])
            let attack = "<img src=x onerror=alert(1)>\"'&"
            _ = try await browser.act(
                "guard/rule",
                ["prefix": "+8210123", "action": "block", "reason": attack]
            )
            _ = try await Self.begin(server, "010-9999-0000")
            let paths = [
                "audit", "audit?by=\(Self.encoded)", "guard?number=\(Self.encoded)", "person?q=\(Self.encoded)",
                "deliveries?gateway=\(Self.encoded)&failure=\(Self.encoded)", "funnel?days=\(Self.encoded)",
                "audit?since=\(Self.encoded)",
            ]
            for path in paths {
                let page = try await browser.get(path)
                #expect(!page.body.contains("<img"), "\(path)")
            }
            #expect(try await browser.get("audit").body.contains("&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;"))
        }
    }

    private static let encoded = "%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E%22%27"

    @Test func aSpreadsheetRunsNothingOfTheAuditLog() async throws {
        try await Self.run { server in
            let browser = try await Browser(server, as: [.admin])
            for reason in ["=HYPERLINK(\"http://x\")", "+1", "-2+3", "@SUM(1)", "plain, \"quoted\""] {
                _ = try await browser.act("guard/rule", ["prefix": "+8210123", "action": "block", "reason": reason])
            }
            let file = try await browser.get("audit.csv?action=block_prefix")
            #expect(file.headers["content-type"] == "text/csv; charset=utf-8")
            #expect(file.headers["content-disposition"] == "attachment; filename=\"phoneproof-audit.csv\"")
            let reasons = file.body.split(separator: "\r\n").map { line in
                line.firstRange(of: "\"\",\"\",").map { String(line[$0.upperBound...]) } ?? ""
            }
            #expect(
                reasons == [
                    "", "\"plain, \"\"quoted\"\"\"", "\"'@SUM(1)\"", "\"'-2+3\"", "\"'+1\"",
                    "\"'=HYPERLINK(\"\"http://x\"\")\"",
                ]
            )
            // A prefix begins with a plus sign too.
            #expect(file.body.contains(",\"'+8210123\","))
        }
    }

    @Test func theSupportDeskHelpsAPerson() async throws {
        try await Self.run { server in
            let verification = try await Self.begin(server)
            let signedUp = try await server.useCase.signUp(
                "314159",
                for: verification.id,
                context: RequestContext(owner: verification.owner, region: .korea, language: .korean)
            )
            let account = signedUp.account.id.description
            let support = try await Browser(server, as: [.support])
            let page = try await support.get("person?q=%2B821012345678")
            #expect(page.body.contains(account))
            #expect(page.body.contains("Approved and used"))
            #expect(page.body.contains("<summary>Suspend</summary>"))
            #expect(!page.body.contains("<summary>Erase all data</summary>"))
            let place = "/console/person?q=\(account.replacing("_", with: "_"))"
            let suspended = try await support.act("person/suspend", ["account": account])
            #expect(suspended.headers["location"] == place)
            #expect(try await server.store.account(signedUp.account.id)?.suspendedAt == server.clock.now())
            #expect(try await support.act("person/suspend", ["account": account]).status == 409)
            #expect(try await support.act("person/restore", ["account": account]).status == 303)
            let cleared = try await support.act("person/clear-limits", ["number": "+821012345678"])
            #expect(cleared.headers["location"] == "/console/person?q=%2B821012345678")

            let chief = try await Browser(server, as: [.admin], name: "chief")
            let erase = ["number": "+821012345678", "confirmation": "yes"]
            #expect(try await chief.act("person/erase", erase).status == 422)
            #expect(try await chief.act("person/erase", erase.merging(["confirmation": "erase"]) { $1 }).status == 303)
            #expect(try await server.store.account(signedUp.account.id) == nil)
        }
    }
}
