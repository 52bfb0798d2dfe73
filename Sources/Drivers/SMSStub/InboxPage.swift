import PhoneHTTP
import PhoneNumbers
import PhoneSignup
import Texts

/// The page with the messages that the stub has received, which adds new ones while it is open.
///
/// All texts are escaped, since anyone may send one. If one slipped through, the policy would let no script run but the
/// page's own, which has an unpredictable nonce (CSP level 3, section 2.3.1).
struct InboxPage {
    let messages: [StubMessage]
    let texts: Texts

    static func contentSecurityPolicy(nonce: String) -> String {
        "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; connect-src 'self'; img-src data:; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    }

    func html(nonce: String) -> HTML {
        HTML(
            page: texts.inbox.heading,
            in: texts.language,
            nonce: nonce,
            style: PageAssets.style + HTML(trusted: EmbeddedFiles.inboxCSS),
            script: HTML(trusted: EmbeddedFiles.inboxJS),
            body: """
                <main>
                <h1>\(texts.inbox.heading)</h1>
                <p>\(texts.inbox.note)</p>
                <noscript><p>\(texts.inbox.reload)</p></noscript>
                <p class="bar" hidden><input id="filter" type="search" placeholder="\(texts.inbox.filter)" aria-label="\(texts.inbox.filter)" autocomplete="off">
                <button id="clear" type="button" class="plain">\(texts.inbox.clear)</button></p>
                <p class="small key" hidden>\(texts.inbox.key)</p>
                <div id="messages" data-copied="\(texts.inbox.copied)">
                \(list)
                </div>
                <p class="hidden" id="announcement" role="status"></p>
                </main>
                """
        )
    }

    var list: HTML {
        if messages.isEmpty { return "<p>\(texts.inbox.empty)</p>" }
        return "<ol>\n\(messages.map(item).joined(separator: "\n"))\n</ol>"
    }

    private func item(_ message: StubMessage) -> HTML {
        let number =
            message.to.hasPrefix("+")
            ? (try? PhoneNumber(parsing: message.to, region: .korea))?.internationalFormat ?? message.to : message.to
        let heading = (message.request.isCall ? texts.inbox.call : texts.inbox.message).filled(["number": number])
        let delivery = texts.inboxDelivery(
            from: message.from ?? "",
            status: message.status.rawValue,
            errorCode: message.errorCode
        )
        let moment = message.createdAt.description
        let shownMoment = moment.prefix(10) + " " + moment.dropFirst(11).prefix(8) + " UTC"
        let code = VerificationCode.digits(inMessage: message.body) { VerificationCode.lengths.contains($0.utf8.count) }
        return """
            <li id="\(message.sid)">
            <h2>\(heading)</h2>
            <p class="text" dir="auto">\(message.body)</p>
            \(code.map(self.code))<p class="small">\(delivery), <time datetime="\(moment)">\(shownMoment)</time></p>
            </li>
            """
    }

    private func code(_ code: String) -> HTML {
        "<p class=\"code\"><b dir=\"ltr\">\(code)</b> <button type=\"button\" class=\"plain\">\(texts.inbox.copy)</button></p>\n"
    }
}
