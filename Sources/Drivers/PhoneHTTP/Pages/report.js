// Reports to the page that opened this one; never a number.
{
  const { event, error, origin } = document.currentScript.dataset
  opener?.postMessage({ phoneSignup: event, error }, origin)
}
