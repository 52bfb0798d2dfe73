import CoreEncodings
import PhoneSignup

@testable import PhoneHTTP

/// Validates JSON values by the part of JSON Schema 2020-12 that the document uses. A keyword that it does not know is
/// a fault, so that the document cannot require what nothing checks.
struct SchemaValidator: Sendable {
    /// Where references are looked up.
    let document: JSON
    /// Whether objects may have no members but those described. The document does not say so, since later versions may
    /// add some.
    var isClosed = false

    /// Keywords that require nothing.
    private static let annotations: Set<String> = ["description", "examples", "discriminator"]

    /// What is wrong with a value, each with its place.
    func faults(of value: JSON, by schema: JSON, at place: String = "$") -> [String] {
        guard case .object(let keywords) = schema else { return ["\(place): \(schema) is no schema"] }
        return keywords.flatMap { keyword in
            faults(of: value, by: keyword, of: schema, at: place)
        }
    }

    private func faults(of value: JSON, by keyword: JSON.Member, of schema: JSON, at place: String) -> [String] {
        switch (keyword.name, keyword.value) {
        case ("$ref", .string(let path)):
            return document.value(at: path).map { faults(of: value, by: $0, at: place) } ?? ["\(path) is nowhere"]
        case ("type", .string(let name)):
            return Self.types(of: value).contains(name) ? [] : ["\(place): \(value) is no \(name)"]
        case ("type", .array(let names)):
            let isOne = Self.types(of: value).contains { names.contains(.string($0)) }
            return isOne ? [] : ["\(place): \(value) is none of \(names)"]
        case ("const", let wanted):
            return value == wanted ? [] : ["\(place): \(value) is not \(wanted)"]
        case ("enum", .array(let choices)):
            return choices.contains(value) ? [] : ["\(place): \(value) is none of \(choices)"]
        case ("anyOf", .array(let schemas)):
            let faults = schemas.map { self.faults(of: value, by: $0, at: place) }
            return faults.contains(where: \.isEmpty) ? [] : faults.flatMap { $0 }
        case ("oneOf", .array(let schemas)):
            let faults = schemas.map { self.faults(of: value, by: $0, at: place) }
            let count = faults.filter(\.isEmpty).count
            return count == 1 ? [] : count > 1 ? ["\(place) fits \(count) schemas"] : faults.flatMap { $0 }
        case ("pattern", .string(let pattern)): return Self.faults(of: value, pattern: pattern, at: place)
        case ("format", .string("date-time")):
            guard case .string(let text) = value else { return [] }
            return Timestamp(rfc3339: text)?.description == text ? [] : ["\(place): \(text) is no moment"]
        case ("minimum", .number(let least)):
            guard case .number(let text) = value, let number = Double(text), let least = Double(least) else {
                return []
            }
            return number >= least ? [] : ["\(place): \(text) is less than \(least)"]
        case ("items", let schema):
            guard case .array(let values) = value else { return [] }
            return values.enumerated().flatMap { faults(of: $1, by: schema, at: "\(place)[\($0)]") }
        case ("properties", .object(let properties)):
            guard case .object(let members) = value else { return [] }
            let isClosed = isClosed && schema["additionalProperties"] != true
            let isTwice = isClosed && Set(members.map(\.name)).count < members.count
            return (isTwice ? ["\(place) has a member twice"] : [])
                + members.flatMap { member in
                    guard let property = properties.first(where: { $0.name == member.name }) else {
                        return isClosed ? ["\(place) has \(member.name)"] : []
                    }
                    return faults(of: member.value, by: property.value, at: "\(place).\(member.name)")
                }
        case ("required", .array(let names)):
            guard case .object(let members) = value else { return [] }
            return names.filter { name in !members.contains { .string($0.name) == name } }
                .map { "\(place) lacks \($0)" }
        case ("additionalProperties", true): return []
        case ("additionalProperties", let schema):
            guard case .object(let members) = value else { return [] }
            return members.flatMap { faults(of: $0.value, by: schema, at: "\(place).\($0.name)") }
        case ("maxProperties", .number(let most)):
            guard case .object(let members) = value else { return [] }
            return members.count <= Int(most) ?? 0 ? [] : ["\(place) has more than \(most) members"]
        case ("maxLength", .number(let most)):
            return value.string?.unicodeScalars.count ?? 0 <= Int(most) ?? 0 ? [] : ["\(place) is longer than \(most)"]
        case (let name, _): return Self.annotations.contains(name) ? [] : ["\(place): what is \(keyword)?"]
        }
    }

    private static func faults(of value: JSON, pattern: String, at place: String) -> [String] {
        guard case .string(let text) = value else { return [] }
        guard let expression = try? Regex(pattern) else { return ["\(pattern) is no pattern"] }
        return text.contains(expression) ? [] : ["\(place): \(text) is not \(pattern)"]
    }

    private static func types(of value: JSON) -> Set<String> {
        switch value {
        case .null: ["null"]
        case .bool: ["boolean"]
        case .number(let text): Int(text) == nil ? ["number"] : ["number", "integer"]
        case .string: ["string"]
        case .array: ["array"]
        case .object: ["object"]
        }
    }
}

extension JSON {
    /// None if it is no array.
    var elements: [JSON] { array ?? [] }

    /// The target of a reference within the document.
    func value(at path: String) -> JSON? {
        guard path.hasPrefix("#/") else { return nil }
        return path.dropFirst(2).split(separator: "/").reduce(JSON?.some(self)) { value, name in
            value?[String(name)]
        }
    }
}
