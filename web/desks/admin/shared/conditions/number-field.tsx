import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { numberIn } from '../../../../parts/forms/answers/judging.ts'
import { TextField } from '../../../../parts/forms/field.tsx'
import { formatNumber } from '../../../../platform/language.ts'
import { t } from './texts.ts'

interface NumberFieldProps {
  label: string
  hint?: string
  error?: string | undefined
  /** null or undefined: not set. */
  value: number | null | undefined
  change: (value: number | null) => void
  isRequired?: boolean
}

const written = (value: number | null | undefined) =>
  typeof value === 'number' ? formatNumber(value, { useGrouping: false, maximumFractionDigits: 4 }) : ''

/** A number in Latin or Arabic digits. A text that is not a number stays in the field, and the form cannot be saved with it. */
export function NumberField({ label, hint, error, value, change, isRequired = false }: NumberFieldProps) {
  const typed = useSignal(written(value))
  const box = useRef<HTMLDivElement>(null)
  const now = typed.value.trim() ? numberIn(typed.value) : null
  const isWrong = now === undefined
  useLayoutEffect(() => {
    if (!isWrong && now !== (value ?? null)) typed.value = written(value)
  }, [value])
  useLayoutEffect(() => box.current!.querySelector('input')!.setCustomValidity(isWrong ? t.noNumber : ''))
  return (
    <div ref={box}>
      <TextField
        class="input numbers"
        label={label}
        {...(hint && { hint })}
        {...(!isRequired && { optional: t.optional })}
        error={isWrong ? t.noNumber : error}
        value={typed.value}
        dir="ltr"
        inputMode="text"
        autocomplete="off"
        onInput={(event) => {
          typed.value = event.currentTarget.value
          const read = typed.value.trim() ? numberIn(typed.value) : null
          if (read !== undefined) change(read)
        }}
      />
    </div>
  )
}
