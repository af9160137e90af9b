/** The hours of a day as one text, such as `08:00–12:00, 13:00–16:00`. Digits may be Arabic. Pure. */
export interface Hours {
  from: string
  to: string
}

const DASH = '–'
export const textOf = (hours: readonly Hours[]) => hours.map(({ from, to }) => `${from}${DASH}${to}`).join(', ')

const latin = (text: string) => text.replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
const SPAN = /^(\d{1,2})(?::?(\d{2}))?\s*[-–—]\s*(\d{1,2})(?::?(\d{2}))?$/

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** The hours that a text names, in order; undefined if it names none, or hours that overlap. An empty text is a day without work. */
export function hoursIn(text: string): Hours[] | undefined {
  const parts = latin(text)
    .split(/[,،;؛]/)
    .map((part) => part.trim())
    .filter(Boolean)
  const hours: Hours[] = []
  for (const part of parts) {
    const [, fromHour, fromMinute = '00', toHour, toMinute = '00'] = SPAN.exec(part) ?? []
    if (fromHour === undefined || toHour === undefined) return undefined
    hours.push({ from: `${fromHour.padStart(2, '0')}:${fromMinute}`, to: `${toHour.padStart(2, '0')}:${toMinute}` })
  }
  const sorted = hours.toSorted((one, other) => (one.from < other.from ? -1 : 1))
  const isPossible = ({ from, to }: Hours, n: number) =>
    minutesOf(from) < minutesOf(to) &&
    minutesOf(to) <= 24 * 60 &&
    Number(from.slice(3)) < 60 &&
    Number(to.slice(3)) < 60 &&
    (n === 0 || sorted[n - 1]!.to <= from)
  return sorted.length <= 4 && sorted.every(isPossible) ? sorted : undefined
}
