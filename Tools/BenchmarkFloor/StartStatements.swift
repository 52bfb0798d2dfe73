/// The statements of `POST /v1/verifications` for a number that is new, in their order: what is known of the number is
/// read, and verification, message, counts and an entry of the audit trail are written. Limits are off, as in
/// scripts/bench.
struct StartStatements {
    private static let now: Int64 = 1_795_320_992_562
    private static let hour: Int64 = 498_700

    private let readLive: SQLiteStatement
    private let readActivity: SQLiteStatement
    private let readTraffic: SQLiteStatement
    private let readRules: SQLiteStatement
    private let writeActivity: SQLiteStatement
    private let writeTraffic: SQLiteStatement
    private let writeVerification: SQLiteStatement
    private let writeMessage: SQLiteStatement
    private let writeAudit: SQLiteStatement

    /// - Throws: ``SQLiteFailure``.
    init(_ connection: SQLiteConnection) throws {
        readLive = try connection.prepare(
            """
            SELECT * FROM verification INDEXED BY verification_live
            WHERE created_at / 86400000 IN (?, ?) AND e164 = ? AND created_at > ?
            """
        )
        readActivity = try connection.prepare(
            "SELECT recent_sends, sends_in_run, consecutive_failures, last_failure_at FROM number_activity WHERE e164 = ?"
        )
        readTraffic = try connection.prepare("SELECT hours, blocked_until, refused_in_block FROM traffic WHERE key = ?")
        readRules = try connection.prepare(
            """
            SELECT prefix, action, until, created_at FROM guard_rule
            WHERE prefix IN (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        writeActivity = try connection.prepare(
            """
            INSERT OR REPLACE INTO number_activity (
                e164, recent_sends, recent_send_count, senders, sends_in_run, consecutive_failures, last_failure_at,
                silent_since
            ) VALUES (?, ?, 1, '', 1, 0, NULL, ?)
            """
        )
        writeTraffic = try connection.prepare(
            """
            INSERT OR REPLACE INTO traffic (
                key, hours, blocked_until, refused_in_block, requested, approved, silent_since
            ) VALUES (?, ?, NULL, 0, 1, 0, ?)
            """
        )
        writeVerification = try connection.prepare(
            """
            INSERT INTO verification (
                id, e164, owner, channel, language, code_key_id, code_mac, code_ciphertext, created_at, expires_at,
                next_send_at, sends_left, checks_left, status, updated_at, consumed_by, code_ttl, is_test,
                has_custom_code, sent_at
            ) VALUES (
                ?, ?, 'caller:benchmark', 'sms', 'en', '7741ea2d', ?, ?, ?, ?, ?, 4, 5, 'pending', ?, NULL, 600000, 0, 0,
                ?
            )
            """
        )
        writeMessage = try connection.prepare(
            """
            INSERT INTO outbox_message (
                id, verification_id, created_at, status, attempts, next_attempt_at, forgiven_attempts, is_withheld
            ) VALUES (?, ?, ?, 'queued', 0, ?, 0, 0)
            """
        )
        writeAudit = try connection.prepare(
            """
            INSERT INTO audit_entry (
                id, at, action, owner, address, verification_id, masked_number, number_digest, prefix_digest, region, verdict,
                reasons
            ) VALUES (?, ?, 'begin', 'caller:benchmark', NULL, ?, ?, ?, ?, 'KR', 'allow', 'guard_off')
            """
        )
    }

    /// Does what the start of this serial number does; numbers and names are as scattered as those of PhoneProof.
    ///
    /// - Throws: ``SQLiteFailure``.
    func run(_ serial: Int) throws {
        let e164 = "+8210\(20_000_000 + serial * 7919 % 80_000_000)"
        let now = Self.now + Int64(serial / 8)
        let (name, id) = (digest(serial), id(serial, at: now))
        let traffic = [String(e164.dropLast(4)), "KR", "service"]
        let day = now / 86_400_000
        try readLive.run([.integer(day), .integer(day - 1), .text(e164), .integer(now - 86_400_000)])
        try readActivity.run([.text(e164)])
        for key in traffic { try readTraffic.run([.text(key)]) }
        try readRules.run((2...13).map { .text(String(e164.prefix($0))) })
        try writeActivity.run([.text(e164), .text("\(now)"), .integer(now)])
        let hours = "\(Self.hour) \(serial % 100_000) 0 0"
        for key in traffic { try writeTraffic.run([.text(key), .text(hours), .integer((Self.hour + 25) * 3_600_000)]) }
        try writeVerification.run([
            .blob(id),
            .text(e164),
            .blob([UInt8](repeating: UInt8(truncatingIfNeeded: serial), count: 32)),
            .blob([UInt8](repeating: UInt8(truncatingIfNeeded: serial), count: 38)),
            .integer(now),
            .integer(now + 600_000),
            .integer(now + 30_000),
            .integer(now),
            .integer(now),
        ])
        try writeMessage.run([.blob(id), .blob(id), .integer(now), .integer(now)])
        try writeAudit.run([
            .integer(now << 20 + Int64(serial % 1_048_576)),
            .integer(now),
            .blob(id),
            .text("+82 10-****-\(e164.suffix(4))"),
            .text("7741ea2d:" + name),
            .text("7741ea2d:" + name),
        ])
    }

    /// An ID as PhoneProof makes them: 16 bytes, of which the first six are the time in milliseconds.
    private func id(_ serial: Int, at now: Int64) -> [UInt8] {
        func bytes(_ value: UInt64, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
        }
        return bytes(UInt64(now), 6) + bytes(mixed(serial), 8) + bytes(mixed(serial), 2)
    }

    private func digest(_ serial: Int) -> String {
        let digits = String(mixed(serial), radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }

    /// What looks like chance (SplitMix64's mixing, https://prng.di.unimi.it/splitmix64.c).
    private func mixed(_ serial: Int) -> UInt64 {
        var bits = UInt64(truncatingIfNeeded: serial) &* 0x9e37_79b9_7f4a_7c15
        bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
        return bits ^ (bits >> 31)
    }
}
