import PhoneDomain
import SMSStub
import Texts

/// The page with the messages that the stub has received.
///
/// All texts are escaped, since anyone may send one. If one slipped through, the policy would let no script run but the
/// page's own, which has an unpredictable nonce (CSP level 3, section 2.3.1).
struct InboxPage {
    let messages: [StubMessage]
    let texts: any Texts
    let nonce: String

    var contentSecurityPolicy: String {
        "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; connect-src 'self'; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    }

    var html: String {
        """
        <!DOCTYPE html>
        <html lang="\(texts.language)">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="referrer" content="no-referrer">
        <title>\(texts.inboxHeading.htmlEscaped)</title>
        <style nonce="\(nonce)">
        body { font: 1rem/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 40rem; padding: 1rem }
        ol { list-style: none; padding: 0 }
        li { border: 1px solid GrayText; border-radius: .5rem; margin: 0 0 1rem; padding: .75rem 1rem }
        h2 { font-size: 1rem; margin: 0 }
        p { margin: .25rem 0; overflow-wrap: anywhere }
        .text { font-size: 1.125rem; white-space: pre-wrap }
        </style>
        </head>
        <body>
        <h1>\(texts.inboxHeading.htmlEscaped)</h1>
        <p>\(texts.inboxNote.htmlEscaped)</p>
        <noscript><p>\(texts.inboxReload.htmlEscaped)</p></noscript>
        <main id="messages" aria-live="polite">
        \(list)
        </main>
        <script nonce="\(nonce)">
        setInterval(async () => {
          if (document.hidden) return
          try {
            const page = await (await fetch(location.href)).text()
            const next = new DOMParser().parseFromString(page, "text/html").getElementById("messages")
            const shown = document.getElementById("messages")
            if (next && next.innerHTML !== shown.innerHTML) shown.replaceChildren(...next.childNodes)
          } catch {}
        }, 2000)
        </script>
        </body>
        </html>

        """
    }

    private var list: String {
        if messages.isEmpty { return "<p>\(texts.inboxEmpty.htmlEscaped)</p>" }
        return "<ol>\n" + messages.map(item).joined(separator: "\n") + "\n</ol>"
    }

    private func item(_ message: StubMessage) -> String {
        let heading = message.isCall ? texts.inboxCall(to: message.to) : texts.inboxMessage(to: message.to)
        let delivery = texts.inboxDelivery(
            from: message.sender,
            status: message.status.rawValue,
            errorCode: message.errorCode
        )
        return """
            <li>
            <h2>\(heading.htmlEscaped)</h2>
            <p class="text" dir="auto">\(message.body.htmlEscaped)</p>
            <p>\(delivery.htmlEscaped), \
            <time datetime="\(message.createdAt)">\(message.createdAt)</time></p>
            </li>
            """
    }
}
