import Hummingbird
public import PhoneDomain

/// Tells who calls, by the API key that comes with the request.
public struct CallerAuthority: Sendable {
    private let keys: APIKeys
    private let servesLocalCallers: Bool

    /// An authority over these keys.
    ///
    /// - Parameters:
    ///   - keys: knows every key.
    ///   - servesLocalCallers: whether programs on the machine itself may call without a key. Only where nobody else can
    ///     reach the service.
    public init(keys: APIKeys, servesLocalCallers: Bool = false) {
        self.keys = keys
        self.servesLocalCallers = servesLocalCallers
    }

    /// Who calls.
    ///
    /// - Throws: ``Problem`` for whoever has no key, or one that is worth nothing, and ``PhoneFailure`` if that cannot be
    ///   found out at the moment.
    func caller(of request: Request) async throws -> Caller {
        guard let token = request.bearerToken else {
            guard servesLocalCallers, LocalCallersOnly.isLocal(request) else { throw Self.noKey }
            return .local
        }
        let key: APIKey?
        do {
            key = try await keys.key(of: token)
        } catch {
            throw PhoneFailure.unavailable(cause: String(describing: error))
        }
        guard let key else { throw Self.worthlessKey }
        return Caller(owner: key.owner, scopes: key.scopes)
    }

    static let noKey = Problem.unauthorized(
        "Send an API key: Authorization: Bearer pk_…. Whoever runs the service makes one by `phoneproof keys create`."
    )

    /// One answer for a key that never was, a wrong secret and a revoked key.
    static let worthlessKey = Problem.unauthorized(
        "This is no API key that is good here, or it was revoked; send another.",
        error: "invalid_token"
    )
}
