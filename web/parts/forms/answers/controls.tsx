import { useSignal } from '@preact/signals'
import { useId, useLayoutEffect } from 'preact/hooks'
import { today } from '../../../platform/ago.ts'
import { formatNumber, isolated, type Language } from '../../../platform/language.ts'
import { DateField } from '../calendar/date-field.tsx'
import { plus } from '../calendar/days.ts'
import { SelectField, TextArea, TextField } from '../field.tsx'
import { TimeField } from '../time/time-field.tsx'
import { Group } from './group.tsx'
import { type FormField, numberIn, type Option, type When } from './judging.ts'
import { both } from './texts.ts'
import { both as answers } from './view-texts.ts'
import { optionText, unitOf } from './words.ts'

/** The props of each control. Its texts are in `language`. */
export interface ControlProps {
  field: FormField
  label: string
  hint: string
  error: string | undefined
  value: unknown
  change: (value: unknown) => void
  language: Language
  /** Today in the office's time zone. */
  today: string
  /** Whether an option is sold out. */
  isOff: (option: Option) => boolean
}

/** A text field shows how many characters are left once there are no more than this. */
const NEARLY = 20
const modes = { any: 'text', email: 'email', phone: 'tel', url: 'url' } as const

export function TextAnswer({ field, label, hint, error, value, change, language }: ControlProps) {
  const { kind, maxLength = 0, pattern = 'any', required } = field
  const text = typeof value === 'string' ? value : ''
  const left = maxLength - [...text.trim()].length
  const shared = {
    ...{ label, error, required, value: text },
    hint: left >= 0 && left <= NEARLY ? `${hint} ${both[language].left(left)}` : hint,
    onInput: (event: { currentTarget: { value: string } }) => change(event.currentTarget.value),
  }
  if (kind === 'paragraph') return <TextArea {...shared} rows={3} />
  return <TextField {...shared} inputMode={modes[pattern]} {...(pattern !== 'any' && { dir: 'ltr', spellcheck: false })} />
}

export function NumberAnswer({ field, label, hint, error, value, change, language }: ControlProps) {
  const typed = useSignal('')
  const shown = () => (typeof value === 'number' ? formatNumber(value, { maximumFractionDigits: 4 }) : String(value ?? ''))
  useLayoutEffect(() => {
    const isSame = typeof value === 'number' ? numberIn(typed.peek()) === value : typed.peek() === (value ?? '')
    if (!isSame) typed.value = shown()
  }, [value])
  const unit = unitOf(field, language)
  return (
    <TextField
      class="input numbers"
      label={unit ? `${label} (${isolated(unit)})` : label}
      hint={hint}
      error={error}
      required={field.required}
      inputMode={field.decimals || (field.min ?? -1) < 0 ? 'text' : 'numeric'}
      autocomplete="off"
      dir="ltr"
      value={typed.value}
      onInput={(event) => {
        typed.value = event.currentTarget.value
        change(typed.value.trim() ? (numberIn(typed.value) ?? typed.value) : null)
      }}
    />
  )
}

/** With more options than this, a drop-down list replaces the radio buttons. */
const MOST_RADIOS = 7

interface RadiosProps extends ControlProps {
  of: { value: string | boolean; text: string; isOff: boolean }[]
}
function Radios({ field, label, hint, error, value, change, language, of }: RadiosProps) {
  const name = useId()
  const t = both[language]
  return (
    <Group label={label} hint={hint} error={error} isRadio>
      {of.map((one) => (
        <label key={one.value} class="answers-option" data-off={one.isOff || undefined}>
          <input
            type="radio"
            name={name}
            required={field.required}
            checked={value === one.value}
            disabled={one.isOff}
            onChange={() => change(one.value)}
          />
          <bdi>{one.text}</bdi>
          {one.isOff && <span class="chip">{t.soldOut}</span>}
        </label>
      ))}
      {!field.required && value !== null && value !== undefined && (
        <button type="button" class="link small answers-clear" onClick={() => change(null)}>
          {t.clear}
        </button>
      )}
    </Group>
  )
}

export function ChoiceAnswer(props: ControlProps) {
  const { field, label, hint, error, value, change, language, isOff } = props
  const { options = [] } = field
  const t = both[language]
  const of = options.map((option) => ({ value: option.key, text: optionText(option, language), isOff: isOff(option) }))
  if (options.length <= MOST_RADIOS) return <Radios {...props} of={of} />
  return (
    <SelectField
      label={label}
      hint={hint}
      error={error}
      value={typeof value === 'string' ? value : ''}
      choices={[
        { value: '', text: t.none },
        ...of.map(({ value, text, isOff }) => ({ value, text: isOff ? `${text} (${t.soldOut})` : text, isOff })),
      ]}
      choose={(key) => change(key || null)}
    />
  )
}

export function YesNoAnswer(props: ControlProps) {
  const { field, label, hint, error, value, change, language } = props
  if (!field.mustBeYes)
    return (
      <Radios
        {...props}
        of={[
          { value: true, text: answers[language].yes, isOff: false },
          { value: false, text: answers[language].no, isOff: false },
        ]}
      />
    )
  return (
    <Group label={label} hint={hint} error={error}>
      <label class="answers-option">
        <input type="checkbox" required checked={value === true} onChange={(event) => change(event.currentTarget.checked || null)} />
        {answers[language].yes}
      </label>
    </Group>
  )
}

function howMany({ least, most, options = [] }: FormField, language: Language) {
  const t = both[language]
  if (least && most && most < options.length) return t.chooseBetween(least, most)
  if (least) return t.chooseLeast(least)
  return most && most < options.length ? t.chooseMost(most) : ''
}

export function ChoicesAnswer({ field, label, hint, error, value, change, language, isOff }: ControlProps) {
  const { options = [] } = field
  const t = both[language]
  const chosen = Array.isArray(value) ? (value as string[]) : []
  return (
    <Group label={label} hint={[hint, howMany(field, language)].filter(Boolean).join(' ')} error={error}>
      {options.map((option) => {
        const isChosen = chosen.includes(option.key)
        return (
          <label key={option.key} class="answers-option" data-off={isOff(option) || undefined}>
            <input
              type="checkbox"
              checked={isChosen}
              disabled={isOff(option) && !isChosen}
              onChange={() => change(isChosen ? chosen.filter((key) => key !== option.key) : [...chosen, option.key])}
            />
            <bdi>{optionText(option, language)}</bdi>
            {isOff(option) && <span class="chip">{t.soldOut}</span>}
          </label>
        )
      })}
    </Group>
  )
}

export function DateAnswer({ field, label, hint, error, value, change, today }: ControlProps) {
  const { earliestDays, latestDays } = field
  const dayFrom = (days: number | null | undefined) => (typeof days === 'number' ? plus(today, days) : undefined)
  return (
    <DateField
      label={label}
      hint={hint}
      error={error}
      value={typeof value === 'string' ? value : ''}
      min={dayFrom(earliestDays)}
      max={dayFrom(latestDays)}
      now={today}
      change={(day) => change(day || null)}
    />
  )
}

export function WantedAnswer({ field, label, hint, error, value, change, language }: ControlProps) {
  const t = both[language]
  const { day, time } = (value ?? { day: '', time: '' }) as When
  const set = (next: Partial<When>) => {
    const now = { day, time, ...next }
    change(now.day || now.time ? now : null)
  }
  /** Whether the day has an error of its own: that of the group, such as that a day is missing, would be misleading beside it. */
  const isDayWrong = useSignal(false)
  const isClosed = error === t.wrong.closed
  return (
    <Group label={label} hint={hint} error={isDayWrong.value ? undefined : error}>
      <div class="answers-moment">
        <DateField
          label={t.day}
          value={day}
          // A moment is chosen on the clock of this device, unlike a date.
          min={today()}
          max={plus(today(), field.maxDays ?? 90)}
          judged={(isWrong) => (isDayWrong.value = isWrong)}
          change={(next) => set({ day: next })}
        />
        <div data-wrong={isClosed || undefined}>
          <TimeField label={t.time} required={field.required} value={time} change={(next) => set({ time: next })} />
        </div>
      </div>
    </Group>
  )
}
