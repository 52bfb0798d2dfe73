import Hummingbird
import PhoneDomain

/// The same as ``UndoRoutes`` for programs, such as a page of the operator's own that the link leads to. Whoever has the
/// secret is not signed in, and is told no more than what they have the secret of.
struct NumberChangeUndoRoutes: Sendable {
    let accounts: any AccountUseCase

    var routes: RouteCollection<APIContext> {
        RouteCollection(context: APIContext.self)
            .post("undo", use: undo)
    }

    @Sendable private func undo(request: Request, context: APIContext) async throws -> Response {
        let token = SecretToken(try await request.jsonBody().requiredText("token"))
        let account: Account
        do throws(PhoneFailure) {
            account = try await accounts.undoNumberChange(by: token, from: context.address)
        } catch {
            throw error == .numberTaken ? Problem.numberTakenSince : error
        }
        return Response(json: [
            "phone_number": account.phoneNumber.map { .string($0.masked) } ?? .null,
            "undone": true,
        ])
    }
}
