import PhoneDomain
import PhoneTestSupport
import SMSStub
import Testing

@Suite struct SignupPageTests {
    private struct Outage: Error {}

    /// The page with the phone field as a browser has it: the cookie, and the form's token.
    private func begin(_ server: TestServer) async throws -> (cookie: String, token: String) {
        let page = try await server.send("GET", "/signup")
        let cookie = try #require(page.headers["set-cookie"]).prefix { $0 != ";" }
        let token = try #require(page.body.firstMatch(of: /name="form_token" value="([^"]+)"/)?.1)
        return (String(cookie), String(token))
    }

    private func post(_ form: String, _ server: TestServer, cookie: String) async throws -> Answer {
        try await server.send(
            "POST",
            "/signup?x=%26",
            form,
            type: "application/x-www-form-urlencoded",
            headers: ["Cookie": cookie, "Accept-Language": "en"]
        )
    }

    @Test func anOutageHasAPageFromWhichThePersonCanGoOn() async throws {
        try await TestServer.run { server in
            let (cookie, token) = try await begin(server)
            server.store.fail(with: Outage())
            let page = try await post("form_token=\(token)&phone_text=01012345678", server, cookie: cookie)
            #expect(page.status == 503)
            #expect(page.headers["retry-after"] == "5")
            #expect(page.body.contains("<h1>Something went wrong</h1>"))
            #expect(page.body.contains("<a class=\"button\" href=\"signup?x=%26\">Try again</a>"))
            #expect(!page.body.contains("Outage"))
        }
    }

    @Test(arguments: ["", "x", "ew", "Zm9ybSB4"])
    func aFormThatIsOfNoPageIsRefusedAndThePersonCanGoOn(token: String) async throws {
        try await TestServer.run { server in
            let cookie = try await begin(server).cookie
            for form in ["form_token=\(token)&phone_text=01012345678", "phone_text=01012345678"] {
                let page = try await post(form, server, cookie: cookie)
                #expect(page.status == 403)
                #expect(page.body.contains("<a class=\"button\" href=\"signup?x=%26\">Continue</a>"))
            }
            #expect(await server.inbox.messages(to: nil, limit: 1).isEmpty)
        }
    }
}
