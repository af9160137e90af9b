import { say } from '../overlay/toasts.tsx'
import { attempt } from './failures.ts'

/** Copies a text and shows `said` as a toast. */
export const copy = (text: string, said: string) => attempt(write(text).then(() => say({ text: said })))

async function write(text: string) {
  // A page served without TLS has no `navigator.clipboard`.
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const focused = document.activeElement as HTMLElement | null
  const area = Object.assign(document.createElement('textarea'), { value: text, readOnly: true })
  // While a dialog is open, only text inside it can be selected.
  const place = focused?.closest('dialog') ?? document.body
  place.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  focused?.focus()
  if (!isCopied) throw new Error('not copied')
}
