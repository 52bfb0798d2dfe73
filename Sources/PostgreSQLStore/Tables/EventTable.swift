import PhoneDomain

/// The rows of `event`.
enum EventTable: Table {
    static let name = "event"
    static let columns: [(name: String, type: ColumnType)] = [
        ("id", .text), ("kind", .text), ("subject", .text), ("occurred_at", .integer), ("status", .text),
        ("attempts", .integer), ("forgiven_attempts", .integer), ("next_attempt_at", .integer), ("failure", .text),
        ("trace_parent", .text),
    ]

    /// Of a kind that this program knows; a newer one may have announced others.
    static let isKnown =
        "kind IN (" + Event.Kind.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ") + ")"

    static func keys(of key: String) -> RowKeys {
        var keys = RowKeys()
        keys.events = [key]
        return keys
    }

    static func write(_ event: Event, under key: String, to row: inout RowWriter) {
        row.write(key)
        row.write(event.kind.rawValue)
        row.write(event.subject.description)
        row.write(event.occurredAt)
        row.write(event.status.rawValue)
        row.write(event.attempts)
        row.write(event.forgivenAttempts)
        row.write(event.nextAttemptAt)
        row.write(event.failure)
        row.write(event.traceParent?.description)
    }

    static func read(_ row: inout RowReader) throws(PostgreSQLStoreError) -> (key: String, value: Event) {
        let key = try row.nextText()
        let event = Event(
            kind: try row.next(parsedBy: Event.Kind.init(rawValue:)),
            subject: try row.next(parsedBy: EventSubject.init),
            occurredAt: try row.nextMoment(),
            status: try row.next(parsedBy: Event.Status.init(rawValue:)),
            attempts: try row.nextCount(),
            forgivenAttempts: try row.nextCount(),
            nextAttemptAt: try row.nextMoment(),
            failure: row.nextOptionalText(),
            traceParent: try row.nextOptional(parsedBy: TraceParent.init)
        )
        return (key, event)
    }

    /// Adds what is announced. One of that name that is there already stays as it is.
    static func inserts(_ rows: [(key: String, value: Event)]) -> [Query] {
        rows.isEmpty ? [] : [Query("\(insertion) ON CONFLICT (id) DO NOTHING", arguments(rows))]
    }

    /// Adds events that are not there; fails if one of them is.
    static func restores(_ rows: [(key: String, value: Event)]) -> [Query] {
        rows.isEmpty ? [] : [Query(insertion, arguments(rows))]
    }
}
