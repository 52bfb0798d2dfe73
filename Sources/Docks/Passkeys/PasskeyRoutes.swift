import CoreEncodings
import HTTPTypes
import Logging
import PhoneAccounts
import PhoneDomain
import PhoneHTTP
import PhoneNumbers
import PhoneService
import PhoneSignup
import Texts

/// `/v1/passkeys`: sign-in for apps and pages of their own, and what the owner of an account does with its passkeys.
struct PasskeyRoutes: Sendable {
    let passkeys: PasskeyUseCase
    let accounts: AccountUseCase

    func addRoutes(to router: APIRouter) {
        router.post("sign-in/options") { _, _ in Response(json: try passkeys.requestOptions()) }
        router.post("sign-in", use: signIn)
        let own = router.group().add(SignedInOnly(accounts: accounts))
        own.get(use: list).post(use: register).post("options", use: options)
        own.patch("{id}", use: rename).delete("{id}", use: remove).post("{id}/confirm", use: confirm)
    }

    /// Whatever is wrong, the answer is one: who tries keys learns nothing of them.
    @Sendable private func signIn(request: Request, context: APIContext) async throws -> Response {
        let credential = try await request.jsonBody().credential
        do {
            let issued = try await ceremony {
                try await passkeys.signIn(
                    by: credential,
                    userAgent: request.headers[.userAgent],
                    from: context.address
                )
            }
            let account = issued.signedIn.account
            return Response(
                json: [
                    "account": [
                        "id": .string(account.id.description), "phone_number": .string(account.phoneNumber?.e164),
                        "created_at": .string(account.createdAt.description), "is_new": false,
                    ],
                    "tokens": issued.json(),
                ]
            )
        } catch let fault as CeremonyFault {
            if fault.isOfForm { throw fault.problem }
            context.logger.info("a passkey was refused", metadata: ["passkey.fault": "\(fault)"])
            throw Problem.unauthorized(
                "This passkey does not sign in: it is not known, has ended, or the response is not valid. Sign in with "
                    + "the phone number.",
                message: { $0.passkeys.refused }
            )
        }
    }

    @Sendable private func options(request: Request, context: APIContext) async throws -> Response {
        let signedIn = try context.requireSignedIn()
        return Response(json: try await ceremony { try await passkeys.creationOptions(for: signedIn) })
    }

    @Sendable private func register(request: Request, context: APIContext) async throws -> Response {
        let signedIn = try context.requireSignedIn()
        let body = try await request.jsonBody()
        let name = try body.name ?? PasskeyName(ofDeviceIn: request.headers[.userAgent])
        let credential = try body.credential
        do {
            let passkey = try await ceremony {
                try await passkeys.register(credential, name: name, for: signedIn, from: context.address)
            }
            return Response(.created, json: passkey.json(isValid: true))
        } catch let fault as CeremonyFault {
            throw fault.problem
        }
    }

    @Sendable private func list(request: Request, context: APIContext) async throws -> Response {
        let signedIn = try context.requireSignedIn()
        let all = try await ceremony { try await passkeys.passkeys(of: signedIn) }
        return Response(json: ["passkeys": .array(all.map { $0.passkey.json(isValid: $0.isValid) })])
    }

    @Sendable private func rename(request: Request, context: APIContext) async throws -> Response {
        guard let name = try await request.jsonBody().name else { throw Problem.field("name", "is missing") }
        return try await answer(context) { try await passkeys.rename($0, name, of: $1, from: context.address) }
    }

    @Sendable private func remove(request: Request, context: APIContext) async throws -> Response {
        try await answer(context) { try await passkeys.remove($0, of: $1, from: context.address) }
    }

    @Sendable private func confirm(request: Request, context: APIContext) async throws -> Response {
        try await answer(context) { try await passkeys.confirm($0, of: $1, from: context.address) }
    }

    /// Answers the same for a passkey that never was, one that was removed, and somebody else's.
    private func answer(
        _ context: APIContext,
        _ act: (String, SignedIn) async throws -> Bool
    ) async throws -> Response {
        let signedIn = try context.requireSignedIn()
        let id = context.parameters.get("id") ?? ""
        guard try await ceremony({ try await act(id, signedIn) }) else {
            throw Problem(.notFound, "The account has no such passkey; GET /v1/passkeys lists its passkeys.")
        }
        return Response(status: .noContent)
    }
}

/// What operators do with the passkeys of an account, by a key of the scope `admin`.
struct OperatorRoutes: Sendable {
    let passkeys: PasskeyUseCase

    func addRoutes(to router: APIRouter) { router.get(use: list).post("{id}/remove", use: remove) }

    private func key(of request: Request) async throws -> APIKey {
        guard let token = request.bearerToken, let key = try await passkeys.service.keys.key(of: token) else {
            throw Problem.unauthorized("Send an API key of the scope admin: Authorization: Bearer pk_….")
        }
        guard key.scopes.contains(.admin) else {
            throw Problem(.insufficientScope, "This API key lacks the scope admin.")
        }
        return key
    }

    private func account(_ context: APIContext) throws -> Account.ID {
        guard let id = context.parameters.get("account").flatMap({ Account.ID($0) }) else {
            throw Problem(.notFound, "There is no such account.")
        }
        return id
    }

    @Sendable private func list(request: Request, context: APIContext) async throws -> Response {
        _ = try await key(of: request)
        let all = try await passkeys.passkeys(of: account(context))
        // Whether one still signs in depends on the account, which its own resource has.
        return Response(json: ["items": .array(all.map { $0.json(isValid: nil) }), "next_cursor": nil])
    }

    @Sendable private func remove(request: Request, context: APIContext) async throws -> Response {
        let key = try await key(of: request)
        guard let reason = AuditReason(try await request.jsonBody().requiredText("reason")) else {
            throw Problem.field("reason", AuditReason.requirement)
        }
        let author = Operator(owner: key.owner, reason: reason, from: context.address)
        let id = context.parameters.get("id") ?? ""
        guard try await passkeys.remove(id, of: account(context), by: author) != nil else {
            throw Problem(.notFound, "The account has no such passkey.")
        }
        return Response(status: .noContent)
    }
}

extension CeremonyFault {
    /// Whether it says what is wrong with the request, and nothing of any key.
    var isOfForm: Bool { [.malformed, .type, .origin, .tokenBinding, .relyingParty].contains(self) }

    var problem: Problem { .field("credential", rawValue) }
}

extension JSONBody {
    fileprivate var credential: JSON {
        get throws(Problem) {
            guard let members = try object("credential") else { throw Problem.field("credential", "is missing") }
            return .object(members)
        }
    }

    fileprivate var name: PasskeyName? {
        get throws(Problem) {
            guard let text = try text("name") else { return nil }
            guard let name = PasskeyName(text) else { throw Problem.field("name", PasskeyName.requirement) }
            return name
        }
    }
}

extension Passkey {
    /// - Parameter isValid: false for one that waits for the person's word; nil where that is not looked at.
    func json(isValid: Bool?) -> JSON {
        let state = isValid.map { [JSON.Member("is_valid", .bool($0))] } ?? []
        return .object(
            [JSON.Member("id", .string(credentialID)), JSON.Member("name", .string(name.description))] + state + [
                JSON.Member("is_backed_up", .bool(isBackedUp)),
                JSON.Member("created_at", .string(createdAt.description)),
                JSON.Member("last_used_at", .string(lastUsedAt?.description)),
            ]
        )
    }
}
