/** Leaves keys to the input method while it composes a word: the Enter that ends the word does nothing else. */
export const startComposing = () =>
  addEventListener('keydown', (event) => (event.isComposing || event.keyCode === COMPOSING) && event.stopImmediatePropagation(), true)

/** In browsers that end the composition before the key. */
const COMPOSING = 229
