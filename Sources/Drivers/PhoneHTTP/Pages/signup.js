// What makes the pages quicker; without it the forms do the same.
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
  const { lang } = document.documentElement
  const likely = [region.value, ...navigator.languages.map(tag => new Intl.Locale(tag).maximize().region)]
  const rank = ({ value }) => (likely.indexOf(value) + 1 || likely.length + 1)
  const countries = [...region.options].map(({ value, dataset: { name, code } }) => ({ value, name, code }))
    .sort((one, other) => rank(one) - rank(other) || one.name.localeCompare(other.name, lang))
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
      phone.dataset.problem = shown.problem ?? ""
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
const say = (field, text) => {
  note(field).setAttribute("role", "alert")
  note(field).className = "note alert"
  note(field).textContent = text
}
const refuse = (field, text) => {
  say(field, text)
  field.setAttribute("aria-invalid", "true")
}
// Where the form cannot be sent, this page says so, with what was typed, in place of the browser's own page.
const { offline } = document.querySelector("main").dataset
const lost = form => {
  const field = fields.find(field => field.form === form) ?? code
  if (field) return say(field, offline)
  const line = form.querySelector(".alert") ?? form.appendChild(make("p", { class: "note alert", role: "alert" }))
  line.textContent = offline
}
addEventListener("online", () => {
  for (const field of fields) if (note(field).textContent === offline) note(field).textContent = ""
})
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
  const missing = fields.filter(field => field.form === event.target && isMissing(field))
  if (pressed || missing.length || !navigator.onLine) event.preventDefault()
  if (pressed) return
  if (missing.length) {
    for (const field of missing) refuse(field, field.dataset.missing)
    // The box alone is missing; the number may be wrong too.
    if (!missing.includes(phone) && missing.includes(consent) && phone.dataset.problem) {
      refuse(phone, phone.dataset.problem)
      return phone.focus()
    }
    return missing[0].focus()
  }
  if (!navigator.onLine) return lost(event.target)
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

if (element("wait")?.hasAttribute("data-resent")) setTimeout(() => announce(element("wait").textContent), 100)
// Counts down to what is possible then: on the button that sends again, or above the link that tries again.
const later = element("resend") ?? element("retry")
if (later && Number(later.dataset.seconds) > 0) {
  const end = Date.now() + 1000 * Number(later.dataset.seconds), line = element("wait")
  const buttons = [...later.querySelectorAll("button, a")], [first] = buttons, name = first.textContent
  const isResend = later.id === "resend"
  if (isResend) for (const button of buttons) button.disabled = true
  const two = number => String(number).padStart(2, "0")
  const count = () => {
    const left = Math.max(0, Math.ceil((end - Date.now()) / 1000)), hours = Math.floor(left / 3600), minutes = Math.floor(left / 60) % 60
    const clock = `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(left % 60)}`
    const shown = isResend ? first : line
    if (shown && left) shown.textContent = later.dataset.wait.replace("%", clock)
    if (left) return
    clearInterval(timer)
    first.textContent = name
    if (line) line.textContent = later.dataset.ready
    for (const button of buttons) button.disabled = button.hidden = false
    announce(name)
  }
  const timer = setInterval(count, 1000)
  count()
}
