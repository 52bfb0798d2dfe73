// There is no connection while the page is not seen, since browsers allow few to one host. What has the focus is not replaced.
const live = document.getElementById("live"), state = document.getElementById("state")
let source, timer
const open = () => {
  source?.close()
  clearTimeout(timer)
  if (document.hidden) return
  source = new EventSource("/console/events")
  source.onopen = () => { state.textContent = "Live" }
  source.onmessage = ({ data }) => { if (!live.contains(document.activeElement)) live.innerHTML = data }
  source.addEventListener("end", () => location.reload())
  source.onerror = () => {
    state.textContent = "Not live; trying again"
    if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, 15000)
  }
}
addEventListener("visibilitychange", open)
open()
