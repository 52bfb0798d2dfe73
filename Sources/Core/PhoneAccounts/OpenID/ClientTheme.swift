public import PhoneDomain
import PhoneNumbers

/// How the pages look to people whom a client sends: its logo above them, and its color on buttons and links.
public struct ClientTheme: Hashable, Sendable {
    /// An `https` URL of an image.
    public let logo: RedirectURI?
    /// The color of the light scheme. The dark one has a lighter tint of it (``Color/tint(for:)``).
    public let accent: Color?
    /// The radius of the corners of fields and buttons, in CSS pixels.
    public let radius: Int?

    public static let none = ClientTheme()

    private init() { (logo, accent, radius) = (nil, nil, nil) }

    public init(logo: RedirectURI?, accent: Color?, radius: Int?) throws(Fault) {
        if let logo, !logo.description.hasPrefix("https://") || !Self.isHost(logo.origin) { throw .logo }
        if let accent, accent.contrast(with: .white) < Color.textContrast { throw .contrast(accent) }
        if let radius, !(0...32).contains(radius) { throw .radius }
        (self.logo, self.accent, self.radius) = (logo, accent, radius)
    }

    /// Whether a policy for browsers can name it: a semicolon would end the directive.
    private static func isHost(_ origin: String) -> Bool {
        origin.dropFirst("https://".count).utf8.allSatisfy {
            $0.isASCIILowerCase || $0.isASCIIDigit || "-.:[]".utf8.contains($0)
        }
    }

    public enum Fault: Error, Hashable, Sendable, CustomStringConvertible {
        case logo, radius
        case contrast(Color)

        public var description: String {
            switch self {
            case .logo: "the logo must be an https URL with a host in lower case"
            case .radius: "the radius must be 0 to 32"
            case .contrast(let color):
                """
                the contrast of \(color) with white is \(Self.text(color.contrast(with: .white))):1; text on it and links in it \
                need 4.5:1 (WCAG 2.2, 1.4.3). Choose a darker color; the dark scheme gets a lighter tint of it by itself
                """
            }
        }

        /// Rounded down, so that nothing below the minimum looks like it.
        private static func text(_ contrast: Double) -> String {
            let tenths = Int(contrast * 10)
            return "\(tenths / 10).\(tenths % 10)"
        }
    }
}

/// An opaque color in sRGB, written `#0b57d0`.
public struct Color: Hashable, Sendable, LosslessStringConvertible {
    private let channels: [UInt8]

    public static let white = Color([255, 255, 255])

    /// The least contrast of text with its background (WCAG 2.2, 1.4.3).
    public static let textContrast = 4.5

    private init(_ channels: [UInt8]) { self.channels = channels }

    public init?(_ description: String) {
        let digits = description.utf8.dropFirst()
        // `UInt32` alone accepts signs.
        guard description.utf8.first == UInt8(ascii: "#"), digits.count == 6, digits.allSatisfy(\.isASCIIHexDigit),
            let value = UInt32(Substring(digits), radix: 16)
        else { return nil }
        channels = [UInt8(value >> 16), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)]
    }

    public var description: String { "#" + channels.hexadecimal }

    /// The contrast of two colors, 1 to 21 (WCAG 2.2, contrast ratio).
    public func contrast(with other: Color) -> Double {
        let (light, dark) = (max(luminance, other.luminance), min(luminance, other.luminance))
        return (light + 0.05) / (dark + 0.05)
    }

    /// The least mixture with white that text can have on a dark background.
    public func tint(for background: Color) -> Color {
        let mixtures = (0...20).lazy.map { step in
            Color(channels.map { UInt8(Int($0) + (255 - Int($0)) * step / 20) })
        }
        return mixtures.first { $0.contrast(with: background) >= Self.textContrast } ?? .white
    }

    /// WCAG 2.2, relative luminance.
    private var luminance: Double {
        zip([0.2126, 0.7152, 0.0722], channels).reduce(0) { sum, next in
            let value = Double(next.1) / 255
            return sum + next.0 * (value <= 0.04045 ? value / 12.92 : Self.power((value + 0.055) / 1.055))
        }
    }

    /// `value` to the power of 2.4, from 0 to 1: its square times the fifth root of that, by Newton's method. `pow` is
    /// in the C library, which the domain does not import.
    private static func power(_ value: Double) -> Double {
        let square = value * value
        var root = 1.0
        for _ in 0..<40 { root -= (root - square / (root * root * root * root)) / 5 }
        return square * root
    }
}
