/** Colours on which a white icon is legible. */
export const colors = [
  ...['#0b6b62', '#276749', '#3f6212', '#744210', '#8a5300', '#9a3412'],
  ...['#b91c1c', '#8e3a78', '#5b3fa0', '#1d4ed8', '#0e7490', '#475569'],
]

const channel = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)

/** The contrast of white on a colour such as `#0b6b62`, from 1 to 21; undefined for any other notation. */
export function whiteOn(color: string): number | undefined {
  const hex = /^#(?:([\da-f])([\da-f])([\da-f])|([\da-f]{2})([\da-f]{2})([\da-f]{2}))$/i.exec(color)
  if (!hex) return undefined
  const parts = hex.slice(1).filter((part) => part !== undefined)
  const [red, green, blue] = parts.map((part) => channel(Number.parseInt(part.padEnd(2, part), 16) / 255)) as [number, number, number]
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
}

/** The contrast that WCAG requires of text (level AA). The form warns of icons with less. */
export const ENOUGH = 4.5
