/// The records of one type that a connection has found or saved last: most messages are settled, and most codes
/// checked, soon after they were made, and then nothing has to be read again.
///
/// It has only what is in the database: whatever else changes a row, or may undo it, begins a new generation, in which
/// nothing of the one before is found. The oldest make room for new ones one by one, so that no batch pays for many.
final class RecentRecords<R: Record> {
    private struct Entry {
        let record: R
        var generation: Int
    }

    /// Some 1.7 KB for a verification, its message, its number and the traffic of its prefix: 3.5 MB in all.
    private static var limit: Int { 2_048 }

    private var entries: [Entry] = []
    private var places: [R.Key: Int] = [:]
    /// The place of the oldest, once all are taken.
    private var next = 0

    func find(_ key: R.Key, in generation: Int) -> R? {
        guard let place = places[key], entries[place].generation == generation else { return nil }
        return entries[place].record
    }

    func keep(_ record: R, in generation: Int) {
        let entry = Entry(record: record, generation: generation)
        if let place = places[record.key] {
            entries[place] = entry
        } else if entries.count < Self.limit {
            places[record.key] = entries.count
            entries.append(entry)
        } else {
            places[entries[next].record.key] = nil
            places[record.key] = next
            entries[next] = entry
            next = (next + 1) % Self.limit
        }
    }

    func forget(_ key: R.Key) { if let place = places[key] { entries[place].generation = -1 } }
}

/// An object for each type of record that there has been asked for.
struct ObjectsByTable {
    private var objects: [AnyObject?] = []

    /// The cast is not checked, since each caller has one type of object, generic over the record, and a table has one
    /// type of record.
    ///
    /// - Parameter make: makes the table's object.
    mutating func object<Object: AnyObject>(of table: Table, _ make: () -> Object) -> Object {
        while objects.count <= table.number { objects.append(nil) }
        if let object = objects[table.number] { return unsafeDowncast(object, to: Object.self) }
        let object = make()
        objects[table.number] = object
        return object
    }
}
