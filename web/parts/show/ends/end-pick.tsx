import './ends.css'
import { useEffect, useRef } from 'preact/hooks'
import { today } from '../../../platform/ago.ts'
import { exactly, shortDay } from '../../../platform/dates.ts'
import { DateField } from '../../forms/calendar/date-field.tsx'
import { plus } from '../../forms/calendar/days.ts'
import { Popover } from '../../overlay/popover.tsx'
import { Icon } from '../icon.tsx'
import { endOfDay, isNear, MOST_DAYS, remaining } from './ends.ts'
import { t } from './texts.ts'

/** The ends that are offered as buttons, in days from now. */
const OFFERED = [7, 30, 90]

interface EndPickProps {
  /** Gives the label of the button; `end` is the present end in words. */
  label: (end: string) => string
  value: string | null
  change: (expiresAt: string | null) => void
  tabIndex?: number
  /** Whether the button is only an icon while there is no end. */
  isQuiet?: boolean
}

/** A button that shows when a membership or role ends and opens the choices: some days from now, a certain day, or no end. */
export function EndPick({ label, value, change, tabIndex, isQuiet = false }: EndPickProps) {
  const words = value ? remaining(value) : t.none
  return (
    <Popover
      class="chip end-pick"
      tabIndex={tabIndex}
      label={label(words)}
      face={
        <span
          class="end-face"
          data-quiet={(!value && isQuiet) || undefined}
          data-kind={value ? (isNear(value) ? 'warn' : 'on') : undefined}
        >
          <Icon name="clock" size={14} />
          {(value || !isQuiet) && <span>{words}</span>}
        </span>
      }
    >
      {(close) => (
        <Choices
          value={value}
          choose={(expiresAt) => {
            close()
            change(expiresAt)
          }}
        />
      )}
    </Popover>
  )
}

function Choices({ value, choose }: { value: string | null; choose: (expiresAt: string | null) => void }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.querySelector('button')?.focus(), [])
  const day = value ? today(new Date(value)) : ''
  return (
    <div ref={box} class="end-choices">
      {value && <p class="quiet small">{t.exactly(exactly(value))}</p>}
      {OFFERED.map((days) => {
        const on = plus(today(), days)
        return (
          <button key={days} type="button" class="end-choice" aria-pressed={day === on} onClick={() => choose(endOfDay(on))}>
            <span>{t.after(days)}</span>
            <span class="quiet small">{shortDay(on, 'UTC')}</span>
          </button>
        )
      })}
      <button type="button" class="end-choice" aria-pressed={value === null} onClick={() => choose(null)}>
        {t.none}
      </button>
      <DateField
        label={t.onDay}
        value={day}
        min={today()}
        max={plus(today(), MOST_DAYS)}
        change={(on) => choose(on ? endOfDay(on) : null)}
      />
    </div>
  )
}
