import CoreEncodings
import HTTPTypes
import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneSignup
import Texts

// Keys, clients, the audit log, figures, and the service itself.

extension AdminRoutes {
    func addProgramRoutes(to router: APIRouter) {
        router
            .get("keys", use: read(keys))
            .post("keys", use: act(createKey, .created))
            .post("keys/{id}/revoke", use: act(revokeKey))
            .get("clients", use: read(clients))
            .post("clients", use: act(createClient, .created))
            .get("clients/{id}", use: read(client))
            .patch("clients/{id}", use: act(editClient))
            .post("clients/{id}/rotate-secret", use: act(rotateSecret))
            .post("clients/{id}/revoke", use: act(revokeClient))
            .get("audit", use: read(audit))
            .get("figures", use: read(figures))
            .get("costs", use: read(costs))
            .get("health", use: read(health))
            .post("reload", use: act { try await administration.reloadSettings(by: $0.author).json })
    }

    // MARK: - Keys

    @Sendable private func keys(request: Request, context: APIContext) async throws -> JSON {
        let keys = try await administration.apiKeys()
        return try page(of: keys, request, id: \.id.description).json(\.json)
    }

    @Sendable private func createKey(_ act: Act) async throws -> JSON {
        guard let name = CallerName(try act.body.requiredText("name")) else {
            throw Problem.field("name", "must be 1 to 64 letters, digits and - . _ ~")
        }
        let scopes = try act.body.texts("scopes")?.map { text throws(Problem) in
            guard let scope = APIScope(rawValue: text) else {
                let known = APIScope.allCases.map(\.rawValue).joined(separator: ", ")
                throw Problem.field("scopes", "must be of: \(known)")
            }
            return scope
        }
        let (key, secret) = try await administration.keys.create(
            name: name,
            scopes: scopes.flatMap { $0.isEmpty ? nil : Set($0) } ?? [.verifications],
            by: act.author
        )
        return key.json.adding("secret", .string(secret.text))
    }

    @Sendable private func revokeKey(_ act: Act) async throws -> JSON {
        let now = administration.now
        let key = try await administration.revokeKey(act.context.id("key"), by: act.author)
        return key.json.adding("changed", .bool(key.revokedAt.map { $0 >= now } ?? false))
    }

    // MARK: - Clients

    @Sendable private func clients(request: Request, context: APIContext) async throws -> JSON {
        let clients = try await administration.oauthClients()
        return try page(of: clients, request, id: \.id.description).json(\.json)
    }

    @Sendable private func createClient(_ act: Act) async throws -> JSON {
        guard let name = DisplayName(try act.body.requiredText("name").inNFC) else { throw Self.invalidName }
        var profile = ClientProfile(name: name, redirectURIs: [])
        try act.body.apply(to: &profile)
        let isPublic = try act.body.flag("public") ?? false
        if let fault = profile.fault(isPublic: isPublic) { throw fault }
        let (client, secret) = try await administration.clients.create(profile, isPublic: isPublic, by: act.author)
        return client.json.adding("client_secret", .string(secret?.text))
    }

    private static let invalidName = Problem.field(
        "name",
        "must be 1 to 30 letters, up to four digits, spaces and simple punctuation"
    )

    @Sendable private func client(request: Request, context: APIContext) async throws -> JSON {
        try await existingClient(context).json
    }

    private func existingClient(_ context: APIContext) async throws -> OAuthClient {
        try await administration.oauthClient(context.id("client"))
    }

    @Sendable private func editClient(_ act: Act) async throws -> JSON {
        let client = try await existingClient(act.context)
        let name = try act.body.text("name").map { text throws(Problem) in
            guard let name = DisplayName(text.inNFC) else { throw Self.invalidName }
            return name
        }
        // Tried on what is there now, so that a wrong member is a response and no silence.
        var tried = client.profile
        try act.body.apply(to: &tried)
        if let fault = tried.fault(isPublic: client.isPublic) { throw fault }
        let changed = try await administration.clients.update(client.id, by: act.author) { profile in
            if let name { profile.name = name }
            try? act.body.apply(to: &profile)
        }
        return (changed ?? client).json.adding("changed", .bool((changed ?? client).profile != client.profile))
    }

    @Sendable private func rotateSecret(_ act: Act) async throws -> JSON {
        let client = try await existingClient(act.context)
        let hours = try act.body.integer("overlap_hours", in: 0...720) ?? 24
        let overlap: Duration = .seconds(hours * 3600)
        guard
            let (rotated, secret) = try await administration.clients.rotateSecret(
                of: client.id,
                overlap: overlap,
                by: act.author
            )
        else {
            throw AdministrationFailure.conflict(
                client.isPublic ? "\(client.name) is a public client, without a secret" : "\(client.name) is revoked"
            )
        }
        return rotated.json.adding("client_secret", .string(secret.text))
    }

    @Sendable private func revokeClient(_ act: Act) async throws -> JSON {
        let client = try await existingClient(act.context)
        let revoked = try await administration.clients.revoke(client.id, by: act.author) ?? client
        return revoked.json.adding("changed", .bool(client.revokedAt == nil))
    }

    // MARK: - The audit log and figures

    @Sendable private func audit(request: Request, context: APIContext) async throws -> JSON {
        var query = AuditQuery(limit: try limit(of: request))
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
        return Page(page.entries, next: page.next.map { String($0) }).json(\.json)
    }

    @Sendable private func figures(request: Request, context: APIContext) async throws -> JSON {
        let rows = try await administration.figures(
            days: request.query("days", in: 1...400, default: 30),
            by: request.choice("by") ?? .day,
            caller: request.query("caller", "must be caller:NAME, operator:USER, local, signup or session") { name in
                ["signup", "session"].contains(name) || Owner(rawValue: name)?.figureName == name ? name : nil
            },
            reference: request.reference(),
            tag: request.tag()
        )
        return try page(of: rows, request, id: \.name).json { $0.figure.json(name: $0.name) }
    }

    @Sendable private func costs(request: Request, context: APIContext) async throws -> JSON {
        let rows = try await administration.costs(
            days: request.query("days", in: 1...400, default: 30),
            by: request.choice("by") ?? .country
        )
        let currency = administration.policies.currency
        return try page(of: rows, request, id: \.name).json { row in
            [
                "name": .string(row.name), "messages": .integer(row.messages), "approved": .integer(row.approved),
                "spent": .amount(row.cost), "per_verified": .amount(row.approved > 0 ? row.cost / row.approved : nil),
                "suppressed": .integer(row.suppressed), "saved": .amount(row.saved),
                "currency": .string(currency),
            ]
        }
    }

    @Sendable private func health(request: Request, context: APIContext) async throws -> JSON {
        let health = try await administration.health()
        return [
            "findings": .array(health.findings.map(\.json)),
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
        ]
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
        if let signsIn = try flag("device_sign_in") { profile.signsInDevices = signsIn }
        let theme = profile.theme
        let logo = try text("logo", "must be an https URL") { RedirectURI($0) }
        let accent = try text("accent", "must be a color such as #0b57d0") { Color($0) }
        let radius = try integer("radius", in: 0...32)
        do {
            profile.theme = try ClientTheme(
                logo: logo ?? theme.logo,
                accent: accent ?? theme.accent,
                radius: radius ?? theme.radius
            )
        } catch {
            let field =
                switch error {
                case .logo: "logo"
                case .contrast: "accent"
                case .radius: "radius"
                }
            throw Problem(.invalidRequest, "\(error)", members: [JSON.Member("field", .string(field))])
        }
    }
}

extension ClientProfile {
    /// Why there can be no such client.
    fileprivate func fault(isPublic: Bool) -> Problem? {
        if redirectURIs.isEmpty, scopes.isEmpty, !signsInDevices {
            return .field(
                "redirect_uris",
                "is missing: where people return to after signing in; or send scopes, or device_sign_in"
            )
        }
        if isPublic, !scopes.isEmpty { return .field("scopes", "needs a client with a secret") }
        if isPublic, !requiresPKCE { return .field("pkce_required", "must be true for a public client") }
        return nil
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
            "pkce_required": .bool(requiresPKCE),
            "device_sign_in": .bool(profile.signsInDevices),
            "logo": .string(profile.theme.logo?.description), "accent": .string(profile.theme.accent?.description),
            "radius": .integer(profile.theme.radius), "created_at": .string(createdAt.description),
            "former_secret_ends_at": .string(formerSecret?.endsAt.description),
            "revoked_at": .string(revokedAt?.description),
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
