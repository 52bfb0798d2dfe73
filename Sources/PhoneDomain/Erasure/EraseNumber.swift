/// Forgets the person who holds a number: what is kept of it, said in one place for every store.
///
/// Deleted are
/// - the account of the number, with its sessions and changes of number;
/// - changes of other accounts from or to the number, which can then not be undone;
/// - verifications of the number and those used for its account, with their messages. One that a gateway is handing over
///   at that moment may still arrive; what came of it is settled without a trace;
/// - events about any of these; one that is being told at that moment may still arrive;
/// - answers about these that are kept for requests that come again (``KeptAnswer``);
/// - what the number has been through (``NumberActivity``);
/// - guided signups that have one of these verifications or whose phone field reads as the number (``covers(_:of:)``);
/// - the number on safe lists;
/// - operator's rules that name exactly this number, and limits that are counted by it.
///
/// Entries of the audit trail stay and are unlinked (``AuditEntry/unlinked``). They are known by the verifications, and
/// by the number's digests: an entry whose verification is gone and whose digest was made under a key that has been
/// removed since cannot be found, and keeps its masked number until it is purged.
///
/// What stays for a day: an ``IdempotencyKey`` that its caller has made of the number, and that was refused.
///
/// An account that held the number once, and from which it was unlinked or that changed to another, is somebody's who goes on
/// under another number, and stays. In its metadata, as in that of every other account, only the number itself is replaced
/// (``erased(from:)``): a program may have kept it there, for its holder or for a friend.
///
/// What stays: the traffic of the number's prefix, which counts ten thousand numbers, and limits by prefix, country,
/// address and service. A number that was typed in part, or into a form that went on to another, is left: the signup ends
/// by itself.
///
/// What this opens up: the number is as one that was never seen. Its waits, its daily count, its lockout after wrong
/// codes and an operator's block on it are gone, and whoever proves it next gets a new account. One who may ask for
/// erasure as often as they like has as many messages and tries as they like; so an operator decides, and the trail keeps
/// an entry of when it was done.
public struct EraseNumber: Sendable {
    /// The number.
    public let number: PhoneNumber
    /// Its digests under every key that is known.
    public let digests: [NumberDigest]
    /// What the trail keeps of the erasure: neither the number nor its digest.
    public let entry: AuditEntry
    let plans: NumberingPlans

    /// - Parameters:
    ///   - number: to be erased.
    ///   - digester: makes the digests by which the audit trail knows it.
    ///   - owner: who asks for the erasure.
    ///   - plans: by which the phone fields of signups are read.
    ///   - now: this moment.
    /// - Throws: what ``NumberDigester/digests(of:)`` throws.
    public init(
        _ number: PhoneNumber,
        digester: some NumberDigester,
        owner: Owner,
        plans: NumberingPlans = .builtIn,
        now: Timestamp
    ) throws {
        self.number = number
        self.plans = plans
        digests = try digester.digests(of: number.e164)
        entry = AuditEntry(
            at: now,
            action: .erase,
            owner: owner,
            address: nil,
            verificationID: nil,
            maskedNumber: nil,
            numberDigest: nil,
            prefixDigest: nil,
            region: nil
        )
    }

    /// Whether the signup goes.
    ///
    /// - Parameter verifications: those that go.
    public func covers(_ signup: Signup, of verifications: Set<Verification.ID>) -> Bool {
        if let id = signup.verificationID, verifications.contains(id) { return true }
        return (try? PhoneNumber(parsing: signup.phoneText, region: signup.region, plans: plans)) == number
    }

    /// Whether the rule goes: one for the number alone. Where numbers have several lengths, it may have been meant for
    /// longer ones that begin alike; that cannot be told, and the number must not stay.
    public func covers(_ rule: GuardRule) -> Bool {
        rule.prefix == number.e164
    }

    /// Whether the limit goes: one whose subject is the number, and not a prefix that happens to read like it.
    public func covers(_ key: LimitKey) -> Bool {
        key.subject == number.e164 && !key.isOfPrefix
    }

    /// What events of the number are about: those go, and those about its prefix stay.
    public func subjects(
        verifications: Set<Verification.ID>,
        messages: some Sequence<OutboxMessage.ID>,
        account: Account.ID?
    ) -> [EventSubject] {
        verifications.map(EventSubject.verification) + messages.map(EventSubject.message)
            + [account.map(EventSubject.account)].compactMap(\.self)
    }

    /// Whether the entry is to be unlinked.
    ///
    /// - Parameter verifications: those that go, and the one that its account was made by.
    public func covers(_ entry: AuditEntry, of verifications: Set<Verification.ID>) -> Bool {
        entry != entry.unlinked
            && (entry.verificationID.map(verifications.contains) ?? false
                || entry.numberDigest.map(digests.contains) ?? false)
    }
}
