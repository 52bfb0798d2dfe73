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
        let characters = body.unicodeScalars
        encoding = characters.allSatisfy { SMSEncoding.gsm7.units(of: $0) != nil } ? .gsm7 : .ucs2
        var (units, parts, used) = (0, 1, 0)
        for character in characters {
            guard let width = encoding.units(of: character) else { continue }
            units += width
            if used + width > encoding.unitsInPart {
                parts += 1
                used = 0
            }
            used += width
        }
        self.units = units
        segments = units <= encoding.unitsInSingle ? 1 : parts
    }
}
