import NIOCore

extension JSON {
    /// The value as text, without white space between its parts.
    var bytes: ByteBuffer {
        // Most answers fit without the buffer having to grow.
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

    /// Writes a string in quotes. What must be escaped is (RFC 8259 section 7), and nothing else.
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
