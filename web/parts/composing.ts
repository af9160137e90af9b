/** In browsers that end the composition before the key. */
const COMPOSING = 229

/** Leaves keys to the input method while it composes a word: the Enter that ends the word does nothing else. Returns a function that stops it. */
export function startComposing() {
  const leave = (event: KeyboardEvent) => (event.isComposing || event.keyCode === COMPOSING) && event.stopImmediatePropagation()
  addEventListener('keydown', leave, true)
  return () => removeEventListener('keydown', leave, true)
}
