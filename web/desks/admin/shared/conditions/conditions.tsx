import './style.css'
import { useRef } from 'preact/hooks'
import type { FormField } from '../../../../parts/forms/answers/judging.ts'
import { Button } from '../../../../parts/show/button.tsx'
import { inLanguage, isolated } from '../../../../platform/language.ts'
import { type Condition, conditionOn, MOST_CONDITIONS, opsOf, withOp } from './fit.ts'
import { NumberField } from './number-field.tsx'
import { t } from './texts.ts'
import { nameOf, opName, optionName } from './words.ts'

interface ConditionsProps {
  legend: string
  /** The beginning of the first sentence: “Show only if”. */
  onlyIf: string
  /** The text shown if there are no conditions. */
  none: string
  /** The fields that the conditions can read. */
  above: FormField[]
  when: readonly Condition[]
  change: (when: Condition[]) => void
  errorOf: (condition: Condition, at: number) => string | undefined
}

/** Conditions on answers, as sentences: “Show only if Amount is at least 100”. */
export function Conditions({ legend, onlyIf, none, above, when, change, errorOf }: ConditionsProps) {
  const box = useRef<HTMLFieldSetElement>(null)
  const focus = (wanted: string) => requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(wanted)?.focus())
  return (
    <fieldset ref={box} class="conditions">
      <legend>{legend}</legend>
      {when.length === 0 && <p class="quiet small">{none}</p>}
      {when.map((condition, at) => {
        const error = errorOf(condition, at)
        return (
          <div key={at} class="conditions-one" data-at={at}>
            <span>{at === 0 ? onlyIf : t.andIf}</span>
            <Sentence condition={condition} above={above} isWrong={error !== undefined} change={(next) => change(when.with(at, next))} />
            <Button
              kind="plain"
              icon="x"
              aria-label={t.removeCondition}
              onClick={() => {
                change(when.toSpliced(at, 1))
                focus('.conditions-add')
              }}
            />
            <p class="error small" role="alert">
              {error}
            </p>
          </div>
        )
      })}
      {above.length > 0 && when.length < MOST_CONDITIONS && (
        <button
          type="button"
          class="button conditions-add"
          onClick={() => {
            change([...when, conditionOn(above.at(-1)!)])
            focus(`[data-at="${when.length}"] select`)
          }}
        >
          {t.addCondition}
        </button>
      )}
    </fieldset>
  )
}

interface SentenceProps {
  condition: Condition
  above: FormField[]
  isWrong: boolean
  change: (condition: Condition) => void
}

function Sentence({ condition, above, isWrong, change }: SentenceProps) {
  const { field: key, op, value } = condition
  const read = above.find((field) => field.key === key)
  const invalid = isWrong || undefined
  return (
    <>
      <select
        class="input"
        aria-label={t.fieldRead}
        aria-invalid={invalid}
        value={read ? key : ''}
        onChange={(event) => {
          const next = above.find((field) => field.key === event.currentTarget.value)
          if (next) change(conditionOn(next))
        }}
      >
        {!read && <option value="">—</option>}
        {above.map((field) => (
          <option key={field.key} value={field.key}>
            {isolated(nameOf(field))}
          </option>
        ))}
      </select>
      {read && (
        <select
          class="input"
          aria-label={t.comparison}
          value={op}
          onChange={(event) => change(withOp(condition, read, event.currentTarget.value as Condition['op']))}
        >
          {opsOf(read).map((one) => (
            <option key={one} value={one}>
              {opName(read, one)}
            </option>
          ))}
        </select>
      )}
      {read && typeof value === 'number' && (
        <>
          <NumberField label={t.value} value={value} change={(number) => change({ ...condition, value: number ?? 0 })} isRequired />
          {inLanguage(read.unitAr, read.unitEn)}
        </>
      )}
      {read?.kind === 'yes_no' && Array.isArray(value) && (
        <select
          class="input"
          aria-label={t.value}
          value={String(value[0])}
          onChange={(event) => change({ ...condition, value: [event.currentTarget.value === 'true'] })}
        >
          <option value="true">{t.yes}</option>
          <option value="false">{t.no}</option>
        </select>
      )}
      {read?.options && Array.isArray(value) && (
        <span class="conditions-values" role="group" aria-label={t.value}>
          {read.options.map((option, at) => (
            <label key={option.key}>
              <input
                type="checkbox"
                checked={value.includes(option.key)}
                onChange={({ currentTarget: { checked } }) =>
                  change({ ...condition, value: checked ? [...value, option.key] : value.filter((one) => one !== option.key) })
                }
              />
              <bdi>{optionName(option, at)}</bdi>
            </label>
          ))}
        </span>
      )}
    </>
  )
}
