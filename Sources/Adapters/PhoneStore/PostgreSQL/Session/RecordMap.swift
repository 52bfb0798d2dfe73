/// The records of one type that a batch works on: as the server has them, and as the commands leave them (an identity
/// map).
final class RecordMap<R: Record> {
    /// A record that is known, found by its key once for all that is done with it.
    final class Slot {
        let key: R.Key
        fileprivate(set) var record: R?
        /// Its place among those that have changed.
        fileprivate var change: Int?

        init(_ key: R.Key, _ record: R?) { (self.key, self.record) = (key, record) }
    }

    /// What became of a record since it was loaded.
    private struct Change {
        let slot: Slot
        let loaded: R?
        /// The last command that changed it, and what that found.
        var (command, found): (Int, R?)
    }

    private var slots: [R.Key: Slot] = [:]
    private var changed: [Change] = []
    private let needs: BatchNeeds
    /// Called with each record that is saved.
    fileprivate var index: ((R) -> Void)?

    init(_ needs: BatchNeeds) { self.needs = needs }

    /// The record with this key, or what is known of it so far: then it is loaded before the command runs again.
    func find(_ key: R.Key, isShared: Bool = false) throws -> R? {
        if let slot = slots[key] { return slot.record }
        let number = R.table.number
        try needs.require { $0.need(isShared ? .shared(number) : .row(number), key.value) }
        return nil
    }

    /// The record as the commands have left it so far; nil also where nobody has looked for it (``isKnown(_:)``).
    func known(_ key: R.Key) -> R? { slots[key]?.record }

    func isKnown(_ key: R.Key) -> Bool { slots[key] != nil }

    var isEmpty: Bool { slots.isEmpty }

    /// Records that the server has, and keys that it has nothing under.
    func load(_ records: [R], absent keys: [R.Key] = []) {
        for record in records { _ = slot(record.key, record) }
        for key in keys { _ = slot(key, nil) }
    }

    func slot(_ key: R.Key, _ loaded: R?) -> Slot {
        if let slot = slots[key] { return slot }
        let slot = Slot(key, loaded)
        slots[key] = slot
        return slot
    }

    func save(_ key: R.Key, _ record: R?) {
        let slot = slot(key, nil)
        if let place = slot.change {
            if changed[place].command != needs.command {
                (changed[place].command, changed[place].found) = (needs.command, slot.record)
            }
        } else {
            slot.change = changed.count
            changed.append(Change(slot: slot, loaded: slot.record, command: needs.command, found: slot.record))
        }
        slot.record = record
        if let record { index?(record) }
    }

    /// Has everything as it was before the command that is at work.
    func undo() { for change in changed where change.command == needs.command { change.slot.record = change.found } }

    func save(to changes: ChangeCollector) {
        for change in changed where change.slot.record != change.loaded {
            changes.save(change.loaded, change.slot.record)
        }
    }
}

/// Records of a map by something else than their key.
final class RecordIndex<R: Record, Value: Hashable> {
    private struct Group {
        /// Whether all that the server has with this value are among them.
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

    init(_ map: RecordMap<R>, by value: @escaping (R) -> Value) {
        (self.map, self.value) = (map, value)
        map.index = { [unowned self] in add($0, to: value($0)) }
    }

    /// - Parameter need: what to load if not all of them are known.
    func all(_ value: Value, or need: () throws -> Void) rethrows -> [R] {
        guard let group = groups[value], group.isComplete else {
            try need()
            return []
        }
        return group.slots.compactMap(\.record).filter { self.value($0) == value }
    }

    /// Notes all records that the server has with this value.
    func know(_ value: Value, _ records: [R]) {
        groups[value, default: Group()].isComplete = true
        for record in records { add(record, to: value) }
    }

    private func add(_ record: R, to value: Value) {
        groups[value, default: Group()].add(map.slot(record.key, record))
    }
}
