import type { VNode } from 'preact'
import { useRef } from 'preact/hooks'
import { Ordered } from '../../../parts/lists/ordered/ordered.tsx'
import { type Clash, clashesOf } from '../shared/clashes.ts'
import { type Meeting, titleOf } from '../shared/day.ts'
import { standing } from '../shared/standing.ts'
import { order } from './acts.ts'
import { Card, type Question } from './card.tsx'
import { useNews } from './news.ts'
import { rowsOf } from './rows.ts'
import { t } from './texts.ts'

interface RunningOrderProps {
  date: string
  meetings: Meeting[]
  /** The office's time if the day is today. */
  time: string | undefined
  ask: (question: Question) => void
}

/** The meetings of a day in the order that people chose. A meeting can also be dragged to a day of the month. */
export function RunningOrder({ date, meetings, time, ask }: RunningOrderProps) {
  const news = useNews(date, meetings)
  const rows = new Map(rowsOf(meetings, time).map((row) => [row.meeting.id, row]))
  const over = useRef<HTMLElement | undefined>(undefined)
  const dayAt = (element: Element | undefined) => element?.closest<HTMLElement>('[data-day]') ?? undefined
  const mark = (element: Element | undefined) => {
    over.current?.removeAttribute('data-over')
    over.current = dayAt(element)
    over.current?.setAttribute('data-over', '')
  }
  const places = new Map(meetings.map(({ id }, index) => [id, index]))
  const cards = useRef(new Map<number, { meeting: Meeting; state: string; card: VNode }>())
  /** Renders a card again only if something on it changed: a day may have sixty meetings. */
  function drawn(meeting: Meeting) {
    const row = rows.get(meeting.id)!
    // Report an overlap only on the lower of its two meetings, which people read last.
    const isBefore = ({ other }: Clash) => places.get(other.id)! < places.get(meeting.id)!
    const clashes = row.state === 'past' ? [] : clashesOf(meeting, meetings).filter(isBefore)
    const said = news.get(meeting.id)
    const isTimed = row.state === 'now' || row.state === 'soon' || row.isAfterNow || meeting.meetingUrl !== null
    const clock = isTimed ? time : undefined
    const state = JSON.stringify([
      row.state,
      row.gap,
      row.isAfterNow,
      clock,
      said,
      clashes.map(({ minutes, common, other }) => [minutes, common, titleOf(other)]),
    ])
    const known = cards.current.get(meeting.id)
    if (known?.meeting === meeting && known.state === state) return known.card
    const card = <Card row={row} clashes={clashes} time={clock} news={said} ask={ask} />
    cards.current.set(meeting.id, { meeting, state, card })
    return card
  }
  const isOver = time !== undefined && meetings.every((one) => ['past', 'off'].includes(rows.get(one.id)!.state))
  return (
    <>
      <Ordered
        label={t.order}
        class="day-run"
        items={meetings}
        nameOf={titleOf}
        save={(wanted, former) => order(date, wanted, former)}
        isFixed={!standing.data?.canMutate}
        over={mark}
        dropOn={(meeting, element) => {
          const day = dayAt(element)?.dataset['day']
          if (day === undefined) return false
          if (day !== date) ask({ kind: 'move', meeting, date: day })
          return true
        }}
      >
        {(meeting) => drawn(meeting)}
      </Ordered>
      {isOver && <p class="quiet day-over">{t.ended}</p>}
    </>
  )
}
