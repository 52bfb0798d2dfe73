/// The rows of one table that a batch works on: as the server has them, and as the batch leaves them.
struct Image<T: Table> {
    private struct Entry {
        let loaded: T.Value?
        var current: T.Value?
    }

    private var entries: [String: Entry] = [:]
    /// What to put back if an operation is to leave nothing behind.
    private var undo: [(key: String, current: T.Value?)] = []

    /// Whether it is known what the server has under this key.
    func isLoaded(_ key: String) -> Bool {
        entries[key] != nil
    }

    /// The value under this key, or nil if there is none.
    ///
    /// - Throws: ``NotLoaded`` if that is not known.
    func find(_ key: String) throws(NotLoaded) -> T.Value? {
        guard let entry = entries[key] else { throw NotLoaded(T.keys(of: key)) }
        return entry.current
    }

    /// The value under a key that is known; nil for any other.
    func known(_ key: String) -> T.Value? {
        entries[key]?.current
    }

    /// Takes in what the server has, and nothing for keys that it did not return.
    mutating func load(_ rows: [(key: String, value: T.Value)], of keys: some Sequence<String> = EmptyCollection()) {
        for row in rows where entries[row.key] == nil {
            entries[row.key] = Entry(loaded: row.value, current: row.value)
        }
        for key in keys where entries[key] == nil { entries[key] = Entry(loaded: nil, current: nil) }
    }

    /// Keeps a value under a key that was loaded, or that is new; nil for none.
    mutating func keep(_ value: T.Value?, under key: String) {
        let entry = entries[key]
        undo.append((key, entry?.current))
        entries[key] = Entry(loaded: entry?.loaded, current: value)
    }

    /// How far ``rollBack(to:)`` can go back.
    var mark: Int { undo.count }

    /// Undoes everything since the mark.
    mutating func rollBack(to mark: Int) {
        while undo.count > mark, let last = undo.popLast() {
            entries[last.key]?.current = last.current
        }
    }

    /// The statements that bring the server to what the batch leaves. In order of the keys, so that two batches that
    /// insert the same ones wait for each other in one direction.
    func saves() -> [Query] {
        var inserted: [(key: String, value: T.Value)] = []
        var updated: [(key: String, value: T.Value)] = []
        var deleted: [String] = []
        for (key, entry) in entries where entry.loaded != entry.current {
            switch (entry.loaded, entry.current) {
            case (nil, let value?): inserted.append((key, value))
            case (_?, let value?): updated.append((key, value))
            case (_, nil): deleted.append(key)
            }
        }
        return T.inserts(inserted) + T.updates(updated) + T.deletes(deleted)
    }
}
