import HTTPTypes
import Hummingbird
import PhoneDomain

/// An answer that tells of a verification, and can be given again.
struct VerificationAnswer {
    private let status: HTTPResponse.Status
    private let json: JSON
    private let contentType: String
    private let location: String?
    private let verificationID: Verification.ID?

    /// The verification as it is at this moment.
    ///
    /// - Parameter isNew: whether this request has made it.
    init(_ verification: Verification, isNew: Bool = false, at now: Timestamp) {
        status = isNew ? .created : .ok
        json = verification.json(at: now)
        contentType = "application/json"
        location = isNew ? "/v1/verifications/\(verification.id)" : nil
        verificationID = verification.id
    }

    /// Why nothing was done.
    init(_ problem: Problem, about verificationID: Verification.ID?) {
        status = problem.status
        json = problem.json
        contentType = "application/problem+json"
        location = nil
        self.verificationID = verificationID
    }

    var response: Response {
        Response(status, json: json, contentType: contentType, headers: location.map { [.location: $0] } ?? [:])
    }

    var kept: KeptAnswer {
        KeptAnswer(
            status: status.code,
            contentType: contentType,
            location: location,
            body: String(buffer: json.bytes),
            verificationID: verificationID
        )
    }
}

extension KeptAnswer {
    /// The answer once more.
    var response: Response {
        var headers: HTTPFields = [.contentType: contentType]
        headers[.location] = location
        if let name = HTTPField.Name.idempotentReplayed { headers[name] = "true" }
        return Response(
            status: HTTPResponse.Status(code: status),
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: body))
        )
    }
}
