/// How the message of a verification is worded where it is not as the service words all of them.
public struct MessageWording: Hashable, Sendable {
    /// What the sender is called; nil for the service's own name.
    public var service: String?
    /// Which set of texts it is taken from; nil for the service's own.
    public var template: TemplateName?
    /// The hash of the Android app that is to read it (https://developers.google.com/identity/sms-retriever/overview): 11
    /// characters; nil for the service's own.
    public var appHash: String?
    /// Whether it warns against telling the code to others.
    public var warnsAgainstSharing: Bool
    /// The values of the template's own variables.
    public var substitutions: [String: String]

    /// A wording of these parts.
    public init(
        service: String? = nil,
        template: TemplateName? = nil,
        appHash: String? = nil,
        warnsAgainstSharing: Bool = false,
        substitutions: [String: String] = [:]
    ) {
        self.service = service
        self.template = template
        self.appHash = appHash
        self.warnsAgainstSharing = warnsAgainstSharing
        self.substitutions = substitutions
    }

    /// The text form, as stores keep it: a line for each part. Nothing in a wording has a line break, which
    /// ``MessageCatalog/fault(in:language:)`` sees to; one that has all the same is cut there.
    public var rawText: String {
        var lines: [String] = []
        if let service { lines.append("s " + service) }
        if let template { lines.append("t " + template.description) }
        if let appHash { lines.append("a " + appHash) }
        if warnsAgainstSharing { lines.append("w") }
        lines += substitutions.sorted { $0.key < $1.key }.map { "v \($0.key)=\($0.value)" }
        return lines.map { $0.prefix { !$0.isNewline } }.joined(separator: "\n")
    }

    /// Reads what ``rawText`` wrote; nil for anything else.
    public init?(rawText: String) {
        self.init()
        // By bytes: what a part begins with may join with the blank before it.
        for line in rawText.utf8.split(separator: UInt8(ascii: "\n")) {
            let value = line.dropFirst(2)
            let text = String(Substring(value))
            switch String(Substring(line.prefix(2))) {
            case "s ": service = text
            case "t ":
                guard let name = TemplateName(text) else { return nil }
                template = name
            case "a ": appHash = text
            case "w": warnsAgainstSharing = true
            case "v ":
                let parts = value.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                    .map { String(Substring($0)) }
                guard parts.count == 2 else { return nil }
                substitutions[parts[0]] = parts[1]
            default: return nil
            }
        }
    }
}
