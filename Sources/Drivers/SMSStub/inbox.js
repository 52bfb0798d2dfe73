/* Each connection begins with what is shown already. */
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
  const digits = filter.value.replace(/\D/g, "").replace(/^0+/, "")
  for (const item of messages.querySelectorAll("li")) item.hidden = !item.querySelector("h2").textContent.replace(/\D/g, "").includes(digits)
  for (const time of messages.querySelectorAll("time"))
    time.textContent = new Date(time.dateTime).toLocaleString(document.documentElement.lang, { numberingSystem: "latn", dateStyle: "medium", timeStyle: "medium" })
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
