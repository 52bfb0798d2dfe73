import FoundationEssentials
public import PhoneDomain

extension AuditEntry {
    /// The entry as one line of JSON. Every member is there, null where nothing is known.
    public func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(Line(entry: self)), as: UTF8.self)
    }

    private struct Line: Encodable {
        let entry: AuditEntry

        private enum CodingKeys: String, CodingKey {
            case at, action, owner, address, region, verdict, reasons
            case verificationID = "verification_id"
            case maskedNumber = "masked_number"
            case numberDigest = "number_digest"
            case prefixDigest = "prefix_digest"
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(entry.at.description, forKey: .at)
            try container.encode(entry.action.rawValue, forKey: .action)
            try container.encode(entry.owner?.rawValue, forKey: .owner)
            try container.encode(entry.address?.description, forKey: .address)
            try container.encode(entry.verificationID?.description, forKey: .verificationID)
            try container.encode(entry.maskedNumber, forKey: .maskedNumber)
            try container.encode(entry.numberDigest?.description, forKey: .numberDigest)
            try container.encode(entry.prefixDigest?.description, forKey: .prefixDigest)
            try container.encode(entry.region?.description, forKey: .region)
            try container.encode(entry.verdict?.rawValue, forKey: .verdict)
            try container.encode(entry.reasons.map(\.rawValue), forKey: .reasons)
        }
    }
}
