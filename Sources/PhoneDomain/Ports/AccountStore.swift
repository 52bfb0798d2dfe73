/// The durable state of accounts, of their sessions and of their changes of number. (Accounts are made by
/// ``VerificationStore/signUp(_:)``.)
///
/// Each operation is atomic, as those of ``VerificationStore`` are. Every method throws if the store cannot be reached or
/// cannot write; nothing of the operation is kept then.
public protocol AccountStore: Sendable {
    /// Uses a refresh token.
    func refresh(_ command: RefreshSession) async throws -> RefreshSession.Outcome

    /// The session of this name and its account, or nil if one of them is gone. What was committed before it is asked for, by
    /// whatever instance, is in the answer.
    func signedIn(_ id: Session.ID) async throws -> SignedIn?

    /// The account that holds this number, or nil.
    func account(of number: PhoneNumber) async throws -> Account?

    /// The sessions of this account that are not over, the youngest first and then by name; at most `limit`.
    func sessions(of id: Account.ID, at now: Timestamp, limit: Int) async throws -> [Session]

    /// Ends sessions.
    ///
    /// - Returns: how many were not over yet.
    func end(_ command: EndSessions) async throws -> Int

    /// Changes what is kept with an account.
    func update(_ command: UpdateAccount) async throws -> Result<Account, PhoneFailure>

    /// Marks an account for deletion.
    func requestDeletion(_ command: RequestDeletion) async throws -> Result<Account, PhoneFailure>

    /// Keeps a line of the trail of what was decided, where that changes nothing else of an account.
    func record(_ entry: AuditEntry) async throws

    /// Gives an account another number.
    func changeNumber(_ command: ChangeNumber) async throws -> ChangeNumber.Outcome

    /// Undoes a change of number.
    func undo(_ command: UndoNumberChange) async throws -> UndoNumberChange.Outcome

    /// The change of number whose secret has this digest, or nil.
    func numberChange(undoDigest: [UInt8]) async throws -> NumberChange?

    /// The accounts that are to be deleted by now, those first that were due first; at most `limit`.
    func dueAccounts(at now: Timestamp, limit: Int) async throws -> [Account.ID]

    /// Deletes an account, if it is still to be deleted.
    ///
    /// - Returns: whether it was.
    func delete(_ command: DeleteAccount) async throws -> Bool

    /// All that is held on the holder of this account, as it is at one moment, or nil if there is no such account.
    ///
    /// - Parameter digests: makes the digests by which the audit trail knows a number.
    func personalData(
        of id: Account.ID,
        digests: @escaping @Sendable (PhoneNumber) throws -> [NumberDigest]
    ) async throws -> PersonalData?

    /// Deletes sessions that were over before `moment`, and changes of number that could be undone until before it; at most
    /// `limit` of each.
    ///
    /// - Returns: how many were deleted; 0 when there is nothing left to do.
    func purgeSessions(before moment: Timestamp, limit: Int) async throws -> Int
}
