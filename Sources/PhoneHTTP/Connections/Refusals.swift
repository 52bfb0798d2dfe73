import HTTPTypes
import Logging
import NIOCore
import PhoneDomain
import Texts

/// Responses to requests that cannot be parsed, which nothing else sees.
struct Refusals: Sendable {
    let limits: ConnectionLimits
    let fields: CommonHeaders
    let clock: any WallClock
    let requestMetrics: RequestMetrics
    let logger: Logger

    /// The response, after which the connection is closed: where the next request begins is unknown.
    func response(to fault: HTTP1ConnectionState.Fault) -> (head: HTTPResponse, body: ByteBuffer) {
        let problem = problem(fault)
        requestMetrics.requestRefused(status: problem.status.code)
        let id = RequestID.make()
        var headers = problem.headers
        headers[.contentType] = Problem.contentType
        fields.add(to: &headers)
        headers[.connection] = "close"
        headers[.date] = clock.now().httpDate
        headers[.requestID] = id
        let body = problem.json(in: Languages.english).bytes
        headers[.contentLength] = String(body.readableBytes)
        logger.info(
            "refused",
            metadata: [
                "request.id": .string(id), "http.status": .stringConvertible(problem.status.code),
                "http.fault": .string("\(fault)"),
            ]
        )
        return (HTTPResponse(status: problem.status, headerFields: headers), body)
    }

    private func problem(_ fault: HTTP1ConnectionState.Fault) -> Problem {
        switch fault {
        case .malformed: .malformed("This is not a valid HTTP/1.1 request (RFC 9112).")
        case .noHost: .malformed("The request must have exactly one Host field.")
        case .headerTooLarge:
            Problem(
                .headerTooLarge,
                "The request's line and fields have more than \(limits.maxHeaderBytes) bytes, or more than "
                    + "\(ConnectionLimits.maxHeaderFields) fields."
            )
        }
    }
}

extension Timestamp {
    /// The format of `Date` (RFC 9110 section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
    var httpDate: String { String(rfc2822.prefix { $0 != "+" }) + "GMT" }
}
