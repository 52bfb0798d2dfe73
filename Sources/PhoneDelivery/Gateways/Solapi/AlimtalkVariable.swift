/// What a variable of an Alimtalk template stands for, written `#{name}={{code}}`.
///
/// The value may have text around `{{code}}`, `{{service}}` (the service's name) and `{{minutes}}` (how long the code holds).
public struct AlimtalkVariable: Hashable, Sendable, LosslessStringConvertible {
    private static let known = ["{{code}}", "{{service}}", "{{minutes}}"]

    /// The variable as Kakao has it: `#{name}`.
    public let name: String
    /// What it stands for.
    private let value: String

    public var description: String { "\(name)=\(value)" }

    /// Whether the code is in it.
    var bearsCode: Bool { value.contains("{{code}}") }

    /// Reads one; nil unless a name within `#{` and `}` comes first, of 1 to 50 characters and without a dot or a brace
    /// (https://github.com/solapi/solapi-nodejs/blob/master/src/models/base/kakao/kakaoOption.ts), then `=`, and then a value of
    /// 1 to 100 characters with no other variables than those above.
    public init?(_ description: String) {
        guard description.hasPrefix("#{"), let end = description.firstRange(of: "}=") else { return nil }
        let bare = description[..<end.lowerBound].dropFirst(2)
        let value = String(description[end.upperBound...])
        guard 1...50 ~= bare.count, !bare.contains(where: { ".{}=".contains($0) || $0.isNewline }),
            1...100 ~= value.count, !value.contains(where: \.isNewline)
        else { return nil }
        let rest = Self.known.reduce(value) { $0.replacing($1, with: "") }
        guard !rest.contains("{{"), !rest.contains("}}") else { return nil }
        name = "#{\(bare)}"
        self.value = value
    }

    /// The value for a message, in one pass: what looks like a variable within a name stays as it is.
    func filled(_ variables: MessageVariables) -> String {
        var (text, rest) = ("", value[...])
        while let opening = rest.firstRange(of: "{{"), let closing = rest.firstRange(of: "}}") {
            text += rest[..<opening.lowerBound]
            switch rest[opening.upperBound..<closing.lowerBound] {
            case "code": text += variables.code
            case "service": text += variables.service
            default: text += "\(variables.minutes)"
            }
            rest = rest[closing.upperBound...]
        }
        return text + rest
    }
}
