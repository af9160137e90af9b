import { useRef } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { inLanguage } from '../../platform/language.ts'
import { conditionOn, faultOf, opsOf, readable, withOp } from './conditions.ts'
import type { Editing } from './editing.ts'
import { type Condition, changeField, type FormField, MOST } from './model.ts'
import { NumberField } from './number-field.tsx'
import { t } from './texts.ts'
import { nameOf, opName, optionName } from './words.ts'

/** When people see a field, as sentences: “Show only if Amount is at least 100”. */
export function Conditions({ of, field }: { of: Editing; field: FormField }) {
  const { fields, change, errorAt } = of
  const { key, when } = field
  const box = useRef<HTMLFieldSetElement>(null)
  const above = readable(fields, key)
  const set = (next: Condition[]) => change(changeField(fields, key, { when: next }))
  const focus = (wanted: string) => requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(wanted)?.focus())
  return (
    <fieldset ref={box} class="service-form-conditions">
      <legend>{t.conditions}</legend>
      {when.length === 0 && <p class="quiet small">{above.length > 0 ? t.always : t.noneToRead}</p>}
      {when.map((condition, at) => {
        const fault = faultOf(fields, key, condition)
        return (
          <div key={at} class="service-form-condition" data-at={at}>
            <span>{at === 0 ? t.onlyIf : t.andIf}</span>
            <Sentence
              condition={condition}
              above={above}
              isWrong={fault !== undefined || errorAt(key, `when.${at}`) !== undefined}
              change={(next) => set(when.with(at, next))}
            />
            <Button
              kind="plain"
              icon="x"
              aria-label={t.removeCondition}
              onClick={() => {
                set(when.toSpliced(at, 1))
                focus('.service-form-add')
              }}
            />
            <p class="error small" role="alert">
              {fault ? t.faults[fault] : errorAt(key, `when.${at}`)}
            </p>
          </div>
        )
      })}
      {above.length > 0 && when.length < MOST.conditions && (
        <button
          type="button"
          class="button service-form-add"
          onClick={() => {
            set([...when, conditionOn(above.at(-1)!)])
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
            {nameOf(field)}
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
        <span class="service-form-values" role="group" aria-label={t.value}>
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
