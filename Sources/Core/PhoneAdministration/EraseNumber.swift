public import PhoneAccounts
public import PhoneDomain
public import PhoneNumbers
public import PhoneSignup

/// Erases the person who holds a number: what is stored about it, defined in one place for every store.
///
/// Deleted are
/// - the account of the number, with its sessions and changes of number;
/// - changes of other accounts from or to the number, which can then not be undone;
/// - verifications of the number and those used for its account, with their messages. One that is being sent at that
///   moment may still arrive; its result is settled without a trace;
/// - events about any of these; one that is being delivered at that moment may still arrive;
/// - answers about these that are stored for idempotency keys (``StoredResponse``);
/// - the number's activity (``NumberActivity``);
/// - guided signups that have one of these verifications or whose phone field contains the number (``covers(_:of:)``);
/// - the number on safe lists;
/// - operator's rules for exactly this number, and limits that are counted by it.
///
/// Entries of the audit log stay and are unlinked (``AuditEntry/unlinked``). They are found by the verifications, and
/// by the number's digests: an entry whose verification is gone and whose digest was made under a key that has been
/// removed since cannot be found, and keeps its masked number until it is purged.
///
/// An ``IdempotencyKey`` that its client has made of the number, and that was refused, stays for a day.
///
/// An account that had the number once, and from which it was unlinked or that changed to another, belongs to a person
/// with another number, and stays. In its metadata, as in that of every other account, only the number itself is
/// replaced (``erased(from:)``): a program may have stored it there, for its owner or for a friend.
///
/// The traffic of the number's prefix, which counts ten thousand numbers, that of networks, which no longer shows for
/// which number messages were asked for from them, and limits by prefix, country, address and service stay. A number
/// that was typed in part, or into a form that went on to another, stays: the signup expires by itself.
///
/// Afterwards the number is as one that was never seen. Its cooldowns, its daily count, its lockout after wrong codes
/// and an operator's block on it are gone, and the next person who proves it gets a new account. A client that could
/// request erasure at will would have unlimited messages and checks; so an operator decides, and it is audited.
public struct EraseNumber: Sendable {
    public let number: PhoneNumber
    public let digests: [NumberDigest]
    /// The audit entry: neither the number nor its digest, and the reason without the number, as metadata.
    public private(set) var entry: AuditEntry

    /// Throws what ``NumberDigester/digests(of:)`` throws.
    public init(
        _ number: PhoneNumber,
        by author: Operator = Operator(),
        digester: some NumberDigester,
        now: Timestamp
    ) throws {
        self.number = number
        digests = try digester.digests(of: number.e164)
        entry = author.entry(.erase, at: now)
        if let reason = author.reason, let rest = erased(from: reason) {
            entry = Operator(owner: author.owner, reason: rest, from: author.address).entry(.erase, at: now)
        }
    }

    /// Whether the signup is deleted. `verifications` are those that are deleted.
    public func covers(_ signup: Signup, of verifications: Set<Verification.ID>) -> Bool {
        if let id = signup.verificationID, verifications.contains(id) { return true }
        if (try? PhoneNumber(parsing: signup.phoneText, region: signup.region)) == number { return true }
        // A field keeps a text that it refused: the number with an extension, or with a name before it.
        return NumberScan(signup.phoneText).hasForeignCharacters
            && signup.phoneText.unicodeScalars.split { PhoneTextElement($0) == .foreign }
                .contains { !ranges(in: Array($0)[...], isText: true).isEmpty }
    }

    /// Whether the limit is deleted: its subject is the number, and not a prefix that happens to read like it.
    public func covers(_ key: LimitKey) -> Bool { key.subject == number.e164 && !key.isOfPrefix }

    /// Whether the entry is to be unlinked. `verifications` are the deleted ones, and the one that created the account.
    public func covers(_ entry: AuditEntry, of verifications: Set<Verification.ID>) -> Bool {
        entry != entry.unlinked
            && (entry.verificationID.map(verifications.contains) ?? false
                || entry.numberDigest.map(digests.contains) ?? false)
    }

    /// The account without the number in its metadata, be it a person's earlier number or somebody else's; nil if it is
    /// not there. See ``erased(from:)``.
    public func redacted(_ account: Account) -> Account? {
        guard let metadata = erased(from: account.metadata) else { return nil }
        var account = account
        account.metadata = metadata
        return account
    }

    /// The metadata without the number: in a text or a member's name, `[erased 1]` and so on replaces the number,
    /// written in any way that ``PhoneNumber/init(parsing:region:plans:)`` parses in the number's own region; a JSON
    /// number of its digits becomes `null`. Nil if it is not there. The text around it stays: it is the program's, and
    /// may be another person's.
    ///
    /// The marks are numbered so that no two members of an object get one name.
    func erased(from metadata: AccountMetadata) -> AccountMetadata? {
        // Most metadata has too few digits, and there may be millions to look at.
        let digits = metadata.json.utf8.reduce(0) { $0 + ($1.isASCIIDigit ? 1 : 0) }
        if digits < number.significantDigits.utf8.count, metadata.json.utf8.allSatisfy({ $0 < 0x80 }) { return nil }

        let scalars = Array(metadata.json.unicodeScalars)
        var result = String.UnicodeScalarView()
        var (index, isText, hasFound) = (0, false, false)
        var marks = Marks(besides: metadata.json)
        while index < scalars.count {
            let run = Self.run(in: scalars, from: index, isText: isText)
            if run.isEmpty {
                // After a backslash comes one character, or `u` and four digits.
                let count = scalars[index] == "\\" ? (scalars[index + 1] == "u" ? 6 : 2) : 1
                if scalars[index] == "\"" { isText.toggle() }
                result.append(contentsOf: scalars[index..<index + count])
                index += count
                continue
            }
            for range in ranges(in: scalars[run], isText: isText) {
                hasFound = true
                result.append(contentsOf: scalars[index..<range.lowerBound])
                result.append(contentsOf: (isText ? marks.next() : "null").unicodeScalars)
                index = range.upperBound
            }
            result.append(contentsOf: scalars[index..<run.upperBound])
            index = run.upperBound
        }
        return hasFound ? AccountMetadata(json: String(result)) : nil
    }

    /// The reason as ``erased(from:)-(AccountMetadata)`` leaves a JSON string; nil if the number is not there.
    private func erased(from reason: AuditReason) -> AuditReason? {
        let text = reason.description.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        guard let json = erased(from: AccountMetadata(json: "\"\(text)\""))?.json else { return nil }
        let rest = json.dropFirst().dropLast().replacing("\\\"", with: "\"").replacing("\\\\", with: "\\")
        // A mark may be longer than the number.
        return AuditReason(String(rest.unicodeScalars.prefix(AuditReason.longest)))
    }

    /// The longest stretch from here on that may belong to numbers; empty where there is none.
    private static func run(in scalars: [Unicode.Scalar], from start: Int, isText: Bool) -> Range<Int> {
        let rest = scalars[start...]
        let end =
            isText
            ? rest.firstIndex { PhoneTextElement($0) == .foreign }
            // A JSON number as a whole: neither the digits behind a point nor those of an exponent are a phone number.
            : rest.firstIndex {
                !$0.isASCII || !("0"..."9" ~= $0 || "a"..."z" ~= $0 || "-+.E".unicodeScalars.contains($0))
            }
        return start..<(end ?? scalars.endIndex)
    }

    /// The ranges of the number in such a stretch. Several numbers may be in it, with nothing but a space or a slash
    /// between, so every group of digits may begin one.
    private func ranges(in run: ArraySlice<Unicode.Scalar>, isText: Bool) -> [Range<Int>] {
        if !isText { return run.allSatisfy { "0"..."9" ~= $0 } && isNumber(run) ? [run.indices] : [] }
        var groups: [Range<Int>] = []
        for index in run.indices {
            guard case .digit = PhoneTextElement(run[index]) else { continue }
            if let last = groups.last, last.upperBound == index {
                groups[groups.count - 1] = last.lowerBound..<index + 1
            } else {
                groups.append(index..<index + 1)
            }
        }
        var ranges: [Range<Int>] = []
        var next = 0
        for last in groups.indices {
            // No number is written in more groups.
            for first in max(next, last - 9)..<last + 1 {
                var start = groups[first].lowerBound
                if start > run.startIndex, PhoneTextElement(run[start - 1]) == .plus { start -= 1 }
                let range = start..<groups[last].upperBound
                guard isNumber(run[range]) else { continue }
                ranges.append(range)
                next = last + 1
                break
            }
        }
        return ranges
    }

    /// The last digits of a number, which are the same however it is written: an area code may be left out, and
    /// others may come before it.
    private static let comparedDigits = 6

    /// Whether it is worth parsing: its digits are counted and compared before that, since a text may have thousands of
    /// groups.
    func mayBeNumber(_ scalars: some BidirectionalCollection<Unicode.Scalar>) -> Bool {
        var rest = number.significantDigits.unicodeScalars.suffix(Self.comparedDigits)
        var count = 0
        for scalar in scalars.reversed() {
            guard case .digit(let digit) = PhoneTextElement(scalar) else { continue }
            if let expected = rest.popLast(), digit != expected { return false }
            count += 1
        }
        return rest.isEmpty && count <= PhoneNumber.mostDigits
    }

    private func isNumber(_ scalars: ArraySlice<Unicode.Scalar>) -> Bool {
        guard mayBeNumber(scalars) else { return false }
        let text = String(String.UnicodeScalarView(scalars))
        return (try? PhoneNumber(parsing: text, region: number.region)) == number
    }

    /// What stands for numbers in one text: `[erased 1]` and so on, without those that are there already.
    private struct Marks {
        private static let start = Array("[erased ".utf8)
        private var taken: Set<Int> = []
        private var count = 0

        init(besides json: String) {
            var rest = json.utf8[...]
            while let bracket = rest.firstIndex(of: Self.start[0]) {
                rest = rest[bracket...]
                let digits =
                    rest.starts(with: Self.start) ? rest.dropFirst(Self.start.count).prefix(7) : rest[..<bracket]
                if let number = Int(Substring(digits.prefix(while: \.isASCIIDigit))) { taken.insert(number) }
                rest = rest.dropFirst()
            }
        }

        mutating func next() -> String {
            repeat { count += 1 } while taken.contains(count)
            return "[erased \(count)]"
        }
    }
}

public struct Erasure: Hashable, Sendable {
    /// Accounts of the number: one or none.
    public var accounts = 0
    public var sessions = 0
    public var numberChanges = 0
    public var verifications = 0
    public var messages = 0
    public var signups = 0
    /// Rows that are of the number and go with it, by the name of their table, where there were any.
    public var rows: [String: Int] = [:]
    public var limitMeters = 0
    public var answers = 0
    public var metadata = 0
    public var auditEntries = 0
    /// Why the store's files may still have it until the erasure is repeated; nil if they do not.
    public var hindrance: String?
    /// Where else it may remain, and what to do about it; nil if nowhere.
    public var remains: String?
    public init() {}
    public var isEmpty: Bool { self == Erasure() }

    /// What went, for people.
    public var sentence: String {
        let all = [
            (accounts, "account"), (sessions, "session"), (numberChanges, "number change"),
            (verifications, "verification"), (messages, "message"), (signups, "signup"),
            (auditEntries, "entry of the audit log unlinked"),
        ]
        let found = all.filter { $0.0 > 0 }.map { count, name in
            name.hasPrefix("entry") && count > 1 ? "\(count) entries of the audit log unlinked" : counted(count, name)
        }
        return found.isEmpty ? "there was nothing of it" : found.joined(separator: ", ")
    }
}
