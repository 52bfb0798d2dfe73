import CoreEncodings
import HTTPTypes
import PhoneDomain
import PhoneHTTP
import PhoneNumbers
import SMSStub

/// Twilio Verify's safe list: numbers that an account's tenants send to whatever their country and the guard's verdict.
/// A key of one tenant cannot change it, since it applies to all of them.
extension TwilioAPI {
    func addSafeList(to router: APIRouter) {
        router
            .post(use: create)
            .get("{number}", use: show)
            .delete("{number}", use: delete)
    }

    @Sendable private func create(request: Request, context: APIContext) async throws -> Response {
        let account = try context.wholeAccount()
        let form = try await TwilioForm(of: request)
        let text = try form.required("PhoneNumber") { $0 }
        let number: SafeNumber
        do {
            number = try await useCase.makeSafe(text, for: account)
        } catch PhoneFailure.invalidPhoneNumber, PhoneFailure.regionNotAllowed {
            throw TwilioError.parameter("PhoneNumber")
        }
        return Response(.created, json: json(number, request))
    }

    @Sendable private func show(request: Request, context: APIContext) async throws -> Response {
        let caller = try context.tenants()
        let number = try await useCase.safeNumber(context.pathText("number"), of: caller.account)
        return Response(json: json(number, request))
    }

    @Sendable private func delete(request: Request, context: APIContext) async throws -> Response {
        let account = try context.wholeAccount()
        try await useCase.removeSafeNumber(context.pathText("number"), of: account)
        return Response(status: .noContent)
    }

    private func json(_ number: SafeNumber, _ request: Request) -> JSON {
        [
            "sid": .string(number.id.sid),
            "phone_number": .string(number.e164),
            "url": .string(urls(request).base + "/SafeList/Numbers/\(number.e164)"),
        ]
    }
}
