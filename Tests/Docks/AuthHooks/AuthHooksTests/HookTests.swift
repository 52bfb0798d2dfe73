import CoreEncodings
import DockTestSupport
import OpenSSLCrypto
import PhoneDomain
import PhoneNumbers
import PhoneService
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

@testable import AuthHooks

/// Bodies as each server sends them, with values of our own; the source of each is at ``AuthServer``.
@Suite struct HookTests {
    typealias Server = DockServer<AuthHooks>

    static let text = "482913 is your code"
    static let bodies: [(server: AuthServer, body: String, text: String?, language: String, address: String?)] = [
        (
            .supabase,
            """
            {"metadata":{"uuid":"3e7d","time":"2026-01-01T00:00:00.123Z","name":"send-sms","ip_address":"203.0.113.7"},
             "user":{"id":"8a4f","phone":"821099998888","new_phone":"","app_metadata":{},"identities":[]},
             "sms":{"otp":"482913","phone":"821012345678"}}
            """, nil, "ko", "203.0.113.7"
        ),
        (
            .auth0,
            """
            {"from":"Shop","action":"second-factor-authentication","language":"en_US","recipient":"+821012345678",
             "message_type":"sms","text":"482913 is your code","code":"482913"}
            """, "{{code}} is your code", "en-US", nil
        ),
        (
            .auth0,
            """
            {"recipient":"+82 1012345678","body":"482913 is your code","sender":"+82 2","req":{"ip":"203.0.113.7"}}
            """, "{{code}} is your code", "ko", "203.0.113.7"
        ),
        (
            .logto,
            """
            {"to":"821012345678","type":"SignIn","payload":{"code":"482913","locale":"en","uiLocales":"en ko"},
             "ip":"2001:db8::1"}
            """, nil, "en", "2001:db8::/64"
        ),
        (
            .zitadel,
            """
            {"args":{"code":"","oTP":"482913","expiry":300000000000,"lastPhone":"+821012345678","userID":"32"},
             "contextInfo":{"eventType":"session.otp.sms.challenged","provider":{"id":"30","description":"ours"},
             "recipientPhoneNumber":"+821012345678"},
             "templateData":{"text":"482913 \\u0026 done\\n\\n@auth.example #482913","primaryColor":"#5282C1"}}
            """, "{{code}} & done\n\n@auth.example #{{code}}", "ko", nil
        ),
        (
            .authentik,
            #"{"From":"Shop","To":"+82 10-1234-5678","Body":"482913","Message":"482913 is your code"}"#,
            "{{code}} is your code", "ko", nil
        ),
        (
            .kratos,
            """
            {"recipient":"+821012345678","template_type":"login_code_valid","to":"+821012345678","recovery_code":null,
             "verification_code":null,"subject":"","body":"Your code is: 482913\\n\\n@auth.example #482913"}
            """, "Your code is: {{code}}\n\n@auth.example #{{code}}", "ko", nil
        ),
        (
            .kratos, #"{"to":"+821012345678","type":"login_code_valid","text":"482913 is your code","login":"482913"}"#,
            "{{code}} is your code", "ko", nil
        ),
        (
            .fusionauth,
            """
            {"code":"482913","phoneNumber":"+821012345678","textMessage":"482913 is your code","type":"SMS",
             "userId":"0f8e"}
            """, "{{code}} is your code", "ko", nil
        ),
        (
            .generic, #"{"text":"Acme 2026: 482913 is your code","to":"+821012345678","from":"Keycloak"}"#,
            "Acme 2026: {{code}} is your code", "ko", nil
        ),
    ]

    @Test(arguments: bodies.indices)
    func `each server's request sends its code, and a repetition sends no second message`(index: Int) async throws {
        let (name, body, text, language, address) = Self.bodies[index]
        try await Server.open { server in
            for _ in 1...2 {
                let answer = try await server.post(name, body)
                #expect(answer.status == 200, "\(answer.body)")
                #expect(answer.headers["content-type"] == "application/json")
                #expect(answer.body == "{}")
            }
            #expect(await server.store.acts == ["begin \(address ?? "-")"])
            #expect(await server.store.outbox.map { $0.wording?.text?.description } == [text])
            let message = try #require(await server.store.outbox.first)
            let verification = try #require(try await server.store.verification(message.verificationID))
            #expect(verification.language.description == language)
            #expect(String(decoding: verification.code.ciphertext, as: UTF8.self) == "482913")
            // The code is nowhere as it is.
            #expect(await server.store.outbox.allSatisfy { $0.wording?.rawText.contains("482913") != true })
            #expect(!server.log.lines.joined().contains("482913"))
            // The server makes a new code for a person who asks again.
            server.clock.advance(by: .seconds(30))
            let next = try await server.post(name, body.replacing("482913", with: "111222"))
            #expect(next.body == "{}")
            #expect(await server.store.outbox.count == 2)
        }
    }

    @Test func `of many repetitions at once one message comes`() async throws {
        try await Server.open { server in
            let statuses = try await atOnce(8) { _ in try await server.post(.generic, Self.bodies[9].body).status }
            #expect(statuses.contains(200) && Set(statuses).isSubset(of: [200, 503]))
            #expect(await server.store.outbox.count == 1)
        }
    }

    @Test(arguments: AuthServer.allCases)
    func `without its proof nothing is sent`(name: AuthServer) async throws {
        let (_, body, _, _, _) = try #require(Self.bodies.first { $0.server == name })
        try await Server.open { server in
            let proof = try server.proof(name, body)
            var forged: [[String: String]] = [[:]]
            switch name.proof {
            case .standardWebhooks:
                forged += [
                    try server.proof(name, body + " "), proof.merging(["webhook-id": "other"]) { $1 },
                    proof.merging(["webhook-signature": "v1,"]) { $1 }, proof.merging(["webhook-signature": ""]) { $1 },
                    proof.merging(["webhook-timestamp": "1e9"]) { $1 },
                    try server.proof(name, body, at: -301), try server.proof(name, body, at: 301),
                ]
            case .timestampedHMAC:
                forged += [
                    try server.proof(name, body + " "), ["ZITADEL-Signature": "t=1767225600"],
                    ["ZITADEL-Signature": "v1=" + String(repeating: "0", count: 64)],
                    try server.proof(name, body, at: -301), try server.proof(name, body, at: 301),
                ]
            case .secret:
                forged += [
                    ["Authorization": "Bearer x"], ["Authorization": "Bearer "], ["Authorization": ""],
                    ["Authorization": "Bearer " + Server.secret.dropLast()], ["X-API-Key": ""],
                    ["Authorization": "Basic " + Array("user:x".utf8).base64],
                ]
            }
            for headers in forged {
                let path = "/v1/hooks/\(name)"
                for path in [path, path + "/approvals"] {
                    let answer = try await server.send("POST", path, body, headers: headers)
                    #expect(answer.status == 401, "\(headers)")
                }
            }
            #expect(await server.store.outbox.isEmpty)
        }
    }

    @Test func `a captured request sends nothing as long as its signature is valid`() async throws {
        let (name, body, _, _, _) = Self.bodies[0]
        try await Server.open { server in
            let headers = try server.proof(name, body, at: 299)
            let report = try await server.send("POST", "/v1/hooks/\(name)/approvals", body, headers: headers)
            #expect(report.status == 400)
            var statuses: [Int] = []
            for _ in 1...7 {
                statuses.append(try await server.send("POST", "/v1/hooks/\(name)", body, headers: headers).status)
                server.clock.advance(by: .seconds(100))
            }
            #expect(statuses == [200, 200, 200, 200, 200, 200, 401])
            #expect(await server.store.outbox.count == 1)
        }
    }

    @Test func `the secret is accepted in each form that servers send, and a second one while it changes`() async throws
    {
        let body = Self.bodies[9].body
        let secrets = "another-secret-of-old\n Token of the hook \n" + Server.secret
        try await Server.open(["GENERIC_SECRET": secrets]) { server in
            let basic = { (text: String) in ["Authorization": "Basic " + Array(text.utf8).base64] }
            for headers in [
                ["Authorization": Server.secret], ["Authorization": "Bearer another-secret-of-old"],
                ["Authorization": "Token of the hook"],
                basic("anybody:" + Server.secret), ["X-API-Key": Server.secret],
            ] {
                let answer = try await server.send("POST", "/v1/hooks/generic", body, headers: headers)
                #expect(answer.status == 200)
            }
        }
    }

    @Test func `the vectors of the signatures`() throws {
        let body = Array(#"{"a":1}"#.utf8)
        let webhook = try #require(
            HookProof("v1,whsec_YXV0aGhvb2tzLXZlY3Rvci1rZXktMDAwMDAwMDAwMDA=", .standardWebhooks)
        )
        #expect(
            try webhook.signature(
                "5b0c2f0e-8d1a-4c57-9b7e-3f6a0d2c9e11.1790000000.",
                body
            ) == "z6sFeOALk4ELbhP3ULbUzZtjgd3EqZYXRrtRw5+TFqw="
        )
    }

    @Test func `what was refused is answered as each server shows it`() async throws {
        // The number's cooldown, a landline, and a store that fails.
        func expected(_ name: AuthServer) -> [(status: Int, body: String)] {
            switch name {
            case .supabase: [429, 422, 503].map { (200, #"{"error":{"http_code":\#($0),"message":""#) }
            case .zitadel, .kratos: [(200, "{}"), (200, "{}"), (503, #"{"error":""#)]
            case .logto, .authentik: [(429, ""), (422, ""), (503, "")]
            case .auth0, .fusionauth, .generic: [429, 422, 503].map { ($0, #"{"error":""#) }
            }
        }
        for name in AuthServer.allCases {
            let (_, body, _, _, _) = try #require(Self.bodies.first { $0.server == name })
            try await Server.open { server in
                #expect(try await server.post(name, body).body == "{}")
                let landline = ["821012345678", "82 10-1234-5678", "82 1012345678"]
                    .reduce(body) { $0.replacing($1, with: "8223123456") }
                for (request, expected) in zip(
                    [body.replacing("482913", with: "111222"), landline, body.replacing("482913", with: "333444")],
                    expected(name)
                ) {
                    if expected.status == 503 || expected.body.contains("503") {
                        server.store.fail(with: CancellationError())
                    }
                    let answer = try await server.post(name, request)
                    #expect(answer.status == expected.status, "\(name): \(answer.body)")
                    #expect(answer.body.hasPrefix(expected.body) && answer.body.count >= 2, "\(name): \(answer.body)")
                    let isText = name == .logto || name == .authentik
                    #expect(
                        answer.headers["content-type"] == (isText ? "text/plain; charset=utf-8" : "application/json")
                    )
                    #expect(answer.headers["retry-after"] == nil)
                }
            }
        }
    }

    /// Releases of Supabase Auth without `metadata` would take an error of status 200 for success.
    @Test func `an old server gets the refusal by a status`() async throws {
        let body = #"{"user":{"phone":"821012345678"},"sms":{"otp":"482913","phone":"8223123456"}}"#
        try await Server.open { server in
            let answer = try await server.post(.supabase, body)
            #expect(answer.status == 400)
            // Before `sms.phone` the number to send to cannot be told.
            let older = #"{"user":{"phone":"821012345678"},"sms":{"otp":"482913"}}"#
            let second = try await server.post(.supabase, older)
            #expect(second.status == 400)
            #expect(await server.store.outbox.isEmpty)
        }
    }

    @Test(arguments: [
        "", "{", "[]", "null", #"{"to":null,"text":"482913"}"#, #"{"to":821012345678,"text":"482913"}"#,
        #"{"to":["+821012345678"]}"#,
        #"{"to":"+821012345678"}"#, #"{"to":"+821012345678","verification_code":"482913"}"#,
        #"{"to":"+821012345678","code":"12"}"#, #"{"to":"+821012345678","code":"AJY3X9"}"#,
    ])
    func `what is no request of a hook is an error`(body: String) async throws {
        try await Server.open { server in
            let answer = try await server.post(.generic, body)
            #expect(answer.status == 400)
            #expect(await server.store.outbox.isEmpty)
        }
    }

    /// A body that has a code, or may have one, is no notice.
    private static let unreadable =
        [
            "123456", "123456.0", "1e5", "true", "null", "{}", #"{"value":"482913"}"#, #"["482913"]"#, "\"\"",
            #""482-913""#, #""482 913""#, #""４８２９１３""#,
        ].map { #""code":\#($0)"# }
        + [#""otp":482913"#, #""text":482913"#, #""text":["482913"]"#, "\"text\":\"\""]
        + [
            "Acme code: 482-913", "Code 482 913 for Acme", "Your code is A1B2C3", "482.913", #"482\u00a0913"#,
            "482-9130", "４８２-９１３", "4 8 2 9 1 3", "Changed on 2026-11-28", "4️⃣8️⃣2️⃣9️⃣", "①②③④",
        ].map { #""text":"\#($0)""# }
        + [#""code":null,"text":"Your password was changed""#, #""code":12345,"text":"482913 is your code""#]

    @Test(arguments: unreadable)
    func `a code that cannot be read is an error, and no success`(members: String) async throws {
        try await Server.open { server in
            let answer = try await server.post(.generic, #"{"to":"+821012345678",\#(members)}"#)
            #expect(answer.status == 400)
            #expect(answer.body.hasPrefix(#"{"error":"the"#), "\(answer.body)")
            #expect(await server.store.outbox.isEmpty)
        }
    }

    @Test func `a number in place of a code is read where a text shows its zeros`() async throws {
        try await Server.open { server in
            let body = #"{"to":"+821012345678","code":42913,"text":"042913 is your code"}"#
            let answer = try await server.post(.generic, body)
            #expect(answer.body == "{}")
            #expect(await server.store.outbox.map(\.wording?.text?.description) == ["{{code}} is your code"])
        }
    }

    @Test func `a text goes out composed, as a person sees it`() async throws {
        try await Server.open { server in
            let text = "[\u{110B}\u{1166}\u{110B}\u{1175}\u{1109}\u{1173}] co\u{301}digo 482913"
            let answer = try await server.post(.generic, #"{"to":"+821012345678","text":"\#(text)"}"#)
            #expect(answer.body == "{}")
            let sent = await server.store.outbox.compactMap(\.wording?.text?.description.unicodeScalars.count)
            #expect(sent == ["[에이스] código {{code}}".unicodeScalars.count])
        }
    }

    @Test func `a repetition is no success while the first has no answer`() async throws {
        try await Server.open { server in
            let body = Self.bodies[9].body
            // The first is then being sent.
            server.store.interrupt {
                let answer = try await server.post(.generic, body)
                #expect(answer.status == 503)
            }
            let first = try await server.post(.generic, body)
            #expect(!server.store.isInterruptionPending)
            let third = try await server.post(.generic, body)
            #expect([first.status, third.status] == [200, 200])
            #expect(await server.store.outbox.count == 1)
        }
    }

    @Test func `a notice without a code is taken and not sent, and forms are read as well`() async throws {
        try await Server.open { server in
            let notice = #"{"to":"+821012345678","text":"Your password was changed"}"#
            #expect(try await server.post(.generic, notice).body == "{}")
            #expect(await server.store.outbox.isEmpty)
            let form = try await server.send(
                "POST",
                "/v1/hooks/generic",
                "to=%2B821012345678&text=482913+is+your+code",
                type: "application/x-www-form-urlencoded",
                headers: ["Authorization": Server.secret]
            )
            #expect(form.body == "{}")
            #expect(await server.store.outbox.map(\.wording?.text?.description) == ["{{code}} is your code"])
        }
    }

    /// The plain catalog's messages have 160 bytes.
    @Test(arguments: [
        String(repeating: "a", count: 160) + "482913", "482-913 \\u0007 482913", "４８２９１３ is your code",
        "482913 or {{code}}", "482913 \\u202eevil", "482913\\u200b", "482913\\u2028line",
    ])
    func `a text that cannot go out as it is gives way to the service's own`(text: String) async throws {
        try await Server.open { server in
            let body = #"{"to":"+821012345678","code":"482913","text":"\#(text)"}"#
            let answer = try await server.post(.generic, body)
            #expect(answer.body == "{}")
            #expect(await server.store.outbox.map(\.wording) == [nil])
        }
    }

    @Test func `pumping by a hook buys no more than natively, and approvals that are reported open the prefix`()
        async throws
    {
        let policy = try VerificationPolicy(resendCooldowns: [.zero])
        func bought(_ ask: (Server, String) async throws -> Bool) async throws -> Int {
            var count = 0
            try await Server.open(policy: policy) { server in
                for serial in 0..<100 {
                    if try await ask(server, "+8210123400\(serial < 10 ? "0" : "")\(serial)") { count += 1 }
                }
            }
            return count
        }
        let natively = try await bought { server, number in
            let context = RequestContext(owner: .local, region: .korea, language: .korean)
            let number = try server.useCase.phoneNumber(in: number, region: .world)
            return (try? await server.useCase.begin(number, context: context)) != nil
        }
        let byHook = try await bought { server, number in
            try await server.post(.generic, #"{"to":"\#(number)","code":"482913"}"#).status == 200
        }
        #expect(natively == 20)
        #expect(byHook == natively)
        let byPeople = try await bought { server, number in
            let sent = try await server.post(.generic, #"{"to":"\#(number)","code":"482913"}"#).status == 200
            let headers = ["Authorization": Server.secret]
            let path = "/v1/hooks/generic/approvals"
            let reported = try await server.send("POST", path, #"{"to":"\#(number)"}"#, headers: headers)
            return sent && reported.status == 200
        }
        #expect(byPeople == 100)
    }

    @Test(arguments: ["GENERIC_SECRET": "short", "SUPABASE_SECRET": "v1,whsec_!", "ZITADEL_SECRET": "x"])
    func `a secret that is none is an error of the settings`(key: String, value: String) async throws {
        await #expect(throws: SettingsError.self) { try await Server.open([key: value]) { _ in } }
    }

    @Test func `a hook without a secret is not there`() async throws {
        try await Server.run { server in
            for name in AuthServer.allCases {
                let answer = try await server.send("POST", "/v1/hooks/\(name)", "{}")
                #expect(answer.status == 404)
            }
        }
    }
}

extension DockServer<AuthHooks> {
    static var secret: String { "a-secret-of-the-hook" }
    static var whsec: String { "v1,whsec_YXV0aGhvb2tzLXZlY3Rvci1rZXktMDAwMDAwMDAwMDA=" }

    static func open(
        _ more: [String: String] = [:],
        policy: VerificationPolicy = .standard,
        _ work: (DockServer) async throws -> Void
    ) async throws {
        var settings = ["SUPABASE_SECRET": whsec]
        for name in AuthServer.allCases where name != .supabase {
            settings[name.rawValue.uppercased() + "_SECRET"] = secret
        }
        settings.merge(more) { $1 }
        let variables = settings.map { ("PHONEPROOF_AUTH_HOOKS_" + $0.key, $0.value) }
        try await run(policy: policy, settings: Dictionary(uniqueKeysWithValues: variables), work)
    }

    func post(_ name: AuthServer, _ body: String) async throws -> Answer {
        try await send("POST", "/v1/hooks/\(name)", body, headers: proof(name, body))
    }

    /// What the server would prove it by, `seconds` later.
    func proof(_ name: AuthServer, _ body: String, at seconds: Int64 = 0) throws -> [String: String] {
        let time = (clock.now().milliseconds / 1000) + seconds
        let proof = try #require(HookProof(name == .supabase ? Self.whsec : Self.secret, name.proof))
        switch name.proof {
        case .standardWebhooks:
            let signature = try proof.signature("5b0c.\(time).", Array(body.utf8))
            return [
                "webhook-id": "5b0c", "webhook-timestamp": "\(time)", "webhook-signature": "v1,AAA, v1,\(signature)",
            ]
        case .timestampedHMAC:
            let signature = try proof.signature("\(time).", Array(body.utf8))
            return ["ZITADEL-Signature": "t=\(time),v1=\(signature)"]
        case .secret: return ["Authorization": "Bearer " + Self.secret]
        }
    }
}

extension HookProof {
    /// By the first secret, in the form of its kind.
    func signature(_ head: String, _ body: [UInt8]) throws -> String {
        let bytes = try OpenSSLRequestAuthenticator().hmacSHA256(of: Array(head.utf8) + body, key: secrets[0])
        return proof == .standardWebhooks ? bytes.base64 : TextEncoding.hexadecimal.encode(bytes)
    }
}
