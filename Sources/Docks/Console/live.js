// There is no connection while the page is not seen, since browsers allow few to one host. What has the focus is not replaced.
const live = document.getElementById("live"), state = document.getElementById("state")
let source, timer
const show = (text, isWrong) => {
  state.textContent = text
  state.className = isWrong ? "alert" : "small"
}
const open = () => {
  source?.close()
  clearTimeout(timer)
  if (document.hidden) return
  source = new EventSource("/console/events")
  source.onopen = () => show("Live", false)
  source.onmessage = ({ data }) => { if (!live.contains(document.activeElement)) live.innerHTML = data }
  source.addEventListener("end", () => location.reload())
  source.onerror = () => {
    show(`The service does not answer. What is below is of ${live.querySelector("time").textContent} UTC. Trying again.`, true)
    if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, 15000)
  }
}
addEventListener("visibilitychange", open)
open()
