/// A template of Kakao's Alimtalk, approved before, in which codes go to KakaoTalk instead of by SMS.
public struct Alimtalk: Hashable, Sendable {
    /// The channel that messages come from: Solapi's name for it (`pfId`).
    public let channelID: String
    /// The template: Solapi's name for it.
    public let templateID: String
    /// What its variables stand for.
    public let variables: [AlimtalkVariable]

    /// `nil` unless both names are 1 to 64 ASCII letters and digits, no variable is named twice, and one of them bears the
    /// code.
    public init?(channelID: String, templateID: String, variables: [AlimtalkVariable]) {
        guard [channelID, templateID].allSatisfy(Self.isName), Set(variables.map(\.name)).count == variables.count,
            variables.contains(where: \.bearsCode)
        else { return nil }
        self.channelID = channelID
        self.templateID = templateID
        self.variables = variables
    }

    private static func isName(_ text: String) -> Bool {
        1...64 ~= text.utf8.count && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
}
