import CoreEncodings
import HTTPTypes
import NIOCore
import PhoneDomain
import PhoneSignup
import Texts

/// Performs a request once, however often it is repeated, if it has an `Idempotency-Key`
/// (draft-ietf-httpapi-idempotency-key-header-07).
///
/// Final results are stored and replayed: what was done, and permanent errors. What may be different at the next try is
/// not: a 429, a 503, a request that could not be parsed. The work and storing its response are two commits: if the
/// service dies between them, repetitions wait until ``BeginRequest/lease`` expires, and then the work is done again,
/// under the rules that apply to it anyway.
struct IdempotentRequests: Sendable {
    let store: any IdempotencyStore
    let digester: any NumberDigester
    let clock: any WallClock
    /// The language of stored problems, unless the request prefers another.
    let language: LanguageTag

    /// How long responses for a person's session are stored. Anyone can have one, so they must not pile up for a day.
    private static let retentionForPersons: Duration = .seconds(3600)

    /// - Parameters:
    ///   - id: the verification in the path, if there is one.
    ///   - work: its request has the whole body.
    func once(
        _ request: Request,
        by owner: Owner,
        about id: Verification.ID? = nil,
        _ work: (Request) async throws -> VerificationResponse
    ) async throws -> Response {
        guard let key = try request.idempotencyKey() else { return try await work(request).response }
        let body = try await request.collectBody()
        var request = request
        request.body = .whole(body)
        let name = IdempotentRequest.Name(owner: owner, key: key)
        switch try await begin(name, request, body) {
        case .answered(let stored): return stored.response
        case .inFlight(let end): throw Problem.requestInFlight(wait: wait(until: end))
        case .mismatch: throw Problem.requestMismatch
        case .begun(let attempt):
            do {
                let response = try await work(request)
                await end(name, attempt, response.stored)
                return response.response
            } catch let failure as PhoneFailure where failure.isFinal {
                var problem = Problem(failure, at: clock.now())
                // Also of the response, so that a repetition gets the same.
                let texts = request.texts(else: language)
                problem.language = texts.language
                let response = VerificationResponse(
                    status: problem.status,
                    json: problem.json(in: texts),
                    contentType: problem.contentType,
                    verificationID: id
                )
                await end(name, attempt, response.stored)
                throw problem
            } catch {
                await end(name, attempt, nil)
                throw error
            }
        }
    }

    /// The same for a short route, without a task if there is no key.
    ///
    /// - Parameter work: passes on, once and from any thread, what makes its response, or throws before that.
    func once(
        _ request: Request,
        _ context: APIContext,
        by owner: Owner,
        about id: Verification.ID? = nil,
        _ answer: @escaping Answer,
        _ work: @escaping ShortWork
    ) throws {
        guard request.headers.contains(.idempotencyKey) else {
            return try work(request) { make in answer { try make().response } }
        }
        Task(executorPreference: context.executor) {
            do {
                let response = try await once(request, by: owner, about: id) { request in
                    try await withUnsafeThrowingContinuation { continuation in
                        do {
                            try work(request) { make in continuation.resume(with: Result(catching: make)) }
                        } catch {
                            continuation.resume(throwing: error)
                        }
                    }
                }
                answer { response }
            } catch {
                answer { throw error }
            }
        }
    }

    typealias ShortWork =
        @Sendable (Request, @escaping @Sendable (@escaping @Sendable () throws -> VerificationResponse) -> Void)
        throws -> Void

    private func begin(
        _ name: IdempotentRequest.Name,
        _ request: Request,
        _ body: ByteBuffer
    ) async throws(PhoneFailure) -> BeginRequest.Outcome {
        try await available {
            let text = "\(request.method.rawValue) \(request.path)\n\(String(buffer: body))"
            let fingerprints = try digester.digests(of: text)
            let command = BeginRequest(
                name: name,
                fingerprints: fingerprints,
                now: clock.now(),
                keeping: name.owner.isPerson ? Self.retentionForPersons : BeginRequest.retention
            )
            guard let command else { throw PhoneFailure.unavailable(cause: "there is no key to make digests with") }
            return try await store.begin(command)
        }
    }

    /// As long as it has taken already, so that the client soon hears of quick work and polls slow work seldom; at most
    /// until the lease expires.
    private func wait(until end: Timestamp) -> Duration {
        let left = end - clock.now()
        return min(BeginRequest.lease - left, left)
    }

    /// A response that cannot be stored is still sent: the work is done. Repetitions wait until the lease expires.
    private func end(_ name: IdempotentRequest.Name, _ attempt: Int, _ answer: StoredResponse?) async {
        try? await store.end(EndRequest(name: name, attempt: attempt, answer: answer))
    }
}

extension PhoneFailure {
    /// Whether the same request would fail in the same way at any later time.
    fileprivate var isFinal: Bool {
        if case .unavailable = self { return false }
        return retryAt == nil
    }
}

struct VerificationResponse {
    let status: HTTPResponse.Status
    let json: JSON
    var contentType = "application/json"
    var location: String?
    let verificationID: Verification.ID?

    var response: Response {
        Response(status, json: json, contentType: contentType, headers: location.map { [.location: $0] } ?? [:])
    }

    var stored: StoredResponse {
        StoredResponse(
            status: status.code,
            contentType: contentType,
            location: location,
            body: json.text,
            verificationID: verificationID
        )
    }
}

extension StoredResponse {
    var response: Response {
        var headers: HeaderFields = [.idempotentReplayed: "true"]
        headers[.location] = location
        return Response(HTTPResponse.Status(code: status), text: body, contentType: contentType, headers: headers)
    }
}

extension IdempotencyKey {
    /// Parses the header: a String of RFC 9651 section 3.3.3, in quotation marks with `\` before `"` and `\`. Without
    /// quotes, unreserved characters (RFC 3986 section 2.3) are accepted as well, such as a UUID, since many programs
    /// send it so; both forms are the same key.
    init?(header value: String) {
        let bytes = Array(value.utf8)
        guard bytes.first == UInt8(ascii: "\"") else {
            guard bytes.allSatisfy(\.isUnreserved) else { return nil }
            self.init(value)
            return
        }
        guard bytes.count >= 2, bytes.last == UInt8(ascii: "\"") else { return nil }
        var text: [UInt8] = []
        var rest = bytes.dropFirst().dropLast().makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "\\"):
                guard let next = rest.next(), next == byte || next == UInt8(ascii: "\"") else { return nil }
                text.append(next)
            case UInt8(ascii: "\""): return nil
            default: text.append(byte)
            }
        }
        self.init(String(decoding: text, as: UTF8.self))
    }
}

extension Request {
    /// - Throws: ``Problem`` if it is malformed, or if there are several.
    func idempotencyKey() throws -> IdempotencyKey? {
        guard let value = headers[.idempotencyKey] else { return nil }
        guard let key = IdempotencyKey(header: value) else { throw Self.malformedIdempotencyKey }
        return key
    }

    private static let malformedIdempotencyKey = Problem.malformed(
        #"Idempotency-Key must be a string of 1 to 255 characters in quotation marks, such as "8e03978e-40d5"."#
    )
}
