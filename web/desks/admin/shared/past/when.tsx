import './when.css'
import { useSignal } from '@preact/signals'
import { DateField } from '../../../../parts/forms/calendar/date-field.tsx'
import { TimeField } from '../../../../parts/forms/time/time-field.tsx'
import { Popover } from '../../../../parts/overlay/popover.tsx'
import { Button } from '../../../../parts/show/button.tsx'
import { Icon } from '../../../../parts/show/icon.tsx'
import { present, today } from '../../../../platform/ago.ts'
import { askAt, momentInWords } from './moment.ts'
import { momentOf } from './moment-of.ts'
import { t } from './texts.ts'

/** The time on this device's clock, as `HH:MM`. */
const clock = (at: Date) => [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':')

/** The button with the moment that a page is about. It opens a choice of a different moment. */
export const When = ({ at }: { at: string | undefined }) => (
  <Popover
    label={t.when}
    class="when"
    hasNamingFace
    face={
      <>
        <span class="unseen">{t.when}: </span>
        <span>{momentInWords(at)}</span>
        <Icon name="chevron-down" size={18} />
      </>
    }
  >
    {(close) => (
      <Choice
        at={at}
        choose={(moment) => {
          close()
          askAt(moment)
        }}
      />
    )}
  </Popover>
)

function Choice({ at, choose }: { at: string | undefined; choose: (at: string | undefined) => void }) {
  const day = useSignal(today(at ? new Date(at) : undefined))
  const time = useSignal(at ? clock(new Date(at)) : '')
  const isTooLate = useSignal(false)
  return (
    <form
      class="when-choice"
      onSubmit={(event) => {
        event.preventDefault()
        const moment = momentOf(day.value, time.value, present())
        isTooLate.value = moment > present()
        if (!isTooLate.value) choose(moment.toISOString())
      }}
    >
      <DateField
        required
        label={t.day}
        value={day.value}
        max={today()}
        change={(chosen) => {
          day.value = chosen
          isTooLate.value = false
        }}
      />
      <TimeField
        label={t.time}
        optional={t.optional}
        hint={t.hint}
        error={isTooLate.value ? t.tooLate : undefined}
        value={time.value}
        change={(typed) => {
          time.value = typed
          isTooLate.value = false
        }}
      />
      <div class="when-acts">
        <Button kind="main" type="submit">
          {t.show}
        </Button>
        {at && (
          <Button kind="plain" onClick={() => choose(undefined)}>
            {t.backToNow}
          </Button>
        )}
      </div>
    </form>
  )
}
