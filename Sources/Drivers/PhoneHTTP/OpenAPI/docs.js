const search = document.getElementById("search")
const items = [...document.querySelectorAll("[data-item]")]
const texts = items.map(item => item.textContent.toLowerCase())
const titles = items.map(item => [item.id, ...[...item.querySelectorAll("h3, .summary")].map(part => part.textContent)].join(" ").toLowerCase())
let before, first
function find() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
  /* Before anything is hidden, since that moves the page. */
  if (words.length) before ??= scrollY
  const has = texts => (_, index) => words.every(word => texts[index].includes(word))
  const shown = new Set()
  items.forEach((item, index) => {
    item.hidden = !has(texts)(item, index)
    if (!item.hidden) shown.add(item.id)
  })
  for (const link of document.querySelectorAll("[data-for]")) link.hidden = !shown.has(link.dataset.for)
  for (const group of document.querySelectorAll("[data-group]")) {
    const parts = [...group.querySelectorAll("[data-item], [data-for]")]
    group.hidden = parts.length > 0 && parts.every(part => part.hidden)
    if (group.matches("nav details:last-child")) group.open = words.length > 0 && !group.hidden
  }
  const found = document.getElementById("found")
  found.textContent = !words.length ? "" : shown.size ? `${shown.size} found` : "Nothing found."
  /* To what is called so, rather than what only mentions it; and back to where one was. */
  first = words.length ? items.find(has(titles)) ?? items.find(has(texts)) : undefined
  if (first) first.scrollIntoView()
  else if (!words.length && before !== undefined) { scrollTo(0, before); before = undefined }
}
search.hidden = false
search.addEventListener("input", find)
search.addEventListener("keydown", event => {
  if (event.key !== "Enter" || !first) return
  first.tabIndex = -1
  first.focus()
})
addEventListener("keydown", event => {
  if (event.key === "/" && document.activeElement !== search) { event.preventDefault(); search.focus({ preventScroll: true }) }
  if (event.key === "Escape" && document.activeElement === search) { search.value = ""; find(); search.blur() }
})
// The page's own address, wherever a proxy has put it.
for (const base of document.querySelectorAll(".base")) base.textContent = location.href.replace(/\/docs\/?([?#].*)?$/, "")
for (const button of document.querySelectorAll(".call button")) {
  button.hidden = false
  button.addEventListener("click", async () => {
    getSelection().selectAllChildren(button.previousElementSibling)
    try {
      await navigator.clipboard.writeText(button.previousElementSibling.textContent)
      button.textContent = "Copied"
      setTimeout(() => { button.textContent = "Copy" }, 3000)
    } catch {}
  })
}
// A link to what the search hides would lead nowhere.
addEventListener("hashchange", () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (target && target.closest("[hidden]")) { search.value = ""; find(); target.scrollIntoView() }
})
// The contents follow what is read: the last item whose beginning is above the upper third of the window.
const links = new Map([...document.querySelectorAll("nav [data-for] > a")].map(link => [link.parentElement.dataset.for, link]))
let current, waiting
function follow() {
  waiting = undefined
  let item
  for (const each of items) {
    if (each.hidden) continue
    if (each.getBoundingClientRect().top > innerHeight / 3) break
    item = each
  }
  const link = links.get(item?.id)
  if (link === current) return
  current?.removeAttribute("aria-current")
  current = link
  current?.setAttribute("aria-current", "true")
  const nav = document.getElementById("contents")
  if (!current || getComputedStyle(nav).position !== "sticky" || !current.offsetParent) return
  const [own, all] = [current.getBoundingClientRect(), nav.getBoundingClientRect()]
  if (own.top < all.top || own.bottom > all.bottom) nav.scrollTop += own.top - all.top - all.height / 3
}
addEventListener("scroll", () => { waiting ??= requestAnimationFrame(follow) }, { passive: true })
follow()
