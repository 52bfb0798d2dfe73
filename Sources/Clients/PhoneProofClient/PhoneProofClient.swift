internal import CoreEncodings
public import PhoneSignup

/// A PhoneProof service, as an app or another server calls it.
///
/// Guided signups are ``beginSignup(region:codeLengths:reference:tags:solver:)``, what a server does with an API key is
/// ``verifications(apiKey:)``, and what a person does with their account is ``PhoneProofSession``.
public struct PhoneProofClient: Sendable {
    /// How often, and how long apart, a call is repeated that may be repeated: one that changes nothing, or has an
    /// `Idempotency-Key`, or of which the service says so. It is repeated when there is no response and when the
    /// service is unavailable for now (503), after its `Retry-After`.
    public struct Retries: Hashable, Sendable {
        public var attempts: Int
        /// The wait before the second attempt, where the service names no time; then twice as long each.
        public var firstWait: Duration
        /// A call that would have to wait longer fails, with the time in ``PhoneProofError/Problem/retryAfter``.
        public var longestWait: Duration

        public init(
            attempts: Int = 3,
            firstWait: Duration = .milliseconds(200),
            longestWait: Duration = .seconds(10)
        ) { (self.attempts, self.firstWait, self.longestWait) = (attempts, firstWait, longestWait) }
    }

    /// What a call does if the first attempt fails.
    enum Repetition {
        case always
        /// Where the service says that it has done nothing, and not where a response was lost.
        case ifUnavailable
        case never
    }

    private let server: String
    let language: String?
    private let transport: any HTTPTransport
    private let retries: Retries
    private let pause: @Sendable (Duration) async throws -> Void
    let makeKey: @Sendable () -> String
    let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - server: its base URL, such as `https://phone.example`; nil is returned for anything but `http` or `https`.
    ///   - language: of messages for the person (BCP 47), such as `ko`; nil for the service's own.
    ///   - pause: waits before a repetition.
    ///   - makeKey: an `Idempotency-Key`, never the same twice.
    ///   - now: the time.
    public init?(
        server: String,
        language: String? = nil,
        transport: any HTTPTransport,
        retries: Retries = Retries(),
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        makeKey: @escaping @Sendable () -> String = randomKey,
        now: @escaping @Sendable () -> Timestamp = { .now }
    ) {
        var server = server
        while server.hasSuffix("/") { server.removeLast() }
        guard let scheme = ["https://", "http://"].first(where: server.hasPrefix), server != scheme,
            server.utf8.allSatisfy({ 0x21...0x7E ~= $0 }), !server.contains(where: { "?#@".contains($0) })
        else { return nil }
        (self.server, self.language, self.transport, self.retries) = (server, language, transport, retries)
        (self.pause, self.makeKey, self.now) = (pause, makeKey, now)
    }

    /// 128 random bits in hexadecimal digits.
    @Sendable public static func randomKey() -> String {
        var random = SystemRandomNumberGenerator()
        return TextEncoding.hexadecimal.encode((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }

    /// - Parameters:
    ///   - path: what is behind the base URL; its parts are encoded.
    ///   - token: of the signup, the account or the API key.
    ///   - key: an `Idempotency-Key`; it makes a call one that can always be repeated.
    /// - Returns: the body, null where there is none.
    func call(
        _ method: String,
        _ path: String,
        token: String? = nil,
        fields: [JSON.Member]? = nil,
        key: String? = nil,
        repetition: Repetition
    ) async throws(PhoneProofError) -> JSON {
        var headers = ["Accept": "application/json, application/problem+json"]
        headers["Accept-Language"] = language
        headers["Authorization"] = token.map { "Bearer \($0)" }
        headers["Idempotency-Key"] = key.map { "\"\($0)\"" }
        if fields != nil { headers["Content-Type"] = "application/json" }
        let request = HTTPTransportRequest(
            method: method,
            url: server + path,
            headers: headers,
            body: fields.map { JSON.object($0).utf8 } ?? []
        )
        var (attempt, wait) = (1, retries.firstWait)
        while true {
            let failure: PhoneProofError
            do throws(PhoneProofError) {
                return try await body(of: request)
            } catch {
                failure = error
            }
            guard attempt < retries.attempts, let own = waitBeforeRepeating(after: failure, repetition) else {
                throw failure
            }
            let pause = own ?? wait
            guard pause <= retries.longestWait, (try? await self.pause(pause)) != nil else { throw failure }
            (attempt, wait) = (attempt + 1, wait * 2)
        }
    }

    /// Nil if it is not repeated; a nil in it where the service names no time.
    private func waitBeforeRepeating(after failure: PhoneProofError, _ repetition: Repetition) -> Duration?? {
        switch (failure, repetition) {
        case (.refused(let problem), .always), (.refused(let problem), .ifUnavailable):
            // Another request with the same key is in progress.
            let isInProgress = problem.status == 409 && problem.code == "idempotency_conflict"
            return problem.status == 503 || isInProgress ? .some(problem.retryAfter) : nil
        case (.unreachable, .always), (.notUnderstood(502...504), .always): return .some(nil)
        default: return nil
        }
    }

    private func body(of request: HTTPTransportRequest) async throws(PhoneProofError) -> JSON {
        let response: HTTPTransportResponse
        do {
            response = try await transport.response(to: request)
        } catch {
            throw .unreachable(reason: String(describing: error))
        }
        let body = response.body.withUnsafeBytes { JSON(parsing: $0) }
        switch response.status {
        case 200..<300:
            if let body, body.isObject { return body }
            if response.status == 204 || response.body.isEmpty { return .null }
        case 400...:
            let retryAfter = response.headers["retry-after"].flatMap { Int($0) }.flatMap(Duration.init(seconds:))
            let problem = body.flatMap {
                PhoneProofError.Problem($0, status: response.status, retryAfter: retryAfter)
            }
            if let problem { throw .refused(problem) }
        default: break
        }
        throw .notUnderstood(status: response.status)
    }
}

extension [JSON.Member] {
    /// The members that have a value.
    init(_ fields: KeyValuePairs<String, String?>) {
        self = fields.compactMap { name, value in value.map { JSON.Member(name, .string($0)) } }
    }
}
