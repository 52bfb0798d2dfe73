public import PhoneNumbers
public import PhoneSignup

/// A text message that a person sent to the operator. Never log its text.
public struct InboundMessage: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// Who sent it, as the gateway reports it. Whether networks let a sender be forged is in the threat model.
    public let sender: PhoneNumber
    public let text: String

    public init(from sender: PhoneNumber, text: String) { (self.sender, self.text) = (sender, text) }

    public var description: String { "InboundMessage(from: \(sender.masked))" }
    public var debugDescription: String { description }
}

/// What a person is to send to prove a number by ``Channel/inbound``.
public struct InboundInstruction: Hashable, Sendable {
    /// The operator's number, as it is dialled: `+15005550006`, or a short code.
    public let recipient: String
    public let text: String
}

/// The operator's numbers for ``Channel/inbound``, and what people write to them.
///
/// The word in a message is derived from the verification, so that none is stored, and it has nothing to do with the
/// verification's code: a person who reads the word, on the screen or in a network, can approve nothing with it but by
/// a message from the number in question.
public struct InboundNumbers: Sendable {
    private let numbers: [Routes.Destination: String]
    private let service: String
    private let deriver: any SecretDeriver

    /// - Parameters:
    ///   - numbers: the operator's numbers, by whom they are for.
    ///   - service: the service's name, which begins each message, so that nobody sends one for somebody else without
    ///     knowing what it is for.
    public init(_ numbers: [Routes.Destination: String], service: String, deriver: any SecretDeriver) {
        (self.numbers, self.service, self.deriver) = (numbers, service, deriver)
    }

    /// Nil if people with this number can send to none.
    public func recipient(for number: PhoneNumber) -> String? {
        Routes.destinations(of: number).lazy.compactMap { numbers[$0] }.first
    }

    /// Throws if the cryptography fails.
    func instruction(for verification: Verification) throws -> InboundInstruction? {
        guard let recipient = recipient(for: verification.phoneNumber), let word = try words(for: verification.id).first
        else { return nil }
        return InboundInstruction(recipient: recipient, text: "\(service) \(word)")
    }

    /// Whether the text contains the verification's word, in any case, among whatever else.
    func isMeant(_ id: Verification.ID, in text: String) throws -> Bool {
        let sent = text.utf8.split { !$0.isASCIIAlphanumeric }.map { Array(Substring($0).uppercased().utf8) }
        return try words(for: id).contains { sent.contains(Array($0.utf8)) }
    }

    /// One for each known key, the newest first. A word of six characters is a billion to one, and a guess needs a
    /// message from the number in question anyway.
    private func words(for id: Verification.ID) throws -> [String] {
        try deriver.derive(.inboundWord, from: [id.description]).map { secret in
            let values = secret.utf8.prefix(6).map { Self.base64URL.firstIndex(of: $0) ?? 0 }
            return String(decoding: values.map { Self.alphabet[$0 % 32] }, as: UTF8.self)
        }
    }

    private static let base64URL = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    /// It has no 0, 1, I and O, which people confuse.
    private static let alphabet = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ".utf8)
}

/// A message that approves the verification it means, if that waits for one.
public struct ReceiveMessage: Sendable {
    public let message: InboundMessage
    public let now: Timestamp
    let numbers: InboundNumbers
    /// The approval of a verification, in the name of its owner.
    public let approval: @Sendable (Verification) -> CheckVerification

    /// The one that the message means, of those of the sender's number. Two with one word would take a billion
    /// attempts; the newer one is what the person sees.
    public func meant(of verifications: [Verification]) throws -> Verification? {
        try verifications.filter { verification in
            try verification.channel == .inbound && verification.status(at: now) == .pending
                && numbers.isMeant(verification.id, in: message.text)
        }
        .max { $0.createdAt < $1.createdAt }
    }
}
