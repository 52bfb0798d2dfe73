import HTTPTypes
import Hummingbird
import PhoneDomain

/// What can be asked for at a path, and every way in which that can be answered.
struct Operation: Sendable {
    /// By what it is asked for on whose behalf.
    enum Security: String, CaseIterable {
        /// Anyone may ask.
        case none
        /// The token of the signup that the path names.
        case signupToken
        /// A key of the calling program, with the scope for verifications.
        case apiKey
        /// A key with the scope for operators, if the caller is on another machine.
        case adminKey
        /// A key of a program that decides about dormant accounts.
        case accountsKey
        /// The token of the signup that the path names, or such a key.
        case signupTokenOrAccountsKey
        /// The access token of a session.
        case accessToken
        /// The refresh token of a session.
        case refreshToken
        /// One token of a session, or the other.
        case eitherToken

        /// What a caller must know of it; nil if there is nothing to show.
        var description: String? {
            switch self {
            case .none, .signupTokenOrAccountsKey, .eitherToken: nil
            case .signupToken: "The `token` of the signup that the path names."
            case .apiKey:
                "An API key with the scope `\(APIScope.verifications.rawValue)`, `pk_…`, as `phoneproof keys create` makes "
                    + "them. What is begun with a key is seen with keys of the same name only."
            case .adminKey: "An API key with the scope `\(APIScope.admin.rawValue)`."
            case .accountsKey: "An API key with the scope `\(APIScope.accounts.rawValue)`."
            case .accessToken: "The `access_token` of a session that is not over."
            case .refreshToken: "The `refresh_token` of a session that is not over, if it has not been used."
            }
        }

        /// The requirement as OpenAPI describes it.
        fileprivate var json: JSON {
            switch self {
            case .none: []
            case .signupToken, .apiKey, .accountsKey, .accessToken, .refreshToken: [[rawValue: []]]
            case .signupTokenOrAccountsKey: [[Self.signupToken.rawValue: []], [Self.accountsKey.rawValue: []]]
            case .eitherToken: [[Self.accessToken.rawValue: []], [Self.refreshToken.rawValue: []]]
            case .adminKey: [.object([]), [rawValue: []]]
            }
        }
    }

    /// What belongs together for a reader.
    enum Tag: String, CaseIterable {
        case signups = "Signups"
        case sessions = "Sessions"
        case accounts = "Accounts"
        case verifications = "Verifications"
        case phoneNumbers = "Phone numbers"
        case operation = "Operation"

        var description: String {
            switch self {
            case .signups: "The guided signup: for apps, pages and prompts, which draw what they are told to."
            case .sessions: "The devices that are signed in, and the tokens that keep them so."
            case .accounts: "What a signup gives: for whoever holds the account, by an access token."
            case .verifications: "From server to server: proves that a person holds a number."
            case .phoneNumbers: "What there is to say of a text as a phone number."
            case .operation: "For whatever starts, watches and calls the service."
            }
        }

        /// Whether pages of other sites may ask, if the operator has named them.
        var isForPages: Bool {
            switch self {
            case .signups, .sessions, .accounts: true
            case .verifications, .phoneNumbers, .operation: false
            }
        }
    }

    /// The name that programs generated from the document call it by.
    let id: String
    let method: HTTPRequest.Method
    /// The path as the router has it.
    let path: String
    let tag: Tag
    var security = Security.none
    let summary: String
    /// What a caller must know.
    let description: String
    var parameters: [DocumentedParameter] = []
    var body: DocumentedBody?
    let answers: [DocumentedAnswer]
    /// One at least of every code, as they are answered.
    let problems: [Problem]
    /// Whether a request that comes again under the same `Idempotency-Key` is answered as before.
    var isIdempotent = false

    /// The operation as OpenAPI describes it.
    var json: JSON {
        var members = [
            JSON.Member("operationId", .string(id)),
            JSON.Member("tags", .array([.string(tag.rawValue)])),
            JSON.Member("summary", .string(summary)),
            JSON.Member("description", .string(description)),
            JSON.Member("security", security.json),
        ]
        let parameters = parameters + (isIdempotent ? [.idempotencyKey] : [])
        if !parameters.isEmpty { members.append(JSON.Member("parameters", .array(parameters.map(\.json)))) }
        if let body { members.append(JSON.Member("requestBody", body.json)) }
        members.append(JSON.Member("responses", .object(responses)))
        return .object(members)
    }

    /// The statuses of refusals that the same request would have at any later time: they are given again.
    private static let finalStatuses: Set<Int> = [403, 404, 409, 410, 422]

    private var responses: [JSON.Member] {
        let all =
            problems + (body == nil ? [] : Problem.ofBodies) + (isIdempotent ? Problem.ofIdempotency : [])
            + Problem.ofRequests
        let groups = Dictionary(grouping: all, by: \.status.code).sorted { $0.key < $1.key }
        return answers.map { JSON.Member(String($0.status), $0.json(optional: optionalFields(of: $0.status))) }
            + groups.map { status, problems in
                let described = DocumentedProblems(problems: problems, optional: optionalFields(of: status))
                return JSON.Member(String(status), described.json)
            }
    }

    /// The header fields that an answer of this status may have.
    private func optionalFields(of status: Int) -> [DocumentedHeader] {
        let isReplayed = isIdempotent && (status < 300 || Self.finalStatuses.contains(status))
        return (isReplayed ? [.idempotentReplayed] : []) + (tag.isForPages ? DocumentedHeader.crossOrigin : [])
    }
}

extension DocumentedParameter {
    /// By what the caller knows a request that it may have to send again.
    fileprivate static let idempotencyKey = DocumentedParameter(
        name: "Idempotency-Key",
        location: .header,
        description: """
            Makes it safe to send the request again (draft-ietf-httpapi-idempotency-key-header-07): the same request with \
            the same key is done once, and answered alike for \(BeginRequest.retention.hours) hours, unless it was refused for a \
            while only. A string in quotation marks, 1 to 255 characters of ASCII; one of unreserved characters is taken without \
            them. It is kept for that time: put nothing of a person into it.
            """,
        schema: .text(pattern: #"^([A-Za-z0-9._~-]{1,255}|"([ !#-\[\]-~]|\\["\\]){1,255}")$"#),
        example: "\"8e03978e-40d5-43dd-bc93-6894a57f9324\""
    )
}

extension Duration {
    fileprivate var hours: Int { Int(self / .seconds(3600)) }
}

extension Problem {
    /// What a request with an `Idempotency-Key` can be refused for.
    fileprivate static let ofIdempotency: [Problem] = [
        .requestInFlight(wait: .seconds(1)), .requestMismatch, Request.malformedIdempotencyKey,
    ]

    /// What any request can be refused for.
    fileprivate static let ofRequests: [Problem] = [
        Refusals.malformed, Refusals.headerTooLarge(limit: ConnectionLimits().maxHeaderBytes),
        .internalError(cause: ""),
    ]

    /// What any body can be refused for.
    fileprivate static let ofBodies: [Problem] = [
        Request.malformedJSON, Request.notAnObject, .bodyTooLarge(limit: ConnectionLimits().maxBodyBytes),
        Request.notJSON,
    ]
}
