/// Who asked for a verification, and so the only one who may check, see or use it (OWASP ASVS 5.0, 6.6.2: a code is
/// bound to the request that it was made for).
///
/// Two owners who ask for the same number have a verification each: neither can use the other's proof or checks.
public enum Owner: Hashable, Sendable {
    case signup(Signup.ID)
    case session(Session.ID)
    /// A program, known by its ``APIKey``.
    case caller(CallerName)
    /// An operator, by the name of their account on the service's machine.
    case `operator`(String)
    /// A client on the service's own machine, where no key is required.
    case local
    /// A client of an API in somebody else's words. Its messages are listed with those of its group
    /// (`MessageQuery.group`). None of the texts contains a slash or a line break; `api` is a word in lower case.
    case client(of: String, group: String, id: String)

    /// The text form, as stores keep it.
    public var rawValue: String {
        switch self {
        case .signup(let id): id.description
        case .session(let id): id.description
        case .caller(let name): Self.callerScheme + ":" + name.description
        case .operator(let userName): Self.operatorScheme + ":" + userName
        case .local: Self.localText
        case .client(let api, let group, let id): "\(api):\(group)/\(id)"
        }
    }

    public init?(rawValue: String) {
        if rawValue == Self.localText {
            self = .local
        } else if let id = Signup.ID(rawValue) {
            self = .signup(id)
        } else if let id = Session.ID(rawValue) {
            self = .session(id)
        } else {
            // By bytes: the first character of a name may combine with what is before it.
            guard let colon = rawValue.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            let rest = String(rawValue[rawValue.utf8.index(after: colon)...])
            switch String(rawValue[..<colon]) {
            case Self.callerScheme:
                guard let name = CallerName(rest) else { return nil }
                self = .caller(name)
            case Self.operatorScheme: self = .operator(rest)
            case let api:
                let client = rest.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
                    .map { String(Substring($0)) }
                guard client.count == 2, !client.contains(""), !api.isEmpty,
                    api.utf8.allSatisfy({ UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 })
                else { return nil }
                self = .client(of: api, group: client[0], id: client[1])
            }
        }
    }

    private static let callerScheme = "caller"
    private static let operatorScheme = "operator"
    private static let localText = "local"

    /// What messages of one group have in common, and of no other; nil for an owner that has none.
    public var group: String? {
        if case .client(let api, let group, _) = self { "\(api):\(group)" } else { nil }
    }

    public var signupID: Signup.ID? { if case .signup(let id) = self { id } else { nil } }
    public var sessionID: Session.ID? { if case .session(let id) = self { id } else { nil } }

    /// Whether this is one person, by a guided signup or a session, rather than a program that asks for many.
    public var isPerson: Bool {
        switch self {
        case .signup, .session: true
        case .caller, .operator, .local, .client: false
        }
    }
}
