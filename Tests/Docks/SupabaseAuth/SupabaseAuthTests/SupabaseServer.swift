import CoreEncodings
import DockTestSupport
import OpenSSLCrypto
import PhoneDomain
import PhoneHTTP
import PhoneService
import PhoneSignup
import PhoneTestSupport
import Synchronization
import Testing

@testable import SupabaseAuth

/// The code of the first request for one is `100000`, of the next `100001`; a repeated request sends the code of the
/// first.
typealias SupabaseServer = DockServer<SupabaseAuth>

extension DockServer<SupabaseAuth> {
    static var key: String { "sb_publishable_test" }
    static var number: String { "+821012345678" }

    static func open(
        abusePolicy: AbusePolicy = AbusePolicy(limits: .none, trafficGuard: .standard, testNumbers: .none),
        accountPolicy: AccountPolicy = .standard,
        origins: CrossOrigins = .none,
        _ work: (DockServer) async throws -> Void
    ) async throws {
        try await run(
            abusePolicy: abusePolicy,
            accountPolicy: accountPolicy,
            settings: ["PHONEPROOF_SUPABASE_ENABLED": "true", "PHONEPROOF_SUPABASE_API_KEYS": "old-key-1,\(key)"],
            origins: origins,
            proxies: TrustedProxies(blocks: [try #require(AddressBlock("127.0.0.1"))], header: .xForwardedFor),
            vault: CountingCodeVault(),
            tokens: { store, clock in
                let tokens = JWTAccessTokens(
                    issuer: "https://phone.example",
                    audience: "phone",
                    store: store,
                    sealer: PlainSecretSealer(),
                    clock: clock
                )
                return (tokens, tokens)
            },
            work
        )
    }

    /// Sends a request as the libraries do, with the key of the app.
    ///
    /// - Parameters:
    ///   - token: nil for the app's key, which they send before anybody has signed in.
    ///   - address: whence it comes.
    func call(
        _ method: String,
        _ path: String,
        _ body: String? = nil,
        token: String? = nil,
        address: String = "203.0.113.7",
        headers: [String: String] = ["apikey": key, "X-Supabase-Api-Version": "2024-01-01"]
    ) async throws -> Answer {
        let standard = ["Authorization": "Bearer " + (token ?? Self.key), "X-Forwarded-For": address]
        return try await send(
            method,
            "/auth/v1" + path,
            body ?? "",
            type: "application/json;charset=UTF-8",
            headers: headers.merging(standard) { own, _ in own }
        )
    }

    /// Asks for a code. After an hour, so that no wait is in the way.
    func sendCode(to number: String = number, _ members: String = "") async throws {
        clock.advance(by: .seconds(3600))
        let answer = try await call("POST", "/otp", #"{"phone":"\#(number)"\#(members)}"#)
        #expect(answer.status == 200, "\(answer.body)")
        #expect(answer.body == "{}")
    }

    func verify(
        _ code: String,
        _ number: String = number,
        type: String = "sms",
        token: String? = nil,
        address: String = "203.0.113.7"
    ) async throws -> Answer {
        let body = #"{"phone":"\#(number)","token":"\#(code)","type":"\#(type)"}"#
        return try await call("POST", "/verify", body, token: token, address: address)
    }

    /// Signs somebody in with the next code, which must be this one.
    func signIn(_ code: String, _ number: String = number, _ members: String = "") async throws -> Tokens {
        try await sendCode(to: number, members)
        let answer = try await verify(code, number)
        #expect(answer.status == 200, "\(answer.body)")
        return try #require(Tokens(answer))
    }

    struct Tokens {
        let access: String
        let refresh: String
        let json: JSON

        init?(_ answer: Answer) {
            guard let access = answer.text("access_token"), let refresh = answer.text("refresh_token") else {
                return nil
            }
            (self.access, self.refresh, json) = (access, refresh, answer.json)
        }

        var claims: JSON? {
            let part = access.split(separator: ".")[1]
            return [UInt8](.base64URL, part.utf8).flatMap { JSON(parsing: String(decoding: $0, as: UTF8.self)) }
        }
    }
}

extension HTTPAnswer {
    var json: JSON { JSON(parsing: body) ?? .null }
    /// The status and the error's code.
    var error: [String] { ["\(status)", json["code"]?.string ?? body] }
}

/// Codes that count up from 100000, without cryptography.
private final class CountingCodeVault: CodeVault {
    private let last = Mutex(99_999)

    func makeCode(length: Int) throws -> VerificationCode {
        let code = last.withLock { last in
            last += 1
            return last
        }
        return try #require(VerificationCode("\(code)"))
    }

    func seal(_ code: VerificationCode, for context: CodeContext) -> SealedCode {
        FixedCodeVault(code: code).seal(code, for: context)
    }

    func matches(_ code: VerificationCode, _ sealed: SealedCode, for context: CodeContext) -> Bool {
        FixedCodeVault(code: code).matches(code, sealed, for: context)
    }

    func open(_ sealed: SealedCode, for context: CodeContext) throws -> VerificationCode {
        try FixedCodeVault(code: #require(VerificationCode("100000"))).open(sealed, for: context)
    }
}
