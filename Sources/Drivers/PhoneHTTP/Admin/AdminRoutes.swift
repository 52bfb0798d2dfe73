package import CoreEncodings
import HTTPTypes
import PhoneAccounts
import PhoneAdministration
package import PhoneDomain

/// `/v1/admin`: what operators ask and do, for their own programs, which ``CallersOnly`` has authenticated. Each act
/// has a `reason`, which goes to the audit log with the name of the key.
struct AdminRoutes: Sendable {
    let administration: Administration

    func addRoutes(to router: APIRouter) {
        router
            .get("accounts", use: accounts)
            .get("accounts/{id}", use: account)
            .patch("accounts/{id}", use: act(edit))
            .post("accounts/{id}/sign-out", use: act(.signOut))
            .post("accounts/{id}/suspend", use: act(.suspend))
            .post("accounts/{id}/restore", use: act(.restore))
            .post("accounts/{id}/delete", use: act(.delete, status: .accepted))
            .post("accounts/{id}/change-number", use: act(changeNumber))
            .post("accounts/{id}/undo-number-change", use: act(undoNumberChange))
            .post("accounts/{id}/export", use: act(export))
            .get("accounts/{id}/sessions", use: sessions)
            .post("accounts/{id}/sessions/{session}/end", use: act(endSession))
            .post("phone-numbers/erase", use: act(erase))
        addDeliveryRoutes(to: router)
        addGuardRoutes(to: router)
        addProgramRoutes(to: router)
    }

    /// The number that the query names; nil if it names none.
    func number(of request: Request) throws -> PhoneNumber? {
        try request.query("phone_number").map { try administration.number($0, region: request.region()) }
    }

    func number(in body: JSONBody) throws -> PhoneNumber {
        try administration.number(body.requiredText("phone_number"), region: body.region())
    }

    @Sendable private func accounts(request: Request, context: APIContext) async throws -> Response {
        if let number = try number(of: request) {
            let found = try await administration.store.account(of: number)
            return Response(json: try Page([found].compactMap(\.self), next: nil).json { try $0.adminJSON() })
        }
        let page = try await administration.store.accounts(before: request.cursorID(), limit: request.limit())
        return Response(json: try page.json { try $0.adminJSON() })
    }

    @Sendable private func account(request: Request, context: APIContext) async throws -> Response {
        Response(json: try await administration.account(context.accountID()).adminJSON())
    }

    /// Every act has a reason, and is its caller's.
    func act(
        _ perform: @escaping @Sendable (JSONBody, Operator, APIContext) async throws -> Response
    ) -> @Sendable (Request, APIContext) async throws -> Response {
        { request, context in
            let body = try await request.jsonBody()
            guard let caller = context.caller else { throw Problem.internalError(cause: "no caller") }
            let author = try Operator(owner: caller.owner, reason: body.reason(), from: context.address)
            return try await perform(body, author, context)
        }
    }

    private func act(
        _ what: ActOnAccount.Act,
        status: HTTPResponse.Status = .ok
    ) -> @Sendable (Request, APIContext) async throws -> Response {
        act { _, author, context in
            Response(
                status,
                json: try await administration.act(what, on: context.accountID(), by: author).adminJSON()
            )
        }
    }

    @Sendable private func edit(body: JSONBody, author: Operator, context: APIContext) async throws -> Response {
        let patch = try body.requiredObject("metadata")
        let account = try await administration.act(
            .edit { metadata throws(PhoneFailure) in try metadata.merged(with: patch) },
            on: context.accountID(),
            by: author
        )
        return Response(json: try account.adminJSON())
    }

    @Sendable private func changeNumber(body: JSONBody, author: Operator, context: APIContext) async throws -> Response
    {
        let number = try number(in: body)
        let account = try await administration.act(.changeNumber(number), on: context.accountID(), by: author)
        return Response(json: try account.adminJSON())
    }

    @Sendable private func undoNumberChange(body: JSONBody, author: Operator, context: APIContext) async throws
        -> Response
    {
        let change = try body.text("change_id", "must be chg_ and 32 hexadecimal digits") { NumberChange.ID($0) }
        return Response(json: try await administration.undo(change, of: context.accountID(), by: author).adminJSON())
    }

    @Sendable private func export(body: JSONBody, author: Operator, context: APIContext) async throws -> Response {
        let data = try await administration.export(context.accountID(), by: author)
        return Response(json: try data.json(for: nil, at: administration.now))
    }

    @Sendable private func sessions(request: Request, context: APIContext) async throws -> Response {
        let id = try context.accountID()
        _ = try await administration.account(id)
        let sessions = try await administration.sessions(of: id)
        return Response(json: try request.page(of: sessions, id: \.id.description).json(\.adminJSON))
    }

    @Sendable private func endSession(body: JSONBody, author: Operator, context: APIContext) async throws -> Response {
        let id = try context.accountID()
        try await administration.end(context.id("session", in: "session"), of: id, by: author)
        return Response(status: .noContent)
    }

    @Sendable private func erase(body: JSONBody, author: Operator, context: APIContext) async throws -> Response {
        let number = try number(in: body)
        let (erasure, hindrance) = try await administration.erase(number, by: author)
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

    /// The part of a whole list that is asked for.
    func page<Item>(of all: [Item], id: (Item) -> String) throws -> Page<Item> {
        try Page(of: all, after: query("cursor"), limit: limit(), id: id)
    }

    func id<Subject: Identified>(
        _ name: String,
        of subject: Subject.Type = Subject.self
    ) throws(Problem) -> Identifier<Subject>? {
        try query(name, "must be \(Subject.identifierPrefix)_ and 32 hexadecimal digits") { Identifier($0) }
    }

    func choice<Choice>(_ name: String) throws(Problem) -> Choice?
    where Choice: CaseIterable & RawRepresentable<String> {
        try query(name, "must be one of: " + Choice.allCases.map(\.rawValue).joined(separator: ", ")) {
            Choice(rawValue: $0)
        }
    }

    func moment(_ name: String) throws(Problem) -> Timestamp? {
        try query(name, "must be a time such as 2026-11-21T09:00:00Z") { Timestamp(inQuery: $0) }
    }

    func owner(_ name: String) throws(Problem) -> Owner? {
        try query(name, "must be caller:NAME, operator:USER, local, or the ID of a signup or a session") {
            Owner(rawValue: $0)
        }
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
    func accountID() throws -> Account.ID { try id("account") }

    /// - Parameter name: that of the parameter of the path.
    func id<ID: LosslessStringConvertible>(_ what: String, in name: String = "id") throws -> ID {
        guard let id = ID(try pathText(name)) else { throw AdministrationFailure.notFound("there is no such \(what)") }
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
        .object(try json().members + [JSON.Member("suspended_at", .string(suspendedAt?.description))])
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
