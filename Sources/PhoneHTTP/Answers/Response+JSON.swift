import HTTPTypes
import Hummingbird

extension Response {
    /// An answer with a JSON body.
    init(
        _ status: HTTPResponse.Status = .ok,
        json: JSON,
        contentType: String = "application/json",
        headers: HTTPFields = [:]
    ) {
        var headers = headers
        headers[.contentType] = contentType
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: json.bytes))
    }
}
