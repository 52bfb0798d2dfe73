internal import CoreEncodings
public import PhoneNumbers
public import PhoneSignup
internal import Synchronization

/// A guided signup on a server. Numbers are formatted and read on this side, as they are typed; the server decides.
///
/// ```swift
/// let signup = try await client.beginSignup(region: .korea)
/// let viewModel = PhoneViewModel(useCase: signup, phoneText: signup.startText, sentCode: signup.sentCode)
/// ```
public final class RemoteSignup: PhoneUseCase {
    /// What the person is to accept before a code is sent.
    public struct Consent: Hashable, Sendable {
        public let version: String
        /// Whether signing up is refused without.
        public let isRequired: Bool
        public let termsURL, privacyURL: String?
    }

    private struct State {
        var tokens: SessionTokens?
        var error: PhoneProofError?
        var acceptedConsent: String?
    }

    public let id: String
    /// Store it with ``id`` to continue the signup later
    /// (``PhoneProofClient/signup(_:token:region:codeLengths:solver:)``).
    public let token: String
    /// What the phone field starts with: nothing, or of a signup that continues what was typed before.
    public let startText: String
    /// The code that was sent before, of a signup that continues.
    public let sentCode: SentCode?
    public let consent: Consent?
    private let region: Region
    private let codeLengths: ClosedRange<Int>
    private let solver: WorkChallenge.Solver?
    private let client: PhoneProofClient
    private let state = Mutex(State())

    fileprivate init(
        _ body: JSON,
        token: String?,
        _ region: Region,
        _ codeLengths: ClosedRange<Int>,
        _ solver: WorkChallenge.Solver?,
        _ client: PhoneProofClient
    ) throws(PhoneProofError) {
        guard let token = token ?? body["token"]?.string, let id = body["id"]?.string,
            let phoneText = body["state"]?["phone_text"]?.string,
            // It becomes part of a path.
            id.utf8.allSatisfy({ $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "_") })
        else { throw .notUnderstood(status: 200) }
        (self.id, self.token, startText) = (id, token, phoneText)
        (self.region, self.codeLengths, self.solver, self.client) = (region, codeLengths, solver, client)
        consent = body["consent"].flatMap { Consent($0) }
        sentCode = SentCode(body, at: client.now())
    }

    /// The tokens of the account, once the person has signed up: for a ``PhoneProofSession``.
    public var tokens: SessionTokens? { state.withLock { $0.tokens } }

    /// Why the last tap failed, with everything that the server said.
    public var error: PhoneProofError? { state.withLock { $0.error } }

    /// Call when the person has accepted the rules of ``consent``.
    public func acceptConsent() { state.withLock { $0.acceptedConsent = consent?.version } }

    public func phoneText(_ typed: String) -> PhoneText { PhoneText(typed, region: region) }

    public func isCode(_ codeText: String) -> Bool {
        VerificationCode(typed: codeText).map { codeLengths.contains($0.digits.utf8.count) } ?? false
    }

    /// It is not repeated by itself: without a response, nobody knows whether a code is on its way. What the service
    /// asks to be solved is solved, and sent with the request once more.
    public func requestCode(_ request: CodeRequest) async throws(SignupFailure) -> SentCode {
        let fields = [JSON.Member](["phone_text": request.phone.typed, "channel": request.channel?.rawValue])
        let body: JSON
        do throws(SignupFailure) {
            body = try await call("/send", fields, .ifUnavailable)
        } catch {
            guard case .refused(let problem)? = self.error, let work = problem.work,
                let number = await solver?(work)
            else { throw error }
            body = try await call("/send", fields + [JSON.Member("proof", .string(work.proof(number)))], .ifUnavailable)
        }
        guard let sentCode = SentCode(body, request.phone.number, at: client.now()) else {
            throw failure(.notUnderstood(status: 202))
        }
        return sentCode
    }

    public func signUp(_ codeText: String, for sentCode: SentCode) async throws(SignupFailure) -> SignedUpAccount {
        let fields = [JSON.Member](["code_text": codeText, "consent": state.withLock { $0.acceptedConsent }])
        let body = try await call("/sign-up", fields, .ifUnavailable)
        guard let account = body["account"], let id = account["id"]?.string, let isNew = account["is_new"]?.bool
        else { throw failure(.notUnderstood(status: 200)) }
        let now = client.now()
        state.withLock { $0.tokens = body["tokens"].flatMap { SessionTokens($0, at: now) } }
        return SignedUpAccount(id: id, isNew: isNew)
    }

    /// Call after a refusal with the code `account_dormant`, when the person wants a new account instead of the one
    /// that nobody has used for long; then sign up once more with the same code. Your server may decide otherwise, by
    /// an API key and ``id``, until then.
    public func chooseNewAccount() async throws(SignupFailure) {
        _ = try await call("/dormant-account", [JSON.Member("decision", "new_account")], .always)
    }

    private func call(
        _ path: String,
        _ fields: [JSON.Member],
        _ repetition: PhoneProofClient.Repetition
    ) async throws(SignupFailure) -> JSON {
        state.withLock { $0.error = nil }
        do throws(PhoneProofError) {
            let path = "/v1/signups/\(id)\(path)"
            return try await client.call("POST", path, token: token, fields: fields, repetition: repetition)
        } catch {
            throw failure(error)
        }
    }

    private func failure(_ error: PhoneProofError) -> SignupFailure {
        state.withLock { $0.error = error }
        guard case .refused(let problem) = error else { return SignupFailure(.unavailable) }
        return SignupFailure(
            problem.code,
            message: problem.message ?? problem.detail,
            retryAt: problem.retryAfter.map { client.now() + $0 },
            sentCode: problem.signup.flatMap { SentCode($0, at: client.now()) }
        )
    }
}

extension PhoneProofClient {
    /// - Parameters:
    ///   - region: where numbers without a calling code are at home.
    ///   - codeLengths: of the service's codes, where they are not of six digits.
    ///   - reference: by which its operator finds the verification, 1 to 64 characters.
    ///   - tags: at most 8 values by key, for the operator's figures.
    ///   - solver: of what the service asks to be solved while somebody abuses it; without one such a request fails.
    public func beginSignup(
        region: Region,
        codeLengths: ClosedRange<Int> = 6...6,
        reference: String? = nil,
        tags: [String: String] = [:],
        solver: WorkChallenge.Solver? = nil
    ) async throws(PhoneProofError) -> RemoteSignup {
        let fields = [JSON.Member](["region": region.description, "locale": language, "reference": reference])
        let body = try await call(
            "POST",
            "/v1/signups",
            fields: fields + [JSON.Member](tags: tags),
            repetition: .always
        )
        return try RemoteSignup(body, token: nil, region, codeLengths, solver, self)
    }

    /// A signup that was begun before, in an app that was ended meanwhile.
    public func signup(
        _ id: String,
        token: String,
        region: Region,
        codeLengths: ClosedRange<Int> = 6...6,
        solver: WorkChallenge.Solver? = nil
    ) async throws(PhoneProofError) -> RemoteSignup {
        let body = try await call("GET", "/v1/signups/\(id.percentEncoded)", token: token, repetition: .always)
        return try RemoteSignup(body, token: token, region, codeLengths, solver, self)
    }
}

/// A proof of work by ALTCHA's protocol, version 1 (https://altcha.org/docs/v2/proof-of-work/): the number from 0 to
/// ``maxNumber`` whose digits, behind the salt, have this SHA-256.
public struct WorkChallenge: Hashable, Sendable {
    /// Returns the number, or nil if there is none.
    public typealias Solver = @Sendable (WorkChallenge) async -> Int?

    /// The hash to find a number for, in hexadecimal.
    public let challenge: String
    public let salt, signature: String
    public let maxNumber: Int

    init?(_ body: JSON) {
        guard body["kind"]?.string == "proof_of_work", body["algorithm"]?.string == Self.algorithm,
            let challenge = body["challenge"]?.string, let salt = body["salt"]?.string,
            let signature = body["signature"]?.string, let maxNumber = body["maxnumber"]?.integer
        else { return nil }
        (self.challenge, self.salt, self.signature, self.maxNumber) = (challenge, salt, signature, maxNumber)
    }

    private static let algorithm = "SHA-256"

    func proof(_ number: Int) -> String {
        let proof: JSON = [
            "algorithm": .string(Self.algorithm), "challenge": .string(challenge), "number": .integer(number),
            "salt": .string(salt), "signature": .string(signature),
        ]
        return TextEncoding.base64.encode(Array(proof.text.utf8))
    }
}

extension RemoteSignup.Consent {
    fileprivate init?(_ body: JSON) {
        guard let version = body["version"]?.string, let isRequired = body["is_required"]?.bool else { return nil }
        (self.version, self.isRequired) = (version, isRequired)
        (termsURL, privacyURL) = (body["terms_url"]?.string, body["privacy_url"]?.string)
    }
}

extension SentCode {
    /// - Parameters:
    ///   - signup: nil is returned if no code was sent.
    ///   - number: where a number of the response is in no plan that is known here.
    fileprivate init?(_ signup: JSON, _ number: PhoneNumber? = nil, at now: Timestamp) {
        guard let verification = signup["verification"], let id = verification["id"]?.string,
            let number = verification["phone_number"]?.string.flatMap({ try? PhoneNumber(e164: $0) }) ?? number
        else { return nil }
        let channel = verification["channel"]?.string.flatMap(Channel.init)
        let channels = signup["state"]?["channels"]?.array?.compactMap { $0.string.flatMap(Channel.init) }
        let checksLeft = verification["checks_left"]?.integer
        let nextSendAt = Timestamp(verification, "next_send_at", secondsIn: "next_send_in", from: now)
        let expiresAt = Timestamp(verification, "expires_at", secondsIn: "expires_in", from: now)
        // Then nothing is sent before the code expires, whatever the cooldown is.
        let isUsedUp = checksLeft == 0 || verification["sends_left"]?.integer == 0
        self.init(
            id: id,
            number: number,
            channel: channel,
            channels: channels ?? [],
            resendableFrom: isUsedUp ? [nextSendAt, expiresAt].compactMap { $0 }.max() : nextSendAt,
            expiresAt: expiresAt,
            checksLeft: checksLeft,
            isOpen: checksLeft != 0 && ["pending", "approved"].contains(verification["status"]?.string ?? "pending")
        )
    }
}

extension Timestamp {
    /// The moment that a server states. Where it states the seconds until then, our clock and the server's need not
    /// agree.
    init?(_ object: JSON, _ name: String, secondsIn waitName: String, from now: Timestamp) {
        if let wait = object[waitName]?.integer.flatMap(Duration.init(seconds:)) {
            self = now + wait
        } else {
            guard let rfc3339 = object[name]?.string else { return nil }
            self.init(rfc3339: rfc3339)
        }
    }
}
