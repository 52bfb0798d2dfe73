public import CoreEncodings

/// Makes objects as a file describes them, through the admin API: what is missing is made, what differs is changed, and
/// what this has made before and the file has no more is removed. What others have made is never removed.
///
/// It is the same however often it is done. What it has made is recorded after each object (``Record``), so that it goes
/// on after it was killed; the one that was being made then counts as another's.
public struct ObjectsPlan: Sendable {
    /// The IDs of what was made, by kind and name.
    public typealias Record = [String: [String: String]]

    public enum Act: String, Sendable { case create, update, remove }

    public struct Change: Sendable {
        public let act: Act
        public let kind: ObjectsFile.Kind
        public let name: String
        /// What differs.
        public var members: [String] = []
        var id: String?
        var object: ObjectsFile.Object?

        public var json: JSON {
            [
                "act": .string(act.rawValue), "kind": .string(kind.section), "name": .string(name),
                "members": .array(members.map(JSON.string)),
            ]
        }
    }

    /// In the order in which they are done.
    public let changes: [Change]
    public let unchanged: Int
    /// What was made before and is still there.
    private let record: Record

    /// Looks at what there is.
    ///
    /// - Throws: ``ObjectsFile/Invalid`` for what cannot be changed, and what the API throws.
    public init(_ file: ObjectsFile, made record: Record, api: AdminAPI) async throws {
        var (changes, removals, lines): ([Change], [Change], [String]) = ([], [], [])
        var (unchanged, kept) = (0, Record())
        for kind in ObjectsFile.Kind.all {
            let objects = file.objects.filter { $0.kind == kind }
            let made = record[kind.section] ?? [:]
            if objects.isEmpty, made.isEmpty { continue }
            let items = try await api.list(kind.path)["items"]?.array ?? []
            let live = items.filter { $0["revoked_at"] ?? .null == .null && $0["until"] ?? .null == .null }
            func id(_ item: JSON) -> String { item["id"]?.string ?? item[kind.name]?.string ?? "" }
            for object in objects {
                let own = live.first { id($0) == made[object.name] }
                let others = live.filter { $0[kind.name]?.string == object.name }
                if own == nil, others.count > 1 {
                    lines.append("there are \(others.count) of \(kind.word) \(object.name); revoke all but one")
                    continue
                }
                guard let item = own ?? others.first else {
                    changes.append(Change(act: .create, kind: kind, name: object.name, object: object))
                    continue
                }
                if own != nil { kept[kind.section, default: [:]][object.name] = id(item) }
                let members = object.members.filter { !Self.isSame($0.value, item[$0.name]) }.map(\.name)
                if let fixed = members.first(where: kind.fixedMembers.contains) {
                    lines.append("\(fixed) of \(kind.word) \(object.name) cannot change; give the new one another name")
                } else if members.isEmpty {
                    unchanged += 1
                } else {
                    changes.append(
                        Change(
                            act: .update,
                            kind: kind,
                            name: object.name,
                            members: members,
                            id: id(item),
                            object: object
                        )
                    )
                }
            }
            for (name, made) in made.sorted(by: { $0.key < $1.key }) where !objects.contains(where: { $0.name == name })
            {
                guard live.contains(where: { id($0) == made }) else { continue }
                kept[kind.section, default: [:]][name] = made
                removals.append(Change(act: .remove, kind: kind, name: name, id: made))
            }
        }
        if !lines.isEmpty { throw ObjectsFile.Invalid(lines: lines) }
        (self.changes, self.unchanged, self.record) = (changes + removals, unchanged, kept)
    }

    /// Lists have no order of their own.
    private static func isSame(_ one: JSON, _ other: JSON?) -> Bool {
        guard let list = one.array, let others = other?.array else { return one == other ?? .null }
        return list.map(\.text).sorted() == others.map(\.text).sorted()
    }

    /// - Parameters:
    ///   - save: keeps what was made, before anything is done and after each change.
    ///   - openSecret: opens a file for a secret before its object is made, which fails if there is one; the function that it
    ///     returns writes the secret, or removes the file if there is none.
    public func apply(
        through api: AdminAPI,
        save: (Record) throws -> Void,
        openSecret: (String) throws -> (_ secret: String?) throws -> Void
    ) async throws {
        var record = record
        try save(record)
        for change in changes {
            let path = change.kind.path
            let members = (change.object?.members ?? []).map { ($0.name, $0.value) }
            let name = (change.kind.name, JSON.string(change.name))
            switch (change.act, change.kind) {
            case (.create, _):
                let write = try change.object?.secretFile.map(openSecret)
                let made: JSON
                do {
                    made = try await api.post(path, [name] + members)
                } catch {
                    try? write?(nil)
                    throw error
                }
                try write?(change.kind.secret.flatMap { made[$0]?.string })
                record[change.kind.section, default: [:]][change.name] = made["id"]?.string ?? change.name
            case (.update, .guardRules): _ = try await api.post(path, [name] + members)
            case (.update, _): _ = try await api.post("\(path)/\(change.id ?? "")", members, method: "PATCH")
            case (.remove, .guardRules): _ = try await api.post("/guard/unblock", ["subject": .string(change.name)])
            case (.remove, _): _ = try await api.post("\(path)/\(change.id ?? "")/revoke")
            }
            if change.act == .remove { record[change.kind.section]?[change.name] = nil }
            try save(record)
        }
    }

    public var json: JSON {
        ["changes": .array(changes.map(\.json)), "unchanged": .integer(unchanged)]
    }
}
