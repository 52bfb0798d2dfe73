import PhoneDomain

/// The rows of `verification`.
enum VerificationTable: Table {
    static let name = "verification"
    static let columns: [(name: String, type: ColumnType)] = [
        ("id", .text), ("e164", .text), ("owner", .text), ("channel", .text), ("language", .text),
        ("code_key_id", .text), ("code_mac", .bytes), ("code_ciphertext", .bytes), ("created_at", .integer),
        ("code_ttl", .integer), ("is_test", .boolean), ("has_custom_code", .boolean), ("expires_at", .integer),
        ("sent_at", .integer),
        ("accepted_at", .integer), ("next_send_at", .integer), ("sends_left", .integer), ("checks_left", .integer),
        ("status", .text), ("updated_at", .integer), ("consumed_by", .text), ("repeatable_by", .text),
    ]

    static func keys(of key: String) -> RowKeys {
        var keys = RowKeys()
        keys.verifications = [key]
        return keys
    }

    static func write(_ verification: Verification, under key: String, to row: inout RowWriter) {
        row.write(key)
        row.write(verification.phoneNumber.e164)
        row.write(verification.owner.rawValue)
        row.write(verification.channel.rawValue)
        row.write(verification.language.description)
        row.write(verification.code.keyID)
        row.write(verification.code.mac)
        row.write(verification.code.ciphertext)
        row.write(verification.createdAt)
        row.write(verification.codeTTL.wholeMilliseconds)
        row.write(verification.isTest)
        row.write(verification.hasCustomCode)
        row.write(verification.expiresAt)
        row.write(verification.sentAt)
        row.write(verification.acceptedAt)
        row.write(verification.nextSendAt)
        row.write(verification.sendsLeft)
        row.write(verification.checksLeft)
        row.write(verification.recordedStatus.rawValue)
        row.write(verification.updatedAt)
        row.write(verification.consumedBy?.description)
        row.write(verification.repeatableBy?.rawValue)
    }

    static func read(_ row: inout RowReader) throws(PostgreSQLStoreError) -> (key: String, value: Verification) {
        let plans = row.plans
        let verification = Verification(
            id: try row.next(parsedBy: Verification.ID.init),
            phoneNumber: try row.next { try PhoneNumber(e164: $0, plans: plans) },
            owner: Owner(rawValue: try row.nextText()),
            channel: try row.next(parsedBy: Channel.init(rawValue:)),
            language: try row.next(parsedBy: LanguageTag.init),
            code: SealedCode(keyID: try row.nextText(), mac: try row.nextBytes(), ciphertext: try row.nextBytes()),
            createdAt: try row.nextMoment(),
            codeTTL: .milliseconds(try row.nextInteger()),
            isTest: try row.nextBoolean(),
            hasCustomCode: try row.nextBoolean(),
            expiresAt: try row.nextMoment(),
            sentAt: try row.nextMoment(),
            acceptedAt: try row.nextOptionalMoment(),
            nextSendAt: try row.nextMoment(),
            sendsLeft: try row.nextCount(),
            checksLeft: try row.nextCount(),
            recordedStatus: try row.next(parsedBy: VerificationStatus.init(rawValue:)),
            updatedAt: try row.nextMoment(),
            consumedBy: try row.nextOptional(parsedBy: Account.ID.init),
            repeatableBy: row.nextOptionalText().map(CallerMark.init(rawValue:))
        )
        return (verification.id.description, verification)
    }
}
