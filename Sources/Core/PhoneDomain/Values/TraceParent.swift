/// A trace, and the span in it that caused some work, per W3C Trace Context (https://www.w3.org/TR/trace-context-1/).
/// Its IDs are random and reveal nothing of a person.
public struct TraceParent: Hashable, Sendable {
    public let traceIDHigh: UInt64
    public let traceIDLow: UInt64
    /// Never 0.
    public let spanID: UInt64
    /// The flags (section 3.2.2.5); those that version 0 does not define are 0.
    public let flags: UInt8

    /// The span of the current task; nil if nothing traces it.
    @TaskLocal public static var current: TraceParent?

    /// Nil if the trace ID or the span ID is 0, which the standard reserves for "none".
    public init?(traceIDHigh: UInt64, traceIDLow: UInt64, spanID: UInt64, isSampled: Bool) {
        guard traceIDHigh | traceIDLow != 0, spanID != 0 else { return nil }
        (self.traceIDHigh, self.traceIDLow, self.spanID) = (traceIDHigh, traceIDLow, spanID)
        flags = isSampled ? Self.sampledFlag : 0
    }

    /// Whether the caller may have recorded the span, and so wants this work recorded.
    public var isSampled: Bool { flags & Self.sampledFlag != 0 }

    /// The 32 lower-case hexadecimal digits of the trace ID.
    public var traceID: String { traceIDHigh.paddedHexadecimal + traceIDLow.paddedHexadecimal }
    private static let sampledFlag: UInt8 = 1
}

extension TraceParent: LosslessStringConvertible {
    /// Parses a `traceparent` header (section 3.2); nil for any other form, for IDs of zeros, and for version 255,
    /// which is forbidden. Of a future version the parts that this one knows are read (section 4.3).
    public init?(_ description: String) {
        var bytes = Array(description.utf8)[...]
        guard let version = bytes.popHexadecimal(digits: 2), version != 0xFF, bytes.popDash(),
            let high = bytes.popHexadecimal(digits: 16), let low = bytes.popHexadecimal(digits: 16), bytes.popDash(),
            let span = bytes.popHexadecimal(digits: 16), bytes.popDash(),
            let flags = bytes.popHexadecimal(digits: 2),
            bytes.isEmpty || version > 0 && bytes.popDash()
        else { return nil }
        let isSampled = flags & UInt64(Self.sampledFlag) != 0
        self.init(traceIDHigh: high, traceIDLow: low, spanID: span, isSampled: isSampled)
    }

    public var description: String { "00-\(traceID)-\(spanID.paddedHexadecimal)-\(isSampled ? "01" : "00")" }
}

extension ArraySlice<UInt8> {
    /// Pops `count` lower-case hexadecimal digits, at most 16.
    fileprivate mutating func popHexadecimal(digits count: Int) -> UInt64? {
        guard self.count >= count else { return nil }
        var number: UInt64 = 0
        for byte in prefix(count) {
            guard let digit = byte.lowerCaseHexadecimalValue else { return nil }
            number = number << 4 | digit
        }
        removeFirst(count)
        return number
    }

    fileprivate mutating func popDash() -> Bool {
        guard first == UInt8(ascii: "-") else { return false }
        removeFirst()
        return true
    }
}
