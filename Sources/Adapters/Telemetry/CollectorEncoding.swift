public import CoreEncodings

/// How a request to a collector is encoded, by OpenTelemetry's name of the protocol
/// (https://opentelemetry.io/docs/specs/otel/protocol/exporter/#specify-protocol).
public enum CollectorEncoding: String, Sendable {
    case protobuf = "http/protobuf"
    case json = "http/json"

    public var contentType: String {
        switch self {
        case .protobuf: "application/x-protobuf"
        case .json: "application/json"
        }
    }

    /// - Parameter request: in the mapping to JSON, as ``CollectorExporter`` makes it.
    public func bytes(of request: JSON) -> [UInt8] {
        switch self {
        case .json: return request.utf8
        case .protobuf:
            var bytes: [UInt8] = []
            Field.write(request, Field.request, to: &bytes)
            return bytes
        }
    }
}

/// A field of a message of OTLP and its number (https://github.com/open-telemetry/opentelemetry-proto, version 1). These
/// are the fields that are sent; their names are those of the mapping to JSON.
///
/// Written by hand, since all that is needed of Protocol Buffers is to write six kinds of field
/// (https://protobuf.dev/programming-guides/encoding/): a library for it, and code that is generated from the
/// definitions, would be thousands of lines more.
private indirect enum Field: Sendable {
    case text(Int)
    /// Bytes, which the mapping of OTLP has in hexadecimal.
    case identifier(Int)
    /// `bool`, `int64` and enumerations.
    case varint(Int)
    case fixed32(Int)
    case fixed64(Int)
    case double(Int)
    case message(Int, [String: Field])

    static let request: [String: Field] = [
        "resourceSpans": .message(
            1,
            [
                "resource": resource,
                "scopeSpans": .message(2, ["scope": scope, "spans": .message(2, span)]),
            ]
        ),
        "resourceLogs": .message(
            1,
            [
                "resource": resource,
                "scopeLogs": .message(2, ["scope": scope, "logRecords": .message(2, logRecord)]),
            ]
        ),
    ]

    private static let resource = Field.message(1, ["attributes": attributes(1)])
    private static let scope = Field.message(1, ["name": .text(1)])
    private static let value: [String: Field] = [
        "stringValue": .text(1), "boolValue": .varint(2), "intValue": .varint(3), "doubleValue": .double(4),
    ]

    private static func attributes(_ number: Int) -> Field {
        .message(number, ["key": .text(1), "value": .message(2, value)])
    }

    private static let span: [String: Field] = [
        "traceId": .identifier(1), "spanId": .identifier(2), "parentSpanId": .identifier(4), "name": .text(5),
        "kind": .varint(6), "startTimeUnixNano": .fixed64(7), "endTimeUnixNano": .fixed64(8),
        "attributes": attributes(9),
        "events": .message(11, ["timeUnixNano": .fixed64(1), "name": .text(2), "attributes": attributes(3)]),
        "status": .message(15, ["message": .text(2), "code": .varint(3)]), "flags": .fixed32(16),
    ]

    private static let logRecord: [String: Field] = [
        "timeUnixNano": .fixed64(1), "severityNumber": .varint(2), "severityText": .text(3),
        "body": .message(5, value), "attributes": attributes(6), "observedTimeUnixNano": .fixed64(11),
        "eventName": .text(12),
    ]

    /// Writes the members of a message, each by its field; a list is a field that comes several times.
    static func write(_ message: JSON, _ fields: [String: Field], to bytes: inout [UInt8]) {
        for member in message.members {
            guard let field = fields[member.name] else { preconditionFailure("OTLP: no field \(member.name)") }
            for value in member.value.array ?? [member.value] { field.write(value, to: &bytes) }
        }
    }

    private func write(_ value: JSON, to bytes: inout [UInt8]) {
        switch self {
        case .text(let number): Self.write(number, Array((value.string ?? "").utf8), to: &bytes)
        case .identifier(let number):
            Self.write(number, [UInt8](.hexadecimal, (value.string ?? "").utf8) ?? [], to: &bytes)
        case .varint(let number):
            Self.write(varint: UInt64(number) << 3 | 0, to: &bytes)
            let integer = value.bool.map { $0 ? 1 : 0 } ?? value.integer ?? 0
            Self.write(varint: UInt64(bitPattern: Int64(integer)), to: &bytes)
        case .fixed64(let number):
            Self.write(varint: UInt64(number) << 3 | 1, to: &bytes)
            Self.write(fixed: UInt64(bitPattern: Int64(value.integer ?? 0)), to: &bytes)
        case .double(let number):
            Self.write(varint: UInt64(number) << 3 | 1, to: &bytes)
            Self.write(fixed: (value.scalarText.flatMap(Double.init) ?? .nan).bitPattern, to: &bytes)
        case .fixed32(let number):
            Self.write(varint: UInt64(number) << 3 | 5, to: &bytes)
            Self.write(fixed: UInt32(truncatingIfNeeded: value.integer ?? 0), to: &bytes)
        case .message(let number, let fields):
            var content: [UInt8] = []
            Self.write(value, fields, to: &content)
            Self.write(number, content, to: &bytes)
        }
    }

    private static func write(_ number: Int, _ content: [UInt8], to bytes: inout [UInt8]) {
        write(varint: UInt64(number) << 3 | 2, to: &bytes)
        write(varint: UInt64(content.count), to: &bytes)
        bytes += content
    }

    private static func write(varint value: UInt64, to bytes: inout [UInt8]) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private static func write(fixed value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
    }
}
