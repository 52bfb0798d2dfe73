/// The rules of accounts.
public struct AccountPolicy: Hashable, Sendable {
    /// What to do when somebody proves a number whose account has been dormant. The raw values are what operators write.
    public enum Recycling: String, Sendable, CaseIterable {
        /// It is the same person: they are signed in.
        case signIn = "sign_in"
        /// It is somebody else: they get an account of their own, and the old one is unlinked and held.
        case quarantine
        /// A program that knows the person better is asked first.
        case ask
    }

    /// What to do about a dormant account. Standard: ``Recycling/signIn``, as an honest person who comes back after a long time
    /// would be shut out by any other unless the operator has a way to help them.
    public var recycling: Recycling
    /// After how long without a sign of life an account is dormant, or nil for never. In the United States a number that was
    /// given up may go to the next person after 45 days (47 CFR 64.1200(l)(1)). Standard: 90 days.
    public var dormantAfter: Duration?
    /// How long an account is held after its number was unlinked, before it is deleted. Standard: 90 days.
    public var holdTime: Duration
    /// How long after a request for deletion an account is deleted, and never before ``undoTime`` is over. Standard: 14 days.
    public var deletionGrace: Duration
    /// How long a change of number can be undone by whoever has the old one. Standard: 3 days.
    public var undoTime: Duration
    /// How long ago the number may have been proven in a session that wants to change it, or nil for any time. NIST SP 800-63B
    /// revision 4 section 4.1 asks for a fresh proof before an authenticator is bound; but one who has lost the old number
    /// cannot give it. Standard: nil; the old number is told, and can undo it.
    public var freshProof: Duration?

    /// What an installation has that sets nothing.
    public static let standard = AccountPolicy()

    /// A policy of these values.
    public init(
        recycling: Recycling = .signIn,
        dormantAfter: Duration? = .seconds(90 * 86_400),
        holdTime: Duration = .seconds(90 * 86_400),
        deletionGrace: Duration = .seconds(14 * 86_400),
        undoTime: Duration = .seconds(3 * 86_400),
        freshProof: Duration? = nil
    ) {
        self.recycling = recycling
        self.dormantAfter = dormantAfter
        self.holdTime = holdTime
        self.deletionGrace = deletionGrace
        self.undoTime = undoTime
        self.freshProof = freshProof
    }

    /// Whether the number was proven too long ago in this session for it to be changed.
    public func isProofTooOld(of session: Session, at now: Timestamp) -> Bool {
        freshProof.map { session.createdAt + $0 <= now } ?? false
    }
}
