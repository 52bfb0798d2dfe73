import HTTPTypes
import Logging
import PhoneDomain
import PhoneSignup
import Texts

/// Responses to requests that cannot be parsed, which nothing else sees.
struct Refusals: Sendable {
    let limits: ConnectionLimits
    let fields: CommonHeaders
    let clock: any WallClock
    let requestMetrics: RequestMetrics
    let logger: Logger

    enum Fault: Error {
        case malformed
        case headerTooLarge
        case noHost
    }

    func response(to fault: Fault) -> Response {
        let problem = problem(fault)
        requestMetrics.requestRefused(status: problem.status.code)
        let id = RequestID.make()
        var response = Response(
            problem.status,
            json: problem.json(in: Languages.english),
            contentType: Problem.contentType,
            headers: problem.headers
        )
        fields.add(to: &response.headers)
        response.headers.append(.date, clock.now().httpDate)
        response.headers.append(.requestID, id)
        logger.info(
            "refused",
            metadata: [
                "request.id": .string(id), "http.status": .stringConvertible(problem.status.code),
                "http.fault": .string("\(fault)"),
            ]
        )
        return response
    }

    private func problem(_ fault: Fault) -> Problem {
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
    package var httpDate: String {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let parts = description.split { $0 == "-" || $0 == "T" || $0 == "." }
        let month = Int(parts[1]).map { months[$0 - 1] } ?? ""
        return "\(weekday), \(parts[2]) \(month) \(parts[0]) \(parts[3]) GMT"
    }

    private var weekday: String {
        // 1970-01-01 was a Thursday.
        let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let (days, rest) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        let daysBegun = rest < 0 ? days - 1 : days
        return weekdays[Int((daysBegun % 7 + 7) % 7)]
    }
}
