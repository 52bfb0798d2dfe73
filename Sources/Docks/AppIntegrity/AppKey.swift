import PhoneService
import PhoneSignup
package import PhoneStore

/// A key that Apple has said to be of the operator's app on one device (App Attest).
package struct AppKey: Record {
    /// The SHA-256 of the public key, in base64, as the app names it.
    let id: String
    /// The team and the bundle: `ABCDE12345.com.example.app`.
    let appID: String
    /// The two coordinates of a point on P-256.
    let publicKey: [UInt8]
    /// How many times it was used, as the device counts.
    var counter: Int64
    let createdAt: Timestamp
    /// When it is forgotten, unless it is used before.
    var expiresAt: Timestamp
    /// How long one is kept that nobody uses. An app that is refused makes a new one.
    private static let life: Duration = .seconds(400 * 86_400)

    package static let table = Table(
        "app_key",
        [
            .column("id", .text), .column("app_id", .text), .column("public_key", .bytes),
            .column("counter", .integer, isNotNegative: true), .column("created_at", .integer),
            .column("expires_at", .integer),
        ],
        indexes: [("app_key_expires_at", "(expires_at, id)")],
        guards: ["counter"],
        expiry: "expires_at"
    )

    package var key: String { id }

    package func write(to row: inout some ColumnWriter) {
        row.append(id, appID, publicKey, counter)
        row.append(createdAt, expiresAt)
    }

    package init(from row: inout some ColumnReader) throws(UnreadableRecord) {
        id = try row.text()
        appID = try row.text()
        publicKey = try row.bytes()
        counter = try row.integer()
        createdAt = try row.moment()
        expiresAt = try row.moment()
    }

    init(id: String, appID: String, publicKey: [UInt8], at now: Timestamp) {
        (self.id, self.appID, self.publicKey, counter) = (id, appID, publicKey, 0)
        (createdAt, expiresAt) = (now, now + Self.life)
    }

    /// - Returns: false for a counter that does not go on: the use was seen before, or there is a copy of the key.
    mutating func use(counter: Int64, at now: Timestamp) -> Bool {
        guard counter > self.counter else { return false }
        (self.counter, expiresAt) = (counter, now + Self.life)
        return true
    }
}
