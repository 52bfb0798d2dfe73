import HTTPTypes
import PhoneAccounts
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import Texts

/// One of the pages for a device without a browser, drawn. A stranger may have sent the person here with a code of their
/// own (RFC 8628 section 5.4): so the question says who asks and from where, and when to refuse.
struct DevicePage {
    enum Content {
        case code(String, isWrong: Bool)
        case question(DeviceAuthorization, OAuthClient, UserCode, PhoneNumber?, formToken: String)
        case done, refused
        case limited(PhoneFailure)
    }

    let content: Content
    let identity: PageIdentity
    let texts: Texts
    let now: Timestamp
    let nonce: String

    var response: Response {
        let problem: Problem? = if case .limited(let failure) = content { Problem(failure, at: now) } else { nil }
        let isUnknown = if case .code(_, true) = content { true } else { false }
        return identity.plainPage(
            heading,
            mark,
            paragraphs,
            status: problem?.status ?? (isUnknown ? .notFound : .ok),
            retryAfter: problem?.headers[.retryAfter],
            in: texts.language,
            nonce: nonce
        )
    }

    private var mark: PageAssets.Mark? {
        switch content {
        case .code, .question: nil
        case .done: .done
        case .refused, .limited: .wait
        }
    }

    private var heading: String {
        switch content {
        case .code: texts.devices.heading
        case .question: texts.devices.question
        case .done: texts.devices.doneHeading
        case .refused: texts.devices.refusedHeading
        case .limited: texts.pages.limitHeading
        }
    }

    private var paragraphs: HTML {
        switch content {
        case .code(let text, let isWrong):
            """
            <p>\(texts.devices.introduction)</p>
            <form method="get">
            <label for="user_code">\(texts.devices.code)</label>
            <div class="code"><input id="user_code" name="user_code" value="\(text)" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="40" required autofocus dir="ltr" \("aria-invalid=\"true\" ", if: isWrong)aria-describedby="alert"></div>
            <p class="note\(" alert", if: isWrong)" id="alert"\(" role=\"alert\"", if: isWrong)>\(isWrong ? texts.devices.unknown : "")</p>
            <button>\(texts.pages.goOn)</button>
            </form>
            """
        case .question(let device, let client, let code, let number, let formToken):
            """
            <p>\(texts.devices.request.filled(["client": client.name.description])) \(texts.signInConsent(client.name.description, sharesNumber: device.grant.scopes.contains(.phone)))</p>
            <dl class="instruction">
            <dt>\(texts.devices.code)</dt><dd dir="ltr">\(code.description)</dd>
            <dt>\(texts.devices.place)</dt><dd dir="ltr">\(device.address?.description ?? "?")</dd>
            <dt>\(texts.devices.program)</dt><dd dir="ltr">\(String((device.userAgent ?? "?").prefix(80)))</dd>
            </dl>
            <p><strong>\(texts.devices.warning)</strong></p>
            \(number.map { "<p>\(HTML(texts.pages.signedInAs, with: $0.maskedNationalFormat))</p>" as HTML })
            <form method="post" action="device">
            <input type="hidden" name="form_token" value="\(formToken)"><input type="hidden" name="user_code" value="\(code.description)">
            <button class="plain" name="decision" value="refuse">\(texts.devices.refuse)</button>
            <button name="decision" value="approve">\(texts.devices.approve)</button>
            </form>
            <p class="small"><a href="signup?step=number&amp;user_code=\(code.description)">\(texts.pages.anotherNumber)</a></p>
            """
        case .done: "<p>\(texts.devices.done)</p>"
        case .refused: "<p>\(texts.devices.refused)</p>"
        case .limited(let failure): "<p>\(texts.explanation(of: failure, at: now))</p>"
        }
    }
}
