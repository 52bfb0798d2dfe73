import HTTPTypes
import Hummingbird
import PhoneDomain

/// An error in the body that Twilio's 2010 API has: four members and no more, since Twilio's libraries take a body with
/// `type`, `title`, `status` and `code` for another kind of error, which programs do not expect of it
/// (https://www.twilio.com/docs/api/errors).
struct TwilioError: Error {
    /// Twilio's code.
    let code: Int
    let message: String
    let status: HTTPResponse.Status
    /// How many seconds to wait before the same may succeed, if that is known.
    var retryAfter: Int64?
    /// Header fields besides the content type.
    var headers: HTTPFields = [:]
    /// What the operator's log says and the caller is not told, or nil.
    var cause: String?

    init(_ code: Int, _ message: String, status: HTTPResponse.Status = .badRequest) {
        self.code = code
        self.message = message
        self.status = status
    }

    /// The stub's refusal. The codes from 20400 to 20599 are Twilio's for statuses of HTTP, less 20000; two more are of
    /// messages that are not in the state for what is asked.
    init(_ refusal: StubRefusal) {
        let status =
            switch refusal.errorCode {
            case 20_400...20_599: refusal.errorCode - 20_000
            case 20_009, 30_409: 409
            default: 400
            }
        self.init(refusal.errorCode, refusal.detail, status: HTTPResponse.Status(code: status))
    }

    /// Whether a request is to Twilio's Verify or its 2010 API, where every error has Twilio's body.
    static func covers(_ request: Request) -> Bool {
        let path = (request.head.path ?? "").prefix { $0 != "?" }
        return ["/v2", "/2010-04-01"].contains { path == $0 || path.hasPrefix($0 + "/") }
    }

    static let notFound = TwilioError(20404, "The requested resource was not found", status: .notFound)
}

extension TwilioError: HTTPResponseError {
    func response(from request: Request, context: some Hummingbird.RequestContext) -> Response {
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
