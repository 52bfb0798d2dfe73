/// Which numbers are counted together: those of a prefix, of a country, or all.
public enum TrafficKey: Hashable, Sendable {
    /// The ten thousand numbers that share this beginning of their E.164 form (``PhoneNumber/prefix``).
    case prefix(String)
    /// The numbers of a region.
    case country(Region)
    /// All numbers.
    case service
}

extension TrafficKey: CustomStringConvertible {
    /// As stores keep it and operators name it: `+82101234`, `KR`, `service`.
    public var description: String {
        switch self {
        case .prefix(let prefix): prefix
        case .country(let region): region.description
        case .service: "service"
        }
    }

    /// Reads what ``description`` wrote.
    public init?(_ text: String) {
        if text == "service" {
            self = .service
        } else if text.utf8.first == UInt8(ascii: "+") {
            self = .prefix(text)
        } else if let region = Region(text) {
            self = .country(region)
        } else {
            return nil
        }
    }
}
