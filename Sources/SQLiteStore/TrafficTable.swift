import GRDB
import PhoneDomain

/// The rows of `traffic`: none for numbers that nothing is known of.
struct TrafficTable {
    static let name = "traffic"

    let batch: Batch
    let events: EventTable
    private var db: Database { batch.db }

    init(_ batch: Batch, events: EventTable) {
        self.batch = batch
        self.events = events
    }

    func find(_ key: TrafficKey) throws -> Traffic? {
        try batch.traffic.value(of: key) {
            try db.first(
                "SELECT hours, blocked_until, refused_in_block FROM traffic WHERE key = ?",
                [key.description],
                of: Self.name,
                read: read
            )
        }
    }

    func around(_ number: PhoneNumber) throws -> NumberTraffic {
        try NumberTraffic(of: number, find)
    }

    /// Keeps what a command left at this moment of the traffic that was loaded, and announces a block that began.
    func save(
        _ traffic: NumberTraffic,
        around number: PhoneNumber,
        loaded: NumberTraffic,
        at now: Timestamp
    ) throws {
        try events.announce(Event(traffic.prefix, was: loaded.prefix, of: number.prefix, at: now))
        for (part, loaded) in zip(traffic.parts(of: number), loaded.parts(of: number)) {
            save(part.traffic, key: part.key, loaded: loaded.traffic)
        }
    }

    func save(_ traffic: Traffic, key: TrafficKey, loaded: Traffic) {
        guard traffic != loaded else { return }
        func row(_ traffic: Traffic) -> Traffic? { traffic.silentSince == nil ? nil : traffic }
        batch.traffic.set(key, to: row(traffic), loaded: row(loaded))
    }

    /// Writes what was held.
    static func keep(_ changes: [HeldRows<TrafficKey, Traffic>.Change], in db: Database) throws {
        for change in changes {
            let key = change.key.description
            guard let traffic = change.value, let silentSince = traffic.silentSince else {
                try db.run("DELETE FROM traffic WHERE key = ?", [key])
                continue
            }
            // Not INSERT OR REPLACE, for which SQLite copies the pages first.
            let statement =
                change.isThere
                ? "UPDATE traffic SET hours = ?2, blocked_until = ?3, refused_in_block = ?4, silent_since = ?5 WHERE key = ?1"
                : insertion
            try db.run(
                statement,
                [
                    key, text(traffic.hours), traffic.blockedUntil?.milliseconds, traffic.refusedInBlock,
                    silentSince.milliseconds,
                ]
            )
        }
    }

    private static let insertion = """
        INSERT INTO traffic (key, hours, blocked_until, refused_in_block, silent_since) VALUES (?1, ?2, ?3, ?4, ?5)
        """

    /// Adds the traffic of a key; where nothing is known there is nothing to add.
    func insert(_ keyed: KeyedTraffic) throws {
        let (key, traffic) = (keyed.key, keyed.traffic)
        guard let silentSince = traffic.silentSince else { return }
        try db.run(
            Self.insertion,
            [
                key.description, Self.text(traffic.hours), traffic.blockedUntil?.milliseconds,
                traffic.refusedInBlock, silentSince.milliseconds,
            ]
        )
    }

    func all() throws -> [KeyedTraffic] {
        try all("")
    }

    /// The traffic of the keys that come behind this text, in order.
    func page(after key: String, limit: Int) throws -> [KeyedTraffic] {
        try all("WHERE key > ?", [key], "LIMIT ?", [limit])
    }

    /// The prefixes that begin like this and have a block, also one whose time is over.
    func blocked(beginning: String) throws -> [KeyedTraffic] {
        // Every key that begins so is less than the same with a character behind the digits.
        try all("WHERE key >= ? AND key < ? AND blocked_until IS NOT NULL", [beginning, beginning + ":"])
    }

    private func all(
        _ condition: String,
        _ arguments: Arguments = [],
        _ end: String = "",
        _ last: Arguments = []
    ) throws -> [KeyedTraffic] {
        try db.all(
            "SELECT key, hours, blocked_until, refused_in_block FROM traffic \(condition) ORDER BY key \(end)",
            arguments + last,
            of: Self.name
        ) { row in
            KeyedTraffic(key: try row.next(parsedBy: TrafficKey.init), traffic: try read(&row))
        }
    }

    /// Silence counts from the end of a block as well, so that nothing that is blocked goes.
    func purge(at now: Timestamp, limit: Int) throws -> Int {
        try db.run(
            """
            DELETE FROM traffic WHERE key IN (
                SELECT key FROM traffic WHERE silent_since <= ? ORDER BY silent_since, key LIMIT ?
            )
            """,
            [(now - Traffic.longestMemory).milliseconds, limit]
        )
    }

    /// Reads `hours, blocked_until, refused_in_block`.
    func read(_ row: inout RowReader) throws(SQLiteStoreError) -> Traffic {
        Traffic(
            hours: try row.next(parsedBy: Self.hours),
            blockedUntil: try row.nextOptionalMoment(),
            refusedInBlock: try row.next()
        )
    }

    private static func text(_ hours: [Traffic.Hour]) -> String {
        "[" + hours.map { "[\($0.number),\($0.sent),\($0.approved),\($0.heldBack)]" }.joined(separator: ",") + "]"
    }

    private static func hours(_ text: String) -> [Traffic.Hour]? {
        guard text.hasPrefix("["), text.hasSuffix("]") else { return nil }
        let comma = UInt8(ascii: ",")
        let inner = text.utf8.dropFirst().dropLast()
        if inner.isEmpty { return [] }
        var hours: [Traffic.Hour] = []
        for part in inner.split(separator: UInt8(ascii: "]")) {
            let numbers = part.drop { $0 == comma || $0 == UInt8(ascii: "[") }.split(separator: comma)
                .map { Int64(Substring($0)) }
            guard numbers.count == 4, let number = numbers[0], let sent = numbers[1], let approved = numbers[2],
                let heldBack = numbers[3]
            else {
                return nil
            }
            hours.append(
                Traffic.Hour(number: number, sent: Int(sent), approved: Int(approved), heldBack: Int(heldBack))
            )
        }
        return hours
    }
}
