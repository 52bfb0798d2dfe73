import GRDB
import PhoneDomain

/// The rows of `idempotent_request`.
struct IdempotentRequestTable {
    static let name = "idempotent_request"
    private static let columns = """
        name, fingerprint, attempt, lease_ends_at, expires_at, status, content_type, location, body, verification_id
        """

    let db: Database

    func find(_ name: IdempotentRequest.Name) throws -> IdempotentRequest? {
        try db.first(
            "SELECT \(Self.columns) FROM idempotent_request WHERE name = ?",
            [name.rawValue],
            of: Self.name,
            read: read
        )
    }

    /// The requests whose names come behind this text, in order.
    func page(after key: String, limit: Int) throws -> [IdempotentRequest] {
        try db.all(
            "SELECT \(Self.columns) FROM idempotent_request WHERE name > ? ORDER BY name LIMIT ?",
            [key, limit],
            of: Self.name,
            read: read
        )
    }

    func save(_ request: IdempotentRequest?, loaded: IdempotentRequest?) throws {
        guard let request, request != loaded else { return }
        try put(request, by: "INSERT OR REPLACE")
    }

    func insert(_ request: IdempotentRequest) throws {
        try put(request, by: "INSERT")
    }

    private func put(_ request: IdempotentRequest, by statement: String) throws {
        let answer = request.answer
        try db.run(
            "\(statement) INTO idempotent_request (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                request.name.rawValue, request.fingerprint.description, request.attempt,
                request.leaseEndsAt.milliseconds, request.expiresAt.milliseconds, answer?.status,
                answer?.contentType ?? "", answer?.location, answer?.body ?? "", answer?.verificationID?.description,
            ]
        )
    }

    /// Deletes the answers that tell of these verifications.
    func delete(about verifications: Set<Verification.ID>) throws -> Int {
        try verifications.reduce(0) { count, id in
            try count + db.run("DELETE FROM idempotent_request WHERE verification_id = ?", [id.description])
        }
    }

    func purge(before moment: Timestamp, limit: Int) throws -> Int {
        try db.run(
            """
            DELETE FROM idempotent_request WHERE name IN (
                SELECT name FROM idempotent_request WHERE expires_at < ? ORDER BY expires_at, name LIMIT ?
            )
            """,
            [moment.milliseconds, limit]
        )
    }

    private func read(_ row: inout RowReader) throws(SQLiteStoreError) -> IdempotentRequest {
        let name = try row.next(parsedBy: IdempotentRequest.Name.init(rawValue:))
        let fingerprint = NumberDigest(rawValue: try row.next())
        let attempt: Int = try row.next()
        let (leaseEndsAt, expiresAt) = (try row.nextMoment(), try row.nextMoment())
        let status: Int? = try row.next()
        let contentType: String = try row.next()
        let location: String? = try row.next()
        let body: String = try row.next()
        let verificationID = try row.nextOptional(parsedBy: Verification.ID.init)
        return IdempotentRequest(
            name: name,
            fingerprint: fingerprint,
            attempt: attempt,
            leaseEndsAt: leaseEndsAt,
            expiresAt: expiresAt,
            answer: status.map {
                KeptAnswer(
                    status: $0,
                    contentType: contentType,
                    location: location,
                    body: body,
                    verificationID: verificationID
                )
            }
        )
    }
}
