package import CoreEncodings

extension JSON {
    /// Applies a JSON merge patch (RFC 7396 section 2): null removes a member, other values replace it, objects merge
    /// recursively, and a value that is no object replaces the whole. New members go to the end. Of several members of
    /// one name the last counts.
    func merged(with patch: JSON) -> JSON {
        guard case .object(let changes) = patch else { return patch.withUniqueNames }
        var places: [Name: Int] = [:]
        var merged: [Member?] = []
        if case .object(let members) = withUniqueNames {
            for member in members {
                places[Name(member)] = merged.count
                merged.append(member)
            }
        }
        for change in changes.uniqueByName {
            let place = places[Name(change)]
            guard change.value != .null else {
                if let place { merged[place] = nil }
                continue
            }
            let old = place.flatMap { merged[$0]?.value } ?? .null
            let member = Member(change.name, old.merged(with: change.value))
            if let place { merged[place] = member } else { merged.append(member) }
        }
        return .object(merged.compactMap(\.self))
    }

    /// The object with these members, of which each takes the place of those of its name, and null removes them.
    package func replacing(_ changes: [Member]) -> JSON {
        var places: [Name: Int] = [:]
        var kept: [Member?] = []
        for member in members.uniqueByName + changes {
            if let place = places.removeValue(forKey: Name(member)) { kept[place] = nil }
            if member.value == .null { continue }
            places[Name(member)] = kept.count
            kept.append(member)
        }
        return .object(kept.compactMap(\.self))
    }

    /// The nesting depth: 0 for a scalar, 1 for an array or object of scalars.
    var depth: Int {
        switch self {
        case .null, .bool, .number, .string: 0
        case .array(let values): 1 + (values.map(\.depth).max() ?? 0)
        case .object(let members): 1 + (members.map(\.value.depth).max() ?? 0)
        }
    }

    private var withUniqueNames: JSON {
        switch self {
        case .null, .bool, .number, .string: self
        case .array(let values): .array(values.map(\.withUniqueNames))
        case .object(let members):
            .object(members.uniqueByName.map { Member($0.name, $0.value.withUniqueNames) })
        }
    }

    /// Equal only with the same code points (RFC 8259 section 8.3). Swift's strings are equal if they look alike.
    fileprivate struct Name: Hashable {
        private let bytes: [UInt8]

        init(_ member: Member) { bytes = Array(member.name.utf8) }
    }
}

extension [JSON.Member] {
    fileprivate var uniqueByName: [JSON.Member] {
        var places: [JSON.Name: Int] = [:]
        var unique: [JSON.Member] = []
        for member in self {
            if let place = places[JSON.Name(member)] {
                unique[place] = member
            } else {
                places[JSON.Name(member)] = unique.count
                unique.append(member)
            }
        }
        return unique
    }
}
