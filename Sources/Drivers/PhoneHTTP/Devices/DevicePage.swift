import HTTPTypes
import PhoneAccounts
import PhoneDomain
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
    let texts: any Texts
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
        case .code: texts.deviceHeading
        case .question: texts.deviceQuestion
        case .done: texts.deviceDoneHeading
        case .refused: texts.deviceRefusedHeading
        case .limited: texts.limitHeading
        }
    }

    private var paragraphs: HTML {
        switch content {
        case .code(let text, let isWrong):
            """
            <p>\(texts.deviceIntroduction)</p>
            <form method="get">
            <label for="user_code">\(texts.deviceCode)</label>
            <div class="code"><input id="user_code" name="user_code" value="\(text)" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="40" required autofocus dir="ltr" \("aria-invalid=\"true\" ", if: isWrong)aria-describedby="alert"></div>
            <p class="note\(" alert", if: isWrong)" id="alert"\(" role=\"alert\"", if: isWrong)>\(isWrong ? texts.deviceUnknown : "")</p>
            <button>\(texts.goOn)</button>
            </form>
            """
        case .question(let device, let client, let code, let number, let formToken):
            """
            <p>\(texts.deviceRequest(client: client.name.description))</p>
            <dl class="instruction">
            <dt>\(texts.deviceCode)</dt><dd dir="ltr">\(code.description)</dd>
            <dt>\(texts.devicePlace)</dt><dd dir="ltr">\(device.address?.description ?? "?")</dd>
            <dt>\(texts.deviceProgram)</dt><dd dir="ltr">\(String((device.userAgent ?? "?").prefix(80)))</dd>
            </dl>
            <p><strong>\(texts.deviceWarning)</strong></p>
            \(number.map { "<p>\(HTML(texts.signedIn(as:), with: $0.maskedNationalFormat))</p>" as HTML })
            <form method="post" action="device">
            <input type="hidden" name="form_token" value="\(formToken)"><input type="hidden" name="user_code" value="\(code.description)">
            <button class="plain" name="decision" value="refuse">\(texts.deviceRefuse)</button>
            <button name="decision" value="approve">\(texts.deviceApprove)</button>
            </form>
            <p class="small"><a href="signup?step=number&amp;user_code=\(code.description)">\(texts.anotherNumber)</a></p>
            """
        case .done: "<p>\(texts.deviceDone)</p>"
        case .refused: "<p>\(texts.deviceRefused)</p>"
        case .limited(let failure): "<p>\(texts.explanation(of: failure, at: now))</p>"
        }
    }
}
