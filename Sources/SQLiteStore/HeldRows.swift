/// Rows of a table that were read in a transaction, and what is to become of them.
struct HeldRows<Key: Hashable, Value: Equatable> {
    struct Change {
        let key: Key
        /// Whether the table has a row of that key.
        let isThere: Bool
        /// What it is to hold; nil for none.
        let value: Value?
    }

    private var kept: [Key: Value?] = [:]
    private var current: [Key: Value?] = [:]

    /// The value of this key, which is read once.
    mutating func value(of key: Key, read: () throws -> Value?) rethrows -> Value? {
        if let value = current[key] ?? kept[key] { return value }
        let value = try read()
        kept[key] = .some(value)
        return value
    }

    /// Gives a key another value than the one that was read.
    mutating func set(_ key: Key, to value: Value?, loaded: Value?) {
        if kept[key] == nil { kept[key] = .some(loaded) }
        current[key] = .some(value)
    }

    /// What is to be written.
    var changes: [Change] {
        current.compactMap { key, value in
            let before = kept[key] ?? nil
            return value == before ? nil : Change(key: key, isThere: before != nil, value: value)
        }
    }
}
