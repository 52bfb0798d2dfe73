public import PhoneDomain

extension PostgreSQLStore: AuditStore {
    public func entries(_ query: AuditQuery) async throws -> AuditPage {
        guard let digests = query.numberDigests else {
            return AuditPage(try await find(query, digest: nil), limit: query.limit)
        }
        var found: [AuditEntryTable.Place] = []
        // One statement for each digest: together they would have to be sorted.
        for digest in Set(digests) { found += try await find(query, digest: digest) }
        return AuditPage(
            Array(found.sorted { $0.cursor > $1.cursor }.prefix(query.limit + 1)),
            limit: query.limit
        )
    }

    public func purgeAudit(before moment: Timestamp, limit: Int) async throws -> Int {
        try await transact {
            try $0.run(
                """
                DELETE FROM audit_entry WHERE id = ANY(ARRAY(
                    SELECT id FROM audit_entry WHERE at < $1 ORDER BY at, id LIMIT $2 FOR UPDATE SKIP LOCKED
                ))
                """,
                [.integer(moment.milliseconds), .integer(max(0, limit))]
            )
        }
    }

    /// The entries that were asked for, newest first, and one more if there are so many.
    private func find(_ query: AuditQuery, digest: NumberDigest?) async throws -> [AuditEntryTable.Place] {
        var conditions: [String] = []
        var arguments: [Argument] = []
        func add(_ condition: String, _ argument: Argument) {
            guard argument.bytes != nil else { return }
            arguments.append(argument)
            conditions.append("\(condition) $\(arguments.count)")
        }
        add("number_digest =", .text(digest?.description))
        add("verification_id =", .text(query.verificationID?.description))
        add("owner =", .text(query.owner?.rawValue))
        add("action =", .text(query.action?.rawValue))
        add("at >=", .integer(query.since?.milliseconds))
        add("at <", .integer(query.until?.milliseconds))
        if let before = query.before {
            add("at <=", .integer(before.at.milliseconds))
            arguments.append(.integer(before.serial))
            conditions.append("(at < $\(arguments.count - 1) OR id < $\(arguments.count))")
        }
        arguments.append(.integer(query.limit + 1))
        let condition = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        return try await read(
            """
            SELECT \(AuditEntryTable.columnNames) FROM audit_entry \(condition)
            ORDER BY at DESC, id DESC LIMIT $\(arguments.count)
            """,
            arguments,
            of: AuditEntryTable.name,
            read: AuditEntryTable.read
        )
    }
}
