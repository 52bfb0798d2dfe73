import Console
import CoreEncodings
import DockTestSupport
import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneHTTP
import PhoneNumbers
import PhoneStore
import PhoneTestSupport
import Testing

/// A browser of somebody with a key of some scopes.
struct Browser: Sendable {
    let server: DockServer<Console>
    var cookie: String?

    init(_ server: DockServer<Console>) { self.server = server }

    /// Signs in with a new key.
    init(_ server: DockServer<Console>, as scopes: Set<APIScope>, name: String = "anna") async throws {
        self.init(server)
        cookie = try await signIn(server.secret(scopes, name: name)).cookie
    }

    func signIn(_ key: String) async throws -> HTTPAnswer {
        try await post("sign-in", ["key": key])
    }

    func get(_ path: String) async throws -> HTTPAnswer {
        try await server.send("GET", "/console" + (path.isEmpty ? "" : "/" + path), headers: fields)
    }

    func post(
        _ path: String,
        _ form: [String: String],
        headers: [String: String] = [:]
    ) async throws -> HTTPAnswer {
        let body = form.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.percentEncoded)" }.joined(separator: "&")
        return try await server.send(
            "POST",
            "/console/" + path,
            body,
            type: "application/x-www-form-urlencoded",
            headers: fields.merging(headers) { $1 }
        )
    }

    /// An act as the forms of pages have it.
    func act(_ path: String, _ form: [String: String] = [:]) async throws -> HTTPAnswer {
        let own = ["form_token": try await formToken(), "reason": "ticket 7"]
        return try await post(path, own.merging(form) { $1 })
    }

    /// The page with the line about what was done, as a browser brings its cookie.
    func note(after answer: HTTPAnswer, _ path: String) async throws -> String {
        let headers = ["Cookie": "\(cookie ?? ""); \(try #require(answer.cookie))"]
        return try await server.send("GET", "/console/" + path, headers: headers).body
    }

    func formToken() async throws -> String {
        let page = try await get("person")
        let start = try #require(page.body.firstRange(of: "name=\"form_token\" value=\"")).upperBound
        return String(page.body[start...].prefix { $0 != "\"" })
    }

    private var fields: [String: String] { cookie.map { ["Cookie": $0] } ?? [:] }
}

extension DockServer<Console> {
    /// That of a new key.
    func secret(_ scopes: Set<APIScope>, name: String = "anna") async throws -> String {
        try await keys.create(name: #require(CallerName(name)), scopes: scopes).secret.text
    }
}

extension HTTPAnswer {
    /// The first that is set, as a browser brings it.
    var cookie: String? { headers["set-cookie"]?.split(separator: ";").first.map(String.init) }
}

@Suite struct ConsoleTests {
    static let places = ["", "deliveries", "guard", "person", "funnel", "programs", "audit", "health"]

    /// - Parameter keys: those of every account; nil where nobody signs in by a key.
    static func run(
        keys: [SignInKey]? = nil,
        _ work: (DockServer<Console>) async throws -> Void
    ) async throws {
        try await DockServer<Console>.run(
            settings: ["PHONEPROOF_CONSOLE_PORT": "8090"],
            signInKeys: keys.map { keys in { KeptKeys(keys, in: $0) } },
            work
        )
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
            #expect(try await browser.get("sign-in").status == 200)
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
            #expect(try await browser.signIn(secret.text).status == 403)
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
            }
            if scope != .viewer {
                // As a browser sends its own form, with a number as people write it.
                for number in ["010-1234-5678", "%2B82+10-1234-5678", "+010+1234+5678"] {
                    let person = try await browser.get("person?q=\(number)")
                    #expect(person.body.contains("Code requested by caller:shop"), "\(number)")
                    #expect(person.body.contains("<h2>+82 10-1234-5678</h2>"))
                }
            }
            #expect(
                try await browser.get("deliveries").body.contains(scope == .viewer ? "10-****-5678" : "10-1234-5678")
            )
        }
    }

    @Test func aCookieIsOfNoUseAfterRevocationOfItsKeyAndItsTime() async throws {
        try await Self.run { server in
            let second = try await Browser(server, as: [.admin], name: "ben")
            #expect(try await second.get("").status == 200)
            let key = try #require(try await server.store.apiKeys().first)
            _ = try await server.store.revoke(key.id, at: server.clock.now())
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

    @Test func aSpreadsheetRunsNothingOfTheAuditLog() async throws {
        try await Self.run { server in
            let browser = try await Browser(server, as: [.admin])
            for reason in ["=HYPERLINK(\"http://x\")", "+1", "-2+3", "@SUM(1)", "＝1＋1", "plain, \"quoted\""] {
                _ = try await browser.act("guard/rule", ["prefix": "+8210123", "action": "block", "reason": reason])
            }
            let file = try await browser.get("audit.csv?action=block_prefix")
            #expect(file.headers["content-type"] == "text/csv; charset=utf-8")
            #expect(file.headers["content-disposition"] == "attachment; filename=\"phoneproof-audit.csv\"")
            // Or Excel in Korea reads it as CP949.
            #expect(file.body.unicodeScalars.first == "\u{FEFF}")
            let reasons = file.body.split(separator: "\r\n").map { line in
                // Without the reference and the tags, which these have none of.
                line.firstRange(of: "\"127.0.0.1\",\"\",").map { String(line[$0.upperBound...].dropLast(6)) } ?? ""
            }
            #expect(
                reasons == [
                    "", "\"plain, \"\"quoted\"\"\"", "\"'＝1＋1\"", "\"'@SUM(1)\"", "\"'-2+3\"", "\"'+1\"",
                    "\"'=HYPERLINK(\"\"http://x\"\")\"",
                ]
            )
            for text in ["a;=1+1", "a; =1", ";@x", "=1;2"] {
                var options = VerificationOptions()
                options.labels = Labels(reference: Labels.Reference(text))
                _ = try await server.useCase.begin(
                    PhoneNumber(parsing: "010-9876-5432", region: .korea),
                    options,
                    context: RequestContext(owner: .local, region: .korea, language: .korean)
                )
                server.clock.advance(by: .seconds(600))
            }
            let begun = try await browser.get("audit.csv?action=begin").body.split(separator: "\r\n").dropFirst()
            // A semicolon, which separates cells too, is none behind the apostrophe.
            #expect(
                begun.compactMap { $0.split(separator: ",\"").suffix(2).first } == [
                    "'=1,2\"", "',@x\"", "a; =1\"", "'a,=1+1\"",
                ]
            )
            // A prefix begins with a plus sign too.
            #expect(file.body.contains(",\"'+8210123\","))
        }
    }

    @Test func aChangeOfNumberIsUndoneWhileItCanBe() async throws {
        try await Self.run { server in
            let scene = try await AttackTests.Scene(server)
            let (id, change) = (scene.account.id.description, scene.change.description)
            let support = try await Browser(server, as: [.support])
            let page = try await support.get("person?q=\(id)")
            #expect(
                page.body.contains(
                    "<b>Number changed</b> <time datetime=\"2026-01-01T00:00:00.000Z\">2026-01-01 00:00:00</time><div>from +82 10-7777-8888 to +82 10-1234-5678, can be undone until "
                        + "<time datetime=\"2026-01-01T01:00:00.000Z\">2026-01-01 01:00:00</time>"
                        + "<button type=\"button\" class=\"act\" popovertarget=\"person%2Fundo-change%20"
                )
            )
            let undone = try await support.act("person/undo-change", ["account": id, "change": change])
            #expect(undone.headers["location"] == "/console/person?q=\(id)")
            let account = try #require(try await server.store.account(scene.account.id))
            #expect(account.phoneNumber?.e164 == "+821077778888")
            #expect(account.sessionGeneration == scene.account.sessionGeneration + 1)
            let trail = try await server.store.entries(AuditQuery(limit: 2)).entries
            #expect(trail.map(\.action) == [.leaveNumber, .undoChange])
            #expect(try trail.allSatisfy { try $0.owner == .caller(#require(CallerName("anna"))) })
            #expect(trail.map(\.reason?.description) == ["ticket 7", "ticket 7"])
            let again = try await support.act("person/undo-change", ["account": id, "change": change])
            #expect(again.status == 409)
            #expect(again.body.contains("has no change of number that can still be undone."))
            #expect(try await support.get("person?q=\(id)").body.contains("to +82 10-1234-5678, is final"))
            let other = "chg_00000000000000000000000000000001"
            #expect(try await support.act("person/undo-change", ["account": id, "change": other]).status == 409)
        }
    }

    @Test func whoSignsInLooksAtAPersonOrActsIsOnTheLogWithTheAddress() async throws {
        let proxies = TrustedProxies(blocks: [try #require(AddressBlock("127.0.0.1"))], header: .xForwardedFor)
        let settings = ["PHONEPROOF_CONSOLE_PORT": "8090"]
        try await DockServer<Console>.run(settings: settings, proxies: proxies) { server in
            let scene = try await AttackTests.Scene(server)
            let from = ["X-Forwarded-For": "203.0.113.9"]
            var browser = Browser(server)
            browser.cookie = try await browser.post("sign-in", ["key": server.secret([.admin])], headers: from).cookie
            for query in [scene.account.id.description, "010-9999-0000", "nobody"] {
                let headers = from.merging(["Cookie": browser.cookie ?? ""]) { $1 }
                _ = try await server.send("GET", "/console/person?q=\(query)", headers: headers)
            }
            let own = ["form_token": try await browser.formToken(), "reason": "asked by ＋82 10-1234-5678"]
            for (path, form) in [
                ("person/undo-change", ["account": scene.account.id.description, "change": scene.change.description]),
                ("deliveries/retry", ["message": scene.messages[1].description]),
                ("person/erase", ["number": "010-7777-8888", "confirmation": "erase"]),
            ] {
                let done = try await browser.post(path, own.merging(form) { $1 }, headers: from)
                #expect(done.status == (path == "person/erase" ? 200 : 303), "\(path): \(done.body)")
            }
            let entries = try await server.store.entries(AuditQuery(limit: 9)).entries.reversed()
                .filter { $0.owner?.rawValue == "caller:anna" }
            #expect(
                entries.map(\.action) == [
                    .signInToConsole, .viewPerson, .viewPerson, .undoChange, .leaveNumber, .retry, .erase,
                ]
            )
            #expect(entries.last?.reason?.description == "asked by ＋82 10-1234-5678")
            for entry in entries {
                // What is of the person who was erased is unlinked.
                #expect(entry.address == ClientAddress("203.0.113.9") || entry == entry.unlinked, "\(entry.action)")
            }
        }
    }

    @Test func anExportIsAFileOfAllThatIsStored() async throws {
        try await Self.run { server in
            let scene = try await AttackTests.Scene(server)
            let id = scene.account.id.description
            let file = try await Browser(server, as: [.admin]).act("person/export", ["account": id])
            #expect(file.headers["content-type"] == "application/json")
            #expect(file.headers["content-disposition"] == "attachment; filename=\"\(id).json\"")
            #expect(file.body.hasPrefix(#"{"exported_at":"2026-01-01T00:00:00.000Z","account":{"id":"\#(id)","#))
            for part in ["sessions", "number_changes", "verifications", "messages", "signups", "events", "audit"] {
                #expect(file.body.contains("\"\(part)\":["), "\(part)")
            }
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
            #expect(page.body.contains(">Suspend the account of +82 10-1234-5678</h2>"))
            #expect(!page.body.contains(">Erase all data</button>"))
            let place = "/console/person?q=\(account)"
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
            let shown = try await chief.get("person?q=%2B821012345678").body
            #expect(shown.contains("Erases 1 account, 1 verification, 1 message. Nothing brings it back;"))
            let erased = try await chief.act("person/erase", erase.merging(["confirmation": "erase"]) { $1 })
            #expect(erased.status == 200)
            for part in [
                "<p class=\"small\">Deleting the records …</p>\n",
                "<p role=\"status\" class=\"done\">Erased all data of +82 10-****-5678: 1 account, ",
                "<a href=\"/console/person\">Back to Person</a>",
            ] {
                #expect(erased.body.contains(part), "\(part)")
            }
            #expect(try await server.store.account(signedUp.account.id) == nil)
        }
    }
}
