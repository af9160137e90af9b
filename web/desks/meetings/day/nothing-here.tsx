import { plus, weekdayOf } from '../../../parts/forms/calendar/days.ts'
import { Button } from '../../../parts/show/button.tsx'
import { Empty } from '../../../parts/show/empty.tsx'
import { at } from '../../../platform/router.ts'
import { daysWithMeetings } from '../shared/day.ts'
import { dayName } from '../shared/days.ts'
import { t } from './texts.ts'

/** How many days before and after to search for a meeting. */
const AROUND = 60

/**
 * A day without meetings: a button that adds one, and a link to the next day with a meeting or, if there is none, to the last one before.
 */
export function NothingHere({ date, add }: { date: string; add: (() => void) | undefined }) {
  const known = daysWithMeetings(plus(date, -AROUND), plus(date, AROUND)).data
  const days = known?.map((one) => one.date).filter((one) => one !== date) ?? []
  const nearest = days.find((one) => one > date) ?? days.at(-1)
  const isWeekend = weekdayOf(date) >= 5
  return (
    <Empty
      icon="calendar"
      title={t.empty}
      act={
        add && (
          <Button kind={isWeekend ? 'plain' : 'main'} icon="plus" onClick={add}>
            {t.add}
          </Button>
        )
      }
    >
      {isWeekend && `${t.weekend}. `}
      {nearest ? <a href={at(`/meetings/${nearest}`)}>{t.nearest(dayName(nearest))}</a> : known && t.none}
    </Empty>
  )
}
