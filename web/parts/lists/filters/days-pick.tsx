import { shortDay } from '../../../platform/dates.ts'
import { DateField } from '../../forms/calendar/date-field.tsx'
import { Popover } from '../../overlay/popover.tsx'
import { Button } from '../../show/button.tsx'
import { Icon } from '../../show/icon.tsx'
import { t } from './texts.ts'
import { utcDay } from './utc-day.ts'

interface Days {
  /** `YYYY-MM-DD`. */
  from?: string | undefined
  to?: string | undefined
}

interface PickProps extends Days {
  change: (days: Days) => void
  /** Today in the office, if the days are those of meetings: future days may then be chosen, and no time zone is mentioned. */
  office?: string
}

/** A filter by a period, either end of which may stay open. */
export function DaysPick({ from, to, change, office }: PickProps) {
  const now = office ?? utcDay()
  const last = office ? undefined : now
  const days =
    from && to
      ? `${shortDay(from, 'UTC')} – ${shortDay(to, 'UTC')}`
      : from
        ? t.since(shortDay(from, 'UTC'))
        : to && t.until(shortDay(to, 'UTC'))
  return (
    <Popover
      class={days ? 'pick pick-on' : 'pick'}
      label={`${t.days}: ${days ?? t.allDays}`}
      face={
        <>
          <span>{days ?? t.allDays}</span>
          <Icon name="chevron-down" size={16} />
        </>
      }
    >
      {(close) => (
        <div class="pick-days">
          <DateField
            label={t.from}
            value={from ?? ''}
            max={to ?? last}
            now={now}
            change={(day) => change({ from: day || undefined, to })}
          />
          <DateField
            label={t.to}
            value={to ?? ''}
            min={from}
            max={last}
            now={now}
            change={(day) => change({ from, to: day || undefined })}
          />
          {!office && <p class="quiet small">{t.utc}</p>}
          {days && (
            <Button
              kind="plain"
              onClick={() => {
                close()
                change({})
              }}
            >
              {t.allDays}
            </Button>
          )}
        </div>
      )}
    </Popover>
  )
}
