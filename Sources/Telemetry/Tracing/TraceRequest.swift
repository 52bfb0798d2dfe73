import PhoneDomain
import Tracing

/// Spans as a collector takes them: an `ExportTraceServiceRequest` in the JSON that OTLP/HTTP has for it
/// (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding): names of traces and spans in hexadecimal, 64-bit
/// numbers as strings, enumerations as numbers, keys in lowerCamelCase.
struct TraceRequest {
    /// What the spans come from, by OpenTelemetry's names.
    let resource: [(name: String, value: String)]
    let spans: [FinishedSpan]

    var json: String {
        var json = JSONText()
        json.beginObject()
        json.name("resourceSpans")
        json.beginArray()
        json.beginObject()
        json.name("resource")
        json.beginObject()
        json.name("attributes")
        json.attributes(resource.map { ($0.name, .string($0.value)) })
        json.endObject()
        json.name("scopeSpans")
        json.beginArray()
        json.beginObject()
        json.name("scope")
        json.beginObject()
        json.member("name", "phoneproof")
        json.endObject()
        json.name("spans")
        json.beginArray()
        for span in spans { json.span(span) }
        json.endArray()
        json.endObject()
        json.endArray()
        json.endObject()
        json.endArray()
        json.endObject()
        return json.text
    }
}

extension JSONText {
    fileprivate mutating func span(_ span: FinishedSpan) {
        beginObject()
        member("traceId", span.place.traceID)
        member("spanId", span.place.spanID.paddedHexadecimal)
        if let parent = span.parentID { member("parentSpanId", parent.paddedHexadecimal) }
        member("flags", Int(span.place.flags))
        member("name", span.name)
        member("kind", span.kind.number)
        member("startTimeUnixNano", String(span.startedAt))
        member("endTimeUnixNano", String(span.endedAt))
        name("attributes")
        attributes(span.attributes.sorted)
        if !span.events.isEmpty {
            name("events")
            beginArray()
            for event in span.events {
                beginObject()
                member("timeUnixNano", String(event.at))
                member("name", event.name)
                name("attributes")
                attributes(event.attributes.sorted)
                endObject()
            }
            endArray()
        }
        if let status = span.status {
            name("status")
            beginObject()
            member("code", status.code == .ok ? 1 : 2)
            if let message = status.message { member("message", message) }
            endObject()
        }
        endObject()
    }

    fileprivate mutating func attributes(_ attributes: [(String, SpanAttribute)]) {
        beginArray()
        for (key, value) in attributes {
            beginObject()
            member("key", key)
            name("value")
            beginObject()
            switch value {
            case .int32(let number): member("intValue", String(number))
            case .int64(let number): member("intValue", String(number))
            case .double(let number):
                name("doubleValue")
                if number.isFinite {
                    raw("\(number)")
                } else {
                    string(number.isNaN ? "NaN" : number > 0 ? "Infinity" : "-Infinity")
                }
            case .bool(let flag):
                name("boolValue")
                raw(flag ? "true" : "false")
            case .string(let text): member("stringValue", text)
            default: member("stringValue", "\(value)")
            }
            endObject()
            endObject()
        }
        endArray()
    }
}

extension SpanAttributes {
    fileprivate var sorted: [(String, SpanAttribute)] {
        var all: [(String, SpanAttribute)] = []
        forEach { all.append(($0, $1)) }
        return all.sorted { $0.0 < $1.0 }
    }
}

extension SpanKind {
    /// https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto
    fileprivate var number: Int {
        switch self {
        case .internal: 1
        case .server: 2
        case .client: 3
        case .producer: 4
        case .consumer: 5
        }
    }
}
