import CoreEncodings
import HTTPTypes
import PhoneAccounts
import PhoneDomain
import PhoneHTTP
import PhoneNumbers
import PhoneService
import PhoneSignup
import PhoneStore

/// Codes by text message: to sign in, and for a new number.
extension SupabaseAPI {
    func addSignIn(to router: APIRouter) {
        router
            .post("otp", use: sendCode)
            .post("resend", use: resend)
            .post("verify", use: verify)
    }

    /// All who sign in: an app sends a number and no more, so that all requests for a number's code are one.
    static let owner = Owner.client(of: "supabase", group: "public", id: "apps")

    /// - Parameter isPublic: whether no token of the owner's came with the request.
    private func requestContext(
        _ owner: Owner,
        _ context: APIContext,
        isPublic: Bool = true
    ) -> RequestContext {
        var asked = RequestContext(
            owner: owner,
            region: .world,
            language: service.language,
            address: context.address
        )
        asked.isPublic = isPublic
        return asked
    }

    // MARK: - Sending

    /// One answer whether the number has an account or not: what depends on that comes after the code.
    @Sendable private func sendCode(request: Request, context: APIContext) async throws -> Response {
        let body = try await request.jsonBody()
        let number = try number(in: body)
        let createsUser = try body.flag("create_user") ?? true
        let data = try body.object("data") ?? []
        let metadata = try AccountMetadata.empty.replacing(data)
        let verification = try await begin(number, by: Self.owner, context)
        let isDefault = createsUser && metadata == .empty
        // Of several requests for one code the last counts, as at Supabase.
        if !isDefault || verification.createdAt < verification.sentAt {
            let signup = PendingSignup(
                verificationID: verification.id,
                e164: number.e164,
                createsUser: createsUser,
                data: metadata.json,
                expiresAt: verification.createdAt + Verification.longestLife
            )
            try await available {
                // Repeated requests for a test number cost nothing that limits them: the first counts.
                try await service.store.set(isDefault ? nil : signup, of: verification.id, once: verification.isTest)
            }
        }
        return Response(json: [:])
    }

    /// Sends the same code again, so that the first message is worth something when it comes late.
    @Sendable private func resend(request: Request, context: APIContext) async throws -> Response {
        let body = try await request.jsonBody()
        let type = try CodeType(body)
        let number = try number(in: body)
        switch type {
        case .signIn: try await begin(number, by: Self.owner, context)
        case .numberChange:
            // The same answer if nobody has asked for it.
            if let change = try await changes(to: number, of: request, context).first {
                try await begin(number, by: change.owner, context)
            }
        }
        return Response(json: [:])
    }

    /// Sends a code by which the session gets the number.
    func sendCode(to number: PhoneNumber, for signedIn: SignedIn, _ context: APIContext) async throws -> Verification {
        // Checked first, so that no message is sent for nothing.
        try service.accounts.requireFreshProof(signedIn)
        return try await begin(number, by: .session(signedIn.session.id), context)
    }

    @discardableResult
    func begin(_ number: PhoneNumber, by owner: Owner, _ context: APIContext) async throws -> Verification {
        try await service.verifications.begin(number, context: requestContext(owner, context)).verification
    }

    // MARK: - Checking

    @Sendable private func verify(request: Request, context: APIContext) async throws -> Response {
        let body = try await request.jsonBody()
        let type = try CodeType(body)
        let number = try number(in: body)
        let code = try body.requiredText("token")
        let issued =
            switch type {
            case .signIn: try await signIn(number, code, request, context)
            case .numberChange: try await changeNumber(number, code, request, context)
            }
        return Response(json: try await tokens.session(issued))
    }

    private func signIn(
        _ number: PhoneNumber,
        _ code: String,
        _ request: Request,
        _ context: APIContext
    ) async throws -> IssuedTokens {
        let (store, verifications) = (service.store, service.verifications)
        let id = try await available {
            try await store.liveVerification(of: number, owner: Self.owner, at: now)?.id
        }
        guard let id else { throw PhoneFailure.verificationNotFound }
        let pending = try await available { try await store.find(PendingSignup.self, id) }
        let asked = requestContext(Self.owner, context)
        if pending?.createsUser == false {
            // Only the one who has the phone learns whether there is an account.
            _ = try await verifications.check(code, for: .id(id), CheckOptions(repeatsApproval: false), context: asked)
            let account = try await available { try await store.account(of: number) }
            guard let account, !account.isDue(at: now) else { throw AuthError.signupsDisabled }
        }
        let secret = try makeSecret()
        let options = try options(opening: id, by: secret, request)
        let signedUp = try await verifications.signUp(code, for: id, options, context: asked)
        var issued = try await issue(signedUp, secret)
        if signedUp.isNew, let pending, pending.data != AccountMetadata.empty.json {
            let data = AccountMetadata(json: pending.data)
            let account = try await service.accounts.update(issued.signedIn, from: context.address) { _ in data }
            let changed = SignedUp(account: account, verification: signedUp.verification, session: signedUp.session)
            issued = try await issue(changed, secret)
        }
        return issued
    }

    /// An app sends the code of a new number without its session, as Supabase's libraries do. So the code itself says
    /// which session asked for it: each has one of its own. With the access token of a session only that one counts.
    private func changeNumber(
        _ number: PhoneNumber,
        _ code: String,
        _ request: Request,
        _ context: APIContext
    ) async throws -> IssuedTokens {
        let secret = try makeSecret()
        let isPublic = try await session(of: request) == nil
        var failure = PhoneFailure.verificationNotFound
        for change in try await changes(to: number, of: request, context) {
            let asked = requestContext(change.owner, context, isPublic: isPublic)
            let options = try options(opening: change.id, by: secret, request)
            do throws(PhoneFailure) {
                let accounts = service.accounts
                _ = try await service.verifications.check(code, for: change.id, options, context: asked) {
                    check throws(PhoneFailure) in try await accounts.changeNumber(by: check)
                }
            } catch {
                switch error {
                case .codeIncorrect, .maxChecksReached, .rateLimited, .notSignedIn: failure = error
                default: throw error
                }
                continue
            }
            let opened = try await available {
                try await service.store.signedIn(Session.id(openedBy: change.id))
            }
            guard let opened else { throw PhoneFailure.verificationClosed }
            return try await issue(
                SignedUp(account: opened.account, verification: change, session: opened.session),
                secret
            )
        }
        throw failure
    }

    /// Those that may be meant: with the access token of a session its own; else those that were asked for from the
    /// network of the request, so that nobody completes a stranger's by the code that the stranger had sent to them;
    /// and if there is none, as phones change networks, all.
    private func changes(
        to number: PhoneNumber,
        of request: Request,
        _ context: APIContext
    ) async throws -> [Verification] {
        let changes = try await available { try await service.store.numberChanges(to: number, at: now) }
        if let session = try await session(of: request) { return changes.filter { $0.owner.sessionID == session } }
        guard let network = context.address?.networks.last else { return changes }
        let near = changes.filter { $0.begunFrom?.networks.last == network }
        return near.isEmpty ? changes : near
    }

    /// The session whose access token the request has; an app that knows none sends its key instead.
    private func session(of request: Request) async throws -> Session.ID? {
        guard let token = request.bearerToken else { return nil }
        return try await tokens.subject(of: token)?.1
    }

    /// A code is worth one session, even to a fast reader.
    private func options(
        opening id: Verification.ID,
        by secret: SecretToken,
        _ request: Request
    ) throws(PhoneFailure) -> CheckOptions {
        let opening = try service.accounts.opening(of: id, by: secret, userAgent: request.headers[.userAgent])
        return CheckOptions(repeatsApproval: false, opening: opening)
    }

    private func issue(_ signedUp: SignedUp, _ secret: SecretToken) async throws -> IssuedTokens {
        guard let issued = try await service.accounts.tokens(of: signedUp, by: secret) else {
            throw PhoneFailure.verificationClosed
        }
        return issued
    }

    /// The session's first refresh token is derived from it.
    private func makeSecret() throws(PhoneFailure) -> SecretToken {
        try available { SecretToken(try service.identifiers.makeRandomText()) }
    }

    // MARK: - Bodies

    /// The number in a body that is about nothing but a phone. Supabase Auth takes it with and without its `+`.
    private func number(in body: JSONBody) throws -> PhoneNumber {
        if let email = try body.text("email"), !email.isEmpty { throw AuthError.emailDisabled }
        guard let text = try body.text("phone"), !text.isEmpty else { throw AuthError.noPhone }
        if let channel = try body.text("channel"), channel != "sms" { throw AuthError.otherChannel }
        return try number(text)
    }

    func number(_ text: String) throws -> PhoneNumber {
        let digits = text.utf8.filter { $0 != UInt8(ascii: " ") }.drop { $0 == UInt8(ascii: "+") }
        guard (2...15).contains(digits.count), digits.allSatisfy(\.isASCIIDigit) else { throw AuthError.noE164 }
        return try service.verifications.recipient(in: "+" + String(decoding: digits, as: UTF8.self), region: .world)
    }
}

private enum CodeType: String {
    case signIn = "sms"
    case numberChange = "phone_change"

    init(_ body: JSONBody) throws {
        switch try body.requiredText("type") {
        case "signup", "invite", "magiclink", "recovery", "email_change", "email": throw AuthError.emailDisabled
        case let text:
            guard let type = CodeType(rawValue: text) else { throw AuthError.otherType }
            self = type
        }
    }
}
