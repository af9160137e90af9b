/** Fields with `data-late` take what is typed when they lose the focus: the one that has it takes it now. */
export function takeTyped(box: HTMLElement) {
  const field = document.activeElement
  if (!(field instanceof HTMLElement) || field.dataset['late'] === undefined || !box.contains(field)) return
  field.blur()
  field.focus()
}
