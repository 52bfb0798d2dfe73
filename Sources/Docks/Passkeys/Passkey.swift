import CoreEncodings
import PhoneDomain
import PhoneService
import PhoneSignup
package import PhoneStore

/// A key on a device of a person's, which signs in to their account.
package struct Passkey: Record {
    /// The ID that the authenticator has chosen, in base64url.
    let credentialID: String
    let accountID: Account.ID
    let algorithm: CredentialKey.Algorithm
    let publicKey: [UInt8]
    /// How many times it was used, as the authenticator counts; 0 from one that does not count.
    var counter: Int64
    let isBackupEligible: Bool
    var isBackedUp: Bool
    /// Separated by spaces.
    let transports: String
    var name: PasskeyName
    let createdAt: Timestamp
    /// When the person was last known to have both the key and the account's number.
    var confirmedAt: Timestamp
    /// When it last signed in.
    var lastUsedAt: Timestamp?

    package static let table = Table(
        "passkey",
        [
            .column("id", .text), .column("account_id", .id("acc")), .column("algorithm", .text),
            .column("public_key", .bytes), .column("counter", .integer, isNotNegative: true),
            .column("backup_eligible", .boolean), .column("backed_up", .boolean), .column("transports", .text),
            .column("name", .text), .column("created_at", .integer), .column("confirmed_at", .integer),
            .optional("last_used_at", .integer),
        ],
        indexes: [("passkey_account", "(account_id, created_at, id)")],
        guards: ["counter"],
        account: "account_id"
    )

    package var key: String { credentialID }

    package func write(to row: inout some ColumnWriter) {
        row.append(credentialID, accountID, algorithm.rawValue, publicKey)
        row.append(counter, isBackupEligible, isBackedUp, transports)
        row.append(name.description, createdAt, confirmedAt, lastUsedAt)
    }

    package init(from row: inout some ColumnReader) throws(UnreadableRecord) {
        credentialID = try row.text()
        accountID = try row.id()
        algorithm = try row.oneOf()
        publicKey = try row.bytes()
        counter = try row.integer()
        isBackupEligible = try row.flag()
        isBackedUp = try row.flag()
        transports = try row.text()
        name = try row.parsed { PasskeyName($0) }
        createdAt = try row.moment()
        confirmedAt = try row.moment()
        lastUsedAt = try row.optionalInteger().map(Timestamp.init(milliseconds:))
    }

    init(_ registration: Registration, of account: Account.ID, name: PasskeyName, at now: Timestamp) {
        (credentialID, accountID) = (registration.credentialID, account)
        (algorithm, publicKey) = (registration.key.algorithm, registration.key.bytes)
        counter = registration.counter
        isBackupEligible = registration.flags.contains(.backupEligible)
        isBackedUp = registration.flags.contains(.backedUp)
        transports = registration.transports.joined(separator: " ")
        (self.name, createdAt, confirmedAt, lastUsedAt) = (name, now, now, nil)
    }

    /// The most of an account: far more than anybody has devices.
    static let most = 20

    /// The account's ID: authenticators keep it, so it must say nothing of the person (section 14.6.1).
    var userHandle: [UInt8] { accountID.bytes }

    mutating func use(_ data: AuthenticatorData, at now: Timestamp) throws(CeremonyFault) {
        // Section 7.2, step 21.
        if data.counter > 0 || counter > 0, data.counter <= counter { throw .counter }
        (counter, isBackedUp, lastUsedAt) = (data.counter, data.flags.contains(.backedUp), now)
    }

    /// The person has both the key and the number now. By the clock of another instance they may have the number only
    /// from a moment ahead.
    mutating func confirm(for account: Account, at now: Timestamp) { confirmedAt = max(now, account.phoneNumberSince) }

    /// Whether it still signs in to this account: not if the account has had another number since, or was left alone
    /// for so long that its number may be somebody else's.
    func isValid(for account: Account, unused: Duration, at now: Timestamp) -> Bool {
        accountID == account.id && account.phoneNumber != nil && account.phoneNumberSince <= confirmedAt
            && now < max(confirmedAt, lastUsedAt ?? confirmedAt) + unused
    }
}

/// What a person calls a key: 1 to 40 characters of one line, none of them a control or format character.
struct PasskeyName: Hashable, Sendable, LosslessStringConvertible {
    static let longest = 40
    static let requirement = "must be one line of 1 to \(longest) characters"
    let description: String

    init?(_ text: String) {
        // What makes a line of it is the same as of a reason on the audit log.
        guard text.unicodeScalars.count <= Self.longest, let line = AuditReason(text), text == text.trimmed
        else { return nil }
        description = line.description
    }

    private init(known name: String) { description = name }

    /// The name of a new key: what the browser says that it runs on, by which people know their devices apart.
    init(ofDeviceIn userAgent: String?) {
        let systems = [
            ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"),
            ("Macintosh", "Mac"),
            ("CrOS", "Chromebook"), ("Linux", "Linux"),
        ]
        self.init(known: systems.first { userAgent?.contains($0.0) == true }?.1 ?? "Passkey")
    }
}

extension Identifier {
    var bytes: [UInt8] {
        [bits.high, bits.low].flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } }
    }
}
