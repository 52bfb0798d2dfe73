import CoreEncodings
import HTTPTypes
import PhoneAccounts
import PhoneDomain
import PhoneNumbers
import PhoneSignup

/// The account, for its owner, whom ``SignedInOnly`` has authenticated.
struct AccountRoutes: Sendable {
    let accounts: AccountUseCase
    let clock: any WallClock

    func addRoutes(to router: APIRouter) {
        router
            .get(use: show)
            .patch(use: edit)
            .delete(use: requestDeletion)
            .get("export", use: export)
    }

    @Sendable private func show(request: Request, context: APIContext) throws -> Response {
        Response(json: try context.requireSignedIn().account.json())
    }

    @Sendable private func edit(request: Request, context: APIContext) async throws -> Response {
        let signedIn = try context.requireSignedIn()
        let patch = try await request.jsonBody(types: ["application/json", Self.mergePatch]).requiredObject("metadata")
        let account = try await accounts.update(signedIn, from: context.address) { metadata throws(PhoneFailure) in
            try metadata.merged(with: patch)
        }
        return Response(json: try account.json())
    }

    @Sendable private func requestDeletion(request: Request, context: APIContext) async throws -> Response {
        let account = try await accounts.requestDeletion(of: context.requireSignedIn(), from: context.address)
        return Response(.accepted, json: try account.json())
    }

    @Sendable private func export(request: Request, context: APIContext) async throws -> Response {
        let signedIn = try context.requireSignedIn()
        let data = try await accounts.personalData(of: signedIn)
        return Response(
            json: try data.json(for: signedIn.session.id, at: clock.now()),
            headers: [.contentDisposition: Self.disposition]
        )
    }

    /// RFC 7396 section 4.
    private static let mergePatch = "application/merge-patch+json"

    private static let disposition = #"attachment; filename="phoneproof-account.json""#
}

extension Account {
    func json() throws(Problem) -> JSON {
        let json: JSON = [
            "id": .string(id.description),
            "phone_number": .string(phoneNumber?.e164),
            "national_format": .string(phoneNumber?.nationalFormat),
            "phone_number_verified": .bool(phoneNumber != nil),
            "phone_number_since": .string(phoneNumberSince.description),
            "created_at": .string(createdAt.description),
            "last_active_at": .string(lastActiveAt.description),
            "metadata": try metadata.value(),
            "deletion_due_at": .string(deletionDueAt?.description),
            "consent": consent.map { consent -> JSON in
                ["version": .string(consent.version), "accepted_at": .string(consent.acceptedAt.description)]
            } ?? .null,
        ]
        return externalID.map { json.adding("external_id", .string($0.description)) } ?? json
    }

    /// The account as a program sees it that decides whose it is.
    func dormantJSON() throws(Problem) -> JSON {
        [
            "id": .string(id.description),
            "created_at": .string(createdAt.description),
            "last_active_at": .string(lastActiveAt.description),
            "metadata": try metadata.value(),
        ]
    }
}

extension AccountMetadata {
    /// - Throws: ``Problem`` if the stored text is not JSON, which only a fault of the store can cause.
    func value() throws(Problem) -> JSON {
        guard let value = JSON(parsing: json) else {
            throw .internalError(cause: "the metadata of an account is no JSON")
        }
        return value
    }

    /// - Throws: ``PhoneFailure/invalidMetadata(_:)`` if the result exceeds a limit.
    func merged(with patch: JSON) throws(PhoneFailure) -> AccountMetadata {
        let kept: JSON
        do throws(Problem) {
            kept = try value()
        } catch {
            throw .unavailable(cause: error.cause ?? error.detail)
        }
        let changed = kept.merged(with: patch)
        guard changed.depth <= Self.maxDepth else { throw .invalidMetadata(.tooDeep) }
        let text = changed.text
        guard text.utf8.count <= Self.maxByteCount else { throw .invalidMetadata(.tooLong) }
        return AccountMetadata(json: text)
    }
}
