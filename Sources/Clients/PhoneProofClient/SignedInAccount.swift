internal import CoreEncodings
public import PhoneNumbers
public import PhoneSignup

/// The account of a person who is signed in, as its owner sees it.
public struct SignedInAccount: Hashable, Sendable {
    public let id: String
    /// The number in E.164; nil once another person has it.
    public let phoneNumber: String?
    public let nationalFormat: String?
    public let createdAt: Timestamp
    /// The moment at which it will be deleted; nil unless its owner asked for that.
    public let deletionDueAt: Timestamp?
    /// A JSON object that the owner writes: base no permission on it.
    public let metadata: String

    init(_ body: JSON) throws(PhoneProofError) {
        guard let id = body["id"]?.string, let createdAt = body["created_at"]?.string.flatMap(Timestamp.init(rfc3339:))
        else { throw .notUnderstood(status: 200) }
        (self.id, self.createdAt) = (id, createdAt)
        (phoneNumber, nationalFormat) = (body["phone_number"]?.string, body["national_format"]?.string)
        deletionDueAt = body["deletion_due_at"]?.string.flatMap(Timestamp.init(rfc3339:))
        metadata = body["metadata"]?.text ?? "{}"
    }
}

/// A device or a program that is signed in to an account.
public struct AccountSession: Hashable, Sendable {
    public let id: String
    public let userAgent: String?
    /// The client that the person signed in to; nil for a device of their own.
    public let clientID: String?
    public let createdAt: Timestamp
    public let lastUsedAt: Timestamp
    public let expiresAt: Timestamp
    /// Whether it is the one that asks.
    public let isCurrent: Bool

    fileprivate init?(_ body: JSON) {
        func time(_ name: String) -> Timestamp? { body[name]?.string.flatMap(Timestamp.init(rfc3339:)) }
        guard let id = body["id"]?.string, let createdAt = time("created_at"), let lastUsedAt = time("last_used_at"),
            let expiresAt = time("expires_at")
        else { return nil }
        (self.id, self.createdAt, self.lastUsedAt, self.expiresAt) = (id, createdAt, lastUsedAt, expiresAt)
        (userAgent, clientID) = (body["user_agent"]?.string, body["client_id"]?.string)
        isCurrent = body["is_current"]?.bool == true
    }
}

extension PhoneProofSession {
    private static let path = "/v1/accounts/me"

    public func account() async throws(PhoneProofError) -> SignedInAccount {
        try SignedInAccount(try await call("GET", Self.path, .always))
    }

    /// Changes the account's metadata.
    ///
    /// - Parameter patch: a JSON object (RFC 7396): its members replace those of the same name, and null removes one.
    public func editMetadata(_ patch: String) async throws(PhoneProofError) -> SignedInAccount {
        var patch = patch
        let json = patch.withUTF8 { JSON(parsing: UnsafeRawBufferPointer($0)) }
        let fields = [JSON.Member("metadata", json ?? .string(patch))]
        return try SignedInAccount(try await call("PATCH", Self.path, .always, fields))
    }

    /// Schedules the deletion of the account, and ends all its sessions.
    public func deleteAccount() async throws(PhoneProofError) -> SignedInAccount {
        let account = try SignedInAccount(try await call("DELETE", Self.path, .ifUnavailable))
        end()
        return account
    }

    /// The devices and programs that are signed in to the account, this one among them.
    public func sessions() async throws(PhoneProofError) -> [AccountSession] {
        try await call("GET", "/v1/sessions", .always)["sessions"]?.array?.compactMap(AccountSession.init) ?? []
    }

    /// Signs a device or a program out; ``signOut(isEverywhere:)`` is for this one.
    public func endSession(_ id: String) async throws(PhoneProofError) {
        _ = try await call("DELETE", "/v1/sessions/\(id.percentEncoded)", .ifUnavailable)
    }

    /// Sends a code to the number that the account is to have; the same one once more while it is pending. A refusal
    /// with the code `reauthentication_required` means that the person signed in too long ago: after another signup the
    /// session of its tokens can do it.
    ///
    /// - Parameters:
    ///   - region: where a number without a calling code is at home; nil for the service's own.
    ///   - locale: of the message (BCP 47).
    ///   - solver: of what the service asks to be solved while somebody abuses it; without one such a request fails.
    public func beginNumberChange(
        _ phoneNumber: String,
        region: Region? = nil,
        locale: String? = nil,
        solver: WorkChallenge.Solver? = nil
    ) async throws(PhoneProofError) -> RemoteVerification {
        let fields: [JSON.Member] = .init([
            "phone_number": phoneNumber, "region": region?.description, "locale": locale,
        ])
        do throws(PhoneProofError) {
            return try await numberChange("POST", "", fields)
        } catch {
            guard case .refused(let problem) = error, let work = problem.work, let number = await solver?(work)
            else { throw error }
            return try await numberChange("POST", "", fields + [JSON.Member("proof", .string(work.proof(number)))])
        }
    }

    public func numberChange(_ id: String) async throws(PhoneProofError) -> RemoteVerification {
        try await numberChange("GET", "/\(id.percentEncoded)")
    }

    /// Invalidates the code; the account keeps its number.
    public func cancelNumberChange(_ id: String) async throws(PhoneProofError) -> RemoteVerification {
        try await numberChange("DELETE", "/\(id.percentEncoded)")
    }

    /// Checks the code, and gives the account the number.
    public func changeNumber(_ code: String, of id: String) async throws(PhoneProofError) -> SignedInAccount {
        let path = Self.path + "/number-changes/\(id.percentEncoded)/checks"
        return try SignedInAccount(try await call("POST", path, .always, [JSON.Member("code", .string(code))]))
    }

    private func numberChange(
        _ method: String,
        _ path: String,
        _ fields: [JSON.Member]? = nil
    ) async throws(PhoneProofError) -> RemoteVerification {
        let path = Self.path + "/number-changes" + path
        return try RemoteVerification(try await call(method, path, .always, fields), at: client.now())
    }
}
