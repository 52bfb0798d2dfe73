package import CoreEncodings
import HTTPTypes
import PhoneAccounts
import PhoneAdministration
package import PhoneDomain
import PhoneNumbers
import PhoneSignup

/// `/v1/admin`: what operators ask and do, for their own programs, which ``CallersOnly`` has authenticated. Each act
/// has a `reason`, which goes to the audit log with the name of the key.
struct AdminRoutes: Sendable {
    let administration: Administration
    /// The most items of a page.
    var longestPage = 200
    var requiresReason = true

    func addRoutes(to router: APIRouter) {
        router
            .get("accounts", use: read(accounts))
            .get("accounts/{id}", use: read(account))
            .patch("accounts/{id}", use: act(edit))
            .post("accounts/{id}/sign-out", use: act(.signOut))
            .post("accounts/{id}/suspend", use: act(.suspend))
            .post("accounts/{id}/restore", use: act(.restore))
            .post("accounts/{id}/delete", use: act(.delete, .accepted))
            .post("accounts/{id}/change-number", use: act(changeNumber))
            .post("accounts/{id}/undo-number-change", use: act(undoNumberChange))
            .post("accounts/{id}/export", use: act(export))
            .get("accounts/{id}/sessions", use: read(sessions))
            .post("accounts/{id}/sessions/{session}/end", use: act(endSession))
            .post("phone-numbers/erase", use: act(erase))
        addImportRoutes(to: router)
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

    @Sendable private func accounts(request: Request, context: APIContext) async throws -> JSON {
        if let number = try number(of: request) {
            let found = try await administration.accounts(of: number)
            return try Page(found, next: nil).json { try $0.adminJSON() }
        }
        if let id = try request.query("external_id", ExternalID.requirement, ExternalID.init) {
            return try Page(try await administration.accounts(of: id), next: nil).json { try $0.adminJSON() }
        }
        let page = try await administration.accounts(before: request.cursorID(), limit: limit(of: request))
        return try page.json { try $0.adminJSON() }
    }

    @Sendable private func account(request: Request, context: APIContext) async throws -> JSON {
        try await administration.account(context.accountID()).adminJSON()
    }

    func read(_ answer: @escaping @Sendable (Request, APIContext) async throws -> JSON) -> RouteHandler {
        { request, context in Response(json: try await answer(request, context)) }
    }

    /// What is asked for, by whom, and where.
    struct Act: Sendable {
        let body: JSONBody
        let author: Operator
        let context: APIContext
    }

    /// Every act has a reason, and is its caller's. Null is a response without a body.
    func act(
        _ perform: @escaping @Sendable (Act) async throws -> JSON,
        _ status: HTTPResponse.Status = .ok
    ) -> RouteHandler {
        { request, context in
            let body = try await request.jsonBody()
            guard let caller = context.caller else { throw Problem.internalError(cause: "no caller") }
            let reason = try requiresReason || body.text("reason") != nil ? body.reason() : nil
            let author = Operator(owner: caller.owner, reason: reason, from: context.address)
            let json = try await perform(Act(body: body, author: author, context: context))
            return json == .null ? Response(status: .noContent) : Response(status, json: json)
        }
    }

    private func act(_ what: ActOnAccount.Act, _ status: HTTPResponse.Status = .ok) -> RouteHandler {
        act({ try await administration.act(what, on: $0.context.accountID(), by: $0.author).adminJSON() }, status)
    }

    @Sendable private func edit(_ act: Act) async throws -> JSON {
        let patch = try act.body.requiredObject("metadata")
        let account = try await administration.act(
            .edit { metadata throws(PhoneFailure) in try metadata.merged(with: patch) },
            on: act.context.accountID(),
            by: act.author
        )
        return try account.adminJSON()
    }

    @Sendable private func changeNumber(_ act: Act) async throws -> JSON {
        let number = try number(in: act.body)
        let account = try await administration.act(.changeNumber(number), on: act.context.accountID(), by: act.author)
        return try account.adminJSON()
    }

    @Sendable private func undoNumberChange(_ act: Act) async throws -> JSON {
        let change = try act.body.text("change_id", "must be chg_ and 32 hexadecimal digits") { NumberChange.ID($0) }
        return try await administration.undo(change, of: act.context.accountID(), by: act.author).adminJSON()
    }

    @Sendable private func export(_ act: Act) async throws -> JSON {
        let data = try await administration.export(act.context.accountID(), by: act.author)
        return try data.json(for: nil, at: administration.now)
    }

    @Sendable private func sessions(request: Request, context: APIContext) async throws -> JSON {
        let id = try context.accountID()
        _ = try await administration.account(id)
        let sessions = try await administration.sessions(of: id)
        return try page(of: sessions, request, id: \.id.description).json(\.adminJSON)
    }

    @Sendable private func endSession(_ act: Act) async throws -> JSON {
        let id = try act.context.accountID()
        try await administration.end(act.context.id("session", in: "session"), of: id, by: act.author)
        return .null
    }

    @Sendable private func erase(_ act: Act) async throws -> JSON {
        let number = try number(in: act.body)
        return try await administration.erase(number, by: act.author).json
    }

    // MARK: - Pages

    func limit(of request: Request) throws -> Int { try request.query("limit", in: 1...longestPage, default: 50) }

    /// The part of a whole list that is asked for.
    func page<Item>(of all: [Item], _ request: Request, id: (Item) -> String) throws -> Page<Item> {
        try Page(of: all, after: request.query("cursor"), limit: limit(of: request), id: id)
    }
}

// MARK: - What admin requests have in common

extension Request {
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
    ) throws(Problem) -> Identifier<Subject>? {
        try query(name, "must be \(Subject.identifierPrefix)_ and 32 hexadecimal digits") { Identifier($0) }
    }

    func choice<Choice>(_ name: String) throws(Problem) -> Choice?
    where Choice: CaseIterable & RawRepresentable<String> {
        try query(name, "must be one of: " + Choice.allCases.map(\.rawValue).joined(separator: ", ")) {
            Choice(rawValue: $0)
        }
    }

    func reference() throws(Problem) -> Labels.Reference? {
        try query("reference", Labels.Reference.requirement, Labels.Reference.init)
    }

    func tag() throws(Problem) -> Labels.Tag? {
        try query("tag", "must be KEY:VALUE, such as campaign:spring", Labels.Tag.init)
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
            throw Problem.field("reason", AuditReason.requirement)
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
        try json().adding("suspended_at", .string(suspendedAt?.description))
    }
}

extension Erasure {
    fileprivate var json: JSON {
        let counts = [
            ("accounts", accounts), ("sessions", sessions), ("number_changes", numberChanges),
            ("verifications", verifications), ("messages", messages), ("signups", signups),
            ("number_activities", rows["number_activity", default: 0]),
            ("guard_rules", rows["guard_rule", default: 0]), ("limit_meters", limitMeters), ("answers", answers),
            ("account_metadata", metadata), ("audit_entries", auditEntries),
        ]
        // Those of docks.
        let others = rows.filter { $0.key != "number_activity" && $0.key != "guard_rule" }
        let members = counts + others.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        return .object(
            members.map { JSON.Member($0, .integer($1)) } + [
                JSON.Member("files_are_clean", .bool(hindrance == nil && remains == nil)),
                JSON.Member("hindrance", .string(hindrance)), JSON.Member("remains", .string(remains)),
            ]
        )
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
