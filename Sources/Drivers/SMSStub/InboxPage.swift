import PhoneDomain
import PhoneHTTP
import Texts

/// The page with the messages that the stub has received, which adds new ones while it is open.
///
/// All texts are escaped, since anyone may send one. If one slipped through, the policy would let no script run but the
/// page's own, which has an unpredictable nonce (CSP level 3, section 2.3.1).
struct InboxPage {
    let messages: [StubMessage]
    let texts: any Texts

    static func contentSecurityPolicy(nonce: String) -> String {
        "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; connect-src 'self'; img-src data:; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    }

    func html(nonce: String) -> HTML {
        HTML(
            page: texts.inboxHeading,
            in: texts.language,
            nonce: nonce,
            style: PageAssets.style + Self.style,
            script: Self.script,
            body: """
                <main>
                <h1>\(texts.inboxHeading)</h1>
                <p>\(texts.inboxNote)</p>
                <noscript><p>\(texts.inboxReload)</p></noscript>
                <p class="bar" hidden><input id="filter" type="search" placeholder="\(texts.inboxFilter)" aria-label="\(texts.inboxFilter)" autocomplete="off">
                <button id="clear" type="button" class="plain">\(texts.inboxClear)</button></p>
                <p class="small key" hidden>\(texts.inboxKey)</p>
                <div id="messages" data-copied="\(texts.inboxCopied)">
                \(list)
                </div>
                <p class="hidden" id="announcement" role="status"></p>
                </main>
                """
        )
    }

    var list: HTML {
        if messages.isEmpty { return "<p>\(texts.inboxEmpty)</p>" }
        return "<ol>\n\(messages.map(item).joined(separator: "\n"))\n</ol>"
    }

    private func item(_ message: StubMessage) -> HTML {
        let number =
            message.to.hasPrefix("+")
            ? (try? PhoneNumber(parsing: message.to, region: .korea))?.internationalFormat ?? message.to : message.to
        let heading = message.isCall ? texts.inboxCall(to: number) : texts.inboxMessage(to: number)
        let delivery = texts.inboxDelivery(
            from: message.sender,
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
        "<p class=\"code\"><b dir=\"ltr\">\(code)</b> <button type=\"button\" class=\"plain\">\(texts.inboxCopy)</button></p>\n"
    }

    private static let style: HTML = """
        main { max-width: 36rem }
        ol { list-style: none; margin: 0; padding: 0 }
        li { border-block-start: 1px solid var(--line); padding: 1.25rem 0 }
        h2 { font-size: 1rem; margin: 0 0 .25rem }
        time { white-space: nowrap }
        .bar { display: flex; gap: .5rem; margin: 0 }
        .bar button { flex: none; margin: 0; width: auto }
        .key + #messages { margin-block-start: 1.25rem }
        @media (hover: none) { .key { display: none } }
        .text { margin: 0; white-space: pre-wrap }
        .code { align-items: center; background: var(--box); border-radius: .5rem; display: flex; flex-wrap: wrap; gap: .5rem 1rem;
          justify-content: space-between; margin: .75rem 0 0; padding: .5rem 1rem }
        .code b { font: 600 1.5rem/1.5 ui-monospace, monospace; letter-spacing: .125em }
        .code button { background: var(--card); margin: 0; width: auto }
        @media (scripting: none) { .code button { display: none } }

        """

    /// Each connection begins with what is shown already.
    private static let script = HTML(
        trusted: """

            const messages = document.getElementById("messages"), announcement = document.getElementById("announcement")
            const filter = document.getElementById("filter")
            for (const part of document.querySelectorAll("main > [hidden]")) part.hidden = false
            const copy = async button => {
              if (!button) return
              const code = button.previousElementSibling
              getSelection().selectAllChildren(code)
              try {
                await navigator.clipboard.writeText(code.textContent)
                announcement.textContent = button.textContent = messages.dataset.copied
              } catch {}
            }
            messages.addEventListener("click", event => copy(event.target.closest("button")))
            addEventListener("keydown", event => {
              if (event.key !== "c" || event.ctrlKey || event.metaKey || event.altKey || event.target === filter) return
              copy(messages.querySelector("li:not([hidden]) .code button"))
            })
            /* In the reader's time zone, and of the numbers with these digits only. */
            const show = () => {
              const digits = filter.value.replace(/\\D/g, "").replace(/^0+/, "")
              for (const item of messages.querySelectorAll("li")) item.hidden = !item.querySelector("h2").textContent.replace(/\\D/g, "").includes(digits)
              for (const time of messages.querySelectorAll("time"))
                time.textContent = new Date(time.dateTime).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "medium" })
            }
            filter.addEventListener("input", show)
            document.getElementById("clear").addEventListener("click", () => fetch("stub/messages", { method: "DELETE" }))
            show()
            let shown
            new EventSource("inbox/events").onmessage = ({ data }) => {
              if (data === shown) return
              shown = data
              const old = [...messages.querySelectorAll("li")].map(item => item.id)
              const focused = document.activeElement?.closest("li")?.id
              messages.innerHTML = data
              show()
              if (focused) document.getElementById(focused)?.querySelector("button")?.focus()
              const fresh = [...messages.querySelectorAll("li")].find(item => !old.includes(item.id))
              if (fresh) announcement.textContent = fresh.querySelector("h2").textContent
            }

            """
    )
}
