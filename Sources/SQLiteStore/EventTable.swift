import GRDB
import PhoneDomain

/// The rows of `event`.
///
/// A class, since the tables of what announces share it, and whoever ran the operation asks it at the end.
final class EventTable {
    static let name = "event"
    private static let columns = """
        id, kind, subject, occurred_at, status, attempts, forgiven_attempts, next_attempt_at, failure, trace_parent
        """
    private static let dueIndex = "INDEXED BY event_due"
    /// Of a kind that this program knows; a newer one may have announced others.
    private static let isKnown =
        "kind IN (" + Event.Kind.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ") + ")"

    private let db: Database
    private let kinds: Set<Event.Kind>
    private let traceParent: TraceParent?
    /// Whether anything was announced.
    private(set) var hasAnnounced = false

    /// - Parameters:
    ///   - kinds: which of the events that are announced are kept.
    ///   - traceParent: the trace that they belong to.
    init(db: Database, kinds: Set<Event.Kind> = [], traceParent: TraceParent? = nil) {
        self.db = db
        self.kinds = kinds
        self.traceParent = traceParent
    }

    /// Keeps an event if somebody wants to hear of it. One of that name that is there already stays as it is.
    func announce(_ event: Event?) throws {
        guard let event, kinds.contains(event.kind) else { return }
        try put(event.belonging(to: traceParent), by: "INSERT OR IGNORE")
        hasAnnounced = true
    }

    func find(_ id: EventID) throws -> Event? {
        try db.first(
            "SELECT \(Self.columns) FROM event WHERE id = ?",
            [id.description],
            of: Self.name,
            read: read
        )
    }

    func newest(of status: Event.Status, limit: Int) throws -> (values: [Event], unreadable: [String]) {
        try db.readable(
            """
            SELECT \(Self.columns) FROM event WHERE status = ? AND \(Self.isKnown)
            ORDER BY occurred_at DESC, id DESC LIMIT ?
            """,
            [status.rawValue, max(0, limit)],
            of: Self.name,
            read: read
        )
    }

    /// The events that have been due the longest; see ``OutboxMessageTable/due(at:limit:)`` for why the index is named.
    func due(at now: Timestamp, limit: Int) throws -> (values: [Event], unreadable: [String]) {
        try db.readable(
            """
            SELECT \(Self.columns) FROM event \(Self.dueIndex)
            WHERE status = 'queued' AND next_attempt_at <= ? AND \(Self.isKnown)
            ORDER BY next_attempt_at, occurred_at, id LIMIT ?
            """,
            [now.milliseconds, max(0, limit)],
            of: Self.name,
            read: read
        )
    }

    func next() throws -> Timestamp? {
        try db.first(
            "SELECT min(next_attempt_at) FROM event \(Self.dueIndex) WHERE status = 'queued' AND \(Self.isKnown)",
            of: Self.name
        ) { row in
            try row.nextOptionalMoment()
        } ?? nil
    }

    /// The events whose names come behind this text, in order.
    func page(after key: String, limit: Int) throws -> [Event] {
        try db.all(
            "SELECT \(Self.columns) FROM event WHERE id > ? ORDER BY id LIMIT ?",
            [key, limit],
            of: Self.name,
            read: read
        )
    }

    func insert(_ event: Event) throws {
        try put(event, by: "INSERT")
    }

    private func put(_ event: Event, by insert: String) throws {
        try db.run(
            "\(insert) INTO event (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                event.id.description, event.kind.rawValue, event.subject.description, event.occurredAt.milliseconds,
                event.status.rawValue, event.attempts, event.forgivenAttempts, event.nextAttemptAt.milliseconds,
                event.failure, event.traceParent?.description,
            ]
        )
    }

    /// Keeps what became of an event, unless another attempt has begun since it was loaded; see ``VerificationTable`` for
    /// why that is guarded though it cannot be. One that was told is deleted.
    func save(_ event: Event?, loaded: Event) throws {
        guard event != loaded else { return }
        let guarding: Arguments = [loaded.id.description, loaded.status.rawValue, loaded.attempts]
        let count: Int
        if let event {
            let changes = Self.changes(from: loaded, to: event)
            count = try db.run(
                "UPDATE event SET \(changes.text) WHERE id = ? AND status = ? AND attempts = ?",
                changes.arguments + guarding
            )
        } else {
            count = try db.run("DELETE FROM event WHERE id = ? AND status = ? AND attempts = ?", guarding)
        }
        guard count == 1 else { throw SQLiteStoreError.changedMeanwhile(table: Self.name) }
    }

    /// Every column that a command may change.
    private static func changes(from loaded: Event, to event: Event) -> Assignments {
        var changes = Assignments()
        changes.set("status", to: event.status.rawValue, was: loaded.status.rawValue)
        changes.set("attempts", to: event.attempts, was: loaded.attempts)
        changes.set("forgiven_attempts", to: event.forgivenAttempts, was: loaded.forgivenAttempts)
        changes.set("next_attempt_at", to: event.nextAttemptAt.milliseconds, was: loaded.nextAttemptAt.milliseconds)
        changes.set("failure", to: event.failure, was: loaded.failure)
        return changes
    }

    /// The events about this, oldest first.
    func all(about subject: EventSubject) throws -> [Event] {
        try db.all(
            "SELECT \(Self.columns) FROM event WHERE subject = ? AND \(Self.isKnown)",
            [subject.description],
            of: Self.name,
            read: read
        )
        .sorted { ($0.occurredAt, $0.id.description) < ($1.occurredAt, $1.id.description) }
    }

    /// Deletes the events about these.
    func delete(about subjects: [EventSubject]) throws {
        for subject in subjects { try db.run("DELETE FROM event WHERE subject = ?", [subject.description]) }
    }

    /// Deletes those that occurred before this moment, oldest first.
    func purge(before moment: Timestamp, limit: Int) throws -> Int {
        // One ordered run per status out of the index.
        try Event.Status.allCases.reduce(0) { count, status in
            try count
                + db.run(
                    """
                    DELETE FROM event WHERE id IN (
                        SELECT id FROM event WHERE status = ? AND occurred_at < ? ORDER BY occurred_at, id LIMIT ?
                    )
                    """,
                    [status.rawValue, moment.milliseconds, max(0, limit)]
                )
        }
    }

    private func read(_ row: inout RowReader) throws(SQLiteStoreError) -> Event {
        // Made of what comes after it.
        _ = try row.next(as: String.self)
        return Event(
            kind: try row.next(parsedBy: Event.Kind.init(rawValue:)),
            subject: try row.next(parsedBy: EventSubject.init),
            occurredAt: try row.nextMoment(),
            status: try row.next(parsedBy: Event.Status.init(rawValue:)),
            attempts: try row.next(),
            forgivenAttempts: try row.next(),
            nextAttemptAt: try row.nextMoment(),
            failure: try row.next(),
            traceParent: try row.nextOptional(parsedBy: TraceParent.init)
        )
    }
}
