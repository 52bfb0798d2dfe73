import PhoneAccounts
import PhoneDomain
import PhoneSignup

/// Publishes these keys, or fails.
struct PlainPublisher: SigningKeyPublisher {
    struct Outage: Error {}

    /// The point of RFC 7515 appendix A.3.
    static let key = PublishedKey(
        id: SigningKey.ID(bits: 0x0123_4567_89AB_CDEF, 1),
        algorithm: .es256,
        numbers: [
            "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
        ]
    )

    var keys: [PublishedKey]? = [key]

    func publishedKeys(at now: Timestamp) throws -> [PublishedKey] {
        guard let keys else { throw Outage() }
        return keys
    }
}
