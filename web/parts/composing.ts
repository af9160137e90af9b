/** The key code of composing. Some browsers end a composition before its last key, so that `isComposing` is false for that key. */
const COMPOSING = 229

/** Hides keys from the page while an input method composes a word, such as the Enter that ends it. Returns a function that stops it. */
export function startComposing() {
  const leave = (event: KeyboardEvent) => (event.isComposing || event.keyCode === COMPOSING) && event.stopImmediatePropagation()
  addEventListener('keydown', leave, true)
  return () => removeEventListener('keydown', leave, true)
}
