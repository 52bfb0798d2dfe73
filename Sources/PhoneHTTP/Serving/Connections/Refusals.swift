import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import PhoneDomain

/// What one is told whose request cannot be made out, and is seen by nobody else therefore.
struct Refusals: Sendable {
    let limits: ConnectionLimits
    let fields: CommonFields
    let clock: any WallClock
    let measures: RequestMeasures
    let logger: Logger

    /// The answer, after which the connection is closed: nobody can say where the next request begins.
    func answer(to fault: HTTP1Conversation.Fault) -> (head: HTTPResponseHead, body: ByteBuffer) {
        let problem = problem(fault)
        measures.requestRefused(status: problem.status.code)
        let name = RequestID().description
        var headers = problem.headers
        headers[.contentType] = Problem.contentType
        fields.add(to: &headers)
        headers[.connection] = "close"
        headers[.date] = clock.now().httpDate
        if let field = HTTPField.Name.requestID { headers[field] = name }
        let body = problem.json.bytes
        headers[.contentLength] = String(body.readableBytes)
        logger.info(
            "refused",
            metadata: [
                "hb.request.id": .string(name), "http.status": .stringConvertible(problem.status.code),
                "http.fault": .string("\(fault)"),
            ]
        )
        return (
            HTTPResponseHead(HTTPResponse(status: problem.status, headerFields: headers)),
            body
        )
    }

    private func problem(_ fault: HTTP1Conversation.Fault) -> Problem {
        switch fault {
        case .malformed: Self.malformed
        case .noHost: .malformed("The request must have one Host field, and no more.")
        case .headerTooLarge: Self.headerTooLarge(limit: limits.maxHeaderBytes)
        }
    }

    static let malformed = Problem.malformed("This is no request that HTTP/1.1 knows (RFC 9112).")

    static func headerTooLarge(limit: Int) -> Problem {
        Problem(
            .headerTooLarge,
            "The request's line and fields have more than \(limit) bytes, or more than "
                + "\(ConnectionLimits.maxHeaderFields) fields; nothing that is asked for here needs so many."
        )
    }
}
