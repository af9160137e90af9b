import { useSignal } from '@preact/signals'
import { Calendar } from '../../../parts/forms/calendar/calendar.tsx'
import { useClosing, useSaving } from '../../../parts/forms/saving.ts'
import { Dialog } from '../../../parts/overlay/dialog.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { Icon } from '../../../parts/show/icon.tsx'
import { isolated } from '../../../platform/language.ts'
import { clashesOf, clashText } from '../shared/clashes.ts'
import { meetingsOf, titleOf } from '../shared/day.ts'
import { dayName, weekday } from '../shared/days.ts'
import { officeDay } from '../shared/office.ts'
import { copyTo, countNotified, moveTo } from './acts.ts'
import type { Question } from './card.tsx'
import { marksOf } from './marks.ts'
import { t } from './texts.ts'

/** Asks for the day to which a meeting is moved or copied. The button states the consequence. */
export function Moving({ question: { kind, meeting, date: asked }, close }: { question: Question; close: () => void }) {
  const chosen = useSignal(asked ?? '')
  const date = chosen.value
  const isElsewhere = date !== '' && (kind === 'copy' || date !== meeting.date)
  const closing = useClosing(close)
  const saving = useSaving(async () => {
    await (kind === 'move' ? moveTo : copyTo)(meeting, date)
    closing()
  })
  const planned = { ...meeting, id: undefined, status: kind === 'copy' ? 'scheduled' : meeting.status }
  const there = isElsewhere ? meetingsOf(date).data : undefined
  const title = isolated(titleOf(meeting))
  return (
    <Dialog
      title={t[kind]}
      class="day-moving"
      close={close}
      end={
        <>
          <p class="error" role="alert">
            {saving.problem}
          </p>
          <Button kind="main" isBusy={saving.isBusy} disabled={!isElsewhere} onClick={() => saving.run()}>
            {isElsewhere ? t.toDay[kind](weekday(date)) : t.chooseDay}
          </Button>
        </>
      }
    >
      <Calendar
        label={t.chooseDay}
        value={date || meeting.date}
        now={officeDay()}
        marks={marksOf}
        isFocused
        choose={(day) => {
          chosen.value = day
        }}
      />
      <div class="day-follows" aria-live="polite">
        {isElsewhere ? (
          <>
            <p>{(kind === 'move' ? t.movesTo : t.copiesTo)(title, dayName(date))}</p>
            <p class="quiet">{t.notified(countNotified(meeting))}</p>
            {there &&
              clashesOf(planned, there).map((clash) => (
                <p key={clash.other.id} class="day-warn small">
                  <Icon name="triangle-alert" size={16} />
                  <span>{clashText(clash)}</span>
                </p>
              ))}
          </>
        ) : (
          <p class="quiet">{t.another}</p>
        )}
      </div>
    </Dialog>
  )
}
