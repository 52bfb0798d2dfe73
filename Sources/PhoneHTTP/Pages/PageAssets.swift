import PhoneDomain

/// The style and the script of the pages, which go into each: no page loads anything.
enum PageAssets {
    /// The background in the dark scheme.
    static let darkCard: Color = {
        guard let color = Color("#1e1f20") else { preconditionFailure("not a color") }
        return color
    }()

    /// Contrasts are 4.5 to 1 at least for text and 3 to 1 for what shows where a field is (WCAG 2.2, 1.4.3 and
    /// 1.4.11). Nothing moves.
    static let style = HTML(
        trusted: """

            :root { color-scheme: light dark; --accent: #0b57d0; --on: #fff; --text: #1f1f1f; --soft: #5f6368;
              --line: #747775; --page: #f3f5f9; --card: #fff; --box: #eef1f6; --bad: #b3261e }
            @media (prefers-color-scheme: dark) { :root { --accent: #a8c7fa; --on: #062e6f; --text: #e3e3e3;
              --soft: #b4b8bd; --line: #8e918f; --page: #131314; --card: \(darkCard.description); --box: #2b2d30; --bad: #f2b8b5 } }
            * { box-sizing: border-box }
            body { background: var(--card); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; margin: 0; word-break: keep-all }
            main { margin: 0 auto; max-width: 26rem; padding: 2rem 1.5rem }
            @media (min-width: 30rem) { body { background: var(--page) }
              main { background: var(--card); border-radius: 1rem; margin-top: 12vh; padding: 2.5rem 2rem } }
            h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem; text-wrap: balance }
            p { margin: 0 0 1.25rem; overflow-wrap: anywhere }
            .client { color: var(--soft); font-weight: 600; margin-bottom: .25rem }
            .logo { display: block; margin-bottom: 1rem; max-height: 4rem; max-width: 100% }
            .small { color: var(--soft); font-size: .875rem; margin: .75rem 0 0 }
            .alert { border-inline-start: .25rem solid var(--bad); color: var(--bad); padding-inline-start: .75rem }
            .hidden { clip-path: inset(50%); height: 1px; overflow: hidden; position: absolute; width: 1px }
            label { display: block; font-weight: 600; margin-bottom: .375rem }
            input, select, button { border-radius: var(--radius, .5rem); font: inherit; min-height: 3rem; width: 100% }
            select { margin-bottom: 1rem }
            option { background: var(--card) }
            input, select { background: transparent; border: 1px solid var(--line); color: inherit; font-size: 1.25rem; padding: .5rem .75rem }
            input[aria-invalid] { border-color: var(--bad) }
            a { color: var(--accent); display: block; line-height: 2.75rem; min-width: 2.75rem; width: fit-content }
            button, .button { background: var(--accent); border: 1px solid transparent; color: var(--on); cursor: pointer; font-weight: 600; margin-top: 1rem; padding: .5rem 1rem }
            button.plain { background: transparent; border-color: var(--line); color: var(--accent) }
            .button { border-radius: var(--radius, .5rem); display: block; line-height: 2; min-height: 3rem; text-align: center; text-decoration: none; width: 100% }
            button:disabled { cursor: default; opacity: .6 }
            :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
            #code { --cell: min(2.75rem, (100vw - 3.5rem) / var(--digits, 6)); --gap: .5rem; border: 0; border-radius: 0;
              background: repeating-linear-gradient(90deg, var(--line) 0 calc(var(--cell) - var(--gap)), transparent 0 var(--cell)) left bottom / calc(var(--cell) * var(--digits, 6)) 2px no-repeat,
                repeating-linear-gradient(90deg, var(--box) 0 calc(var(--cell) - var(--gap)), transparent 0 var(--cell)) left / calc(var(--cell) * var(--digits, 6)) 100% no-repeat;
              font: 600 1.5rem/1 ui-monospace, monospace; letter-spacing: calc(var(--cell) - 1ch);
              padding-block: .5rem; padding-inline: calc((var(--cell) - var(--gap) - 1ch) / 2) 0; width: calc(var(--cell) * var(--digits, 6) + 1ch) }

            """
    )

    /// What makes it quicker; without it the forms do the same.
    static let script = HTML(
        trusted: #"""

            const [phone, region, code, resend] = ["phone", "region", "code", "resend"].map(id => document.getElementById(id))
            if (phone) {
              let turn = 0, start = phone.dataset.start
              const format = async text =>
                (await fetch(`signup/format?text=${encodeURIComponent(text)}&region=${region?.value ?? ""}`)).json()
              phone.value ||= start
              phone.setSelectionRange(phone.value.length, phone.value.length)
              if (region) {
                const names = new Intl.DisplayNames(document.documentElement.lang, { type: "region" })
                for (const option of region.options) option.text = `${names.of(option.value)} ${option.text.split(" ")[1]}`
                const options = [...region.options].sort((one, other) => one.text.localeCompare(other.text, document.documentElement.lang))
                const chosen = region.value
                region.append(...options)
                region.value = chosen
                region.addEventListener("change", async () => {
                  const text = phone.value, mine = ++turn
                  try {
                    const shown = await format(text)
                    if (mine !== turn || phone.value !== text) return
                    phone.value = !text || text === start ? shown.start : shown.text
                    start = shown.start
                  } catch {}
                })
              }
              // A number that is pasted whole behind a start of one or two digits takes its place: read together, it
              // could be another number. Longer starts, such as 010-, are told apart by the service.
              phone.addEventListener("paste", () => {
                if (phone.value === start && /^\d{1,2}$/.test(start)) phone.select()
              })
              phone.addEventListener("input", async () => {
                const text = phone.value, mine = ++turn
                const before = text.slice(0, phone.selectionStart).replace(/[^0-9+]/g, "").length
                try {
                  const shown = (await format(text)).text
                  if (mine !== turn || phone.value !== text || shown === text) return
                  let caret = 0
                  for (let seen = 0; seen < before && caret < shown.length; caret++) if (/[0-9+]/.test(shown[caret])) seen++
                  phone.value = shown
                  phone.setSelectionRange(caret, caret)
                } catch {}
              })
            }
            // A second tap sends nothing, until the page is shown again or the response has not come for long.
            let isSent = false
            addEventListener("submit", event => {
              if (isSent) return event.preventDefault()
              isSent = true
              setTimeout(() => { isSent = false }, 10_000)
            })
            addEventListener("pageshow", () => { isSent = false })
            if (code) {
              const send = () => {
                if (code.value.match(/\p{Nd}/gu)?.length === Number(code.dataset.length)) code.form.requestSubmit()
              }
              code.addEventListener("input", send)
              if ("OTPCredential" in window) {
                const end = new AbortController()
                code.form.addEventListener("submit", () => end.abort())
                navigator.credentials.get({ otp: { transport: ["sms"] }, signal: end.signal })
                  .then(message => { code.value = message.code; send() }, () => {})
              }
            }
            if (resend && Number(resend.dataset.seconds) > 0) {
              const end = Date.now() + 1000 * Number(resend.dataset.seconds), line = document.getElementById("wait")
              const button = resend.querySelector("button")
              button.disabled = true
              const timer = setInterval(() => {
                const left = Math.ceil((end - Date.now()) / 1000)
                line.textContent = left > 0 ? resend.dataset.wait.replace("%", left) : resend.dataset.ready
                if (left > 0) return
                clearInterval(timer)
                button.disabled = false
                document.getElementById("announcement").textContent = resend.dataset.ready
              }, 1000)
            }

            """#
    )
}
