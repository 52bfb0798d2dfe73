/// What an UPDATE sets: the columns whose value has changed, and no other.
///
/// SQLite takes a row out of every index that a column of an UPDATE belongs to and puts it back, also where the value is the
/// same. Most changes touch few columns, and most indexes are of others.
struct Assignments {
    /// `column = ?, …`
    private(set) var text = ""
    /// What stands for the question marks.
    private(set) var arguments: Arguments = []

    mutating func set<Value: Bindable & Equatable>(_ column: StaticString, to value: Value?, was loaded: Value?) {
        guard value != loaded else { return }
        text += text.isEmpty ? "\(column) = ?" : ", \(column) = ?"
        arguments += [value]
    }
}
