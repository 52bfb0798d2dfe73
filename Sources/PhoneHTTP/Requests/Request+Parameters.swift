import Hummingbird
import PhoneDomain

extension Request {
    /// The query parameter of this name with its percent-encoding undone, or nil if it is not there or says nothing. A
    /// plus sign stands for itself, so that `?to=+8210…` says what it seems to.
    func query(_ name: String) -> String? {
        uri.queryParameters[name[...]].flatMap { $0.isEmpty ? nil : String($0) }
    }

    /// Whether the query parameter of this name is true, or nil if it is not there or says nothing.
    ///
    /// - Throws: ``Problem`` for anything else than true and false.
    func flag(_ name: String) throws(Problem) -> Bool? {
        switch query(name) {
        case nil: return nil
        case "true": return true
        case "false": return false
        default: throw Problem.field(name, "must be true or false")
        }
    }

    /// The query parameter of this name as a whole number in this range.
    ///
    /// - Throws: ``Problem`` for anything else.
    func query(_ name: String, in range: ClosedRange<Int>, default standard: Int) throws -> Int {
        guard let text = query(name) else { return standard }
        guard let value = Int(text), range.contains(value) else {
            throw Problem.field(name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }
}

extension APIContext {
    /// The part of the path that the route calls so, with its percent-encoding undone.
    ///
    /// - Throws: ``Problem`` if what it encodes is no text.
    func pathText(_ name: String) throws -> String {
        guard let text = parameters.get(name).flatMap({ String(percentDecoding: $0) }) else {
            throw Problem.malformed("The path is not percent-encoded UTF-8.")
        }
        return text
    }

    /// The identifier that the route calls `id`, or nil if it is none of this kind.
    func pathID<Subject: Identified>(of subject: Subject.Type = Subject.self) -> Identifier<Subject>? {
        parameters.get("id").flatMap { Identifier($0) }
    }
}
