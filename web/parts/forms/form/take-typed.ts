/** Makes the focused field take its typed text now, if it has `data-late`. Such fields otherwise take it only when they lose the focus. */
export function takeTyped(box: HTMLElement) {
  const field = document.activeElement
  if (!(field instanceof HTMLElement) || field.dataset['late'] === undefined || !box.contains(field)) return
  field.blur()
  field.focus()
}
