import CoreEncodings
import DockTestSupport
import PhoneDomain
import PhoneHTTP
import PhoneService
import PhoneStore
import PhoneTestSupport
import Testing

@testable import SupabaseAuth

/// Keys, errors, bodies, other sites, and what there is not.
@Suite struct RequestTests {
    @Test func errorsHaveTheFormOfTheVersionThatIsAskedFor() async throws {
        try await SupabaseServer.open { server in
            let body = #"{"phone":"+82101234","create_user":true}"#
            let message = "Invalid phone number format (E.164 required)"
            let new = try await server.call("POST", "/otp", body)
            #expect(new.status == 400)
            #expect(new.body == #"{"code":"validation_failed","message":"\#(message)"}"#)
            #expect(new.headers["x-supabase-api-version"] == "2024-01-01")
            #expect(new.headers["x-sb-error-code"] == "validation_failed")
            for version in ["", "2023-12-31", "1"] {
                let headers = ["apikey": SupabaseServer.key, "X-Supabase-Api-Version": version]
                let old = try await server.call("POST", "/otp", body, headers: headers)
                #expect(old.body == #"{"code":400,"error_code":"validation_failed","msg":"\#(message)"}"#)
                #expect(old.headers["x-supabase-api-version"] == nil)
                #expect(old.headers["x-sb-error-code"] == "validation_failed")
            }
        }
    }

    @Test func onlyTheKeysOfAppsAreServed() async throws {
        try await SupabaseServer.open { server in
            let body = #"{"phone":"\#(SupabaseServer.number)"}"#
            for key in [nil, "", "another", SupabaseServer.key + "x", "sb_publishable_te\u{17F}t"] {
                for (method, path) in [("POST", "/otp"), ("GET", "/user"), ("GET", "/settings"), ("POST", "/token")] {
                    let answer = try await server.call(method, path, body, headers: key.map { ["apikey": $0] } ?? [:])
                    #expect(answer.status == 401)
                    #expect(answer.headers["x-sb-error-code"] == "no_authorization")
                }
            }
            #expect(try await server.call("POST", "/otp", body, headers: ["apikey": "old-key-1"]).body == "{}")
            for path in ["/health", "/.well-known/openid-configuration"] {
                #expect(try await server.call("GET", path, headers: [:]).status == 200)
            }
        }
    }

    @Test(arguments: [
        ("", "400", "bad_json"), ("{", "400", "bad_json"), ("[]", "400", "validation_failed"),
        (#"{"phone":1}"#, "400", "validation_failed"), (#"{"phone":null}"#, "400", "validation_failed"),
        (#"{"phone":"+821012345678","create_user":"no"}"#, "400", "validation_failed"),
        (#"{"phone":"+821012345678","data":[1]}"#, "400", "validation_failed"),
        (#"{"phone":"+8210１２３４5678"}"#, "400", "validation_failed"), (#"{"phone":"+"}"#, "400", "validation_failed"),
        (#"{"phone":"+8202312345678901234567"}"#, "400", "validation_failed"),
        (#"{"phone":"+821012345678","channel":"whatsapp"}"#, "400", "validation_failed"),
        (#"{"email":"a@b.kr"}"#, "422", "email_provider_disabled"),
        (#"{"phone":"+82212345678"}"#, "422", "sms_send_failed"),
        (#"{"phone":"+821012345678","data":"# + String(repeating: #"{"a":"#, count: 100) + "}", "400", "bad_json"),
    ])
    func whatCannotBeIsRefused(_ body: String, _ status: String, _ code: String) async throws {
        try await SupabaseServer.open { server in
            let answer = try await server.call("POST", "/otp", body)
            #expect(answer.error == [status, code])
            #expect(try await server.store.backlog().count == 0)
        }
    }

    @Test(arguments: [
        ("POST", "/signup", #"{"phone":"+821012345678","password":"x"}"#, "422", "phone_provider_disabled"),
        ("POST", "/signup", "{}", "422", "anonymous_provider_disabled"),
        ("POST", "/signup", #"{"email":"a@b.kr","password":"x"}"#, "422", "email_provider_disabled"),
        ("POST", "/token?grant_type=password", #"{"phone":"+821012345678"}"#, "422", "phone_provider_disabled"),
        ("POST", "/token?grant_type=id_token", "{}", "400", "provider_disabled"),
        ("POST", "/token?grant_type=web3", "{}", "422", "web3_provider_disabled"),
        ("POST", "/token", "{}", "400", "invalid_credentials"),
        ("POST", "/recover", "{}", "422", "email_provider_disabled"),
        ("GET", "/authorize?provider=kakao", "", "400", "provider_disabled"),
        ("POST", "/factors", "{}", "422", "mfa_totp_enroll_not_enabled"),
        ("POST", "/factors/x/verify", "{}", "422", "mfa_totp_enroll_not_enabled"),
        ("POST", "/sso", "{}", "404", "saml_provider_disabled"), ("GET", "/admin/users", "", "403", "not_admin"),
        ("POST", "/verify", #"{"type":"magiclink","token":"1","email":"a@b.kr"}"#, "422", "email_provider_disabled"),
        ("POST", "/verify", #"{"type":"x","token":"1","phone":"+821012345678"}"#, "400", "validation_failed"),
        ("POST", "/verify", #"{"type":"sms","token":123456,"phone":"+821012345678"}"#, "400", "validation_failed"),
        ("GET", "/nothing", "", "404", "not_found"), ("DELETE", "/otp", "", "405", "validation_failed"),
    ])
    func whatThereIsNotIsSaid(
        _ method: String,
        _ path: String,
        _ body: String,
        _ status: String,
        _ code: String
    ) async throws {
        try await SupabaseServer.open { server in
            let answer = try await server.call(method, path, body)
            #expect(answer.error == [status, code])
        }
    }

    @Test func theWaitForTheNextCodeIsSaid() async throws {
        try await SupabaseServer.open { server in
            try await server.sendCode()
            let answer = try await server.call("POST", "/otp", #"{"phone":"\#(SupabaseServer.number)"}"#)
            #expect(answer.error == ["429", "over_sms_send_rate_limit"])
            #expect(
                answer.text("message")
                    == "For security purposes, you can only request this after \(answer.headers["retry-after"] ?? "") seconds."
            )
        }
    }

    @Test func pagesOfAllowedSitesSendWhatTheLibrarySends() async throws {
        let page = "https://shop.example"
        let origins = CrossOrigins([try #require(WebOrigin(page))])
        try await SupabaseServer.open(origins: origins) { server in
            let preflight = [
                "Origin": page, "Access-Control-Request-Method": "POST",
                "Access-Control-Request-Headers":
                    "apikey,authorization,content-type,x-client-info,x-supabase-api-version",
            ]
            let asked = try await server.call("OPTIONS", "/otp", headers: preflight)
            #expect(asked.status == 204)
            #expect(asked.headers["access-control-allow-origin"] == page)
            #expect(
                asked.headers["access-control-allow-headers"]
                    == "Authorization, Content-Type, X-Request-Id, Traceparent, Tracestate, apikey, X-Client-Info, "
                    + "X-Supabase-Api-Version"
            )
            let refused = try await server.call("POST", "/otp", "{}", headers: ["Origin": page])
            #expect(refused.status == 401)
            #expect(refused.headers["access-control-allow-origin"] == page)
            #expect(
                refused.headers["access-control-expose-headers"]?.hasSuffix("X-Supabase-Api-Version, X-Sb-Error-Code")
                    == true
            )
            let other = try await server.call("POST", "/otp", "{}", headers: ["Origin": "https://evil.example"])
            #expect(other.headers["access-control-allow-origin"] == nil)
        }
    }

    @Test func itIsOffUnlessItIsSetAndNeedsAKey() throws {
        func errors(_ environment: [String: String]) throws -> String {
            let reader = try SettingsReader(file: nil, environment: environment)
            _ = SupabaseAuth(reader)
            do throws(SettingsError) {
                try reader.finish()
                return ""
            } catch {
                return "\(error)"
            }
        }
        #expect(try errors([:]) == "")
        #expect(
            try errors(["PHONEPROOF_SUPABASE_ENABLED": "true"])
                .contains("supabase.enabled is true, which needs supabase.api_keys: a key that your apps send")
        )
        #expect(
            try errors(["PHONEPROOF_SUPABASE_ENABLED": "true", "PHONEPROOF_SUPABASE_API_KEYS": "short"])
                .contains("supabase.api_keys is 'short'")
        )
    }
}
