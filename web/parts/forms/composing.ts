/**
 * The `keyCode` of a key that an input method handles. Some browsers end a composition before its last key, so that `isComposing` is false
 * for that key.
 */
const COMPOSING = 229

/**
 * Keeps keys from the page’s handlers while an input method composes a word, such as the Enter that ends the composition. Returns a
 * function that removes the listener.
 */
export function startComposing() {
  const leave = (event: KeyboardEvent) => (event.isComposing || event.keyCode === COMPOSING) && event.stopImmediatePropagation()
  addEventListener('keydown', leave, true)
  return () => removeEventListener('keydown', leave, true)
}
