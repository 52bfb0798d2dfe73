import Console
import CoreEncodings
import DockTestSupport
import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneNumbers
import PhoneService
import PhoneStore
import PhoneTestSupport
import Testing

/// Operators who sign in with their phone numbers, by the service's own OpenID Connect.
@Suite struct NumberSignInTests {
    private static let settings = [
        "PHONEPROOF_CONSOLE_PORT": "8090", "PHONEPROOF_CONSOLE_CLIENT": "cli_000000000000000000000000000000c1",
        "PHONEPROOF_CONSOLE_OPERATORS_SUPPORT": "+821012345678",
        "PHONEPROOF_CONSOLE_OPERATORS_VIEWER": "+821022223333, +821044445555",
    ]
    private static let uri = "https://console.example/console/signed-in"

    /// A browser before the redirection to the service and after it.
    private struct Desk {
        let server: DockServer<Console>
        let client: OAuthClient
        var browser: Browser
        /// What the cookie has of the sign-in that has begun, and where the browser comes back, but for the code.
        var (verifier, place) = ("", "")

        init(_ server: DockServer<Console>) async throws {
            let uris = ["https://console.example/", NumberSignInTests.uri].compactMap(RedirectURI.init)
            let client = OAuthClient(
                id: OAuthClient.ID(bits: 0, 0xC1),
                profile: ClientProfile(name: try #require(DisplayName("Console")), redirectURIs: uris),
                secretDigest: nil,
                createdAt: server.clock.now()
            )
            (self.server, self.client, browser) = (server, client, Browser(server))
            try await server.store.execute(.change) { try $0.put(client) }
        }

        mutating func begin() async throws {
            let answer = try await browser.get("sign-in/phone")
            let cookie = try #require(answer.cookie)
            browser.cookie = (browser.cookie.map { $0 + "; " } ?? "") + cookie
            verifier = String(try #require(cookie.split(separator: "=").last))
            let state = try #require(answer.headers["location"]?.firstMatch(of: /state=([^&]*)/)).output.1
            place = "/console/signed-in?state=\(state)&code="
        }

        /// Proves a number on the service's pages. Returns its device, and the code that the console gets for it.
        func prove(
            _ number: String,
            client other: OAuthClient? = nil,
            challenge: String? = nil
        ) async throws -> (SignedIn, code: String) {
            let device = try await prove(number)
            return (device, try await authorize(device, client: other, challenge: challenge))
        }

        func prove(_ number: String) async throws -> SignedIn {
            let verification = try await ConsoleTests.begin(server, number)
            let token = SecretToken("device")
            let opening = try server.accounts.opening(of: verification.id, by: token, userAgent: nil)
            let signedUp = try await server.useCase.signUp(
                "314159",
                for: verification.id,
                CheckOptions(opening: opening),
                context: RequestContext(owner: verification.owner, region: .korea, language: .korean)
            )
            return SignedIn(session: try #require(signedUp.session), account: signedUp.account)
        }

        /// What the service gives to a browser that is signed in, whatever became of the console's `prompt`.
        func authorize(
            _ device: SignedIn,
            client other: OAuthClient? = nil,
            challenge: String? = nil
        ) async throws -> String {
            let request = AuthorizationRequest(
                client: other ?? client,
                scopes: [.openID, .offlineAccess],
                redirectURI: try #require(RedirectURI(NumberSignInTests.uri)),
                challenge: Array((challenge ?? verifier).utf8),
                nonce: nil
            )
            return try await server.accounts.authorize(request, for: device, from: nil).text
        }

        func comeBack(_ code: String) async throws -> HTTPAnswer {
            try await server.send("GET", place + code, headers: ["Cookie": browser.cookie ?? ""])
        }

        /// That of the device is left of the account's sessions: that of the console has ended.
        func expectOnlyDevice(_ device: SignedIn, _ location: SourceLocation = #_sourceLocation) async throws {
            let sessions = try await server.store.sessions(of: device.account.id, at: server.clock.now(), limit: 9)
            #expect(sessions.map(\.id) == [device.session.id], sourceLocation: location)
        }

        /// Comes back with a code, and keeps the session's cookie.
        mutating func finish(_ code: String) async throws {
            let answer = try await comeBack(code)
            #expect(answer.headers["location"] == "/console", "\(answer.body)")
            let cookies = try #require(answer.headers["set-cookie"])
            #expect(cookies.contains("phoneproof_console_verifier=; Path=/; Max-Age=0"))
            let start = try #require(cookies.firstRange(of: "phoneproof_console=")).lowerBound
            browser.cookie = String(cookies[start...].prefix { $0 != ";" })
        }
    }

    /// What shows that the first verifier is the console's.
    private static let proof = PlainSecretDeriver().derive(.signInStart, from: ["1767225600000", "1"])[0]

    private static func run(_ work: (Desk) async throws -> Void) async throws {
        try await DockServer<Console>.run(settings: settings) { try await work(Desk($0)) }
    }

    @Test func thePageSendsTheBrowserToTheServiceWithAChallengeOfItsOwn() async throws {
        try await Self.run { desk in
            let page = try await desk.browser.get("sign-in")
            #expect(
                page.body.contains(
                    "<a class=\"button plain\" href=\"/console/sign-in/phone\">Sign in with your phone number</a>"
                )
            )
            let answer = try await desk.browser.get("sign-in/phone")
            #expect(answer.status == 303)
            #expect(
                answer.headers["location"]
                    == "https://phone.example/oauth2/authorize?client_id=cli_000000000000000000000000000000c1"
                    + "&redirect_uri=https%3A%2F%2Fconsole.example%2Fconsole%2Fsigned-in&response_type=code"
                    + "&scope=openid%20offline_access&prompt=login"
                    + "&state=\(Array("form 1767225600000.1.\(Self.proof)".utf8).base64URL)"
                    + "&code_challenge=\(Array("1767225600000.1.\(Self.proof)".utf8).base64URL)"
                    + "&code_challenge_method=S256"
            )
            #expect(
                answer.headers["set-cookie"]
                    == "phoneproof_console_verifier=1767225600000.1.\(Self.proof); Path=/; Max-Age=600; HttpOnly; SameSite=Lax"
            )
        }
        // Where nobody does, nothing speaks of it.
        try await ConsoleTests.run { server in
            let page = try await Browser(server).get("sign-in")
            #expect(!page.body.contains("phone number"))
            let answer = try await Browser(server).get("sign-in/phone")
            #expect(answer.status == 403)
        }
    }

    @Test func anOperatorHasTheRoleOfTheListAndIsNamedByTheMaskedNumber() async throws {
        try await Self.run { desk in
            var desk = desk
            try await desk.begin()
            let (device, code) = try await desk.prove("010-1234-5678")
            try await desk.finish(code)
            let page = try await desk.browser.get("person?q=\(device.account.id)")
            #expect(page.body.contains("<span>+82 10-****-5678, support</span>"))
            #expect(page.body.contains("<h2>+82 10-1234-5678<span"))
            let cleared = try await desk.browser.act("person/clear-limits", ["number": "+821012345678"])
            #expect(cleared.status == 303)
            let entry = try #require(try await desk.server.store.entries(AuditQuery(limit: 1)).entries.first)
            #expect(entry.owner == .operator("+82 10-****-5678"))
            #expect(try await desk.browser.act("guard/rule", ["prefix": "+82", "action": "block"]).status == 403)
            #expect(
                desk.server.log.lines.contains {
                    $0.hasPrefix(
                        "notice: signed in to the console [account.id=\(device.account.id) number=+82 10-****-5678"
                    )
                }
            )
            #expect(!desk.server.log.contains("1012345678") && !desk.server.log.contains("1234-5678"))
        }
    }

    @Test func aNumberThatIsNotListedIsRefusedAndItsSessionEnds() async throws {
        try await Self.run { desk in
            var desk = desk
            try await desk.begin()
            let (device, code) = try await desk.prove("010-9999-0000")
            let answer = try await desk.comeBack(code)
            #expect(answer.status == 403)
            #expect(answer.body.contains("This number is not an operator&#39;s."))
            #expect(answer.headers["set-cookie"] == nil)
            try await desk.expectOnlyDevice(device)
        }
    }

    private static let ends: [(what: String, end: @Sendable (Desk, SignedIn) async throws -> Void)] = [
        ("signed out everywhere", { try await act(.signOut, $0, $1) }),
        ("suspended", { try await act(.suspend, $0, $1) }),
        ("deleted", { try await act(.delete, $0, $1) }),
        (
            "another number",
            { try await act(.changeNumber(PhoneNumber(parsing: "010-8765-4321", region: .korea)), $0, $1) }
        ),
        (
            "client revoked",
            { desk, _ in
                let now = desk.server.clock.now()
                let entry = Operator().entry(.revokeClient, desk.client.id.description, at: now)
                _ = try await desk.server.store.changeClient(desk.client.id, audit: entry) { $0.revoke(at: now) }
            }
        ),
        ("four hours", { desk, _ in desk.server.clock.advance(by: .seconds(4 * 3600)) }),
        (
            "signed out of the console",
            { desk, device in
                _ = try await desk.browser.post("sign-out", ["form_token": desk.browser.formToken()])
                try await desk.expectOnlyDevice(device)
            }
        ),
    ]

    private static func act(_ act: ActOnAccount.Act, _ desk: Desk, _ device: SignedIn) async throws {
        _ = try await desk.server.store.act(
            ActOnAccount(
                act,
                on: device.account.id,
                by: Operator(reason: AuditReason("a test")),
                digester: PlainNumberDigester(),
                now: desk.server.clock.now()
            )
        )
    }

    @Test func theSignInEndsWithWhatItWasMadeOf() async throws {
        for (what, end) in Self.ends {
            try await Self.run { desk in
                var desk = desk
                try await desk.begin()
                let (device, code) = try await desk.prove("010-1234-5678")
                try await desk.finish(code)
                // Longer than an access token is valid.
                desk.server.clock.advance(by: .seconds(3 * 3600))
                #expect(try await desk.browser.get("").status == 200, "\(what)")
                let token = try await desk.browser.formToken()
                try await end(desk, device)
                #expect(try await desk.browser.get("").headers["location"] == "/console/sign-in", "\(what)")
                let form = ["form_token": token, "reason": "x", "number": "+821012345678"]
                #expect(
                    try await desk.browser.post("person/clear-limits", form).headers["location"] == "/console/sign-in",
                    "\(what)"
                )
            }
        }
    }

    @Test func aCodeThatIsNotThisBrowsersSignsNobodyIn() async throws {
        try await Self.run { desk in
            var desk = desk
            try await desk.begin()
            let stranger = OAuthClient(
                id: OAuthClient.ID(bits: 0, 0xC2),
                profile: desk.client.profile,
                secretDigest: nil,
                createdAt: desk.server.clock.now()
            )
            try await desk.server.store.execute(.change) { try $0.put(stranger) }
            let (_, code) = try await desk.prove("010-1234-5678")
            let (_, foreign) = try await desk.prove("010-2222-3333", client: stranger)
            let (_, other) = try await desk.prove("010-4444-5555", challenge: "2")
            let (cookie, place) = (try #require(desk.browser.cookie), desk.place)
            // One that begins earlier than ours did.
            let earlier = "1767225599999.1.\(Self.proof)"
            let attempts: [(path: String, cookie: String, status: Int)] = [
                // Somebody else's link: no sign-in has begun here, or another one.
                (place + code, "", 403), (place + code, "phoneproof_console_verifier=2", 403),
                ("/console/signed-in?state=Zm9ybSAy&code=\(code)", cookie, 403),
                ("/console/signed-in?state=Zm9ybSAy&code=\(code)", "phoneproof_console_verifier=2", 403),
                (
                    "/console/signed-in?state=\(Array("form \(earlier)".utf8).base64URL)&code=\(code)",
                    "phoneproof_console_verifier=\(earlier)", 403
                ),
                ("/console/signed-in?code=\(code)", cookie, 403),
                (place + foreign, cookie, 403), (place + other, cookie, 403),
                (place + "ac_x", cookie, 403), (place, cookie, 403),
                (String(place.dropLast("code=".count)) + "error=access_denied", cookie, 403),
            ]
            for (path, cookie, status) in attempts {
                let answer = try await desk.server.send("GET", path, headers: ["Cookie": cookie])
                #expect(answer.status == status, "\(path)")
                #expect(answer.headers["set-cookie"] == nil, "\(path)")
            }
            let begun = cookie
            try await desk.finish(code)
            let again = try await desk.server.send("GET", place + code, headers: ["Cookie": begun])
            #expect(again.status == 403)
            // Somebody has a copy of the code: the session that it had opened ends.
            #expect(try await desk.browser.get("").status == 303)
        }
    }

    /// `prompt=login` can be taken out of the URL that the browser is sent to.
    @Test func aNumberThatWasProvenBeforeTheSignInBeganIsNotEnough() async throws {
        try await Self.run { desk in
            var desk = desk
            let device = try await desk.prove("010-1234-5678")
            desk.server.clock.advance(by: .milliseconds(1))
            try await desk.begin()
            let code = try await desk.authorize(device)
            let answer = try await desk.comeBack(code)
            #expect(answer.status == 403)
            #expect(answer.body.contains("The number was proven before this sign-in began."))
            #expect(answer.headers["set-cookie"] == nil)
            try await desk.expectOnlyDevice(device)
            // Nor is a sign-in that began too long ago.
            let (_, late) = try await desk.prove("010-1234-5678")
            desk.server.clock.advance(by: .seconds(600))
            #expect(try await desk.comeBack(late).status == 403)
        }
    }

    @Test func aSignInTakesThePlaceOfTheBrowsersLastOne() async throws {
        try await Self.run { desk in
            var desk = desk
            try await desk.begin()
            let (device, code) = try await desk.prove("010-1234-5678")
            try await desk.finish(code)
            let before = desk.browser
            let answer = try await before.signIn(desk.server.secret([.admin]))
            #expect(answer.headers["location"] == "/console")
            #expect(try await before.get("").headers["location"] == "/console/sign-in")
            try await desk.expectOnlyDevice(device)
        }
    }

    @Test(arguments: [
        (
            ["CONSOLE_CLIENT": "x"],
            "console.client is 'x'; it must be the ID of a client (cli_…) (or set PHONEPROOF_CONSOLE_CLIENT)"
        ),
        (
            ["CONSOLE_CLIENT": "cli_000000000000000000000000000000c1"],
            "console.client and a list in console.operators must be set together"
        ),
        (
            ["CONSOLE_OPERATORS_VIEWER": "+821012345678"],
            "console.client and a list in console.operators must be set together"
        ),
        (
            ["CONSOLE_OPERATORS_VIEWER": "010-1234-5678"],
            "console.operators.viewer is '010-1234-5678'; it must be phone numbers with + and country code, in quotes "
                + "(or set PHONEPROOF_CONSOLE_OPERATORS_VIEWER)"
        ),
        (
            [
                "CONSOLE_CLIENT": "cli_000000000000000000000000000000c1",
                "CONSOLE_OPERATORS_VIEWER": "+821012345678", "CONSOLE_OPERATORS_OPERATOR": "+821012345678",
            ],
            "console.operators has +82 10-****-5678 twice; list it once"
        ),
        (
            [
                "CONSOLE_CLIENT": "cli_000000000000000000000000000000c1",
                "CONSOLE_OPERATORS_VIEWER": "+821012345678,+821022225678",
            ],
            "console.operators has two numbers that are masked alike, so that the audit log could not distinguish them; "
                + "give one of the two an API key"
        ),
    ])
    func operatorsThatCannotBeDistinguishedAreRefused(settings: [String: String], line: String) throws {
        let environment = Dictionary(uniqueKeysWithValues: settings.map { ("PHONEPROOF_" + $0, $1) })
        let reader = try SettingsReader(file: nil, environment: environment)
        _ = Console(reader)
        let error = #expect(throws: SettingsError.self) { try reader.finish() }
        #expect(error?.lines == [line])
    }
}
