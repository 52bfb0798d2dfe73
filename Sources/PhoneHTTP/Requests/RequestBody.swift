import HTTPTypes
import Hummingbird
import NIOCore
import PhoneDomain
import TextEncodings

extension Request {
    /// The body, which must be a JSON object.
    ///
    /// - Parameters:
    ///   - isRequired: if false, no body counts as an empty object.
    ///   - types: the accepted media types.
    /// - Throws: ``Problem``.
    func jsonBody(isRequired: Bool = true, types: [String] = ["application/json"]) async throws -> JSONBody {
        let areOfType = types.compactMap(isContent)
        let isJSON = areOfType.isEmpty ? nil : areOfType.contains(true)
        if isJSON == false { throw Self.notJSON }
        let bytes = try await collectBody()
        if bytes.readableBytes == 0 {
            if isRequired { throw Problem.malformed("The body is empty; send a JSON object.") }
            return JSONBody([])
        }
        guard isJSON == true else { throw Self.notJSON }
        guard let value = bytes.withUnsafeReadableBytes({ JSON(parsing: $0) }) else { throw Self.malformedJSON }
        guard case .object(let members) = value else { throw Self.notAnObject }
        return JSONBody(members)
    }

    private static let malformedJSON = Problem.malformed("The body is not well-formed JSON.")
    private static let notAnObject = Problem(.invalidRequest, "The body must be a JSON object.")
    private static let notJSON = Problem(
        .unsupportedMediaType,
        "Send the body as JSON: Content-Type: application/json."
    )
}

/// The JSON object in a request. Unknown members are ignored.
struct JSONBody {
    private let members: [JSON.Member]

    init(_ members: [JSON.Member]) { self.members = members }

    /// The member, or nil if it is missing or null.
    ///
    /// - Throws: ``Problem``, which names the member, if it is no string.
    func text(_ name: String) throws(Problem) -> String? {
        switch self[name] {
        case nil, .null: return nil
        case .string(let text): return text
        default: throw Problem.field(name, "must be a string")
        }
    }

    /// - Throws: ``Problem``, which names the member, if it is missing or no string.
    func requiredText(_ name: String) throws(Problem) -> String {
        guard self[name] != nil else { throw Problem.field(name, "is missing") }
        guard let text = try text(name) else { throw Problem.field(name, "must be a string") }
        return text
    }

    /// The member as one of the raw values, or nil if it is missing or null.
    ///
    /// - Throws: ``Problem``, which names the member and its possible values.
    func choice<Choice>(_ name: String) throws(Problem) -> Choice?
    where Choice: CaseIterable & RawRepresentable<String> {
        guard let text = try text(name) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            throw Problem.field(name, "must be one of: " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return choice
    }

    /// The member, or nil if it is missing or null.
    ///
    /// - Throws: ``Problem``, which names the member and the range.
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

    /// The member, or nil if it is missing or null.
    ///
    /// - Throws: ``Problem``, which names the member.
    func flag(_ name: String) throws(Problem) -> Bool? {
        switch self[name] {
        case nil, .null: return nil
        case .bool(let value): return value
        default: throw Problem.field(name, "must be true or false")
        }
    }

    /// - Throws: ``Problem``, which names the member, if it is missing or no object.
    func requiredObject(_ name: String) throws(Problem) -> JSON {
        guard let value = self[name] else { throw Problem.field(name, "is missing") }
        guard case .object = value else { throw Problem.field(name, "must be an object") }
        return value
    }

    /// Of several members of one name the last counts, as in JavaScript.
    private subscript(name: String) -> JSON? { members.last { $0.name == name }?.value }
}

extension Request {
    /// A form (`application/x-www-form-urlencoded`, WHATWG URL, section 5.1). Of several values of one name the first
    /// counts; what cannot be decoded stays as it is.
    ///
    /// - Throws: ``Problem`` if the body is too long or incomplete.
    func decodeForm() async throws -> [String: String] {
        Dictionary(try await formFields()) { first, _ in first }
    }

    /// All fields of a form, in order.
    ///
    /// - Throws: ``Problem`` if the body is too long or incomplete.
    func formFields() async throws -> [(name: String, value: String)] {
        Self.formFields(in: String(buffer: try await collectBody()))
    }

    /// Goes by bytes: to Swift, `&` or `=` and a combining mark after it are one character.
    static func formFields(in text: String) -> [(name: String, value: String)] {
        text.utf8.split(separator: UInt8(ascii: "&")).map { pair in
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            return (decode(name), decode(pair.dropFirst(name.count + 1)))
        }
    }

    /// The parameters of an OAuth form. An empty one counts as omitted, and others are ignored (RFC 6749 section 3.2).
    ///
    /// - Throws: ``Problem`` if one is repeated, or the body is too long or incomplete.
    func oauthForm(_ names: Set<String>) async throws -> [String: String] {
        var parameters: [String: String] = [:]
        for (name, value) in try await formFields() where !value.isEmpty && names.contains(name) {
            guard parameters.updateValue(value, forKey: name) == nil else { throw Self.repeatedParameter }
        }
        return parameters
    }

    private static let repeatedParameter = Problem.malformed("Send each parameter once.").inOAuth(.invalidRequest)

    static let formType = "application/x-www-form-urlencoded"

    static let notForm = Problem(.unsupportedMediaType, "Send the body as a form: Content-Type: \(formType).")

    private static func decode(_ text: Substring.UTF8View) -> String {
        String(percentDecoding: Substring(text), hasPlusForSpace: true)
            ?? String(decoding: text.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }, as: UTF8.self)
    }
}

extension Request {
    /// The whole body. ``LimitedBody`` limits its length.
    ///
    /// - Throws: ``Problem`` if it is too long, announced or not, or incomplete.
    func collectBody() async throws -> ByteBuffer {
        do {
            return try await body.collect(upTo: .max)
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem.malformed("The body breaks off or is not framed as HTTP has it.")
        }
    }

    /// Whether the body has this media type (RFC 9110 section 8.3.1); nil without a `Content-Type`.
    func isContent(_ mediaType: String) -> Bool? {
        headers[.contentType].map { field in
            let essence = field.utf8.prefix { $0 != UInt8(ascii: ";") }
            return Substring(essence.trimmingSpaces).lowercased() == mediaType
        }
    }
}

extension Substring.UTF8View {
    fileprivate var trimmingSpaces: Substring.UTF8View {
        func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let start = drop(while: isSpace)
        guard let end = start.lastIndex(where: { !isSpace($0) }) else { return start.prefix(0) }
        return start[...end]
    }
}
