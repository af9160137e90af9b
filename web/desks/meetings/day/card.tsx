import { addressWith } from '../../../parts/lists/filters/address.ts'
import { Menu, type MenuItem } from '../../../parts/overlay/menu.tsx'
import { Icon } from '../../../parts/show/icon.tsx'
import { isWide } from '../../../parts/show/wide.ts'
import { isolated, listed } from '../../../platform/language.ts'
import { at } from '../../../platform/router.ts'
import { AttendeeFace, AttendeeFaces } from '../shared/attendees.tsx'
import { type Clash, clashText } from '../shared/clashes.ts'
import { type Meeting, meetingsOf, placeOf, titleOf } from '../shared/day.ts'
import { duration, durationOf } from '../shared/durations.ts'
import { clock } from '../shared/office.ts'
import { minutesOf } from '../shared/slots.ts'
import { standing } from '../shared/standing.ts'
import { highlight, order, remove, setStatus } from './acts.ts'
import type { Row } from './rows.ts'
import { t } from './texts.ts'

/** A move or a copy for which the page asks for the day. */
export interface Question {
  kind: 'move' | 'copy'
  meeting: Meeting
  date?: string
}

/** On narrow screens, which show no grips, the menu moves a meeting by one step. */
function stepsOf(meeting: Meeting): MenuItem[] {
  const step = (by: number) => () => {
    const day = meetingsOf(meeting.date).peek() ?? []
    const from = day.findIndex(({ id }) => id === meeting.id)
    const to = from + by
    if (from >= 0 && to >= 0 && to < day.length) order(meeting.date, day.toSpliced(from, 1).toSpliced(to, 0, day[from]!), day)
  }
  return [
    { text: t.earlier, icon: 'chevron-up', run: step(-1) },
    { text: t.later, icon: 'chevron-down', run: step(1) },
  ]
}

function itemsOf(meeting: Meeting, href: string, ask: (question: Question) => void): MenuItem[] {
  const { canMutate, canRequest } = standing.data ?? {}
  if (!canMutate) return canRequest ? [{ text: t.ask, icon: 'reply', href }] : []
  const statuses = ['scheduled', 'completed', 'postponed', 'cancelled'] as const
  return [
    { text: t.edit, icon: 'pencil', href },
    { text: meeting.isHighlighted ? t.plain : t.highlight, icon: 'star', run: () => highlight(meeting) },
    ...(isWide.value ? [] : stepsOf(meeting)),
    { text: t.move, icon: 'calendar', run: () => ask({ kind: 'move', meeting }) },
    { text: t.copy, icon: 'copy', run: () => ask({ kind: 'copy', meeting }) },
    ...statuses.map((status, index) => ({
      text: t.statuses[status],
      checked: meeting.status === status,
      run: () => setStatus(meeting, status),
      ...(index === 0 && { apart: true, group: t.status }),
    })),
    { text: t.remove, icon: 'trash-2', apart: true, run: () => remove(meeting) },
  ]
}

/** The link to a video meeting: a button during the meeting and the quarter of an hour before it, a plain link otherwise. */
function Join({ meeting, time }: { meeting: Meeting; time: string | undefined }) {
  const { meetingUrl, startTime, endTime, status } = meeting
  if (!meetingUrl) return null
  const isOpen =
    time !== undefined &&
    status === 'scheduled' &&
    startTime !== null &&
    minutesOf(startTime) - minutesOf(time) <= 15 &&
    (endTime ?? startTime) >= time
  return (
    <a
      class={isOpen ? 'button' : 'button day-link'}
      data-kind={isOpen ? 'main' : 'plain'}
      data-shape={isOpen ? undefined : 'round'}
      href={meetingUrl}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={isOpen ? undefined : t.link}
    >
      <Icon name={isOpen ? 'video' : 'link'} size={isOpen ? 20 : 18} />
      {isOpen && t.join}
    </a>
  )
}

/** The most names that a phone shows below the faces of the current meeting. */
const NAMED = 3

function People({ meeting: { attendees } }: { meeting: Meeting }) {
  if (attendees.length === 0) return null
  if (!isWide.value) {
    const inside = attendees.filter(({ kind }) => kind !== 'external')
    const outside = attendees.length - inside.length
    const more = inside.length - NAMED
    const names = [
      ...inside.slice(0, NAMED).map(({ name }) => isolated(name)),
      ...(more > 0 ? [t.others(more)] : []),
      ...(outside > 0 ? [t.outside(outside)] : []),
    ]
    return (
      <p class="day-named">
        <AttendeeFaces of={attendees} size={30} />
        <span class="small quiet">{listed(names)}</span>
      </p>
    )
  }
  return (
    <ul class="day-people">
      {attendees.map((one) => (
        <li key={one.id}>
          <AttendeeFace of={one} size={32} />
          <span class="person">
            <bdi class="day-name">{one.name}</bdi>
            {one.title && <bdi class="quiet small">{one.title}</bdi>}
          </span>
        </li>
      ))}
    </ul>
  )
}

interface CardProps {
  row: Row
  /** The overlaps with meetings that are above this one in the list. */
  clashes: readonly Clash[]
  /** The office's time if the day is today and the card depends on it. */
  time: string | undefined
  news: string | undefined
  ask: (question: Question) => void
}

/** A meeting of the day: its time, with its details beside it. */
export function Card({ row: { meeting, state, gap, isAfterNow }, clashes, time, news, ask }: CardProps) {
  const { startTime, endTime, isHighlighted, notes, status } = meeting
  const title = titleOf(meeting)
  const href = at(addressWith({ open: String(meeting.id) }))
  const items = itemsOf(meeting, href, ask)
  const isLarge = state === 'now'
  const left = time !== undefined && startTime ? minutesOf(isLarge ? (endTime ?? startTime) : startTime) - minutesOf(time) : 0
  return (
    <>
      {isAfterNow && (
        <p class="day-present">
          <span>{t.isAt(clock(time!))}</span>
        </p>
      )}
      {gap > 0 && state !== 'past' && state !== 'now' && (
        <p class="day-gap">
          <span>{t.gap(duration(gap))}</span>
        </p>
      )}
      <p class="day-time" data-state={state}>
        {startTime ? (
          <>
            <b>{clock(startTime)}</b>
            {endTime && (
              <span>
                <span class="unseen">{t.until('')}</span>
                {clock(endTime)}
              </span>
            )}
          </>
        ) : (
          <span class="small">{t.noTime}</span>
        )}
      </p>
      <article
        class="day-card"
        data-state={state}
        data-clash={clashes.some(({ common }) => common.length > 0) || undefined}
        data-news={news === undefined ? undefined : ''}
      >
        <div class="day-what">
          {(isLarge || state === 'soon') && (
            <p class="day-state">
              <Icon name="clock" size={16} />
              {isLarge ? (left > 0 ? t.nowLeft(duration(left)) : t.now) : t.soon(durationOf(left))}
            </p>
          )}
          <h2>
            {isHighlighted && (
              <span class="day-star" role="img" aria-label={t.highlighted}>
                <Icon name="star" size={16} />
              </span>
            )}
            <a href={href}>{state === 'off' ? <s dir="auto">{title}</s> : <bdi>{title}</bdi>}</a>
            {state === 'off' && (
              <span class="chip" data-kind={status === 'cancelled' ? 'danger' : 'warn'}>
                {t.statuses[status]}
              </span>
            )}
          </h2>
          {placeOf(meeting) && (
            <p class="quiet day-place">
              <bdi>{placeOf(meeting)}</bdi>
            </p>
          )}
          {clashes.map((clash) => (
            <p key={clash.other.id} class={clash.common.length ? 'day-warn small' : 'quiet small'}>
              {clash.common.length > 0 && <Icon name="triangle-alert" size={16} />}
              <span>{clashText(clash)}</span>
            </p>
          ))}
          {isLarge && <People meeting={meeting} />}
          {isLarge && notes && (
            <p class="day-note">
              <Icon name="sticky-note" size={18} />
              <span dir="auto">{notes}</span>
            </p>
          )}
          {news && (
            <p class="small day-news" role="status">
              {news}
            </p>
          )}
        </div>
        <div class="day-acts">
          <Join meeting={meeting} time={time} />
          {!isLarge && <AttendeeFaces of={meeting.attendees} />}
          {items.length > 0 && <Menu label={t.acts(title)} face={<Icon name="ellipsis-vertical" size={18} />} items={items} />}
        </div>
      </article>
    </>
  )
}
