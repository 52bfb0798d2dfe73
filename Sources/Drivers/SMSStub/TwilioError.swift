import CoreEncodings
package import HTTPTypes
import Logging
import PhoneDelivery
import PhoneDomain
package import PhoneHTTP
import PhoneSignup

/// An error in the body of Twilio's 2010 API: four members and no more, since Twilio's libraries take a body with
/// `type`, `title`, `status` and `code` for another kind of error, which programs do not expect
/// (https://www.twilio.com/docs/api/errors).
package struct TwilioError: Error {
    package let code: Int
    package let message: String
    package let status: HTTPResponse.Status
    package var retryAfter: Int64?
    var headers: HeaderFields = [:]
    /// What the operator's log says, and the client does not hear.
    package var cause: String?
    /// What the operator can do about it, for the log.
    package var hint: String?

    /// - Parameter status: nil for that of the code. Codes from 20400 to 20599 are Twilio's for HTTP statuses, plus 20000.
    package init(_ code: Int, _ message: String, status: HTTPResponse.Status? = nil) {
        (self.code, self.message) = (code, message)
        self.status = status ?? (20_400...20_599 ~= code ? HTTPResponse.Status(code: code - 20_000) : .badRequest)
    }

    package static let notFound = TwilioError(20404, "The requested resource was not found", status: .notFound)
    package static let unauthenticated = TwilioError(20003, "Authenticate", status: .unauthorized)
}

extension TwilioError {
    /// Writes every error of Twilio's APIs.
    package static func writer(
        _ convert: @escaping @Sendable (any Error) -> TwilioError = { TwilioError(anyOf: $0) }
    ) -> ErrorWriter {
        { error, _, context in
            let twilioError = convert(error)
            if let cause = twilioError.cause {
                context.logger.error("a request by Twilio's API failed", metadata: ["error.cause": "\(cause)"])
            }
            if let hint = twilioError.hint { context.logger.info("\(hint)") }
            return twilioError.response
        }
    }

    private var response: Response {
        var headers = headers
        if let retryAfter { headers[.retryAfter] = String(retryAfter) }
        if status == .unauthorized { headers[.wwwAuthenticate] = "Basic realm=\"Twilio API\"" }
        return Response(
            status,
            json: [
                "code": .integer(code),
                "message": .string(message),
                "more_info": .string("https://www.twilio.com/docs/errors/\(code)"),
                "status": .integer(status.code),
            ],
            headers: headers
        )
    }
}

extension TwilioError {
    package init(anyOf error: any Error) {
        switch error {
        case let twilioError as TwilioError: self = twilioError
        case let problem as Problem: self.init(problem)
        default:
            // The error itself may contain anything, such as a number; its type says where to look.
            self.init(20500, "Internal server error.", status: .internalServerError)
            cause = String(reflecting: type(of: error))
        }
    }

    /// An HTTP error. Twilio's codes are the statuses plus 20000, except for two.
    init(_ problem: Problem) {
        let code =
            switch problem.status {
            case .unauthorized: 20003
            case .methodNotAllowed: 20004
            default: 20_000 + problem.status.code
            }
        self.init(code, problem.detail, status: problem.status)
        headers = problem.headers
        (cause, hint) = (problem.cause, problem.hint)
    }
}

extension APIContext {
    func twilioAccount() throws(TwilioError) -> String {
        guard let name = parameters.get("account"), name.isTwilioSID(prefix: "AC") else { throw TwilioError.notFound }
        return name
    }
}

extension Timestamp {
    /// RFC 2822 section 3.3, in UTC and whole seconds: `Thu, 24 Aug 2023 05:01:45 +0000`, as in Twilio's 2010 API.
    var rfc2822: String { httpDate.dropLast("GMT".count) + "+0000" }
}
