import PhoneAccounts

/// The style and the script of the pages, which go into each: no page loads anything.
package enum PageAssets {
    /// The picture above the heading of a page that ends something, or on which nothing can be typed.
    enum Mark: String {
        case done, wait, problem

        var html: HTML {
            let path =
                switch self {
                case .done: "M5 12.5l4.5 4.5L19 7.5"
                case .wait: "M12 7v5.5l3.5 2M12 2.5a9.5 9.5 0 1 1 0 19a9.5 9.5 0 1 1 0-19"
                case .problem: "M12 5v9M12 18.5v.5"
                }
            return """
                <svg class="mark \(rawValue)" viewBox="0 0 24 24" aria-hidden="true"><path d="\(path)"/></svg>

                """
        }
    }

    /// The background in the dark scheme.
    static let darkCard: Color = {
        guard let color = Color("#1e1f20") else { preconditionFailure("not a color") }
        return color
    }()

    /// Contrasts are 4.5 to 1 at least for text and 3 to 1 for what shows where a field is (WCAG 2.2, 1.4.3 and
    /// 1.4.11). Nothing moves for people who want less motion.
    package static let style = HTML(
        trusted: """

            :root { color-scheme: light dark; --accent: #0b57d0; --on: #fff; --text: #1f1f1f; --soft: #5f6368; --hair: #e3e5e9;
              --line: #85888c; --page: #f5f6f8; --card: #fff; --box: #eef1f6; --bad: #b3261e }
            @media (prefers-color-scheme: dark) { :root { --accent: #a8c7fa; --on: #062e6f; --text: #e3e3e3; --hair: #34363a;
              --soft: #b4b8bd; --line: #7f8388; --page: #131314; --card: \(darkCard.description); --box: #2b2d30; --bad: #f2b8b5 } }
            * { box-sizing: border-box }
            [hidden] { display: none !important }
            body { background: var(--card); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; margin: 0; word-break: keep-all }
            main { margin: 0 auto; max-width: 26rem; padding: 2rem 1.25rem }
            @media (min-width: 30rem) { body { background: var(--page) }
              main { background: var(--card); border: 1px solid var(--hair); border-radius: 1rem; box-shadow: 0 1px 2px rgb(0 0 0 / .04), 0 1rem 3rem rgb(0 0 0 / .06);
                margin-block: 12vh 2rem; padding: 2.5rem } }
            h1 { font-size: 1.5rem; letter-spacing: -.01em; line-height: 1.25; margin: 0 0 .5rem; text-wrap: balance }
            p { margin: 0 0 1.25rem; overflow-wrap: anywhere }
            h1 + p { color: var(--soft) }
            p:last-child { margin-block-end: 0 }
            p > a { margin-block-end: -.5rem }
            .whole { white-space: nowrap }
            .client { color: var(--soft); font-weight: 600; margin-bottom: .75rem }
            .logo { display: block; margin-bottom: 1rem; max-height: 3rem; max-width: 100% }
            .mark { background: var(--box); border-radius: 50%; color: var(--soft); display: block; fill: none; height: 3.5rem; margin-bottom: 1.25rem; padding: .875rem;
              stroke: currentColor; stroke-linecap: round; stroke-linejoin: round; stroke-width: 2.25; width: 3.5rem }
            .mark.done { color: var(--accent) } .mark.problem { color: var(--bad) }
            .small, .note { color: var(--soft); font-size: .875rem; margin: .75rem 0 0 }
            .note { font-size: .8125rem; margin-top: .375rem; min-height: 1.5em }
            .alert { color: var(--bad) }
            footer { border-block-start: 1px solid var(--hair); display: flex; flex-wrap: wrap; font-size: .875rem; gap: 0 1.5rem; margin-block: 1.5rem -.75rem; padding-block-start: .5rem }
            footer a { color: var(--soft) }
            .rules a { display: inline; line-height: inherit; margin: 0 }
            .rules.small { margin-top: .25rem }
            label.rules { align-items: start; cursor: pointer; display: flex; font-weight: 400; gap: .625rem; margin: 0; min-height: 2.75rem; padding-block: .625rem }
            .rules input { accent-color: var(--accent); cursor: pointer; flex: none; height: 1.25rem; margin: 0; min-height: 0; width: 1.25rem }
            .rules [aria-invalid] { outline: 2px solid var(--bad); outline-offset: 1px }
            .rules + .note { margin: -.375rem 0 0; padding-inline-start: 1.875rem }
            .rules + .note:empty { display: none }
            .number { display: flex; gap: .5rem; position: relative }
            #country { color: var(--text); flex: none; font-weight: 400; margin: 0; width: auto }
            #country::after { border: solid; border-width: 0 1.5px 1.5px 0; content: ""; display: inline-block; height: .4em; margin-inline-start: .625em; transform: translateY(-.2em) rotate(45deg); width: .4em }
            .countries { background: var(--card); border: 1px solid var(--hair); border-radius: .75rem; box-shadow: 0 .5rem 2rem rgb(0 0 0 / .2); inset-block-start: calc(100% + .375rem); inset-inline: 0;
              padding: .5rem; position: absolute; z-index: 1 }
            .countries input { font-size: 1rem }
            .countries ul { list-style: none; margin: .5rem 0 0; max-height: 15.5rem; overflow-y: auto; padding: 0 }
            .countries li { border-radius: .375rem; cursor: pointer; display: flex; gap: 1rem; justify-content: space-between; min-height: 2.75rem; padding: .625rem .75rem }
            .countries li span { color: var(--soft) }
            .countries li[aria-selected=true], .countries li:hover { background: var(--box) }
            .countries .small { margin: 0; padding-inline: .75rem }
            .countries .small:empty { display: none }
            .hidden { clip-path: inset(50%); height: 1px; overflow: hidden; position: absolute; width: 1px }
            label { display: block; font-size: .875rem; font-weight: 600; margin-bottom: .375rem }
            input, select, button { border-radius: var(--radius, .5rem); font: inherit; min-height: 3rem; width: 100% }
            select { margin-bottom: 1rem }
            option { background: var(--card) }
            input, select { background: transparent; border: 1px solid var(--line); color: inherit; font-size: 1.125rem; padding: .5rem .75rem }
            ::placeholder { color: var(--soft); opacity: 1 }
            input[aria-invalid] { border-color: var(--bad); outline-color: var(--bad) }
            a { color: var(--accent); display: block; line-height: 2.75rem; min-width: 2.75rem; width: fit-content }
            button, .button { background: var(--accent); border: 1px solid transparent; color: var(--on); cursor: pointer; font-weight: 600; margin-top: .75rem; padding: .5rem 1rem }
            .button { border-radius: var(--radius, .5rem); display: block; line-height: 2rem; min-height: 3rem; text-align: center; text-decoration: none; width: 100% }
            button:hover, .button:hover { filter: brightness(.93) }
            button:active, .button:active { filter: brightness(.86) }
            .plain { background: transparent; border-color: var(--line); color: var(--accent) }
            .plain:hover { background: var(--box) }
            button:disabled { background: transparent; border-color: var(--hair); color: var(--soft); cursor: default; filter: none }
            .instruction { background: var(--box); border-radius: .5rem; display: grid; gap: .25rem 1rem; grid-template-columns: auto 1fr; margin: 0 0 1rem; padding: .75rem 1rem }
            .instruction dt { color: var(--soft) }
            .instruction dd { font-weight: 600; margin: 0; overflow-wrap: anywhere }
            .others { display: flex; flex-wrap: wrap; gap: 0 1.5rem; margin-block: .25rem -.5rem }
            .others button { background: none; border: 0; font-size: .875rem; font-weight: 400; margin: 0; min-height: 2.75rem; padding: 0; width: auto }
            .others button:enabled { color: var(--accent); text-decoration: underline }
            #resend .note { margin-top: .75rem }
            button[aria-busy] { cursor: progress; filter: none; opacity: .75 }
            :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
            input:focus-visible, select:focus-visible { outline-offset: -1px }
            .code { position: relative }
            #code { font-size: 1.5rem; font-variant-numeric: tabular-nums; letter-spacing: .375em; text-align: center }
            .cells { display: flex; gap: .5rem }
            .cells.many { gap: .25rem }
            .cells span { align-items: center; border: 1px solid var(--line); border-radius: min(var(--radius, .5rem), .75rem); display: flex; flex: 1; font: 600 1.5rem/1 system-ui, sans-serif;
              height: 3.5rem; justify-content: center; min-width: 0 }
            .cells .middle { margin-inline-start: .75rem }
            .cells .active { border-color: var(--accent); outline: 2px solid var(--accent); outline-offset: -1px }
            .cells .active:empty::before { background: currentColor; content: ""; height: 1.5rem; width: 1px }
            .cells:has(+ [aria-invalid]) span { border-color: var(--bad); outline-color: var(--bad) }
            .cells + #code { -webkit-text-fill-color: transparent; background: transparent; border-color: transparent; caret-color: transparent; color: transparent; forced-color-adjust: none;
              height: 100%; inset: 0; letter-spacing: 0; outline: 0; position: absolute }
            .cells + #code::selection { background: transparent }
            @media (prefers-reduced-motion: no-preference) {
              button, .button, .cells span { transition: filter .15s, background-color .15s, border-color .15s }
              button[aria-busy]::before { animation: turn .8s linear infinite; border: 2px solid; border-inline-end-color: transparent; border-radius: 50%; content: "";
                display: inline-block; height: 1em; margin-inline-end: .625rem; vertical-align: -.125em; width: 1em }
              .cells .active:empty::before { animation: blink 1.2s step-end infinite }
              .mark path { animation: draw .35s ease-out .1s both; stroke-dasharray: 60 } }
            @keyframes turn { to { transform: rotate(1turn) } }
            @keyframes blink { 50% { opacity: 0 } }
            @keyframes draw { from { stroke-dashoffset: 60 } }

            """
    )

    /// Text on the accent has the color of the background, so that one contrast holds for buttons and links.
    static func style(of theme: ClientTheme) -> HTML {
        let colors = theme.accent.map { accent -> HTML in
            """
            :root { --accent: \(accent.description); --on: \(Color.white.description) }
            @media (prefers-color-scheme: dark) { :root { --accent: \(accent.tint(for: darkCard).description); --on: \(darkCard.description) } }

            """
        }
        return "\(colors)\(theme.radius.map { ":root { --radius: \($0)px }\n" as HTML })"
    }

    /// What makes it quicker; without it the forms do the same.
    static let script = HTML(
        trusted: #"""

            const element = id => document.getElementById(id)
            const make = (name, attributes) => {
              const made = document.createElement(name)
              for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
              return made
            }
            const [phone, region, code] = ["phone", "region", "code"].map(element)
            const announce = text => { if (element("announcement")) element("announcement").textContent = text }
            let showCountry
            // Workers try numbers until one solves the challenge, whose solution goes with the form.
            let workers = [], solved, solvedFor
            const prove = (form, work) => {
              if (work && solvedFor === work.salt) return solved
              for (const worker of workers) worker.terminate()
              form.elements.proof?.remove()
              ;[workers, solved, solvedFor] = [[], undefined, work?.salt]
              if (!work || !("Worker" in window)) return
              const step = Math.max(1, Math.min(navigator.hardwareConcurrency ?? 1, 8))
              solved = new Promise((resolve, reject) => {
                for (let start = 0; start < step; start++) {
                  const worker = new Worker("signup/proof.js")
                  worker.onerror = reject
                  worker.onmessage = ({ data: number }) => {
                    const { algorithm, challenge, salt, signature } = work
                    const text = btoa(JSON.stringify({ algorithm, challenge, number, salt, signature }))
                    form.append(make("input", { type: "hidden", name: "proof", value: text }))
                    for (const worker of workers) worker.terminate()
                    solved = undefined
                    resolve()
                  }
                  worker.postMessage({ ...work, start, step })
                  workers.push(worker)
                }
              }).catch(() => { solved = undefined })
              return solved
            }
            // The list of countries, by name or code, in place of the select, which keeps what is chosen.
            const chooseCountry = chosen => {
              const { lang } = document.documentElement, names = new Intl.DisplayNames(lang, { type: "region" })
              const likely = [region.value, ...navigator.languages.map(tag => new Intl.Locale(tag).maximize().region)]
              const rank = ({ value }) => (likely.indexOf(value) + 1 || likely.length + 1)
              const countries = [...region.options].map(option => (
                { value: option.value, name: names.of(option.value), code: option.text.split(" ")[1] }
              )).sort((one, other) => rank(one) - rank(other) || one.name.localeCompare(other.name, lang))
              const label = document.querySelector("label[for=region]").textContent
              const button = make("button", { type: "button", class: "plain", id: "country", "aria-haspopup": "listbox", "aria-expanded": "false" })
              const panel = make("div", { class: "countries" })
              const search = make("input", { type: "search", role: "combobox", "aria-expanded": "true", "aria-controls": "countries", "aria-autocomplete": "list",
                autocomplete: "off", placeholder: region.dataset.search, "aria-label": region.dataset.search })
              const list = make("ul", { id: "countries", role: "listbox", "aria-label": label })
              const none = make("p", { class: "small", role: "status" })
              let active = 0
              const options = countries.map(({ value, name, code }) => {
                const option = make("li", { role: "option", id: "country-" + value, "data-value": value })
                option.append(name, Object.assign(make("span", { dir: "ltr" }), { textContent: code }))
                return option
              })
              const plain = text => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
              const mark = index => {
                active = Math.max(0, Math.min(index, list.children.length - 1))
                for (const [at, option] of [...list.children].entries()) option.ariaSelected = String(at === active)
                const option = list.children[active]
                option?.scrollIntoView({ block: "nearest" })
                search.setAttribute("aria-activedescendant", option?.id ?? "")
              }
              const filter = () => {
                const text = plain(search.value.trim())
                list.replaceChildren(...options.filter((_, index) => {
                  const { name, code, value } = countries[index]
                  return plain(name).includes(text) || code.startsWith(text.replace(/^\+?/, "+")) || value.toLowerCase() === text
                }))
                none.textContent = list.children.length ? "" : region.dataset.none
                mark(0)
              }
              const show = () => {
                const { name, code } = countries.find(({ value }) => value === region.value)
                button.textContent = code
                button.ariaLabel = `${label}: ${name} ${code}`
              }
              const open = isOpen => {
                panel.hidden = !isOpen
                button.ariaExpanded = String(isOpen)
                if (!isOpen) return
                search.value = ""
                filter()
                search.focus()
              }
              const choose = option => {
                if (!option) return
                region.value = option.dataset.value
                show()
                open(false)
                phone.focus()
                chosen()
              }
              button.addEventListener("click", () => open(panel.hidden))
              search.addEventListener("input", filter)
              search.addEventListener("keydown", event => {
                const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }
                if (event.key in steps) mark(active + steps[event.key])
                else if (event.key === "Enter") choose(list.children[active])
                else if (event.key === "Escape") { open(false); button.focus() }
                else return
                event.preventDefault()
              })
              list.addEventListener("mousedown", event => event.preventDefault())
              list.addEventListener("click", event => choose(event.target.closest("li")))
              panel.addEventListener("focusout", event => {
                if (event.relatedTarget !== button && !panel.contains(event.relatedTarget)) open(false)
              })
              showCountry = value => {
                if (!countries.some(country => country.value === value)) return
                region.value = value
                show()
              }
              panel.append(search, list, none)
              panel.hidden = region.hidden = document.querySelector("label[for=region]").hidden = true
              phone.before(button)
              phone.parentElement.append(panel)
              show()
            }
            if (phone) {
              let turn = 0, chosen = region?.value ?? ""
              // Nothing if there is no answer, or the person has typed on meanwhile.
              const format = async () => {
                const text = phone.value, mine = ++turn
                try {
                  const response = await fetch(`signup/format?text=${encodeURIComponent(text)}&region=${chosen}`)
                  const shown = await response.json()
                  if (mine !== turn || phone.value !== text) return
                  prove(phone.form, shown.challenge)
                  phone.placeholder = shown.example
                  return shown
                } catch {}
              }
              // What was typed as a number of another country goes.
              if (region) chooseCountry(async () => {
                chosen = region.value
                const shown = await format()
                if (shown) phone.value = shown.region === chosen ? shown.text : ""
              })
              const digitsAndPlus = /[\p{Nd}+\uff0b]/gu
              phone.addEventListener("input", async () => {
                const before = (phone.value.slice(0, phone.selectionStart).match(digitsAndPlus) ?? []).length
                const shown = await format()
                if (!shown) return
                showCountry?.(shown.region)
                if (shown.text === phone.value) return
                phone.value = shown.text
                const places = [...shown.text.matchAll(digitsAndPlus)].map(({ index }) => index + 1)
                const caret = before ? places[before - 1] ?? shown.text.length : 0
                phone.setSelectionRange(caret, caret)
              })
            }
            // Our own words in place of the browser's, in the page's language; they go when one types on.
            const consent = element("consent"), fields = [phone, code, consent].filter(Boolean)
            const note = field => element(field.getAttribute("aria-describedby"))
            const isMissing = field => field === consent ? !consent.checked : field === phone ? !phone.value.trim() : digits(field.value).length < (field.dataset.length ?? 1)
            for (const field of fields) field.addEventListener("input", () => {
              field.removeAttribute("aria-invalid")
              note(field).className = "note"
              note(field).textContent = ""
            })
            const refuse = field => {
              note(field).setAttribute("role", "alert")
              note(field).className = "note alert"
              note(field).textContent = field.dataset.missing
              field.setAttribute("aria-invalid", "true")
              field.focus()
            }
            // A second tap sends nothing, until the page is shown again or the response has not come for long.
            let pressed
            const rest = () => {
              if (!pressed) return
              const [button, text] = pressed
              button.removeAttribute("aria-busy")
              button.textContent = text
              pressed = undefined
            }
            addEventListener("submit", event => {
              const missing = fields.find(field => field.form === event.target && isMissing(field))
              if (pressed || missing) event.preventDefault()
              if (pressed) return
              if (missing) return refuse(missing)
              const button = event.submitter ?? event.target.querySelector("button:not([type])")
              if (solved && event.target === phone?.form) {
                event.preventDefault()
                solved.then(() => { rest(); event.target.requestSubmit(button) })
              }
              pressed = [button, button.textContent]
              button.setAttribute("aria-busy", "true")
              button.textContent = button.dataset.busy ?? button.textContent
              announce(button.textContent)
              if (!solved) setTimeout(rest, 10_000)
            })
            addEventListener("pageshow", rest)
            const gate = element("challenge")
            if (gate) {
              const [ticket, button] = [gate.elements.proof, gate.querySelector("button")]
              const captcha = element("captcha"), begin = () => gate.dataset.work && prove(gate, JSON.parse(gate.dataset.work))
              if (captcha) {
                const { sitekey, action } = captcha.dataset, script = element("captcha-script")
                globalThis.captchaSolved = token => {
                  for (const worker of workers) worker.terminate()
                  if (gate.elements.proof) gate.elements.proof.value = token
                  else gate.append(make("input", { type: "hidden", name: "proof", value: token }))
                  gate.submit()
                }
                captcha.addEventListener("frc:widget.complete", ({ detail }) => captchaSolved(detail.response))
                script.addEventListener("load", () => {
                  if (!captcha.className) grecaptcha.ready(async () => captchaSolved(await grecaptcha.execute(sitekey, { action })))
                })
                // Its provider is down, or blocked here.
                script.addEventListener("error", () => compute(begin()))
              }
              const compute = solving => {
                if (!solving) return
                if (button) button.hidden = true
                element("progress").textContent = element("progress").dataset.busy
                solving.then(() => {
                  if (button) button.hidden = false
                  if (gate.elements.proof) gate.submit()
                  else if (ticket) gate.append(ticket)
                })
              }
              if (!captcha) compute(begin())
            }

            const digits = text => [...(text.match(/\p{Nd}/gu) ?? [])]
            if (code?.dataset.length) {
              // One field, so that codes are filled in and pasted as everywhere; the cells show what is in it.
              const length = Number(code.dataset.length), cells = document.createElement("div")
              cells.className = length > 6 ? "cells many" : "cells"
              cells.ariaHidden = "true"
              for (let cell = 0; cell < length; cell++) cells.append(document.createElement("span"))
              if (length % 2 === 0 && length > 4) cells.children[length / 2].className = "middle"
              code.before(cells)
              const draw = () => {
                const text = digits(code.value), { selectionStart: from, selectionEnd: to } = code
                for (const [index, cell] of [...cells.children].entries()) {
                  cell.textContent = text[index] ?? ""
                  const isMarked = from === to ? index === Math.min(from, length - 1) : from <= index && index < to
                  cell.classList.toggle("active", isMarked && document.activeElement === code)
                }
              }
              for (const event of ["focus", "blur"]) code.addEventListener(event, draw)
              document.addEventListener("selectionchange", draw)
              // In a whole message, the code is the number with as many digits.
              const read = text =>
                text.match(/\p{Nd}+/gu)?.find(run => [...run].length === length) ?? digits(text).slice(0, length).join("")
              const fill = text => {
                if (text !== code.value) code.value = text
                draw()
                if (digits(text).length === length) code.form.requestSubmit()
              }
              code.addEventListener("paste", event => {
                if (digits(read(event.clipboardData.getData("text"))).length === length) code.select()
              })
              code.addEventListener("input", () => fill(read(code.value)))
              draw()
              if ("OTPCredential" in window) {
                const end = new AbortController()
                code.form.addEventListener("submit", () => end.abort())
                navigator.credentials.get({ otp: { transport: ["sms"] }, signal: end.signal })
                  .then(message => fill(message.code), () => {})
              }
            }

            // Goes on by itself once the person's message has arrived.
            const inbound = element("inbound")
            if (inbound?.hasAttribute("data-arrived")) inbound.requestSubmit()
            else if (inbound) {
              const wait = setInterval(async () => {
                const page = await fetch(location.href).then(response => response.text(), () => "")
                if (!new DOMParser().parseFromString(page, "text/html").querySelector("#inbound[data-arrived]")) return
                clearInterval(wait)
                inbound.requestSubmit()
              }, 3000)
            }

            // Counts down to what is possible then: the form that sends again, or the link that tries again.
            const later = element("resend") ?? element("retry")
            if (later && Number(later.dataset.seconds) > 0) {
              const end = Date.now() + 1000 * Number(later.dataset.seconds), line = element("wait")
              const buttons = [...later.querySelectorAll("button, a")]
              if (later.id === "resend") for (const button of buttons) button.disabled = true
              const two = number => String(number).padStart(2, "0")
              const count = () => {
                const left = Math.max(0, Math.ceil((end - Date.now()) / 1000)), hours = Math.floor(left / 3600), minutes = Math.floor(left / 60) % 60
                const clock = `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(left % 60)}`
                if (line) line.textContent = left ? later.dataset.wait.replace("%", clock) : later.dataset.ready
                if (left) return
                clearInterval(timer)
                for (const button of buttons) button.disabled = button.hidden = false
                announce(later.dataset.ready || buttons[0].textContent)
              }
              const timer = setInterval(count, 1000)
              count()
            }

            """#
    )
}
