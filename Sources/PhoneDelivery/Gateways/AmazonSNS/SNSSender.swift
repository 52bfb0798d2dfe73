/// Whom messages come from. Amazon chooses among the account's numbers where nothing is named.
public struct SNSSender: Hashable, Sendable {
    /// The name, if one is to be shown.
    public let id: SNSSenderID?
    /// The number, if it is to be this one. Where a country allows no names, and for two-way messages.
    public let number: SNSOriginationNumber?

    /// A sender of these parts.
    public init(id: SNSSenderID? = nil, number: SNSOriginationNumber? = nil) {
        self.id = id
        self.number = number
    }

    /// As attributes of a message.
    var attributes: [(String, String)] {
        let name = id.map { [("AWS.SNS.SMS.SenderID", $0.description)] } ?? []
        return name + (number.map { [("AWS.MM.SMS.OriginationNumber", $0.description)] } ?? [])
    }
}
