/// What the maps of a unit of work share.
final class Journal {
    let source: any RecordSource
    /// How often a record was changed.
    var changeCount = 0
    // Used again and again, so that no record costs memory of its own.
    var key = Row()
    var loaded = Row()
    var current = Row()
    /// How many keys are known, with and without a record.
    var keyCount = 0
    /// The numbers of the transaction and the command.
    var (transaction, command) = (0, 0)

    init(_ source: any RecordSource) { self.source = source }
}

/// The records of one type in a unit of work: as the engine has them, and as the commands leave them (an identity map).
final class RecordMap<R: Record> {
    /// A record that is known, found by its key once for all that is done with it.
    final class Slot {
        let key: R.Key
        fileprivate(set) var record: R?
        /// The transaction in which it was looked for or changed last.
        fileprivate(set) var transaction: Int
        /// Its place among those that have changed.
        fileprivate var change: Int?

        init(_ key: R.Key, _ record: R?, in transaction: Int) {
            (self.key, self.record, self.transaction) = (key, record, transaction)
        }
    }

    /// What became of a record since it was loaded or saved.
    private struct Change {
        let slot: Slot
        let loaded: R?
        /// The slot's transaction at that time.
        let transaction: Int
        /// Whether it was put without having been looked for, so that none may be there.
        var isNew: Bool
        /// The last command that changed it.
        var command: Int
        /// What that command found; nil if it was what had been loaded.
        var found: (record: R?, transaction: Int, isNew: Bool)?
    }

    private var slots: [R.Key: Slot] = [:]
    private var changed: [Change] = []
    private let journal: Journal

    init(_ journal: Journal) { self.journal = journal }

    /// The record with this key, which is loaded once.
    ///
    /// - Parameter isShared: whether others may change it until the end of the transaction.
    func find(_ key: R.Key, isShared: Bool = false) throws -> R? {
        if let slot = slots[key] { return find(slot) }
        journal.key.removeAll()
        key.write(to: &journal.key)
        guard
            let isThere = try journal.source
                .load(journal.key, of: R.table, isShared: isShared, into: &journal.loaded)
        else { return nil }
        return slot(key, isThere ? try R(journal.loaded) : nil).record
    }

    func find(_ slot: Slot) -> R? {
        slot.transaction = journal.transaction
        return slot.record
    }

    /// The record as the commands have left it so far; nil also where nobody has looked for it (``isKnown(_:)``).
    func known(_ key: R.Key) -> R? { slots[key]?.record }

    func isKnown(_ key: R.Key) -> Bool { slots[key] != nil }

    /// Whether no key is known.
    var isEmpty: Bool { slots.isEmpty }

    /// Records that the engine has, and keys that it has nothing under.
    func load(_ records: [R], absent keys: [R.Key] = []) {
        for record in records { _ = slot(record.key, record) }
        for key in keys { _ = slot(key, nil) }
    }

    func slot(_ key: R.Key, _ loaded: R?) -> Slot {
        if let slot = slots[key] { return slot }
        let slot = Slot(key, loaded, in: journal.transaction)
        slots[key] = slot
        journal.keyCount += 1
        return slot
    }

    /// Inserts or updates. Where a record was not looked for in this transaction it is a new one.
    func put(_ record: R) {
        let slot = slot(record.key, nil)
        let isNew = slot.change.map { changed[$0].isNew } == true || slot.transaction != journal.transaction
        set(slot, record.isBlank ? nil : record, isNew: isNew)
    }

    func remove(_ key: R.Key) { set(slot(key, nil), nil, isNew: false) }

    private func set(_ slot: Slot, _ record: R?, isNew: Bool) {
        let (command, transaction) = (journal.command, journal.transaction)
        if let place = slot.change {
            if changed[place].command != command {
                changed[place].found = (slot.record, slot.transaction, changed[place].isNew)
                changed[place].command = command
            }
            changed[place].isNew = isNew
        } else {
            slot.change = changed.count
            let loadedIn = slot.transaction
            changed.append(
                Change(slot: slot, loaded: slot.record, transaction: loadedIn, isNew: isNew, command: command)
            )
        }
        (slot.record, slot.transaction) = (record, transaction)
        journal.changeCount += 1
    }

    /// Has everything as it was before the command that is at work.
    func undo() {
        for (place, change) in changed.enumerated() where change.command == journal.command {
            (change.slot.record, change.slot.transaction, changed[place].isNew) =
                change.found ?? (change.loaded, change.transaction, false)
        }
    }

    /// Saves what has changed, and takes it for loaded then.
    func save(to sink: any RecordSink) throws {
        for place in changed.indices { try save(place, to: sink) }
        changed.removeAll(keepingCapacity: true)
    }

    private func save(_ place: Int, to sink: any RecordSink) throws {
        let (slot, isNew) = (changed[place].slot, changed[place].isNew)
        slot.change = nil
        // In place: to copy a record takes longer than to write it.
        journal.loaded.removeAll()
        journal.current.removeAll()
        if !isNew { changed[place].loaded?.write(to: &journal.loaded) }
        slot.record?.write(to: &journal.current)
        switch (journal.loaded.columns.isEmpty, journal.current.columns.isEmpty) {
        case (true, false): try sink.insert(journal.current, into: R.table)
        case (false, true): try sink.delete(slot.key.row, from: R.table)
        case _ where journal.loaded == journal.current: return
        default: try sink.update(journal.loaded, to: journal.current, in: R.table)
        }
        // The engine may have another one.
        if isNew, R.table.keepsFirst { slots[slot.key] = nil }
    }
}

/// Records of a map by something else than their key.
final class RecordIndex<R: Record, Value: Hashable> {
    private struct Group {
        /// Whether all that the engine has with this value are among them.
        var isComplete = false
        /// There are few with one value.
        var slots: [RecordMap<R>.Slot] = []

        mutating func add(_ slot: RecordMap<R>.Slot) {
            if !slots.contains(where: { $0 === slot }) { slots.append(slot) }
        }
    }

    private var groups: [Value: Group] = [:]
    private let map: RecordMap<R>
    private let value: (R) -> Value

    init(_ map: RecordMap<R>, by value: @escaping (R) -> Value) { (self.map, self.value) = (map, value) }

    func all(_ value: Value, load: () throws -> [R]?) rethrows -> [R] {
        if groups[value]?.isComplete != true {
            guard let records = try load() else { return [] }
            know(value, records)
        }
        return (groups[value]?.slots ?? []).compactMap(map.find).filter { self.value($0) == value }
    }

    /// All that the engine has with this value.
    func know(_ value: Value, _ records: [R]) {
        groups[value, default: Group()].isComplete = true
        for record in records { add(record, to: value) }
    }

    func add(_ record: R) { add(record, to: value(record)) }

    private func add(_ record: R, to value: Value) {
        groups[value, default: Group()].add(map.slot(record.key, record))
    }

    func forget() { if !groups.isEmpty { groups.removeAll(keepingCapacity: true) } }
}
