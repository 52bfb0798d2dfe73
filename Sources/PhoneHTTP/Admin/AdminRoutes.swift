import HTTPTypes
import PhoneAdministration
package import PhoneDomain
package import TextEncodings

/// `/v1/admin`: what operators ask and do, for their own programs, which ``CallersOnly`` has authenticated. Each act has
/// a `reason`, which goes to the audit log with the name of the key.
struct AdminRoutes: Sendable {
    let administration: Administration

    func addRoutes(to router: APIRouter) {
        router
            .get("accounts", use: accounts)
            .get("accounts/{id}", use: account)
            .patch("accounts/{id}", use: edit)
            .post("accounts/{id}/sign-out") { try await act(.signOut, $0, $1) }
            .post("accounts/{id}/suspend") { try await act(.suspend, $0, $1) }
            .post("accounts/{id}/restore") { try await act(.restore, $0, $1) }
            .post("accounts/{id}/delete") { try await act(.delete, $0, $1, status: .accepted) }
            .post("accounts/{id}/change-number", use: changeNumber)
            .post("accounts/{id}/undo-number-change", use: undoNumberChange)
            .post("accounts/{id}/export", use: export)
            .get("accounts/{id}/sessions", use: sessions)
            .post("accounts/{id}/sessions/{session}/end", use: endSession)
            .post("phone-numbers/erase", use: erase)
        addDeliveryRoutes(to: router)
        addGuardRoutes(to: router)
        addProgramRoutes(to: router)
    }

    @Sendable private func accounts(request: Request, context: APIContext) async throws -> Response {
        if let text = request.query("phone_number") {
            let number = try administration.number(text, region: request.region())
            let found = try await administration.store.account(of: number)
            return Response(json: try Page([found].compactMap(\.self), next: nil).json { try $0.adminJSON() })
        }
        let page = try await administration.store.accounts(before: request.cursorID(), limit: request.limit())
        return Response(json: try page.json { try $0.adminJSON() })
    }

    @Sendable private func account(request: Request, context: APIContext) async throws -> Response {
        Response(json: try await administration.account(context.accountID()).adminJSON())
    }

    private func act(
        _ act: ActOnAccount.Act,
        _ request: Request,
        _ context: APIContext,
        status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let author = try await context.author(request.jsonBody())
        return Response(
            status,
            json: try await administration.act(act, on: context.accountID(), by: author).adminJSON()
        )
    }

    @Sendable private func edit(request: Request, context: APIContext) async throws -> Response {
        let body = try await request.jsonBody()
        let (author, patch) = (try context.author(body), try body.requiredObject("metadata"))
        let account = try await administration.act(
            .edit { metadata throws(PhoneFailure) in try metadata.merged(with: patch) },
            on: context.accountID(),
            by: author
        )
        return Response(json: try account.adminJSON())
    }

    @Sendable private func changeNumber(request: Request, context: APIContext) async throws -> Response {
        let body = try await request.jsonBody()
        let number = try administration.number(body.requiredText("phone_number"), region: body.region())
        let author = try context.author(body)
        let account = try await administration.act(.changeNumber(number), on: context.accountID(), by: author)
        return Response(json: try account.adminJSON())
    }

    @Sendable private func undoNumberChange(request: Request, context: APIContext) async throws -> Response {
        let body = try await request.jsonBody()
        let author = try context.author(body)
        let change = try body.text("change_id").map { text in
            guard let change = NumberChange.ID(text) else {
                throw Problem.field("change_id", "must be chg_ and 32 hexadecimal digits")
            }
            return change
        }
        return Response(json: try await administration.undo(change, of: context.accountID(), by: author).adminJSON())
    }

    @Sendable private func export(request: Request, context: APIContext) async throws -> Response {
        let author = try await context.author(request.jsonBody())
        let data = try await administration.export(context.accountID(), by: author)
        return Response(json: try data.json(for: nil, at: administration.now))
    }

    @Sendable private func sessions(request: Request, context: APIContext) async throws -> Response {
        let id = try context.accountID()
        _ = try await administration.account(id)
        let sessions = try await administration.sessions(of: id)
        let page = try Page(of: sessions, after: request.query("cursor"), limit: request.limit()) { $0.id.description }
        return Response(json: page.json(\.adminJSON))
    }

    @Sendable private func endSession(request: Request, context: APIContext) async throws -> Response {
        let author = try await context.author(request.jsonBody())
        let id = try context.accountID()
        guard let session = Session.ID(try context.pathText("session")) else {
            throw AdministrationFailure.notFound("account \(id) has no such session")
        }
        try await administration.end(session, of: id, by: author)
        return Response(status: .noContent)
    }

    @Sendable private func erase(request: Request, context: APIContext) async throws -> Response {
        let body = try await request.jsonBody()
        let number = try administration.number(body.requiredText("phone_number"), region: body.region())
        let (erasure, hindrance) = try await administration.erase(number, by: context.author(body))
        return Response(json: [
            "accounts": .integer(erasure.accounts), "sessions": .integer(erasure.sessions),
            "verifications": .integer(erasure.verifications), "messages": .integer(erasure.messages),
            "audit_entries": .integer(erasure.auditEntries), "files_are_clean": .bool(hindrance == nil),
        ])
    }
}

// MARK: - What admin requests have in common

extension Request {
    func limit() throws -> Int { try query("limit", in: 1...200, default: 50) }

    /// The place at which the page before ended, which is the ID of an item.
    func cursorID<Subject: Identified>(of subject: Subject.Type = Subject.self) throws -> Identifier<Subject>? {
        guard let text = query("cursor") else { return nil }
        guard let id = Identifier<Subject>(text) else { throw AdministrationFailure.noCursor }
        return id
    }

    func region() throws -> Region? { try query("region").map(JSONBody.region) }

    func id<Subject: Identified>(
        _ name: String,
        of subject: Subject.Type = Subject.self
    ) throws -> Identifier<Subject>? {
        guard let text = query(name) else { return nil }
        guard let id = Identifier<Subject>(text) else {
            throw Problem.field(name, "must be \(Subject.identifierPrefix)_ and 32 hexadecimal digits")
        }
        return id
    }

    func choice<Choice>(_ name: String) throws -> Choice? where Choice: CaseIterable & RawRepresentable<String> {
        guard let text = query(name) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            throw Problem.field(name, "must be one of: " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return choice
    }

    func moment(_ name: String) throws -> Timestamp? {
        guard let text = query(name) else { return nil }
        guard let moment = Timestamp(rfc3339: text) else {
            throw Problem.field(name, "must be a time such as 2026-11-21T09:00:00Z")
        }
        return moment
    }

    func owner(_ name: String) throws -> Owner? {
        guard let text = query(name) else { return nil }
        guard let owner = Owner(rawValue: text) else {
            throw Problem.field(name, "must be caller:NAME, operator:USER, local, or the ID of a signup or a session")
        }
        return owner
    }
}

extension JSONBody {
    static func region(_ code: String) throws(Problem) -> Region {
        guard let region = Region(code), NumberingPlans.builtIn.plan(for: region) != nil else {
            throw Problem.field("region", "must be the ISO 3166-1 code of a supported region, such as KR")
        }
        return region
    }

    func region() throws -> Region? { try text("region").map(Self.region) }

    func reason() throws -> AuditReason {
        guard let reason = AuditReason(try requiredText("reason")) else {
            throw Problem.field("reason", "must be one line of 1 to \(AuditReason.longest) characters")
        }
        return reason
    }
}

extension APIContext {
    func author(_ body: JSONBody) throws -> Operator {
        guard let caller else { throw Problem.internalError(cause: "no caller") }
        return Operator(owner: caller.owner, reason: try body.reason())
    }

    func accountID() throws -> Account.ID {
        guard let id: Account.ID = pathID() else { throw AdministrationFailure.notFound("there is no such account") }
        return id
    }
}

extension Page {
    func json(_ item: (Item) throws -> JSON) rethrows -> JSON {
        ["items": .array(try items.map(item)), "next_cursor": .string(next)]
    }
}

extension Account {
    /// The account as an operator sees it.
    package func adminJSON() throws(Problem) -> JSON {
        guard case .object(let members) = try json() else { return .null }
        return .object(members + [JSON.Member("suspended_at", .string(suspendedAt?.description))])
    }
}

extension Session {
    fileprivate var adminJSON: JSON {
        [
            "id": .string(id.description),
            "user_agent": .string(userAgent),
            "client_id": .string(grant?.clientID.description),
            "created_at": .string(createdAt.description),
            "last_used_at": .string(refreshedAt.description),
            "expires_at": .string(end.description),
        ]
    }
}
