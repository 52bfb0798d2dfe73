import CoreEncodings
package import HTTPTypes
import NIOHTTP1

/// The header fields of a request or a response, in order. Names are the same whatever their case (RFC 9110 section
/// 5.1).
///
/// A message has a dozen fields, so they are compared one by one: `HTTPFields` makes a name, with a copy in lower case,
/// and an index of them for each request, which costs more than to parse it.
package struct HeaderFields: Sendable, Sequence, ExpressibleByDictionaryLiteral {
    package typealias Element = (name: String, value: String)

    private var fields: [Element] = []

    package init(dictionaryLiteral fields: (HTTPField.Name, String)...) {
        for (name, value) in fields { append(name, value) }
    }

    init(_ headers: HTTPHeaders) { fields = headers.map { ($0.name, Self.legal($0.value)) } }

    package init(_ headers: HTTPFields) { fields = headers.map { ($0.name.rawName, $0.value) } }

    var httpFields: HTTPFields {
        HTTPFields(
            fields.compactMap { field in HTTPField.Name(field.name).map { HTTPField(name: $0, value: field.value) } }
        )
    }

    package func makeIterator() -> IndexingIterator<[Element]> { fields.makeIterator() }

    package mutating func append(_ name: HTTPField.Name, _ value: String) {
        fields.append((name.rawName, Self.legal(value)))
    }

    package func contains(_ name: HTTPField.Name) -> Bool { fields.contains { Self.isName($0.name, name) } }

    /// The values of all fields of this name, as one list.
    package subscript(name: HTTPField.Name) -> String? {
        get {
            var found: String?
            for field in fields where Self.isName(field.name, name) {
                found = found.map { $0 + (name == .cookie ? "; " : ", ") + field.value } ?? field.value
            }
            return found
        }
        set {
            fields.removeAll { Self.isName($0.name, name) }
            if let newValue { append(name, newValue) }
        }
    }

    package subscript(values name: HTTPField.Name) -> [String] {
        fields.filter { Self.isName($0.name, name) }.map(\.value)
    }

    /// The elements of a field that is a list (RFC 9110 section 5.6.1).
    func list(_ name: HTTPField.Name) -> [Substring] {
        var list: [Substring] = []
        for field in fields where Self.isName(field.name, name) {
            list += field.value.utf8.split(separator: UInt8(ascii: ",")).map { Substring($0.trimmingWhitespace) }
        }
        return list
    }

    private static func isName(_ text: String, _ name: HTTPField.Name) -> Bool {
        guard text.utf8.count == name.canonicalName.utf8.count else { return false }
        return text == name.rawName || text.asciiLowercased == name.canonicalName
    }

    /// The value without the white space around it, and with spaces for what a field cannot have, such as the end of
    /// the line.
    private static func legal(_ value: String) -> String {
        var value = value
        let isLegal = value.withUTF8 { bytes in
            // To the end, since without a way out in the middle many bytes are looked at together.
            var faults: UInt8 = 0
            for byte in bytes { faults |= byte < 0x20 || byte == 0x7F ? 1 : 0 }
            return faults == 0 && bytes.first != 0x20 && bytes.last != 0x20
        }
        return isLegal ? value : HTTPField(name: .accept, value: value).value
    }
}

extension HTTPField.Name {
    static let host = known("Host")
    /// The client's or a proxy's ID of the request.
    static let requestID = known("X-Request-Id")
    /// https://www.w3.org/TR/trace-context-1/#traceparent-header
    static let traceParent = known("traceparent")
    package static let referrerPolicy = known("Referrer-Policy")
    static let crossOriginOpenerPolicy = known("Cross-Origin-Opener-Policy")
    static let idempotencyKey = known("Idempotency-Key")
    static let idempotentReplayed = known("Idempotent-Replayed")
    static let rateLimit = known("RateLimit")
    static let rateLimitPolicy = known("RateLimit-Policy")

    package static func known(_ text: StaticString) -> HTTPField.Name {
        guard let name = HTTPField.Name("\(text)") else { preconditionFailure("\(text) is not a header name") }
        return name
    }
}
