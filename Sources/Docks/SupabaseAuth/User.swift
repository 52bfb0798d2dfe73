import CoreEncodings
import PhoneDomain
import PhoneHTTP
import PhoneService
import PhoneSignup

extension SignedIn {
    /// The account as a user of Supabase Auth, with every member that one of its libraries cannot do without.
    ///
    /// - Parameter change: of its number, if a code was sent for one now.
    func userJSON(change: Verification? = nil) -> JSON { account.userJSON(at: session.createdAt, change: change) }
}

extension Account {
    static let appMetadata: JSON = ["provider": "phone", "providers": ["phone"]]

    fileprivate func userJSON(at signIn: Timestamp, change: Verification?) -> JSON {
        let (userID, phone) = (JSON.string(id.uuid), JSON.string(phoneNumber?.withoutPlus ?? ""))
        let confirmation = JSON.string(phoneNumber.map { _ in phoneNumberSince.description })
        let (creation, update) = (
            JSON.string(createdAt.description), JSON.string(max(lastActiveAt, phoneNumberSince).description)
        )
        let identity: JSON = [
            "identity_id": userID,
            "id": userID,
            "user_id": userID,
            "identity_data": ["sub": userID, "phone": phone, "phone_verified": true, "email_verified": false],
            "provider": "phone",
            "last_sign_in_at": .string(signIn.description),
            "created_at": creation,
            "updated_at": update,
        ]
        var members = [
            JSON.Member("id", userID),
            JSON.Member("aud", "authenticated"),
            JSON.Member("role", "authenticated"),
            JSON.Member("email", ""),
            JSON.Member("phone", phone),
            JSON.Member("phone_confirmed_at", confirmation),
            JSON.Member("confirmed_at", confirmation),
            JSON.Member("last_sign_in_at", .string(signIn.description)),
            JSON.Member("app_metadata", Self.appMetadata),
            JSON.Member("user_metadata", metadata.userMetadata),
            JSON.Member("identities", phoneNumber == nil ? [] : [identity]),
            JSON.Member("created_at", creation),
            JSON.Member("updated_at", update),
            JSON.Member("is_anonymous", false),
        ]
        if let change {
            members.append(JSON.Member("new_phone", .string(change.phoneNumber.withoutPlus)))
            members.append(JSON.Member("phone_change_sent_at", .string(change.sentAt.description)))
        }
        return .object(members)
    }
}

extension AccountMetadata {
    /// What its owner and their apps have stored, in both APIs.
    var userMetadata: JSON { JSON(parsing: json) ?? [:] }

    /// Supabase Auth replaces members as a whole, and deletes those that are null; the service's own API merges them
    /// (RFC 7396).
    func replacing(_ members: [JSON.Member]) throws(PhoneFailure) -> AccountMetadata {
        guard members.reduce(0, { $0 + $1.name.utf8.count }) <= Self.maxByteCount else {
            throw .invalidMetadata(.tooLong)
        }
        let text = userMetadata.replacing(members).text
        guard text.utf8.count <= Self.maxByteCount else { throw .invalidMetadata(.tooLong) }
        var bytes = text
        let isShallow = bytes.withUTF8 { JSON(parsing: UnsafeRawBufferPointer($0), maxDepth: Self.maxDepth) != nil }
        guard isShallow else { throw .invalidMetadata(.tooDeep) }
        return AccountMetadata(json: text)
    }
}
