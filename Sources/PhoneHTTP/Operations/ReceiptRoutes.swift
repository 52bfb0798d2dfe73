import HTTPTypes
import PhoneDomain

/// Where gateways send delivery reports. They have no API key: each signs its reports with a shared secret.
struct ReceiptRoutes: Sendable {
    let twilio: any ReceiptIntake

    private static let maxFields = 100

    /// A request without a signature is not even read.
    @Sendable func receiveFromTwilio(request: Request, context: APIContext) async throws -> Response {
        guard let signature = request.headers[.twilioSignature], !signature.isEmpty else {
            throw Problem.reportNotSigned
        }
        guard request.isContent(Request.formType) == true else { throw Request.notForm }
        let fields = try await request.formFields().map { SignedForm.Field(name: $0.name, value: $0.value) }
        // Twilio sends some twenty; verifying many is work that a client without the token must not cause.
        guard fields.count <= Self.maxFields else { throw Problem.reportNotSigned }
        let isGenuine: Bool
        do {
            isGenuine = try await twilio.take(SignedForm(fields: fields, signature: signature))
        } catch {
            throw Problem.unavailable(cause: "a receipt could not be recorded: \(error)")
        }
        guard isGenuine else { throw Problem.reportNotSigned }
        return Response(status: .noContent)
    }
}

extension Problem {
    /// The signature is missing, or made with another secret or for another URL.
    fileprivate static let reportNotSigned = Problem(
        .signatureInvalid,
        "The signature does not match the account's auth token and the configured status callback URL."
    )
}
