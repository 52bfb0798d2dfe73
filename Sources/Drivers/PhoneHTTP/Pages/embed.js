const base = issuer.replace(/\/$/, ""), name = "phone-signup"
const sheet = new CSSStyleSheet()
// Dark where the page that it is on is dark (its color-scheme), which need not be where the browser is.
sheet.replaceSync(`:host { --back: #0b57d0; --fore: #fff; display: inline-block } :host([hidden]), :host([done]) { display: none }
@supports (color: light-dark(#000, #fff)) { :host { --back: light-dark(#0b57d0, #a8c7fa); --fore: light-dark(#fff, #062e6f) } }
button { background: var(--phone-signup-background, var(--back)); border: var(--phone-signup-border, 1px solid transparent);
  border-radius: var(--phone-signup-radius, .5rem); color: var(--phone-signup-color, var(--fore)); cursor: pointer;
  font: var(--phone-signup-font, 600 1rem/1.25 system-ui, sans-serif); min-height: 44px; min-width: 44px; padding: .5rem 1.25rem; width: 100% }
button:hover { filter: brightness(.93) } button:active { filter: brightness(.86) }
button[aria-busy] { cursor: progress; opacity: .75 }
button:focus-visible { outline: 3px solid var(--phone-signup-focus, var(--back)); outline-offset: 2px }
@media (prefers-reduced-motion: no-preference) { button { transition: filter .15s, opacity .15s }
  button[aria-busy]::before { animation: turn .8s linear infinite; border: 2px solid; border-inline-end-color: transparent; border-radius: 50%;
    content: ""; display: inline-block; height: 1em; margin-inline-end: .5rem; vertical-align: -.125em; width: 1em } }
@keyframes turn { to { transform: rotate(1turn) } }`)

const encode = bytes => btoa(String.fromCharCode(...new Uint8Array(bytes)))
  .replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "")
const random = () => encode(crypto.getRandomValues(new Uint8Array(32)))
const claims = token => JSON.parse(atob(token.split(".")[1].replace(/-/g, "+").replace(/_/g, "/")))
const call = async (path, options) => {
  const response = await fetch(base + path, { ...options, credentials: "omit" })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.error ?? answer.code)
  return answer
}
const kept = value => {
  const before = sessionStorage.getItem(name)
  value ? sessionStorage.setItem(name, JSON.stringify(value)) : sessionStorage.removeItem(name)
  return JSON.parse(before)
}

customElements.define(name, class extends HTMLElement {
  static observedAttributes = ["label", "lang"]
  #button = document.createElement("button")
  #stop
  #watch

  constructor() {
    super()
    const root = this.attachShadow({ mode: "open", delegatesFocus: true })
    root.adoptedStyleSheets = [sheet]
    this.#button.type = "button"
    this.#button.part = "button"
    this.#button.addEventListener("click", () => this.#begin())
    root.append(this.#button)
  }

  connectedCallback() {
    this.attributeChangedCallback()
    const query = new URLSearchParams(location.search), { code, state, iss, error } = Object.fromEntries(query)
    if (this.hasAttribute("done")) return this.#leave({ error })
    if (!this.getAttribute("client") || !state || iss !== issuer) return
    for (const key of ["code", "state", "iss", "error", "error_description"]) query.delete(key)
    history.replaceState(history.state, "", location.pathname + String(query).replace(/^(?=.)/, "?") + location.hash)
    const request = kept()
    if (request?.state !== state) return this.#leave({ code, state, error })
    const finish = () => this.#finish({ code, error }, request)
    document.readyState === "complete" ? finish() : addEventListener("load", finish, { once: true })
  }

  disconnectedCallback() {
    this.#stop?.()
    this.#isBusy = false
  }

  attributeChangedCallback() {
    const [language, ...rest] = this.#language.toLowerCase().split("-")
    // Its label is in the simplified script.
    const isOther = language === "zh" && rest.some(part => ["hant", "tw", "hk", "mo"].includes(part))
    this.#button.textContent = this.getAttribute("label") ?? labels[isOther ? "en" : language] ?? labels.en
  }

  // Whether a window is open, or about to be, in which a person signs in.
  set #isBusy(isBusy) {
    clearInterval(this.#watch)
    isBusy ? this.#button.setAttribute("aria-busy", "true") : this.#button.removeAttribute("aria-busy")
  }

  get #language() { return this.closest("[lang]")?.lang || navigator.language }

  async #begin() {
    const popup = this.getAttribute("mode") === "redirect" ? null : open("", name, "popup,width=480,height=720")
    this.#isBusy = true
    try {
      const href = this.getAttribute("href"), request = href === null ? this.#request() : undefined
      const url = href === null ? await this.#url(request, popup) : new URL(href, document.baseURI).href
      if (popup) {
        this.#listen(popup, request)
        popup.location = url
        popup.focus()
        this.#watch = setInterval(() => { if (popup.closed) this.#isBusy = false }, 500)
      } else {
        if (request) kept(request)
        location.assign(url)
        this.#watch = setTimeout(() => { this.#isBusy = false }, 10_000)
      }
    } catch (error) {
      popup?.close()
      this.#isBusy = false
      this.#fail(error)
    }
  }

  #request() {
    return {
      state: random(), nonce: random(), verifier: random(), client: this.getAttribute("client"),
      redirect: new URL(this.getAttribute("redirect-uri") ?? "", document.baseURI).href
    }
  }

  async #url({ state, nonce, verifier, client, redirect }, popup) {
    const challenge = encode(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier)))
    return base + "/oauth2/authorize?" + new URLSearchParams({
      response_type: "code", client_id: client, redirect_uri: redirect, state, nonce, code_challenge: challenge,
      code_challenge_method: "S256", scope: this.getAttribute("scope") ?? "openid phone", ui_locales: this.#language,
      display: popup ? "popup" : "page"
    })
  }

  #listen(popup, request) {
    this.#stop?.()
    const channel = new BroadcastChannel(name), end = new AbortController()
    this.#stop = () => { channel.close(); end.abort() }
    channel.onmessage = ({ data }) => {
      if (data.state !== request?.state) return
      this.#stop()
      this.#finish(data, request)
    }
    addEventListener("message", ({ source, origin, data }) => {
      if (source !== popup || origin !== new URL(issuer).origin) return
      if (data?.phoneSignup === "sent") this.#emit("sent", null)
      if (data?.phoneSignup === "failed") this.#emit("failed", { error: data.error })
    }, { signal: end.signal })
  }

  #leave(answer) {
    const channel = new BroadcastChannel(name)
    channel.postMessage(answer)
    close()
    const href = this.getAttribute("href")
    if (!closed && href !== null) location.replace(new URL(href, document.baseURI))
  }

  async #finish({ code, error }, request) {
    this.#isBusy = true
    try {
      if (error) throw new Error(error)
      if (!request) return this.#emit("signed-in", null)
      const tokens = await call("/oauth2/token", {
        method: "POST",
        body: new URLSearchParams({
          grant_type: "authorization_code", code, redirect_uri: request.redirect, client_id: request.client,
          code_verifier: request.verifier
        })
      })
      const { nonce, sub } = claims(tokens.id_token)
      const user = await call("/oauth2/userinfo", { headers: { Authorization: "Bearer " + tokens.access_token } })
      if (nonce !== request.nonce || sub !== user.sub) throw new Error("invalid_token")
      this.#emit("signed-in", user)
    } catch (error) {
      this.#fail(error)
    } finally {
      this.#isBusy = false
    }
  }

  #fail({ message }) { this.#emit("failed", { error: message }) }
  #emit(type, detail) { this.dispatchEvent(new CustomEvent(type, { detail })) }
})
