/// The name of an ``Event``, by which a receiver tells a repetition: `evt_verification_approved_0123…`.
///
/// It is made of letters, digits and underscores alone. A full stop in it would make what is signed ambiguous
/// (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md, "Signature scheme").
public struct EventID: Hashable, Sendable {
    private static let prefix = "evt_"
    /// More than any has.
    private static let longest = 100

    private let text: String

    init(_ kind: Event.Kind, _ subject: EventSubject, _ moment: Timestamp) {
        let name =
            switch subject {
            case .verification(let id): id.hexadecimal
            case .message(let id): id.hexadecimal
            case .account(let id): id.hexadecimal
            case .prefix(let prefix): prefix.filter { $0 != "+" }
            }
        let time = kind.happensOnce ? "" : "_\(moment.milliseconds)"
        text = Self.prefix + String(kind.rawValue.map { $0 == "." ? "_" : $0 }) + "_" + name + time
    }

    /// The name of an example, which is no event of any store.
    ///
    /// - Parameter bits: by which a receiver tells it from other examples.
    public init(exampleOf bits: (UInt64, UInt64)) {
        text = Self.prefix + "test_" + Identifier<Verification>(bits: bits.0, bits.1).hexadecimal
    }
}

extension EventID: LosslessStringConvertible {
    /// The name as it is written.
    public var description: String { text }

    /// Reads what may be such a name; nil for anything else.
    public init?(_ description: String) {
        guard description.hasPrefix(Self.prefix), description.utf8.count <= Self.longest,
            description.utf8.allSatisfy(Self.mayStand)
        else { return nil }
        text = description
    }

    private static func mayStand(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
        default: false
        }
    }
}
