/// The JSON object that a request bears. Members that nobody asks for are passed over.
struct JSONBody {
    private let members: [JSON.Member]

    init(_ members: [JSON.Member]) {
        self.members = members
    }

    /// The text of this member, or nil if it is not there or null.
    ///
    /// - Throws: ``Problem``, which names the member, if it is no text.
    func text(_ name: String) throws(Problem) -> String? {
        switch self[name] {
        case nil, .null: return nil
        case .string(let text): return text
        default: throw Problem.field(name, "must be a string")
        }
    }

    /// The text of this member.
    ///
    /// - Throws: ``Problem``, which names the member, if it is not there or no text.
    func requiredText(_ name: String) throws(Problem) -> String {
        guard self[name] != nil else { throw Problem.field(name, "is missing") }
        guard let text = try text(name) else { throw Problem.field(name, "must be a string") }
        return text
    }

    /// Which of the raw values this member has, or nil if it is not there or null.
    ///
    /// - Throws: ``Problem``, which names the member and its possible values, if it has none of them.
    func choice<Choice>(_ name: String) throws(Problem) -> Choice?
    where Choice: CaseIterable & RawRepresentable<String> {
        guard let text = try text(name) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            throw Problem.field(name, "must be one of: " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return choice
    }

    /// The whole number of this member, or nil if it is not there or null.
    ///
    /// - Throws: ``Problem``, which names the member and the range, if it is no whole number in it.
    func integer(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        switch self[name] {
        case nil, .null: return nil
        case .number(let text):
            guard let value = Int(text), range.contains(value) else { fallthrough }
            return value
        default:
            throw Problem.field(name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
    }

    /// Whether this member is true, or nil if it is not there or null.
    ///
    /// - Throws: ``Problem``, which names the member, if it is neither true nor false.
    func flag(_ name: String) throws(Problem) -> Bool? {
        switch self[name] {
        case nil, .null: return nil
        case .bool(let value): return value
        default: throw Problem.field(name, "must be true or false")
        }
    }

    /// The object of this member.
    ///
    /// - Throws: ``Problem``, which names the member, if it is not there or no object.
    func requiredObject(_ name: String) throws(Problem) -> JSON {
        guard let value = self[name] else { throw Problem.field(name, "is missing") }
        guard case .object = value else { throw Problem.field(name, "must be an object") }
        return value
    }

    /// Of several members of one name the last counts, as in JavaScript.
    private subscript(name: String) -> JSON? {
        members.last { $0.name == name }?.value
    }
}
