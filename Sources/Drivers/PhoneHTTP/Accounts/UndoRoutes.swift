import CoreEncodings
import HTTPTypes
import Logging
import PhoneAccounts
import PhoneDomain
import PhoneNumbers
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
        let nonce = try identifiers.makeRandomText()
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

/// That page, drawn.
///
/// It has no script and loads nothing, not even the operator's logo, so that the secret in its URL stays with its
/// reader. A link may be passed on, so the page says no more of the account than the masked number that the message
/// went to.
struct UndoPage {
    enum Content {
        case offer(change: NumberChange, oldNumber: PhoneNumber)
        case undone(oldNumber: PhoneNumber)
        /// The same for made-up links, used ones and expired ones.
        case gone
        case taken
        case unavailable
    }

    let content: Content
    let identity: PageIdentity
    let texts: Texts
    let nonce: String

    var response: Response {
        let (status, heading, paragraphs) = shown
        let retryAfter: String? = if case .unavailable = content { "5" } else { nil }
        return identity.plainPage(
            heading,
            mark,
            paragraphs,
            status: status,
            retryAfter: retryAfter,
            in: texts.language,
            nonce: nonce
        )
    }

    private var mark: PageAssets.Mark? {
        switch content {
        case .offer: nil
        case .undone: .done
        case .gone: .wait
        case .taken, .unavailable: .problem
        }
    }

    private var shown: (status: HTTPResponse.Status, heading: String, paragraphs: HTML) {
        func paragraph(_ text: String) -> HTML { "<p>\(text)</p>" }
        func paragraph(_ text: String, with number: PhoneNumber) -> HTML {
            "<p>\(HTML(text, with: number.masked))</p>"
        }
        switch content {
        case .offer(let change, let number):
            let language = texts.language
            let (moment, end) = (language.text(of: change.changedAt), language.text(of: change.undoableUntil))
            // Without `action` the form goes to the page's own URL, whatever a proxy calls it.
            let paragraphs: HTML = """
                \(paragraph(texts.undo.offer.filled(["moment": moment]), with: number))
                \(paragraph(texts.undo.advice, with: number))
                <form method="post">
                <button>\(texts.undo.button)</button>
                </form>
                <p class="small">\(texts.undo.deadline.filled(["moment": end]))</p>
                """
            return (.ok, texts.undo.heading, paragraphs)
        case .undone(let number): return (.ok, texts.undo.undoneHeading, paragraph(texts.undo.undone, with: number))
        case .gone: return (ProblemCode.numberChangeNotFound.status, texts.undo.goneHeading, paragraph(texts.undo.gone))
        case .taken: return (ProblemCode.numberTaken.status, texts.undo.takenHeading, paragraph(texts.undo.taken))
        case .unavailable:
            return (ProblemCode.unavailable.status, texts.undo.unavailableHeading, paragraph(texts.undo.unavailable))
        }
    }
}
