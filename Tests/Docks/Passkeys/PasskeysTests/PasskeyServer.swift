import CoreEncodings
import DockTestSupport
import PhoneAccounts
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

@testable import Passkeys

typealias Server = DockServer<Passkeys>

/// A person with a phone, signed in by a code.
struct Person {
    /// That of the key of the first number.
    static let keyID = Array("key of 010-1234-5678".utf8).base64URL

    let server: Server
    let number: String
    let signedIn: SignedIn
    var token: String

    var account: Account { signedIn.account }

    init(_ server: Server, _ number: String = "010-1234-5678") async throws {
        (self.server, self.number) = (server, number)
        let context = RequestContext(owner: .local, region: .korea, language: .english)
        let begun = try await server.useCase.begin(PhoneNumber(parsing: number, region: .korea), context: context)
        let secret = SecretToken("secret of \(number) \(begun.verification.id)")
        let opening = try server.accounts.opening(of: begun.verification.id, by: secret, userAgent: nil)
        let options = CheckOptions(opening: opening)
        let signedUp = try await server.useCase.signUp("314159", for: begun.verification.id, options, context: context)
        let tokens = try #require(try await server.accounts.tokens(of: signedUp, by: secret))
        (signedIn, token) = (tokens.signedIn, tokens.accessToken.text)
    }

    /// - Returns: the answer to a request of this person's.
    func send(_ method: String, _ path: String, _ body: String? = nil) async throws -> Server.Answer {
        try await server.send(method, "/v1/passkeys\(path)", body, headers: ["Authorization": "Bearer \(token)"])
    }

    /// A minute later.
    func changeNumber(to text: String = "010-5555-6666") async throws {
        server.clock.advance(by: .seconds(60))
        let context = RequestContext(owner: .session(signedIn.session.id), region: .korea, language: .english)
        let number = try PhoneNumber(parsing: text, region: .korea)
        let id = try await server.useCase.begin(number, context: context).verification.id
        _ = try await server.useCase.check("314159", for: id, context: context) { check throws(PhoneFailure) in
            try await server.accounts.changeNumber(by: check)
        }
    }

    func challenge() async throws -> String { try #require(try await send("POST", "/options").text("challenge")) }

    func register(_ credential: JSON) async throws -> Server.Answer {
        try await send("POST", "", (["credential": credential] as JSON).text)
    }

    func register(_ device: SoftAuthenticator) async throws -> Server.Answer {
        try await register(device.create(challenge()))
    }

    /// The device with a key of this person's.
    func device() async throws -> SoftAuthenticator {
        var device = SoftAuthenticator()
        (device.id, device.userHandle) = (Array("key of \(number)".utf8), account.id.bytes)
        let registered = try await register(device)
        #expect(registered.status == 201, "\(registered.body)")
        return device
    }

    func passkeys() async throws -> [Passkey] {
        try await server.store.all(Passkey.self, "WHERE account_id = \(account.id)")
    }
}

extension DockServer<Passkeys> {
    /// Whatever is wrong with a key.
    static var sameRefusal: String {
        json(
            """
            {"type":"urn:phoneproof:problem:unauthorized",
            "title":"Unauthorized",
            "status":401,
            "detail":"This passkey does not sign in: it is not known, has ended, or the response is not valid. Sign in with the phone number.",
            "code":"unauthorized",
            "message":"That passkey doesn't work here. Sign in with your phone number."}
            """
        )
    }

    static func run(
        _ more: [String: String] = [:],
        recycling: AccountPolicy.Recycling = .signIn,
        _ work: (Server) async throws -> Void
    ) async throws {
        var policy = AccountPolicy.standard
        policy.recycling = recycling
        let settings = ["PHONEPROOF_PASSKEYS_ENABLED": "true"].merging(more) { $1 }
        try await run(accountPolicy: policy, settings: settings, work)
    }

    /// With a person whose device has a key.
    ///
    /// - Parameter afterChange: what becomes of it when the number changes.
    static func withPasskey(
        afterChange: String = "end",
        recycling: AccountPolicy.Recycling = .signIn,
        _ work: (Server, Person, SoftAuthenticator) async throws -> Void
    ) async throws {
        let settings = ["PHONEPROOF_PASSKEYS_AFTER_NUMBER_CHANGE": afterChange]
        try await run(settings, recycling: recycling) { server in
            let person = try await Person(server)
            try await work(server, person, person.device())
        }
    }

    func challenge() async throws -> String {
        try #require(try await send("POST", "/v1/passkeys/sign-in/options").text("challenge"))
    }

    func signIn(_ credential: JSON, headers: [String: String] = [:]) async throws -> Answer {
        try await send("POST", "/v1/passkeys/sign-in", (["credential": credential] as JSON).text, headers: headers)
    }

    func signIn(_ device: SoftAuthenticator) async throws -> Answer { try await signIn(device.get(challenge())) }

    func signIn(_ device: SoftAuthenticator, from address: String) async throws -> Int {
        try await signIn(device.get(challenge()), headers: ["X-Forwarded-For": address]).status
    }
}
