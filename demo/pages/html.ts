/** HTML in which every inserted value is escaped. */

export interface Html {
  readonly html: string
}
type Value = string | number | Html | Html[] | undefined

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string) => text.replace(/[&<>"']/g, (letter) => entities[letter]!)

function written(value: Value): string {
  if (value === undefined) return ''
  if (Array.isArray(value)) return value.map(written).join('')
  return typeof value === 'object' ? value.html : escaped(String(value))
}

/** A template whose values are escaped, unless they are templates themselves. */
export const html = (parts: TemplateStringsArray, ...values: Value[]): Html => ({
  html: parts.map((part, place) => part + written(values[place])).join(''),
})
