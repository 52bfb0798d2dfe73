import HTTPTypes
import Hummingbird
import NIOCore

/// A JSON value (RFC 8259).
///
/// The order of members and explicit nulls are part of the contract, and this type, unlike `Codable`, shows both in the
/// code. Parsing is strict: Foundation's decoder accepts `{"a":1,}` and `01`, and cannot say which member has a number
/// that is too large.
enum JSON: Hashable, Sendable {
    struct Member: Hashable, Sendable {
        let name: String
        let value: JSON

        init(_ name: String, _ value: JSON) {
            self.name = name
            self.value = value
        }
    }

    case null
    case bool(Bool)
    /// The number as it is written, so that none loses precision.
    case number(String)
    case string(String)
    case array([JSON])
    case object([Member])

    static func string(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }

    static func integer(_ value: (some BinaryInteger)?) -> JSON { value.map { .number(String($0)) } ?? .null }
}

extension JSON: ExpressibleByDictionaryLiteral {
    init(dictionaryLiteral members: (String, JSON)...) { self = .object(members.map { Member($0.0, $0.1) }) }
}

extension JSON: ExpressibleByNilLiteral {
    init(nilLiteral: ()) { self = .null }
}

extension JSON: ExpressibleByBooleanLiteral {
    init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSON: ExpressibleByStringLiteral {
    init(stringLiteral text: String) { self = .string(text) }
}

extension JSON: ExpressibleByIntegerLiteral {
    init(integerLiteral value: Int64) { self = .integer(value) }
}

extension JSON: ExpressibleByArrayLiteral {
    init(arrayLiteral values: JSON...) { self = .array(values) }
}

extension JSON {
    /// The value as text, without whitespace.
    var bytes: ByteBuffer {
        // Most responses fit without reallocation.
        var buffer = ByteBufferAllocator().buffer(capacity: 1024)
        write(to: &buffer)
        return buffer
    }

    private func write(to buffer: inout ByteBuffer) {
        switch self {
        case .null: buffer.writeStaticString("null")
        case .bool(let value): buffer.writeStaticString(value ? "true" : "false")
        case .number(let text): buffer.writeString(text)
        case .string(let text): Self.write(text, to: &buffer)
        case .array(let values):
            buffer.writeStaticString("[")
            for (index, value) in values.enumerated() {
                if index > 0 { buffer.writeStaticString(",") }
                value.write(to: &buffer)
            }
            buffer.writeStaticString("]")
        case .object(let members):
            buffer.writeStaticString("{")
            for (index, member) in members.enumerated() {
                if index > 0 { buffer.writeStaticString(",") }
                Self.write(member.name, to: &buffer)
                buffer.writeStaticString(":")
                member.value.write(to: &buffer)
            }
            buffer.writeStaticString("}")
        }
    }

    /// Escapes what must be escaped (RFC 8259 section 7), and nothing else.
    private static func write(_ text: String, to buffer: inout ByteBuffer) {
        buffer.writeStaticString("\"")
        if text.utf8.contains(where: mustBeEscaped) {
            for byte in text.utf8 {
                switch byte {
                case UInt8(ascii: "\""): buffer.writeStaticString("\\\"")
                case UInt8(ascii: "\\"): buffer.writeStaticString("\\\\")
                case UInt8(ascii: "\n"): buffer.writeStaticString("\\n")
                case 0x00..<0x20: buffer.writeString("\\u00" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16))
                default: buffer.writeInteger(byte)
                }
            }
        } else {
            buffer.writeString(text)
        }
        buffer.writeStaticString("\"")
    }

    private static func mustBeEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }
}

extension Response {
    /// A response with a JSON body.
    init(
        _ status: HTTPResponse.Status = .ok,
        json: JSON,
        contentType: String = "application/json",
        headers: HTTPFields = [:]
    ) {
        var headers = headers
        headers[.contentType] = contentType
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: json.bytes))
    }
}
