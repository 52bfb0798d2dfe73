import CoreEncodings
import HTTPTypes
import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import Texts

// Keys, clients, the audit log, figures, and the service itself.

extension AdminRoutes {
    func addProgramRoutes(to router: APIRouter) {
        router
            .get("keys", use: keys)
            .post("keys", use: act(createKey))
            .post("keys/{id}/revoke", use: act(revokeKey))
            .get("clients", use: clients)
            .post("clients", use: act(createClient))
            .get("clients/{id}", use: client)
            .patch("clients/{id}", use: act(editClient))
            .post("clients/{id}/rotate-secret", use: act(rotateSecret))
            .post("clients/{id}/revoke", use: act(revokeClient))
            .get("audit", use: audit)
            .get("figures", use: figures)
            .get("costs", use: costs)
            .get("health", use: health)
    }

    // MARK: - Keys

    @Sendable private func keys(request: Request, context: APIContext) async throws -> Response {
        let keys = try await administration.store.apiKeys()
        return Response(json: try request.page(of: keys, id: \.id.description).json(\.json))
    }

    @Sendable private func createKey(body: JSONBody, author: Operator, context: APIContext) async throws -> Response {
        guard let name = CallerName(try body.requiredText("name")) else {
            throw Problem.field("name", "must be 1 to 64 letters, digits and - . _ ~")
        }
        let scopes = try body.texts("scopes")?.map { text throws(Problem) in
            guard let scope = APIScope(rawValue: text) else {
                let known = APIScope.allCases.map(\.rawValue).joined(separator: ", ")
                throw Problem.field("scopes", "must be of: \(known)")
            }
            return scope
        }
        let (key, secret) = try await administration.keys.create(
            name: name,
            scopes: scopes.flatMap { $0.isEmpty ? nil : Set($0) } ?? [.verifications],
            by: author
        )
        return Response(.created, json: key.json.adding("secret", .string(secret.text)))
    }

    @Sendable private func revokeKey(body: JSONBody, author: Operator, context: APIContext) async throws -> Response {
        return Response(json: try await administration.revokeKey(context.id("key"), by: author).json)
    }

    // MARK: - Clients

    @Sendable private func clients(request: Request, context: APIContext) async throws -> Response {
        let clients = try await administration.store.clients()
        return Response(json: try request.page(of: clients, id: \.id.description).json(\.json))
    }

    @Sendable private func createClient(body: JSONBody, author: Operator, context: APIContext) async throws -> Response
    {
        guard let name = DisplayName(try body.requiredText("name").inNFC) else { throw Self.invalidName }
        var profile = ClientProfile(name: name, redirectURIs: [])
        try body.apply(to: &profile)
        let isPublic = try body.flag("public") ?? false
        if let fault = profile.fault(isPublic: isPublic) { throw fault }
        let (client, secret) = try await administration.clients.create(profile, isPublic: isPublic, by: author)
        return Response(.created, json: client.json.adding("client_secret", .string(secret?.text)))
    }

    private static let invalidName = Problem.field(
        "name",
        "must be 1 to 30 letters, up to four digits, spaces and simple punctuation"
    )

    @Sendable private func client(request: Request, context: APIContext) async throws -> Response {
        Response(json: try await existingClient(context).json)
    }

    private func existingClient(_ context: APIContext) async throws -> OAuthClient {
        guard let client = try await administration.store.client(context.id("client")) else {
            throw AdministrationFailure.notFound("there is no such client")
        }
        return client
    }

    @Sendable private func editClient(body: JSONBody, author: Operator, context: APIContext) async throws -> Response {
        let client = try await existingClient(context)
        let name = try body.text("name").map { text throws(Problem) in
            guard let name = DisplayName(text.inNFC) else { throw Self.invalidName }
            return name
        }
        // Tried on what is there now, so that a wrong member is a response and no silence.
        var tried = client.profile
        try body.apply(to: &tried)
        if let fault = tried.fault(isPublic: client.isPublic) { throw fault }
        let changed = try await administration.clients.update(client.id, by: author) { profile in
            if let name { profile.name = name }
            try? body.apply(to: &profile)
        }
        return Response(json: (changed ?? client).json)
    }

    @Sendable private func rotateSecret(body: JSONBody, author: Operator, context: APIContext) async throws -> Response
    {
        let client = try await existingClient(context)
        let hours = try body.integer("overlap_hours", in: 0...720) ?? 24
        let overlap: Duration = .seconds(hours * 3600)
        guard
            let (rotated, secret) = try await administration.clients.rotateSecret(
                of: client.id,
                overlap: overlap,
                by: author
            )
        else { throw AdministrationFailure.conflict("the client is public, without a secret, or revoked") }
        return Response(json: rotated.json.adding("client_secret", .string(secret.text)))
    }

    @Sendable private func revokeClient(body: JSONBody, author: Operator, context: APIContext) async throws -> Response
    {
        let client = try await existingClient(context)
        return Response(json: (try await administration.clients.revoke(client.id, by: author) ?? client).json)
    }

    // MARK: - The audit log and figures

    @Sendable private func audit(request: Request, context: APIContext) async throws -> Response {
        var query = AuditQuery(limit: try request.limit())
        query.verificationID = try request.id("verification")
        query.owner = try request.owner("owner")
        query.action = try request.choice("action")
        query.since = try request.moment("since")
        query.until = try request.moment("until")
        if let text = request.query("cursor") {
            guard let serial = Int64(text) else { throw AdministrationFailure.noCursor }
            query.before = serial
        }
        let number = try number(of: request)
        let page = try await administration.entries(query, about: number)
        return Response(json: Page(page.entries, next: page.next.map { String($0) }).json(\.adminJSON))
    }

    @Sendable private func figures(request: Request, context: APIContext) async throws -> Response {
        let rows = try await administration.figures(
            days: request.query("days", in: 1...400, default: 30),
            by: request.choice("by") ?? .day
        )
        return Response(json: try request.page(of: rows, id: \.name).json { $0.figure.json(name: $0.name) })
    }

    @Sendable private func costs(request: Request, context: APIContext) async throws -> Response {
        let rows = try await administration.costs(
            days: request.query("days", in: 1...400, default: 30),
            by: request.choice("by") ?? .country
        )
        let currency = administration.policies.currency
        return Response(
            json: try request.page(of: rows, id: \.name).json { row in
                [
                    "name": .string(row.name), "messages": .integer(row.messages), "approved": .integer(row.approved),
                    "spent": .amount(row.cost), "suppressed": .integer(row.suppressed), "saved": .amount(row.saved),
                    "currency": .string(currency),
                ]
            }
        )
    }

    @Sendable private func health(request: Request, context: APIContext) async throws -> Response {
        let health = try await administration.health()
        return Response(json: [
            "version": .string(PhoneAPI.version),
            "database": [
                "engine": .string(health.store.engine), "schema_version": .integer(health.store.schemaVersion),
                "bytes": .integer(health.store.bytes),
            ],
            "instances": .array(health.instances.map(\.json)),
            "api_keys": [
                "valid": .integer(health.validKeys), "oldest_created_at": .string(health.oldestKey?.description),
            ],
            "encryption_keys": [
                "count": .integer(health.keyFile?.keys), "changed_at": .string(health.keyFile?.changedAt.description),
            ],
            "signing_keys": .array(
                health.signingKeys.map {
                    [
                        "id": .string($0.id.description), "algorithm": .string($0.algorithm.rawValue),
                        "created_at": .string($0.createdAt.description), "ends_at": .string($0.removedAt?.description),
                    ]
                }
            ),
            "overrides": .array(
                health.overrides.map {
                    [
                        "name": .string($0.name), "value": .string($0.value),
                        "since": .string($0.since.description),
                    ]
                }
            ),
            "settings": .array(
                health.settings.map { ["name": .string($0.what), "value": .string($0.value)] }
            ),
            "warnings": .array(health.warnings.map { .string($0) }),
        ])
    }
}

extension JSONBody {
    /// Sets what the body has of a client; the rest stays.
    fileprivate func apply(to profile: inout ClientProfile) throws(Problem) {
        func read<Value>(_ name: String, _ expectation: String, _ parse: (String) -> Value?) throws(Problem) -> [Value]?
        {
            guard let texts = try texts(name) else { return nil }
            let values = texts.compactMap(parse)
            guard values.count == texts.count else { throw Problem.field(name, expectation) }
            return values
        }
        let uri = "must be https URLs, http URLs on this machine, or URIs of an app's own scheme"
        if let uris = try read("redirect_uris", uri, RedirectURI.init) { profile.redirectURIs = uris }
        if let uris = try read("logout_uris", uri, RedirectURI.init) { profile.logoutURIs = uris }
        if let scopes = try read("scopes", "must be names of scopes without spaces", { ClientScope($0) }) {
            profile.scopes = Set(scopes)
        }
        if let origins = try read("frame_ancestors", "must be origins such as https://shop.example", WebOrigin.init) {
            profile.frameAncestors = origins.map(\.description)
        }
        if let algorithm: SigningAlgorithm = try choice("id_token_signed_response_alg") {
            profile.idTokenAlgorithm = algorithm
        }
        if let isRequired = try flag("pkce_required") { profile.requiresPKCE = isRequired }
    }
}

extension ClientProfile {
    /// Why there can be no such client.
    fileprivate func fault(isPublic: Bool) -> Problem? {
        if redirectURIs.isEmpty, scopes.isEmpty {
            return .field("redirect_uris", "is missing: where people return to after signing in; or send scopes")
        }
        if isPublic, !scopes.isEmpty { return .field("scopes", "needs a client with a secret") }
        if isPublic, !requiresPKCE { return .field("pkce_required", "must be true for a public client") }
        return nil
    }
}

extension JSON {
    fileprivate func adding(_ name: String, _ value: JSON) -> JSON {
        .object(members + [JSON.Member(name, value)])
    }
}

extension Instance {
    fileprivate var json: JSON {
        [
            "id": .string(id.description), "host": .string(host), "process": .integer(process),
            "version": .string(version), "started_at": .string(startedAt.description),
            "seen_at": .string(seenAt.description),
        ]
    }
}

extension APIKey {
    fileprivate var json: JSON {
        [
            "id": .string(id.description), "name": .string(name.description),
            "scopes": .array(scopes.map(\.rawValue).sorted().map { .string($0) }),
            "audience": .string(audience), "created_at": .string(createdAt.description),
            "last_used_at": .string(lastUsedAt?.description), "revoked_at": .string(revokedAt?.description),
        ]
    }
}

extension OAuthClient {
    fileprivate var json: JSON {
        [
            "id": .string(id.description), "name": .string(name.description), "public": .bool(isPublic),
            "redirect_uris": .array(profile.redirectURIs.map { .string($0.description) }),
            "logout_uris": .array(profile.logoutURIs.map { .string($0.description) }),
            "frame_ancestors": .array(profile.frameAncestors.map { .string($0) }),
            "scopes": .array(profile.scopes.map(\.rawValue).sorted().map { .string($0) }),
            "id_token_signed_response_alg": .string(profile.idTokenAlgorithm.rawValue),
            "pkce_required": .bool(requiresPKCE), "created_at": .string(createdAt.description),
            "former_secret_ends_at": .string(formerSecret?.endsAt.description),
            "revoked_at": .string(revokedAt?.description),
        ]
    }
}

extension AuditEntry {
    var adminJSON: JSON {
        [
            "at": .string(at.description), "action": .string(action.rawValue), "owner": .string(owner?.rawValue),
            "address": .string(address?.description), "verification_id": .string(verificationID?.description),
            "masked_number": .string(maskedNumber), "region": .string(region?.description),
            "verdict": .string(verdict?.rawValue), "reasons": .array(reasons.map { .string($0.rawValue) }),
            "subject": .string(subject), "reason": .string(reason?.description),
        ]
    }
}

extension DailyFigure {
    fileprivate func json(name: String) -> JSON {
        [
            "name": .string(name), "requested": .integer(requested), "suppressed": .integer(suppressed),
            "sent": .integer(sent), "delivered": .integer(delivered), "checked": .integer(checked),
            "approved": .integer(approved), "signed_up": .integer(signedUp),
            "seconds_to_approval": ["p50": .integer(seconds(percent: 50)), "p95": .integer(seconds(percent: 95))],
            "cost": .amount(cost),
        ]
    }
}
