import CoreEncodings

/// The same with what each mapping takes from another one by `<<` (https://yaml.org/type/merge.html) among its own
/// members, by name: the responses that many operations have in common are written once.
func merged(_ value: JSON) -> JSON {
    switch value {
    case .object(let members):
        let own = members.filter { $0.name != "<<" }.map { JSON.Member($0.name, merged($0.value)) }
        guard let shared = value["<<"] else { return .object(own) }
        return .object((own + shared.members).sorted { $0.name < $1.name })
    case .array(let elements): return .array(elements.map(merged))
    case .null, .bool, .number, .string: return value
    }
}

/// An OpenAPI document with the components of another one that it refers to and does not have itself.
func completed(_ own: JSON, by other: JSON) -> JSON {
    var (added, wanted): ([String: [JSON.Member]], [String]) = ([:], references(in: own))
    while let reference = wanted.popLast() {
        let path = reference.split(separator: "/").dropFirst(2).map(String.init)
        guard path.count == 2, own["components"]?[path[0]]?[path[1]] == nil,
            added[path[0]]?.contains(where: { $0.name == path[1] }) != true,
            let found = other["components"]?[path[0]]?[path[1]]
        else { continue }
        added[path[0], default: []].append(JSON.Member(path[1], found))
        wanted += references(in: found)
    }
    let kinds = ["securitySchemes", "parameters", "headers", "responses", "schemas"].map { kind in
        let described = own["components"]?[kind]?.members ?? []
        return JSON.Member(kind, .object(described + (added[kind] ?? []).sorted { $0.name < $1.name }))
    }
    return .object(own.members.filter { $0.name != "components" } + [JSON.Member("components", .object(kinds))])
}

/// Every `$ref` in it.
func references(in value: JSON) -> [String] {
    switch value {
    case .object(let members):
        members.flatMap { member in
            member.name == "$ref" ? [member.value.string].compactMap(\.self) : references(in: member.value)
        }
    case .array(let elements): elements.flatMap(references)
    case .null, .bool, .number, .string: []
    }
}
