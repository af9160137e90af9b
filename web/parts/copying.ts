import { say } from './toasts.tsx'

/** Copies a text and says so. `shown` contains the text: pages served without TLS have no `navigator.clipboard`, and copy a selection. */
export async function copy(text: string, shown: Element, said: string) {
  if (navigator.clipboard) await navigator.clipboard.writeText(text)
  else {
    if (shown instanceof HTMLInputElement) shown.select()
    else getSelection()?.selectAllChildren(shown)
    document.execCommand('copy')
  }
  say({ text: said })
}
