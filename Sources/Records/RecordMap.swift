/// What the maps of a unit of work share.
final class Journal {
    let source: any RecordSource
    /// Undoes the changes, each by itself: the last one comes first.
    var undo: [() -> Void] = []
    /// Saves what has changed in the record of a table.
    var saves: [(table: Table, save: (any RecordSink) throws -> Void)] = []
    // Used again and again, so that no record costs memory of its own.
    var key = Row()
    var loaded = Row()
    var current = Row()
    /// How many keys are known, with and without a record.
    var keyCount = 0
    /// The number of the transaction.
    var transaction = 0

    init(_ source: any RecordSource) { self.source = source }
}

/// The records of one type in a unit of work: as the engine has them, and as the commands leave them (an identity map).
public final class RecordMap<R: Record> {
    /// A record that is known, found by its key once for all that is done with it.
    final class Slot {
        let key: R.Key
        var loaded: R?
        var current: R?
        /// Whether it was changed since it was loaded or saved.
        var isChanged = false
        /// Whether it was put without having been looked for, so that none may be there.
        var isNew = false
        /// The transaction in which it was looked for or changed last.
        var transaction: Int

        init(_ key: R.Key, _ record: R?, in transaction: Int) {
            (self.key, loaded, current, self.transaction) = (key, record, record, transaction)
        }
    }

    private var slots: [R.Key: Slot] = [:]
    private let journal: Journal

    init(_ journal: Journal) { self.journal = journal }

    /// The record with this key, which is loaded once.
    ///
    /// - Parameter isShared: whether others may change it until the end of the transaction.
    public func find(_ key: R.Key, isShared: Bool = false) throws -> R? {
        if let slot = slots[key] { return find(slot) }
        journal.key.removeAll()
        key.write(to: &journal.key)
        guard
            let isThere = try journal.source
                .load(journal.key, of: R.table, isShared: isShared, into: &journal.loaded)
        else { return nil }
        return slot(key, isThere ? try R(journal.loaded) : nil).current
    }

    func find(_ slot: Slot) -> R? {
        slot.transaction = journal.transaction
        return slot.current
    }

    /// The record as the commands have left it so far; nil also where nobody has looked for it (``isKnown(_:)``).
    public func known(_ key: R.Key) -> R? { slots[key]?.current }

    public func isKnown(_ key: R.Key) -> Bool { slots[key] != nil }

    /// Records that the engine has, and keys that it has nothing under.
    public func load(_ records: [R], absent keys: [R.Key] = []) {
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
    public func put(_ record: R) {
        let slot = slot(record.key, nil)
        set(slot, record.isBlank ? nil : record, isNew: slot.isNew || slot.transaction != journal.transaction)
    }

    public func remove(_ key: R.Key) { set(slot(key, nil), nil, isNew: false) }

    private func set(_ slot: Slot, _ record: R?, isNew: Bool) {
        journal.undo.append { [current = slot.current, isNew = slot.isNew, transaction = slot.transaction] in
            (slot.current, slot.isNew, slot.transaction) = (current, isNew, transaction)
        }
        if !slot.isChanged { journal.saves.append((R.table, { [unowned self] in try save(slot, to: $0) })) }
        slot.current = record
        (slot.isChanged, slot.isNew, slot.transaction) = (true, isNew, journal.transaction)
    }

    /// Whether no key is known.
    var isEmpty: Bool { slots.isEmpty }

    /// Saves what has changed, and takes it for loaded then.
    private func save(_ slot: Slot, to sink: any RecordSink) throws {
        let isNew = slot.isNew
        (slot.isChanged, slot.isNew) = (false, false)
        // In place: to copy a record takes longer than to write it.
        journal.loaded.removeAll()
        journal.current.removeAll()
        if !isNew { slot.loaded?.write(to: &journal.loaded) }
        slot.current?.write(to: &journal.current)
        switch (journal.loaded.columns.isEmpty, journal.current.columns.isEmpty) {
        case (true, false): try sink.insert(journal.current, into: R.table)
        case (false, true): try sink.delete(slot.key.row, from: R.table)
        case _ where journal.loaded == journal.current: return
        default: try sink.update(journal.loaded, to: journal.current, in: R.table)
        }
        slot.loaded = slot.current
        // The engine may have another one.
        if isNew, R.table.keepsFirst { slots[slot.key] = nil }
    }
}

/// Records of a map by something else than their key.
public final class RecordIndex<R: Record, Value: Hashable> {
    private final class Group {
        /// Whether all that the engine has with this value are among them.
        var isComplete = false
        var slots: [R.Key: RecordMap<R>.Slot] = [:]
    }

    private var groups: [Value: Group] = [:]
    private let map: RecordMap<R>
    private let value: (R) -> Value

    init(_ map: RecordMap<R>, by value: @escaping (R) -> Value) { (self.map, self.value) = (map, value) }

    private func group(_ value: Value) -> Group {
        if let group = groups[value] { return group }
        let group = Group()
        groups[value] = group
        return group
    }

    func all(_ value: Value, load: () throws -> [R]?) rethrows -> [R] {
        let group = group(value)
        if !group.isComplete {
            guard let records = try load() else { return [] }
            know(records, in: group)
        }
        return group.slots.values.compactMap(map.find).filter { self.value($0) == value }
    }

    /// All that the engine has with this value.
    public func know(_ value: Value, _ records: [R]) { know(records, in: group(value)) }

    private func know(_ records: [R], in group: Group) {
        group.isComplete = true
        for record in records { add(record, to: group) }
    }

    func add(_ record: R) { add(record, to: group(value(record))) }

    private func add(_ record: R, to group: Group) {
        let key = record.key
        if group.slots[key] == nil { group.slots[key] = map.slot(key, record) }
    }

    func forget() { if !groups.isEmpty { groups.removeAll(keepingCapacity: true) } }
}
