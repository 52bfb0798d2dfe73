import Hummingbird
import NIOCore
import PhoneDomain

/// Does what a caller asks for once, however often it asks, if it gives the request an `Idempotency-Key`
/// (draft-ietf-httpapi-idempotency-key-header-07).
///
/// Kept, and given again, is what the rules have decided: what was done, and refusals that are final. What may be otherwise
/// at the next try is not kept: a wait that is over by then (429), a store that is back (503), a request that could not be
/// read. That the work is done and that its answer is kept are two commits: one who dies between them leaves a request that
/// is waited for until ``BeginRequest/lease`` is over and then done again, under the rules that hold for it anyway.
struct IdempotentRequests: Sendable {
    let store: any IdempotencyStore
    let digester: any NumberDigester
    let clock: any WallClock

    /// Does the work, or gives the answer of before.
    ///
    /// - Parameters:
    ///   - request: what was asked for.
    ///   - owner: who asks.
    ///   - id: the verification that it is about, if the path names one.
    ///   - work: what to do; its request has the whole body.
    /// - Throws: ``Problem``, and whatever the work throws.
    func once(
        _ request: Request,
        by owner: Owner,
        about id: Verification.ID? = nil,
        _ work: (Request) async throws -> VerificationAnswer
    ) async throws -> Response {
        guard let key = try request.idempotencyKey() else { return try await work(request).response }
        let body = try await request.collectBody()
        var request = request
        request.body = RequestBody(buffer: body)
        let name = IdempotentRequest.Name(owner: owner, key: key)
        switch try await begin(name, request, body) {
        case .answered(let answer): return answer.response
        case .inFlight(let end): throw Problem.requestInFlight(wait: wait(until: end))
        case .mismatch: throw Problem.requestMismatch
        case .begun(let attempt):
            do {
                let answer = try await work(request)
                await end(name, attempt, answer.kept)
                return answer.response
            } catch let failure as PhoneFailure where failure.isFinal {
                let answer = VerificationAnswer(Problem(failure, at: clock.now()), about: id)
                await end(name, attempt, answer.kept)
                throw failure
            } catch {
                await end(name, attempt, nil)
                throw error
            }
        }
    }

    private func begin(
        _ name: IdempotentRequest.Name,
        _ request: Request,
        _ body: ByteBuffer
    ) async throws(PhoneFailure) -> BeginRequest.Outcome {
        do {
            let text = "\(request.method.rawValue) \(request.uri.path)\n\(String(buffer: body))"
            let fingerprints = try digester.digests(of: text)
            guard let command = BeginRequest(name: name, fingerprints: fingerprints, now: clock.now()) else {
                throw PhoneFailure.unavailable(cause: "there is no key to make digests with")
            }
            return try await store.begin(command)
        } catch {
            throw error as? PhoneFailure ?? .unavailable(cause: String(describing: error))
        }
    }

    /// As long as it has taken already, so that the work is soon heard of if it is quick, and seldom asked after if it is
    /// not; and no longer than the one who does it is waited for.
    private func wait(until end: Timestamp) -> Duration {
        let left = end - clock.now()
        return min(BeginRequest.lease - left, left)
    }

    /// That an answer could not be kept is no reason not to give it: what was done is done. Whoever asks again is told to
    /// wait until the lease is over.
    private func end(_ name: IdempotentRequest.Name, _ attempt: Int, _ answer: KeptAnswer?) async {
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
