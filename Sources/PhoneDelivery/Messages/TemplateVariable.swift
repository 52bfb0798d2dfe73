/// What a text leaves open.
enum TemplateVariable: Sendable, Hashable {
    /// The code, who sends it, how long the code holds, and the link of a notice.
    case code, service, minutes, link
    /// A variable of the template itself, whose value comes with each message.
    case own(String)

    private static let builtIn: [TemplateVariable] = [.code, .service, .minutes, .link]

    /// What Twilio calls the name of a service, so that its texts can be taken as they are
    /// (https://www.twilio.com/docs/verify/api/templates).
    private static let alias = "friendly_name"

    /// The built-in variable of this name.
    init?(builtIn name: String) {
        let name = name == Self.alias ? TemplateVariable.service.name : name
        guard let variable = Self.builtIn.first(where: { $0.name == name }) else { return nil }
        self = variable
    }

    /// A template's own variable: named by 1 to 20 lower-case letters, digits and underscores, and not as a built-in one.
    init?(own name: String) {
        guard (1...20).contains(name.utf8.count), name.utf8.allSatisfy(Self.mayContain),
            TemplateVariable(builtIn: name) == nil
        else { return nil }
        self = .own(name)
    }

    var name: String {
        switch self {
        case .code: "code"
        case .service: "service"
        case .minutes: "minutes"
        case .link: "link"
        case .own(let name): name
        }
    }

    /// The variable as it is written.
    var written: String { "{{\(name)}}" }

    private static func mayContain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
        default: false
        }
    }
}
