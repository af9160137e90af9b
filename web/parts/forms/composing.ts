/**
 * The `keyCode` of a key that an input method handles. Some browsers end a composition before its last key, so that `isComposing` is false
 * for that key.
 */
const COMPOSING = 229

/**
 * While an input method composes a word, keeps its keys, such as the Enter that ends the composition, from the page’s handlers. Returns a
 * function that removes the listener.
 */
export function startComposing() {
  const leave = (event: KeyboardEvent) => (event.isComposing || event.keyCode === COMPOSING) && event.stopImmediatePropagation()
  addEventListener('keydown', leave, true)
  return () => removeEventListener('keydown', leave, true)
}
