import './style.css'
import { useId } from 'preact/hooks'
import type { PageProps } from '../../../addresses.ts'
import { useTitle } from '../../../frame/site.ts'
import { useShortcuts } from '../../../frame/use-shortcuts.ts'
import { plus, weekdayOf } from '../../../parts/forms/calendar/days.ts'
import { Button } from '../../../parts/show/button.tsx'
import { Icon } from '../../../parts/show/icon.tsx'
import { Loaded } from '../../../parts/show/skeleton.tsx'
import { onPortalClock } from '../../../platform/ago.ts'
import { format, timeOfDay } from '../../../platform/dates.ts'
import { at, go } from '../../../platform/router.ts'
import { type Meeting, meetingsFrom, placeOf, titleOf } from '../shared/day.ts'
import { dayInAddress, weekday } from '../shared/days.ts'
import { duration } from '../shared/durations.ts'
import { clock, officeDay } from '../shared/office.ts'
import { busyMinutes, inTheWayOf } from '../shared/slots.ts'
import { halvesOf, weekOf } from './days.ts'
import { spanned } from './spanned.ts'
import { t } from './texts.ts'

const numbered = (date: string, calendar?: 'islamic-umalqura') =>
  format(date, { timeZone: 'UTC', day: 'numeric', month: 'short' }, calendar)

/** A meeting of the week, which opens in its day. */
function Card({ meeting, day }: { meeting: Meeting; day: readonly Meeting[] }) {
  const { id, date, startTime, endTime, status, isHighlighted } = meeting
  const isOff = status === 'cancelled' || status === 'postponed'
  const isClashing = inTheWayOf(meeting, day).length > 0
  return (
    <a class="week-card" data-off={isOff || undefined} data-clash={isClashing || undefined} href={at(`/meetings/${date}?open=${id}`)}>
      <span class="week-time">
        {startTime ? (endTime ? `${clock(startTime)} – ${clock(endTime)}` : clock(startTime)) : t.noTime}
        {isHighlighted && (
          <span class="week-star" role="img" aria-label={t.highlighted}>
            <Icon name="star" size={14} />
          </span>
        )}
        {isClashing && (
          <span class="week-warn" role="img" aria-label={t.clash}>
            <Icon name="triangle-alert" size={14} />
          </span>
        )}
      </span>
      <strong>{isOff ? <s dir="auto">{titleOf(meeting)}</s> : <bdi>{titleOf(meeting)}</bdi>}</strong>
      {isOff && <span class="quiet small">{status === 'cancelled' ? t.cancelled : t.postponed}</span>}
      {placeOf(meeting) && (
        <span class="quiet small">
          <bdi>{placeOf(meeting)}</bdi>
        </span>
      )}
    </a>
  )
}

function Column({ date, day, most }: { date: string; day: readonly Meeting[]; most: number }) {
  const id = useId()
  const { morning, afternoon, untimed, isMorningFree, isAfternoonFree } = halvesOf(day)
  const busy = busyMinutes(day)
  const isFree = day.length === 0
  const half = (meetings: readonly Meeting[], isHalfFree: boolean, text: string) => (
    <>
      {meetings.map((one) => (
        <Card key={one.id} meeting={one} day={day} />
      ))}
      {isHalfFree && <p class="week-free small">{text}</p>}
    </>
  )
  return (
    <section class="week-day" data-weekend={weekdayOf(date) >= 5 || undefined} aria-labelledby={id}>
      <h2 id={id}>
        <a href={at(`/meetings/${date}`)} aria-current={date === officeDay() ? 'date' : undefined}>
          <span>{weekday(date)}</span>
          <span class="week-date">
            {numbered(date)} <small>{numbered(date, 'islamic-umalqura')}</small>
          </span>
        </a>
      </h2>
      <p class="week-load small quiet" data-free={isFree || undefined}>
        {busy > 0 ? duration(busy) : day.length > 0 && t.meetings(day.length)}
        <span class="week-bar" style={{ inlineSize: `${most ? (100 * busy) / most : 0}%` }} />
      </p>
      {isFree ? (
        <p class="week-free week-empty small">{t.free}</p>
      ) : (
        <>
          {half(morning, isMorningFree, t.freeMorning)}
          {half(afternoon, isAfternoonFree, t.freeAfternoon)}
          {untimed.map((one) => (
            <Card key={one.id} meeting={one} day={day} />
          ))}
        </>
      )}
    </section>
  )
}

/** Arrow keys move the focus between the days of the week, and from a day's name through its meetings. */
function walk(event: KeyboardEvent) {
  if (event.ctrlKey || event.metaKey || event.altKey || !event.key.startsWith('Arrow')) return
  const grid = event.currentTarget as HTMLElement
  const days = [...grid.querySelectorAll('.week-day')].map((day) => [...day.querySelectorAll<HTMLElement>('a')])
  const column = days.findIndex((links) => links.includes(document.activeElement as HTMLElement))
  if (column < 0) return
  const row = days[column]!.indexOf(document.activeElement as HTMLElement)
  const onward = getComputedStyle(grid).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
  const next =
    event.key === 'ArrowDown' || event.key === 'ArrowUp'
      ? days[column]![row + (event.key === 'ArrowDown' ? 1 : -1)]
      : (days[column + (event.key === onward ? 1 : -1)] ?? []).slice(0, row + 1).at(-1)
  if (!next) return
  event.preventDefault()
  next.focus()
}

const to = (day: string) => go(`/meetings/week/${day}`)
const turn = (weeks: number) => to(plus(weekOf(dayInAddress())[0]!, 7 * weeks))

/** The seven days of a week from Sunday on, with the time that each day's meetings take. */
export default function WeekPage({ params: { date = '' } }: PageProps) {
  const id = useId()
  const days = weekOf(date)
  const [first, last] = [days[0]!, days[6]!]
  const list = meetingsFrom(first, last)
  const here = officeDay()
  useTitle(t.title(spanned(first, last)))
  useShortcuts([
    { codes: ['BracketLeft'], text: () => t.before, run: () => turn(-1) },
    { codes: ['BracketRight'], text: () => t.after, run: () => turn(1) },
  ])
  return (
    <>
      <header class="week-head">
        <div>
          <h1>{spanned(first, last)}</h1>
          <p class="quiet">{spanned(first, last, 'islamic-umalqura')}</p>
        </div>
        <div class="week-ways">
          <a
            class="button week-before"
            data-kind="plain"
            data-shape="round"
            href={at(`/meetings/week/${plus(first, -7)}`)}
            aria-label={t.before}
          >
            <Icon name="chevron-right" />
          </a>
          <a class="button" data-kind="plain" data-shape="round" href={at(`/meetings/week/${plus(first, 7)}`)} aria-label={t.after}>
            <Icon name="chevron-right" />
          </a>
          {!days.includes(here) && <Button onClick={() => to(here)}>{t.toThis}</Button>}
        </div>
      </header>
      {list.error && list.data && <p class="quiet small">{t.asOf(timeOfDay(onPortalClock(list.updatedAt)))}</p>}
      <Loaded of={list}>
        {(meetings) => {
          const byDay = days.map((day) => meetings.filter((one) => one.date === day))
          const most = Math.max(...byDay.map(busyMinutes))
          return (
            <div class="week" role="group" aria-label={t.week} aria-describedby={id} onKeyDown={walk}>
              {days.map((day, index) => (
                <Column key={day} date={day} day={byDay[index]!} most={most} />
              ))}
              <p id={id} class="unseen">
                {t.keys}
              </p>
            </div>
          )
        }}
      </Loaded>
    </>
  )
}
