import { portalNow } from '../../platform/client.ts'
import { shortDay } from '../../platform/dates.ts'
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
  /** Whether they are days of meetings: future ones may be chosen, and they belong to no time zone. */
  ahead?: boolean
}

/** A filter by days, in which either end may be open. */
export function DaysPick({ from, to, change, ahead = false }: PickProps) {
  // The portal counts the days of what happened in UTC.
  const last = ahead ? undefined : portalNow().toISOString().slice(0, 10)
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
          {!ahead && <p class="quiet small">{t.utc}</p>}
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
