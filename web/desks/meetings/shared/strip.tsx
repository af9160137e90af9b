import './strip.css'
import { formatNumber, listed } from '../../../platform/language.ts'
import { type Meeting, titleOf } from './day.ts'
import { clock } from './office.ts'
import { isInTheWay, minutesOf, type Slot } from './slots.ts'

interface StripProps {
  /** A description of the strip, in words. */
  label: string
  day: readonly Meeting[]
  /** The meeting as planned, with its title. */
  own?: Slot & { title: string }
}

const HOUR = 60
const [FIRST, LAST] = [8 * HOUR, 17 * HOUR]

/** A day from morning to evening in reading direction: its scheduled meetings, and the planned one. */
export function Strip({ label, day, own }: StripProps) {
  const timed = [...day.filter(({ status, startTime }) => status === 'scheduled' && startTime), ...(own?.startTime ? [own] : [])]
  const from = Math.floor(Math.min(FIRST, ...timed.map(({ startTime }) => minutesOf(startTime!))) / HOUR) * HOUR
  const to = Math.ceil(Math.max(LAST, ...timed.map(({ startTime, endTime }) => minutesOf(endTime ?? startTime!) + 1)) / HOUR) * HOUR
  const at = (minutes: number) => `${((minutes - from) / (to - from)) * 100}%`
  const place = ({ startTime, endTime }: Slot) => {
    const start = minutesOf(startTime!)
    return { insetInlineStart: at(start), inlineSize: `calc(${at(from + (endTime ? minutesOf(endTime) - start : 0))} - 2px)` }
  }
  const step = to - from > 10 * HOUR ? 2 * HOUR : HOUR
  const hours = Array.from({ length: Math.floor((to - from) / step) }, (_, index) => from + index * step)
  const texts = timed.map((one) => `${clock(one.startTime!)} ${'title' in one ? one.title : titleOf(one)}`)
  return (
    <div class="strip" role="img" aria-label={listed([label, ...texts])}>
      {hours.map((hour) => (
        <span key={hour} class="strip-hour" style={{ insetInlineStart: at(hour) }}>
          {formatNumber(hour / HOUR)}
        </span>
      ))}
      {timed.map((one) => (
        <span
          key={'id' in one ? one.id : 'own'}
          class="strip-one"
          data-own={one === own || undefined}
          data-clash={(own && one !== own && isInTheWay(one, own)) || undefined}
          style={place(one)}
        >
          <span>{'title' in one ? one.title : titleOf(one)}</span>
        </span>
      ))}
    </div>
  )
}
