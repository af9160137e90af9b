import { shortDay, today } from '../../platform/dates.ts'
import { Button } from '../button.tsx'
import { DateField } from '../calendar/date-field.tsx'
import { Icon } from '../icon.tsx'
import { Popover } from '../popover.tsx'
import { t } from './texts.ts'

interface Days {
  /** `YYYY-MM-DD`. */
  from?: string | undefined
  to?: string | undefined
}

interface PickProps extends Days {
  change: (days: Days) => void
  /** Whether future days may be chosen. */
  ahead?: boolean
}

/** A filter by days, in which either end may be open. */
export function DaysPick({ from, to, change, ahead = false }: PickProps) {
  const last = ahead ? undefined : today()
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
          <DateField label={t.from} value={from ?? ''} max={to ?? last} change={(day) => change({ from: day || undefined, to })} />
          <DateField label={t.to} value={to ?? ''} min={from} max={last} change={(day) => change({ from, to: day || undefined })} />
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
