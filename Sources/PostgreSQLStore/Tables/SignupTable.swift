import PhoneDomain

/// The rows of `signup`.
enum SignupTable: Table {
    static let name = "signup"
    static let columns: [(name: String, type: ColumnType)] = [
        ("id", .text), ("token_digest", .bytes), ("region", .text), ("language", .text), ("created_at", .integer),
        ("expires_at", .integer), ("phone_text", .text), ("code_text", .text), ("verification_id", .text),
        ("is_complete", .boolean), ("decision", .text),
    ]

    static func keys(of key: String) -> RowKeys {
        var keys = RowKeys()
        keys.signups = [key]
        return keys
    }

    static func write(_ signup: Signup, under key: String, to row: inout RowWriter) {
        row.write(key)
        row.write(signup.tokenDigest)
        row.write(signup.region.description)
        row.write(signup.language.description)
        row.write(signup.createdAt)
        row.write(signup.expiresAt)
        row.write(signup.phoneText)
        row.write(signup.codeText)
        row.write(signup.verificationID?.description)
        row.write(signup.isComplete)
        row.write(signup.decision?.rawValue)
    }

    static func read(_ row: inout RowReader) throws(PostgreSQLStoreError) -> (key: String, value: Signup) {
        let signup = Signup(
            id: try row.next(parsedBy: Signup.ID.init),
            tokenDigest: try row.nextBytes(),
            region: try row.next(parsedBy: Region.init),
            language: try row.next(parsedBy: LanguageTag.init),
            createdAt: try row.nextMoment(),
            expiresAt: try row.nextMoment(),
            phoneText: try row.nextText(),
            codeText: try row.nextText(),
            verificationID: try row.nextOptional(parsedBy: Verification.ID.init),
            isComplete: try row.nextBoolean(),
            decision: try row.nextOptional(parsedBy: DormantDecision.init(rawValue:))
        )
        return (signup.id.description, signup)
    }
}
