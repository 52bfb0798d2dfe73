import HTTPTypes
public import PhoneAccounts
import PhoneDomain

public struct CallerAuthority: Sendable {
    private let keys: APIKeys
    private let servesLocalCallers: Bool

    /// - Parameter servesLocalCallers: whether programs on the same machine may call without a key. Only where nobody
    ///   else can reach the service.
    public init(keys: APIKeys, servesLocalCallers: Bool = false) {
        self.keys = keys
        self.servesLocalCallers = servesLocalCallers
    }

    /// - Parameter mayBeKnown: whether the key need not be looked up, since the command that serves the client checks
    ///   it in its transaction (``Caller/unconfirmedKey``).
    func caller(of request: Request, mayBeKnown: Bool = false) async throws -> Caller {
        guard let token = request.bearerToken else {
            guard servesLocalCallers, LocalCallers.include(request) else { throw Self.noKey }
            return .local
        }
        if mayBeKnown {
            guard let (key, isConfirmed) = try await available({ try await keys.knownKey(of: token) })
            else { throw Self.invalidKey }
            return Caller(owner: key.owner, scopes: key.scopes, unconfirmedKey: isConfirmed ? nil : key.id)
        }
        guard let key = try await available({ try await keys.key(of: token) }) else { throw Self.invalidKey }
        return Caller(owner: key.owner, scopes: key.scopes)
    }

    /// The client, if the store need not be asked now, as ``caller(of:mayBeKnown:)`` finds it.
    func callerAtOnce(of request: Request) throws -> Caller? {
        guard let token = request.bearerToken,
            let key = try available({ () throws -> APIKey? in try keys.unconfirmedKey(of: token) })
        else { return nil }
        return Caller(owner: key.owner, scopes: key.scopes, unconfirmedKey: key.id)
    }

    private static let noKey = Problem.unauthorized(
        "Send an API key: Authorization: Bearer pk_…. Create one with `phoneproof keys create`."
    )

    /// The same for a key that never was, a wrong secret and a revoked key.
    static let invalidKey: Problem = {
        var problem = Problem.unauthorized("This API key is invalid or was revoked.", error: "invalid_token")
        problem.hint = Problem.unknownHint("API key")
        return problem
    }()
}

struct Caller: Sendable {
    let owner: Owner
    let scopes: Set<APIScope>
    /// Its key, if that was not looked up for this request.
    var unconfirmedKey: APIKey.ID?

    /// A program on the same machine, where none needs a key; but what operators do needs one everywhere.
    static let local = Caller(owner: .local, scopes: [.verifications, .accounts])
}

struct CallersOnly: RequestFilter {
    let authority: CallerAuthority
    let scope: APIScope
    /// Whether the routes behind it pass ``Caller/unconfirmedKey`` on to commands.
    var confirmsLater = false

    func check(_ request: Request, _ context: inout APIContext) async throws {
        try allow(try await authority.caller(of: request, mayBeKnown: mayBeKnown(request)), &context)
    }

    func checkAtOnce(_ request: Request, _ context: inout APIContext) throws -> Bool {
        guard mayBeKnown(request), let caller = try authority.callerAtOnce(of: request) else { return false }
        try allow(caller, &context)
        return true
    }

    /// What is kept under an idempotency key is kept before the command.
    private func mayBeKnown(_ request: Request) -> Bool { confirmsLater && !request.headers.contains(.idempotencyKey) }

    private func allow(_ caller: Caller, _ context: inout APIContext) throws(Problem) {
        guard caller.scopes.contains(scope) else { throw Problem.insufficientScope(scope) }
        context.caller = caller
    }
}
