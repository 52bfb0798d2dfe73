import PhoneDomain

/// One of a gateway's senders, and how many messages a second it may send: what vendor and carriers allow a number.
public struct RatedSender<Sender: Hashable & Sendable & LosslessStringConvertible>: Hashable,
    Sendable
{
    public let sender: Sender
    /// 0.1 to 1000.
    let perSecond: Double
}

extension RatedSender: LosslessStringConvertible {
    /// Parses `+15005550006=1`: the sender and its messages a second.
    public init?(_ text: String) {
        guard let equals = text.lastIndex(of: "="), Self.isName(text[..<equals]),
            let sender = Sender(String(text[..<equals]))
        else { return nil }
        // No 1e2 and no 0x1p3, which Double reads as well.
        let digits = text[text.index(after: equals)...]
        guard digits.utf8.allSatisfy({ (48...57).contains($0) || $0 == UInt8(ascii: ".") }),
            let rate = Double(digits), (0.1...1000).contains(rate)
        else { return nil }
        (self.sender, perSecond) = (sender, rate)
    }

    public var description: String { "\(sender)=\(perSecond)" }

    /// Two that look alike would each have the rate of one.
    private static func isName(_ text: Substring) -> Bool {
        guard let first = text.first, let last = text.last, !first.isWhitespace, !last.isWhitespace else {
            return false
        }
        return text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: false
            default: !scalar.properties.isDefaultIgnorableCodePoint
            }
        }
    }
}

extension Array {
    /// The sender that a message was given; the only one where none have rates.
    func sender<Sender>(of message: GatewayMessage, orElse only: Sender) -> Sender
    where Element == RatedSender<Sender> {
        indices.contains(message.sender) ? self[message.sender].sender : only
    }
}
