/// The place in a trace that work belongs to, as W3C Trace Context has it (https://www.w3.org/TR/trace-context-1/): the
/// trace, and the span in it that caused the work.
///
/// It says nothing of whom the work is for: its numbers are random.
public struct TraceParent: Hashable, Sendable {
    /// The first half of the 128 bits that name the trace.
    public let traceIDHigh: UInt64
    /// The second half of them.
    public let traceIDLow: UInt64
    /// The 64 bits that name the span; never 0.
    public let spanID: UInt64
    /// The flags (section 3.2.2.5); those that the standard does not know yet are 0.
    public let flags: UInt8

    /// The place at which the current task works, or nil if nobody traces it.
    @TaskLocal public static var current: TraceParent?

    /// A place in a trace.
    ///
    /// - Returns: nil if all bits of the trace's name, or all of the span's, are 0, which means that there is none.
    public init?(traceIDHigh: UInt64, traceIDLow: UInt64, spanID: UInt64, isSampled: Bool) {
        guard traceIDHigh | traceIDLow != 0, spanID != 0 else { return nil }
        self.traceIDHigh = traceIDHigh
        self.traceIDLow = traceIDLow
        self.spanID = spanID
        flags = isSampled ? Self.sampledFlag : 0
    }

    /// Whether whoever caused the work may have recorded it, and so wants it recorded.
    public var isSampled: Bool { flags & Self.sampledFlag != 0 }

    /// The 32 lower-case hexadecimal digits of the trace's name.
    public var traceID: String { traceIDHigh.paddedHexadecimal + traceIDLow.paddedHexadecimal }

    private static let sampledFlag: UInt8 = 1
}

extension TraceParent: LosslessStringConvertible {
    /// Reads what a `traceparent` field says (section 3.2).
    ///
    /// - Returns: nil for what is not of the form, for names of zeros, and for version 255, which is forbidden. Of a
    ///   version that is yet to come the parts that this one knows are read (section 4.3).
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

    /// The value of a `traceparent` field of version 0.
    public var description: String {
        "00-\(traceID)-\(spanID.paddedHexadecimal)-\(isSampled ? "01" : "00")"
    }
}

extension ArraySlice<UInt8> {
    /// Takes so many lower-case hexadecimal digits, at most 16.
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
