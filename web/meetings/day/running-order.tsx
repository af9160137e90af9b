import { useRef } from 'preact/hooks'
import { Ordered } from '../../parts/ordered/ordered.tsx'
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
  /** The office's, where the day is today. */
  time: string | undefined
  ask: (question: Question) => void
}

/** The meetings of a day in their order, which people choose; one is dragged to a day of the month, too. */
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
        {(meeting) => <Card row={rows.get(meeting.id)!} day={meetings} time={time} news={news.get(meeting.id)} ask={ask} />}
      </Ordered>
      {isOver && <p class="quiet day-over">{t.ended}</p>}
    </>
  )
}
