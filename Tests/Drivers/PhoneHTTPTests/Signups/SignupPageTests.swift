import PhoneDomain
import PhoneHTTP
import PhoneNumbers
import PhoneStore
import PhoneTestSupport
import SMSStub
import Testing

@Suite struct SignupPageTests {
    /// The page's own words, without a script: the box is under the number, and what is wrong under the box.
    @Test(arguments: [
        ("en", "I agree to the <a href=\"https://ace.example/terms\"", "Agree to the terms to continue."),
        ("ko", "</a>에 동의합니다.", "계속하려면 약관에 동의해 주세요."),
    ])
    func consentIsABoxThatMustBeTicked(language: String, label: String, refusal: String) async throws {
        var accountPolicy = AccountPolicy.standard
        accountPolicy.consent = ConsentPolicy(version: "v2", isRequired: true)
        let identity = PageIdentity(terms: RedirectURI("https://ace.example/terms"))
        try await TestServer.run(accountPolicy: accountPolicy, pageIdentity: identity) { server in
            let browser = try await Browser(server)
            func send(_ form: String) async throws -> Answer { try await browser.post(form, language: language) }
            for form in ["action=send&phone_text=01012345678", "action=send&phone_text=01012345678&consent=v1"] {
                let refused = try await send(form)
                #expect(refused.status == 422)
                #expect(refused.body.contains(#"value="01012345678""#))
                #expect(refused.body.contains(#"required autofocus aria-invalid="true" aria-describedby="no-consent""#))
                #expect(refused.body.contains(#"id="no-consent" role="alert">\#(refusal)</p>"#))
                #expect(refused.body.contains(label))
                // Said once, and of the box alone.
                #expect(refused.body.contains(#"<p class="note" id="alert"></p>"#))
                #expect(!refused.body.contains("<footer>"))
            }
            // What is wrong with the number is said beside it.
            let both = try await send("action=send&phone_text=0101")
            #expect(both.body.contains(#"id="no-consent" role="alert">\#(refusal)</p>"#))
            #expect(both.body.contains(#"<p class="note alert" role="alert" id="alert">"#))
            #expect(both.body.contains(#"autofocus dir="ltr" aria-invalid="true" aria-describedby="alert""#))
            #expect(await server.inbox.messages(to: nil, limit: 1).isEmpty)
            #expect(try await send("action=send&phone_text=01012345678&consent=v2").status == 303)
            let number = try await server.send("GET", "/signup?step=number", headers: ["Cookie": browser.cookie])
            #expect(number.body.contains(#"value="v2" data-missing="\#(refusal)" checked"#))
            #expect(try await send("action=check&code_text=\(TestServer.code)").status == 303)
            let account = try await server.store.account(of: PhoneNumber(e164: "+821012345678"))
            #expect(account?.consent?.version == "v2")
        }
    }

    @Test func aNoticeIsALineAndWhoGoesOnAccepts() async throws {
        var accountPolicy = AccountPolicy.standard
        accountPolicy.consent = ConsentPolicy(version: "v2", isRequired: false)
        let identity = PageIdentity(
            terms: RedirectURI("https://ace.example/terms"),
            privacy: RedirectURI("https://ace.example/privacy")
        )
        try await TestServer.run(accountPolicy: accountPolicy, pageIdentity: identity) { server in
            let browser = try await Browser(server)
            let page = try await server.send("GET", "/signup", headers: ["Accept-Language": "en"])
            #expect(page.body.contains(#"<p class="small rules">By continuing, you agree to the <a href="#))
            #expect(page.body.contains("Terms of Service</a> and <a"))
            #expect(!page.body.contains("checkbox"))
            for form in ["action=send&phone_text=01012345678", "action=check&code_text=\(TestServer.code)"] {
                #expect(try await browser.post(form).status == 303)
            }
            let account = try await server.store.account(of: PhoneNumber(e164: "+821012345678"))
            #expect(account?.consent?.version == "v2")
        }
    }

    @Test func anOutageHasAPageFromWhichThePersonCanGoOn() async throws {
        try await TestServer.run { server in
            let browser = try await Browser(server)
            server.store.fail(with: Outage())
            let page = try await browser.post("phone_text=01012345678", to: "/signup?x=%26")
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
            let browser = try await Browser(server)
            for form in ["form_token=\(token)&phone_text=01012345678", "phone_text=01012345678"] {
                let page = try await browser.postAsIs(form, to: "/signup?x=%26")
                #expect(page.status == 403)
                #expect(page.body.contains("<a class=\"button\" href=\"signup?x=%26\">Continue</a>"))
            }
            #expect(await server.inbox.messages(to: nil, limit: 1).isEmpty)
        }
    }
}
