import FoundationEssentials
import PhoneDomain

extension NumberReport {
    /// The report as `GET /v1/phone-numbers/{text}` answers it, on several lines.
    public func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

extension NumberReport: Encodable {
    private enum CodingKeys: String, CodingKey {
        case input, formatted, e164, region, type
        case isValid = "is_valid"
        case isMobile = "is_mobile"
        case nationalFormat = "national_format"
        case internationalFormat = "international_format"
    }

    /// Every member is there, null where the text is no number.
    public func encode(to encoder: any Encoder) throws {
        let number = try? number.get()
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(input, forKey: .input)
        try container.encode(formatted, forKey: .formatted)
        try container.encode(number != nil, forKey: .isValid)
        try container.encode(number?.kind == .mobile, forKey: .isMobile)
        try container.encode(number?.e164, forKey: .e164)
        try container.encode(number?.nationalFormat, forKey: .nationalFormat)
        try container.encode(number?.internationalFormat, forKey: .internationalFormat)
        try container.encode(number?.region.description, forKey: .region)
        try container.encode(number?.kind.rawValue, forKey: .type)
    }
}
