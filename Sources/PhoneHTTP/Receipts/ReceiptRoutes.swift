import HTTPTypes
import Hummingbird
import PhoneDomain

/// Where gateways report how messages fared. They show no key of ours: each signs what it says with a secret that it has.
struct ReceiptRoutes: Sendable {
    let twilio: any ReceiptIntake

    private static let mostFields = 100

    var routes: RouteCollection<APIContext> {
        RouteCollection(context: APIContext.self)
            .post("twilio", use: takeFromTwilio)
    }

    /// What bears no signature is not even read.
    @Sendable private func takeFromTwilio(request: Request, context: APIContext) async throws -> Response {
        guard let signature = request.headers[.twilioSignature], !signature.isEmpty else {
            throw Problem.reportNotSigned
        }
        guard request.isContent(Request.formType) == true else { throw Request.notForm }
        let fields = try await request.formFields().map { SignedForm.Field(name: $0.name, value: $0.value) }
        // Twilio sends some twenty; to sign many is work that nobody without the token may make us do.
        guard fields.count <= Self.mostFields else { throw Problem.reportNotSigned }
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

extension HTTPField.Name {
    /// What Twilio signs its reports with.
    fileprivate static var twilioSignature: HTTPField.Name { HTTPField.Name("X-Twilio-Signature") ?? .authorization }
}

extension Problem {
    /// Whoever reports did not sign it, or with another secret, or for another address.
    static let reportNotSigned = Problem(
        .signatureInvalid,
        "This is not signed with the account's auth token for the address that was configured as status callback."
    )
}
