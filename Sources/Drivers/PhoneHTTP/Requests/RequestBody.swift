package import CoreEncodings
import HTTPTypes
package import NIOCore
import PhoneDomain

extension Request {
    /// - Parameter isRequired: if false, no body counts as an empty object.
    package func jsonBody(isRequired: Bool = true, types: [String] = ["application/json"]) async throws -> JSONBody {
        let isJSON = try isJSON(types)
        return try Self.jsonBody(try await collectBody(), isJSON: isJSON, isRequired: isRequired)
    }

    /// What ``jsonBody(isRequired:types:)`` finds in the whole body that a short route has.
    func wholeJSONBody() throws -> JSONBody {
        guard case .whole(let bytes) = body else { throw Problem.internalError(cause: "the body is not whole") }
        return try Self.jsonBody(bytes, isJSON: try isJSON(["application/json"]), isRequired: true)
    }

    /// - Returns: nil without a `Content-Type`.
    private func isJSON(_ types: [String]) throws(Problem) -> Bool? {
        let areOfType = types.compactMap(isContent)
        guard !areOfType.isEmpty else { return nil }
        guard areOfType.contains(true) else { throw Self.notJSON }
        return true
    }

    private static func jsonBody(_ bytes: ByteBuffer, isJSON: Bool?, isRequired: Bool) throws -> JSONBody {
        if bytes.readableBytes == 0 {
            if isRequired { throw Problem.malformed("The body is empty; send a JSON object.") }
            return JSONBody([])
        }
        guard isJSON == true else { throw notJSON }
        let value = try bytes.withUnsafeReadableBytes { bytes throws(Problem) in try json(bytes) }
        guard case .object(let members) = value else {
            throw Problem(.invalidRequest, "The body must be a JSON object.")
        }
        return JSONBody(members)
    }

    /// The JSON in a body.
    package static func json(_ bytes: UnsafeRawBufferPointer, repairsText: Bool = false) throws(Problem) -> JSON {
        do throws(JSON.RequestError) {
            return try JSON(parsingRequest: bytes, repairsText: repairsText)
        } catch {
            switch error {
            case .malformed: throw Problem.malformed("The body is not well-formed JSON.")
            case .tooManyValues:
                throw Problem(.invalidRequest, "The body has more than \(JSON.mostValuesOfRequest) names and values.")
            case .tooManyMarks: throw Self.tooManyMarks
            }
        }
    }

    /// A text that would take long to compare (``Swift/String/isStreamSafe``).
    static let tooManyMarks = Problem(
        .invalidRequest,
        "A text has more than \(String.mostMarks) combining marks in a row."
    )

    private static let notJSON = Problem(
        .unsupportedMediaType,
        "Send the body as JSON: Content-Type: application/json."
    )
}

/// The JSON object in a request. Unknown members are ignored, and null counts as absent. The methods throw a
/// ``Problem`` that names the member if it is missing where it is required, or invalid.
package struct JSONBody: Sendable {
    private let members: [JSON.Member]
    /// What stands before the names of an inner object's members: `signals.`.
    private let path: String

    init(_ members: [JSON.Member], path: String = "") { (self.members, self.path) = (members, path) }

    package func text(_ name: String) throws(Problem) -> String? {
        try value(name, "must be a string") { if case .string(let text) = $0 { text } else { nil } }
    }

    /// What `parse` reads in the text, if there is one.
    func text<Value>(
        _ name: String,
        _ expectation: @autoclosure () -> String,
        _ parse: (String) -> Value?
    ) throws(Problem) -> Value? {
        guard let text = try text(name) else { return nil }
        guard let value = parse(text) else { throw Problem.field(path + name, expectation()) }
        return value
    }

    package func requiredText(_ name: String) throws(Problem) -> String {
        guard let text = try text(name) else {
            throw Problem.field(path + name, self[name] == nil ? "is missing" : "must be a string")
        }
        return text
    }

    package func choice<Choice>(_ name: String) throws(Problem) -> Choice?
    where Choice: CaseIterable & RawRepresentable<String> {
        try text(name, "must be one of: " + Choice.allCases.map(\.rawValue).joined(separator: ", ")) {
            Choice(rawValue: $0)
        }
    }

    package func integer(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        try value(name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)") { value in
            guard case .number(let text) = value, let number = Int(text), range.contains(number) else { return nil }
            return number
        }
    }

    func texts(_ name: String) throws(Problem) -> [String]? {
        try value(name, "must be a list of strings") { value in
            guard case .array(let elements) = value else { return nil }
            let texts = elements.compactMap(\.string)
            return texts.count == elements.count ? texts : nil
        }
    }

    package func flag(_ name: String) throws(Problem) -> Bool? {
        try value(name, "must be true or false") { if case .bool(let flag) = $0 { flag } else { nil } }
    }

    package func object(_ name: String) throws(Problem) -> [JSON.Member]? {
        try value(name, "must be an object") { if case .object(let members) = $0 { members } else { nil } }
    }

    func hasObject(_ name: String) -> Bool { self[name]?.isObject == true }

    func objects(_ name: String) throws(Problem) -> [JSONBody]? {
        try value(name, "must be a list of objects") { value in
            guard case .array(let elements) = value else { return nil }
            let bodies = elements.filter(\.isObject).map { JSONBody($0.members) }
            return bodies.count == elements.count ? bodies : nil
        }
    }

    func requiredObject(_ name: String) throws(Problem) -> JSON {
        guard let value = self[name] else { throw Problem.field(path + name, "is missing") }
        guard case .object = value else { throw Problem.field(path + name, "must be an object") }
        return value
    }

    private func value<Value>(
        _ name: String,
        _ expectation: @autoclosure () -> String,
        _ read: (JSON) -> Value?
    ) throws(Problem) -> Value? {
        guard let member = self[name], member != .null else { return nil }
        guard let value = read(member) else { throw Problem.field(path + name, expectation()) }
        return value
    }

    /// Of several members of one name the last counts, as in JavaScript.
    private subscript(name: String) -> JSON? { members[name] }
}

/// The fields of a form or of a query, found by the bytes of their names. Of several of one name the first counts.
package struct FormFields: Sendable {
    /// The most fields of a request; more is refused before any of them is decoded.
    static let most = 100

    package let all: [(name: String, value: String)]

    package init(_ all: [(name: String, value: String)]) { self.all = all }

    package subscript(name: String) -> String? { all.first { $0.name.hasSameBytes(as: name) }?.value }

    func isRepeated(_ name: String) -> Bool { all.count { $0.name.hasSameBytes(as: name) } > 1 }

    /// The bytes of all names and values.
    var byteCount: Int { all.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } }

    /// Those that have a value: an empty parameter counts as omitted (RFC 6749 section 3.1).
    package var filled: FormFields { FormFields(all.filter { !$0.value.isEmpty }) }

    package func mapValues(_ transform: (String) -> String) -> FormFields {
        FormFields(all.map { ($0.name, transform($0.value)) })
    }

    /// Whether there are no more than ``most``.
    static func areFew(in text: String) -> Bool {
        var rest = text.utf8[...]
        for _ in 0..<most {
            guard let separator = rest.firstIndex(of: UInt8(ascii: "&")) else { return true }
            rest = rest[rest.index(after: separator)...]
        }
        return false
    }
}

extension Request {
    /// A form (`application/x-www-form-urlencoded`, WHATWG URL, section 5.1). What cannot be decoded stays as it is.
    package func decodeForm() async throws -> FormFields {
        let bytes = try await collectBody()
        let text = String(buffer: bytes)
        guard FormFields.areFew(in: text) else {
            throw Problem(.invalidRequest, "The form has more than \(FormFields.most) fields.")
        }
        let form = Self.formFields(in: text)
        guard form.all.allSatisfy({ $0.name.isStreamSafe && $0.value.isStreamSafe }) else { throw Self.tooManyMarks }
        return form
    }

    /// Goes by bytes: to Swift, `&` or `=` and a combining mark after it are one character.
    static func formFields(in text: String) -> FormFields {
        FormFields(
            text.utf8.split(separator: UInt8(ascii: "&")).map { pair in
                let name = pair.prefix { $0 != UInt8(ascii: "=") }
                return (decode(name), decode(pair.dropFirst(name.count + 1)))
            }
        )
    }

    /// The parameters of an OAuth form. An empty one counts as omitted, and others are ignored (RFC 6749 section 3.2).
    ///
    /// - Throws: ``Problem`` if one of these is repeated.
    func oauthForm(_ names: Set<String>) async throws -> FormFields {
        let form = try await decodeForm().filled
        guard !names.contains(where: form.isRepeated) else {
            throw Problem.malformed("Send each parameter once.").inOAuth(.invalidRequest)
        }
        return form
    }

    package static let formType = "application/x-www-form-urlencoded"

    static let notForm = Problem(.unsupportedMediaType, "Send the body as a form: Content-Type: \(formType).")

    static func decode(_ text: Substring.UTF8View) -> String {
        String(percentDecoding: Substring(text), hasPlusForSpace: true)
            ?? String(decoding: text.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }, as: UTF8.self)
    }
}

extension Request {
    /// The whole body. The connection limits its length.
    package func collectBody() async throws -> ByteBuffer {
        do {
            return try await body.collect()
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem.malformed("The body is incomplete, or its framing is invalid.")
        }
    }

    /// Whether the body has this media type (RFC 9110 section 8.3.1); nil without a `Content-Type`.
    package func isContent(_ mediaType: String) -> Bool? {
        headers[.contentType].map { field in
            // As most write it.
            if field == mediaType { return true }
            let essence = field.utf8.prefix { $0 != UInt8(ascii: ";") }
            return Substring(essence.trimmingWhitespace).asciiLowercased == mediaType
        }
    }
}

extension BidirectionalCollection<UInt8> where SubSequence == Self {
    /// The text without spaces and tabs at both ends (OWS, RFC 9110 section 5.6.3).
    var trimmingWhitespace: Self {
        func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let start = drop(while: isSpace)
        return start.dropLast(start.reversed().prefix(while: isSpace).count)
    }
}
