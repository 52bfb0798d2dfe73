/// What a body costs as SMS abroad, where each segment is charged.
///
/// Parts are counted by packing, not by division: neither the two septets of an escaped character nor the two halves of a
/// surrogate pair may be parted (3GPP TS 23.040 §9.2.3.24.1), so a part may end one unit short.
public struct SegmentCount: Sendable, Equatable {
    /// GSM-7 if every character is of its alphabet, else UCS-2.
    public let encoding: SMSEncoding

    /// The units of the text itself: septets or UTF-16 code units, without headers and without what packing leaves empty.
    public let units: Int

    /// How many SMS the body is sent as, at least one: an empty body is one too.
    public let segments: Int

    /// Counts a body of any length.
    public init(of body: String) {
        let septets = body.unicodeScalars.map(GSM7.septetCount)
        if septets.contains(nil) {
            self.init(encoding: .ucs2, widths: body.unicodeScalars.map { UTF16.width($0) })
        } else {
            self.init(encoding: .gsm7, widths: septets.compactMap(\.self))
        }
    }

    private init(encoding: SMSEncoding, widths: [Int]) {
        self.encoding = encoding
        units = widths.reduce(0, +)
        segments = units <= encoding.unitsInSingle ? 1 : Self.parts(packing: widths, of: encoding.unitsInPart)
    }

    private static func parts(packing widths: [Int], of capacity: Int) -> Int {
        var parts = 1
        var used = 0
        for width in widths {
            if used + width > capacity {
                parts += 1
                used = 0
            }
            used += width
        }
        return parts
    }
}
