import PhoneDomain
import PhoneTestSupport
import Testing

@Suite struct DiscoveryTests {
    @Test func publishesItsKeys() async throws {
        try await TestServer.run { server in
            let answer = try await server.send("GET", "/.well-known/jwks.json")
            #expect(answer.status == 200)
            #expect(answer.headers["content-type"] == "application/jwk-set+json")
            #expect(answer.headers["cache-control"] == "public, max-age=600")
            #expect(
                answer.body == """
                    {"keys":[{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",\
                    "y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0","kid":"sig_0123456789abcdef0000000000000001",\
                    "use":"sig","alg":"ES256"}]}
                    """
            )
        }
    }

    @Test(arguments: ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"])
    func publishesWhereItsKeysAre(path: String) async throws {
        try await TestServer.run { server in
            let answer = try await server.send("GET", path)
            #expect(answer.status == 200)
            #expect(answer.headers["content-type"] == "application/json")
            #expect(answer.headers["cache-control"] == "public, max-age=600")
            #expect(
                answer.body == """
                    {"issuer":"https://phone.example","jwks_uri":"https://phone.example/.well-known/jwks.json",\
                    "authorization_endpoint":"https://phone.example/oauth2/authorize",\
                    "token_endpoint":"https://phone.example/oauth2/token",\
                    "token_endpoint_auth_methods_supported":["client_secret_basic","client_secret_post","none"],\
                    "device_authorization_endpoint":"https://phone.example/oauth2/device_authorization",\
                    "userinfo_endpoint":"https://phone.example/oauth2/userinfo",\
                    "revocation_endpoint":"https://phone.example/oauth2/revoke",\
                    "revocation_endpoint_auth_methods_supported":["client_secret_basic","client_secret_post","none"],\
                    "end_session_endpoint":"https://phone.example/oauth2/logout",\
                    "grant_types_supported":["authorization_code","refresh_token","client_credentials",\
                    "urn:ietf:params:oauth:grant-type:device_code"],\
                    "response_types_supported":["code"],"response_modes_supported":["query"],\
                    "code_challenge_methods_supported":["S256"],\
                    "authorization_response_iss_parameter_supported":true,"request_parameter_supported":false,\
                    "request_uri_parameter_supported":false,\
                    "display_values_supported":["page","popup"],\
                    "prompt_values_supported":["none","login","consent","select_account","create"],\
                    "scopes_supported":["openid","phone","profile","offline_access"],\
                    "claims_supported":["sub","iss","aud","exp","iat","auth_time","amr","nonce","sid",\
                    "preferred_username","phone_number","phone_number_verified"],"ui_locales_supported":["en","ko","ar","pt-BR","fr","de","hi","id","ja","zh-Hans","es","vi"],\
                    "subject_types_supported":["public"],"id_token_signing_alg_values_supported":["RS256","ES256"],\
                    "claims_parameter_supported":false}
                    """
            )
        }
    }

    @Test func anyPageCanLoadTheComponent() async throws {
        try await TestServer.run { server in
            let answer = try await server.send("GET", "/embed.js")
            #expect(answer.status == 200)
            #expect(answer.headers["content-type"] == "text/javascript; charset=utf-8")
            #expect(answer.headers["cache-control"] == "public, max-age=3600")
            #expect(answer.headers["access-control-allow-origin"] == "*")
            #expect(answer.headers["cross-origin-resource-policy"] == "cross-origin")
            #expect(
                answer.body.hasPrefix(
                    """
                    const issuer = "https://phone.example", labels = {"en":"Sign in with your phone number",\
                    "ko":"휴대폰 번호로 로그인",
                    """
                )
            )
            #expect(answer.body.contains("\"zh\":\"手机号登录\"") && answer.body.utf8.count < 9000)
            let tag = try #require(answer.headers["etag"])
            let unchanged = try await server.send("GET", "/embed.js", headers: ["If-None-Match": tag])
            #expect((unchanged.status, unchanged.body) == (304, ""))
            #expect(unchanged.headers["access-control-allow-origin"] == "*")
        }
    }

    @Test func anIssuerMayHaveAPathAndEndInASlash() async throws {
        try await TestServer.run(issuer: "https://shop.example/phone/") { server in
            let answer = try await server.send("GET", "/.well-known/openid-configuration")
            #expect(answer.text("issuer") == "https://shop.example/phone/")
            #expect(answer.text("jwks_uri") == "https://shop.example/phone/.well-known/jwks.json")
        }
    }

    @Test(arguments: [
        "/.well-known/jwks.json", "/.well-known/openid-configuration", "/.well-known/oauth-authorization-server",
    ])
    func pagesOfAnySiteMayRead(path: String) async throws {
        try await TestServer.run(servesLocalCallers: false) { server in
            for method in ["GET", "HEAD"] {
                let answer = try await server.send(method, path, headers: ["Origin": "https://anybody.example"])
                #expect(answer.status == 200)
                #expect(answer.headers["access-control-allow-origin"] == "*")
                #expect(answer.headers["access-control-allow-credentials"] == nil)
                #expect(answer.headers["cross-origin-resource-policy"] == "cross-origin")
                #expect(answer.body.isEmpty == (method == "HEAD"))
            }
            let refused = try await server.send("POST", path)
            #expect(refused.status == 405)
            #expect(refused.headers["allow"] == "GET, HEAD, OPTIONS")
            #expect(refused.headers["access-control-allow-origin"] == nil)
            #expect(refused.headers["cross-origin-resource-policy"] == "same-origin")
        }
    }

    @Test func saysSoWhileTheKeysCannotBeHad() async throws {
        try await TestServer.run(publisher: PlainPublisher(keys: nil)) { server in
            let answer = try await server.send("GET", "/.well-known/jwks.json")
            answer.expect(503, code: "unavailable")
            #expect(answer.headers["cache-control"] == "no-store")
            #expect(server.log.lines.contains { $0.contains("error.cause=Outage()") })
        }
    }
}
