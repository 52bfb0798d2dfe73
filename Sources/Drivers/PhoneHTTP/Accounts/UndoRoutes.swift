import CoreEncodings
import HTTPTypes
import Logging
import PhoneAccounts
import PhoneDomain
import Texts

/// The page behind the link that the old number of an account gets, for people.
///
/// Anyone with the secret in the link may undo the change from anywhere. So there is nothing that a page of another
/// site could make a browser do here that its author could not do alone.
struct UndoRoutes: Sendable {
    let accounts: AccountUseCase
    let identifiers: any IdentifierSource
    let clock: any WallClock
    /// If the browser accepts none that there are texts in.
    let language: LanguageTag
    let identity: PageIdentity
    let outages = OutageLog()

    func addRoutes(to router: APIRouter) {
        router
            // Changes nothing: programs that preview or scan links fetch them.
            .get("{token}") { request, context in try await respond(to: request, context, undoing: false) }
            .post("{token}") { request, context in try await respond(to: request, context, undoing: true) }
    }

    private func respond(to request: Request, _ context: APIContext, undoing: Bool) async throws -> Response {
        // Invalid UTF-8 cannot be a secret.
        let token = SecretToken(context.parameters.get("token").flatMap { String(percentDecoding: $0[...]) } ?? "")
        var texts = request.texts(else: language)
        let content: UndoPage.Content
        do throws(PhoneFailure) {
            let change = try await accounts.numberChange(undoneBy: token)
            guard let number = change.oldNumber else { throw .numberChangeNotFound }
            texts = Languages.texts(in: change.language) ?? texts
            if undoing {
                _ = try await accounts.undoNumberChange(by: token, from: context.address)
                content = .undone(oldNumber: number)
            } else {
                content = .offer(change: change, oldNumber: number)
            }
        } catch {
            content = self.content(for: error, context)
        }
        let nonce = try identifiers.makeNonce()
        return UndoPage(content: content, identity: identity, texts: texts, nonce: nonce).response
    }

    private func content(for failure: PhoneFailure, _ context: APIContext) -> UndoPage.Content {
        switch failure {
        case .numberTaken: return .taken
        case .unavailable:
            outages.log(Problem(failure, at: clock.now()), at: clock.now(), in: context)
            return .unavailable
        default: return .gone
        }
    }
}
