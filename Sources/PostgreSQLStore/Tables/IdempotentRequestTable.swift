import PhoneDomain

/// The rows of `idempotent_request`.
enum IdempotentRequestTable: Table {
    static let name = "idempotent_request"
    static let columns: [(name: String, type: ColumnType)] = [
        ("name", .text), ("fingerprint", .text), ("attempt", .integer), ("lease_ends_at", .integer),
        ("expires_at", .integer), ("status", .integer), ("content_type", .text), ("location", .text), ("body", .text),
        ("verification_id", .text),
    ]

    static func keys(of key: String) -> RowKeys {
        var keys = RowKeys()
        keys.requests = [key]
        return keys
    }

    static func write(_ request: IdempotentRequest, under key: String, to row: inout RowWriter) {
        let answer = request.answer
        row.write(key)
        row.write(request.fingerprint.description)
        row.write(request.attempt)
        row.write(request.leaseEndsAt)
        row.write(request.expiresAt)
        row.write(answer.map { Int64($0.status) })
        row.write(answer?.contentType ?? "")
        row.write(answer?.location)
        row.write(answer?.body ?? "")
        row.write(answer?.verificationID?.description)
    }

    static func read(_ row: inout RowReader) throws(PostgreSQLStoreError) -> (key: String, value: IdempotentRequest) {
        let name = try row.next(parsedBy: IdempotentRequest.Name.init(rawValue:))
        let fingerprint = NumberDigest(rawValue: try row.nextText())
        let attempt = try row.nextCount()
        let (leaseEndsAt, expiresAt) = (try row.nextMoment(), try row.nextMoment())
        let status = try row.nextOptionalInteger()
        let contentType = try row.nextText()
        let location = row.nextOptionalText()
        let body = try row.nextText()
        let verificationID = try row.nextOptional(parsedBy: Verification.ID.init)
        let request = IdempotentRequest(
            name: name,
            fingerprint: fingerprint,
            attempt: attempt,
            leaseEndsAt: leaseEndsAt,
            expiresAt: expiresAt,
            answer: status.map {
                KeptAnswer(
                    status: Int($0),
                    contentType: contentType,
                    location: location,
                    body: body,
                    verificationID: verificationID
                )
            }
        )
        return (name.rawValue, request)
    }
}
