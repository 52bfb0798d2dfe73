/// How the text of an SMS goes over the air abroad. One character that GSM-7 lacks turns the whole body into UCS-2.
///
/// Source: 3GPP TS 23.038 §6.2, https://www.3gpp.org/dynareport/23038.htm.
public enum SMSEncoding: String, Sendable {
    /// Septets of the default alphabet; a character of the extension table takes two.
    case gsm7 = "GSM-7"

    /// UTF-16 code units; a character beyond the basic plane, such as an emoji, takes two.
    case ucs2 = "UCS-2"

    /// The units of a message sent as one SMS: 140 octets, that is 160 septets or 70 UTF-16 code units.
    public var unitsInSingle: Int {
        switch self {
        case .gsm7: 160
        case .ucs2: 70
        }
    }

    /// The units of each part of a longer message: its header takes 6 octets, which leaves 153 septets or 67 UTF-16 code
    /// units (3GPP TS 23.040 §9.2.3.24.1, concatenation with an 8-bit reference).
    public var unitsInPart: Int {
        switch self {
        case .gsm7: 153
        case .ucs2: 67
        }
    }

    /// What a character takes, or `nil` if it cannot be encoded so.
    func units(of character: Unicode.Scalar) -> Int? {
        switch self {
        case .gsm7: GSM7.septetCount(of: character)
        case .ucs2: UTF16.width(character)
        }
    }
}
