import './style.css'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { PageProps } from '../../../addresses.ts'
import { settings, useTitle } from '../../../frame/site.ts'
import { plus } from '../../../parts/forms/calendar/days.ts'
import { Button } from '../../../parts/show/button.tsx'
import { Icon } from '../../../parts/show/icon.tsx'
import { onPortalClock } from '../../../platform/ago.ts'
import { isReached } from '../../../platform/client.ts'
import { hijriDay } from '../../../platform/dates.ts'
import { formatNumber, isolated, listed } from '../../../platform/language.ts'
import { isLive } from '../../../platform/live.ts'
import { at, go, queryValue } from '../../../platform/router.ts'
import { type Meeting, meetingsOf, placeOf, titleOf } from '../shared/day.ts'
import { fullDay } from '../shared/days.ts'
import { duration, durationOf } from '../shared/durations.ts'
import { clock, now, officeDay, officeTime } from '../shared/office.ts'
import { minutesOf } from '../shared/slots.ts'
import { isNight, passedOf, shownOn } from './shown.ts'
import { t } from './texts.ts'

/** Keeps the screen on while the page is visible. */
function useWake() {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined
    let isOver = false
    const wake = async () => {
      if (document.visibilityState !== 'visible') return
      // If the browser lacks wake locks or refuses one, the screen follows its own settings.
      lock = await navigator.wakeLock?.request('screen').catch(() => undefined)
      if (isOver) lock?.release()
    }
    wake()
    document.addEventListener('visibilitychange', wake)
    return () => {
      isOver = true
      document.removeEventListener('visibilitychange', wake)
      lock?.release()
    }
  }, [])
}

/** Sets the dark theme, whatever the person has chosen. */
function useDark() {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    const own = dataset['theme']
    dataset['theme'] = 'dark'
    return () => {
      if (own === undefined) delete dataset['theme']
      else dataset['theme'] = own
    }
  }, [])
}

/** Moves to the next day at midnight if the page showed today. */
function useMidnight(date: string) {
  const today = officeDay()
  const wasToday = useRef(false)
  // Before the settings are loaded, the office's time zone is unknown.
  if (date === today && settings.data) wasToday.current = true
  useEffect(() => {
    if (wasToday.current && date !== today) go(`/meetings/${today}/wall${location.search}`, { replace: true })
  }, [date, today])
}

const AGAIN_MS = 60_000

/** The meetings of the day. Also loads those of the next day, because the portal may be out of reach at midnight. */
function useMeetings(date: string) {
  const days = [meetingsOf(date), meetingsOf(plus(date, 1))] as const
  // Reading `data` loads it.
  for (const day of days) day.data
  useEffect(() => {
    const timer = setInterval(() => {
      // Without an event stream, poll.
      if (!isLive.peek()) for (const day of days) day.refresh()
    }, AGAIN_MS)
    return () => clearInterval(timer)
  }, [date])
  return days[0]
}

const span = ({ startTime, endTime }: Meeting) => (endTime ? `${clock(startTime!)} – ${clock(endTime)}` : clock(startTime!))

interface FirstProps {
  meeting: Meeting
  isOn: boolean
  isToday: boolean
  time: string
  isPublic: boolean
}

function First({ meeting, isOn, isToday, time, isPublic }: FirstProps) {
  const { startTime, endTime, notes, attendees } = meeting
  const passed = isOn ? passedOf(meeting, time) : undefined
  const minutes = minutesOf((isOn ? endTime : startTime) ?? time) - minutesOf(time)
  const left = minutes > 0 && isToday && (isOn ? t.left(duration(minutes)) : t.soon(durationOf(minutes)))
  const names = attendees.filter(({ kind }) => !isPublic || kind !== 'external').map(({ name }) => isolated(name))
  return (
    <section class="wall-now" data-on={isOn || undefined} aria-live="polite">
      <p class="wall-state">
        <strong>{isOn ? t.now : t.next}</strong>
        <span>{[span(meeting), left].filter(Boolean).join(t.comma)}</span>
      </p>
      <h1 dir="auto">{titleOf(meeting)}</h1>
      {placeOf(meeting) && (
        <p class="wall-place">
          <bdi>{placeOf(meeting)}</bdi>
        </p>
      )}
      {names.length > 0 && <p class="wall-names">{listed(names)}</p>}
      {notes && !isPublic && (
        <p class="wall-names" dir="auto">
          {notes}
        </p>
      )}
      {passed !== undefined && (
        <div class="wall-bar" role="img" aria-label={t.passed(formatNumber(passed, { style: 'percent', maximumFractionDigits: 0 }))}>
          <span style={{ inlineSize: `${passed * 100}%` }} />
        </div>
      )}
    </section>
  )
}

/** The day on an unattended screen. */
export default function WallPage({ params: { date = '' } }: PageProps) {
  const list = useMeetings(date)
  const today = officeDay()
  // On a past day all meetings count as over, on a future day none does.
  const time = date === today ? officeTime() : date < today ? '24:00' : '00:00'
  const isPublic = new URLSearchParams(location.search).has('public') || queryValue('public') !== ''
  useTitle([t.title, fullDay(date)].join(' · '))
  useDark()
  useWake()
  useMidnight(date)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !document.fullscreenElement) go(`/meetings/${date}`)
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [date])
  const meetings = list.data
  const { first, isOn, next } = shownOn(meetings ?? [], time)
  const isOld = list.updatedAt > 0 && (!isReached.value || list.error !== undefined)
  return (
    <div ref={box} class="wall" data-night={isNight(officeTime(now.value)) || undefined}>
      <header>
        <div>
          <p class="wall-day">{fullDay(date)}</p>
          <p class="quiet">{hijriDay(date, 'UTC')}</p>
        </div>
        <div class="wall-clock">
          <time>{clock(officeTime(now.value))}</time>
          {isOld && (
            <p class="wall-old">
              <Icon name="wifi-off" size={18} />
              {t.asOf(clock(officeTime(onPortalClock(list.updatedAt))))}
            </p>
          )}
        </div>
      </header>
      {first ? (
        <First meeting={first} isOn={isOn} isToday={date === today} time={time} isPublic={isPublic} />
      ) : (
        <section class="wall-now">{meetings && <h1>{meetings.length > 0 && time !== '00:00' ? t.over : t.none}</h1>}</section>
      )}
      <ul class="wall-next" aria-label={t.later}>
        {next.map((one) => (
          <li key={one.id}>
            <b>{clock(one.startTime!)}</b>
            <strong dir="auto">{titleOf(one)}</strong>
            {placeOf(one) && <bdi>{placeOf(one)}</bdi>}
          </li>
        ))}
      </ul>
      <div class="wall-acts">
        {document.fullscreenEnabled && (
          <Button kind="plain" icon="maximize" aria-label={t.whole} onClick={() => box.current?.requestFullscreen().catch(() => {})} />
        )}
        <a class="button" data-kind="plain" data-shape="round" href={at(`/meetings/${date}`)} aria-label={t.leave}>
          <Icon name="x" />
        </a>
      </div>
    </div>
  )
}
