import HTTPTypes
import Hummingbird
import Logging
import PhoneDomain

/// Why a request failed, as the caller is told (RFC 9457).
struct Problem: Error {
    /// Its stable name.
    let code: ProblemCode
    /// What happened this time and what to do about it, in one sentence.
    let detail: String
    /// The status, where it is not the one that goes with the code.
    var status: HTTPResponse.Status
    /// Whatever helps to act on it.
    var members: [JSON.Member] = []
    /// Header fields besides the content type.
    var headers: HTTPFields = [:]
    /// What the operator's log says and the caller is not told, or nil. ``APIResponder`` alone makes problems that have
    /// one, since the router answers whatever problem it catches.
    var cause: String?

    /// As what ``json`` is sent.
    var contentType = Self.contentType

    /// The media type of problems (RFC 9457 section 3).
    static let contentType = "application/problem+json"

    init(_ code: ProblemCode, _ detail: String) {
        self.code = code
        self.detail = detail
        status = code.status
    }

    /// The body. `type` is a URN, since it has to be stable and unique and need not lead anywhere: an `https` address
    /// would promise a page on a host that whoever runs the service does not own.
    var json: JSON {
        .object(
            [
                JSON.Member("type", .string("urn:phoneproof:problem:" + code.rawValue)),
                JSON.Member("title", .string(code.title)),
                JSON.Member("status", .integer(status.code)),
                JSON.Member("detail", .string(detail)),
                JSON.Member("code", .string(code.rawValue)),
            ] + members
        )
    }

    /// The problem with the wait that ends it, in the body and as `Retry-After` (RFC 9110 section 10.2.3: whole
    /// seconds, here rounded up and at least 1, so that nobody comes back too early).
    func retryable(after wait: Duration) -> Problem {
        let seconds = max(1, wait.wholeSecondsRoundedUp)
        var problem = self
        problem.members.append(JSON.Member("retry_after", .integer(seconds)))
        problem.headers[.retryAfter] = String(seconds)
        return problem
    }
}

extension Problem: HTTPResponseError {
    func response(from request: Request, context: some Hummingbird.RequestContext) -> Response {
        guard !TwilioError.covers(request) else { return TwilioError(self).response(from: request, context: context) }
        return Response(status, json: json, contentType: contentType, headers: headers)
    }
}
