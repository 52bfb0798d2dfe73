// Shows what needs a passkey where the browser has them, and asks it for one.
{
  const bytes = text => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), letter => letter.charCodeAt(0))
  const text = buffer => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "")
  const listed = keys => keys.map(key => ({ ...key, id: bytes(key.id) }))
  const create = async options => {
    const { id, type, rawId, response } = await navigator.credentials.create({ publicKey: { ...options, challenge: bytes(options.challenge),
      user: { ...options.user, id: bytes(options.user.id) }, excludeCredentials: listed(options.excludeCredentials) } })
    return { id, type, rawId: text(rawId), response: { clientDataJSON: text(response.clientDataJSON),
      attestationObject: text(response.attestationObject), transports: response.getTransports?.() ?? [] } }
  }
  const get = async () => {
    const options = await fetch("v1/passkeys/sign-in/options", { method: "POST" }).then(answer => answer.json())
    const { id, type, rawId, response } = await navigator.credentials.get({ publicKey: { ...options, challenge: bytes(options.challenge),
      allowCredentials: listed(options.allowCredentials) } })
    return { id, type, rawId: text(rawId), response: { clientDataJSON: text(response.clientDataJSON),
      authenticatorData: text(response.authenticatorData), signature: text(response.signature), userHandle: text(response.userHandle) } }
  }
  const offer = (form, ask, refused) => {
    if (!form) return
    form.hidden = false
    form.addEventListener("submit", async event => {
      event.preventDefault()
      event.stopPropagation()
      const alert = form.querySelector(".alert")
      if (alert) alert.textContent = ""
      try {
        form.elements.credential.value = JSON.stringify(await ask())
        form.submit()
      } catch { refused?.() }
    })
  }
  const begin = async () => {
    if (!("PublicKeyCredential" in window)) return
    offer(document.getElementById("key"), get)
    const form = document.getElementById("new-key"), alert = document.getElementById("key-alert")
    offer(form, () => create(JSON.parse(form.dataset.options)), () => { alert.textContent = form.dataset.failed })
    const can = document.getElementById("can-key")
    if (can && await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable()) can.value = "1"
  }
  begin()
}
