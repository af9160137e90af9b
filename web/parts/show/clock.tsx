import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Schemas } from '../../platform/client.ts'
import { hijriDay, longDay, minute, timeOfDay, timeParts } from '../../platform/dates.ts'
import { formatNumber } from '../../platform/language.ts'

type Style = Schemas['ClockStyle']

/** Today in both calendars. */
export function Days() {
  return (
    <p class="days quiet">
      <span>{longDay(minute.value)}</span>
      <span>{hijriDay(minute.value)}</span>
    </p>
  )
}

/** The current time, updated each second, or each minute if `withSeconds` is false. */
function useNow(withSeconds: boolean) {
  const now = useSignal(new Date())
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const step = withSeconds ? 1000 : 60_000
    const tick = () => {
      now.value = new Date()
      timer = setTimeout(tick, step - (Date.now() % step))
    }
    tick()
    return () => clearTimeout(timer)
  }, [withSeconds])
  return now.value
}

const TICKS = Array.from({ length: 12 }, (_, index) => index * 30)

/** The face of an analogue clock. Clocks are never mirrored. */
function Face({ now }: { now: Date }) {
  const minutes = now.getMinutes() + now.getSeconds() / 60
  const hand = (angle: number, length: number, name: string) => (
    <line class={name} x1="50" y1="50" x2="50" y2={50 - length} transform={`rotate(${angle} 50 50)`} />
  )
  return (
    <svg class="clock-face" viewBox="0 0 100 100" aria-hidden="true">
      <circle cx="50" cy="50" r="47" />
      {TICKS.map((angle) => (
        <line
          key={angle}
          class={angle % 90 ? 'tick' : 'tick quarter'}
          x1="50"
          y1="7"
          x2="50"
          y2={angle % 90 ? 11 : 14}
          transform={`rotate(${angle} 50 50)`}
        />
      ))}
      {hand(((now.getHours() % 12) + minutes / 60) * 30, 24, 'hour')}
      {hand(minutes * 6, 34, 'minute')}
      {hand(now.getSeconds() * 6, 37, 'second')}
      <circle class="pin" cx="50" cy="50" r="2.5" />
    </svg>
  )
}

const withFace: Style[] = ['full', 'analog']
const withDigits: Style[] = ['full', 'digital', 'digital-no-seconds', 'minimal']

/** The clock in the person's style, with 12 or 24 hours. Screen readers get the time to the minute. */
export function Clock({ style, twelve }: { style: Style; twelve: boolean }) {
  const hasSeconds = style === 'full' || style === 'digital'
  const now = useNow(hasSeconds || style === 'analog')
  const spoken = timeOfDay(now, twelve)
  const { digits, half } = timeParts(now, twelve)
  return (
    <time class="clock" data-style={style} dateTime={now.toISOString()}>
      <span class="unseen">{spoken}</span>
      {withFace.includes(style) && <Face now={now} />}
      {withDigits.includes(style) && (
        <span class="clock-digits" aria-hidden="true">
          <span dir="ltr">
            {digits}
            {hasSeconds && <small>{formatNumber(now.getSeconds(), { minimumIntegerDigits: 2 })}</small>}
          </span>
          {half && <small>{half}</small>}
        </span>
      )}
    </time>
  )
}
