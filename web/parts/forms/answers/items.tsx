import { useSignal } from '@preact/signals'
import { wholeNumber } from '../../../platform/folded.ts'
import { formatNumber, isolated } from '../../../platform/language.ts'
import { Button } from '../../show/button.tsx'
import type { ControlProps } from './controls.tsx'
import { Group } from './group.tsx'
import { own } from './judging.ts'
import { both } from './texts.ts'
import { optionText } from './words.ts'

interface CountProps {
  label: string
  count: number
  most: number
  isOff: boolean
  change: (count: number) => void
  words: { more: string; less: string }
}

/** The count of one option, changed by buttons or typed. */
function Count({ label, count, most, isOff, change, words }: CountProps) {
  const typed = useSignal<string | undefined>(undefined)
  // `aria-disabled` instead of `disabled`, so that Tab still reaches a button that can do nothing now.
  const isFull = isOff || count >= most
  return (
    <span class="answers-count">
      <Button kind="plain" aria-label={words.less} aria-disabled={count === 0 || undefined} onClick={() => change(Math.max(0, count - 1))}>
        <span aria-hidden="true">−</span>
      </Button>
      <input
        class="input numbers"
        inputMode="numeric"
        autocomplete="off"
        dir="ltr"
        aria-label={label}
        disabled={isOff && count === 0}
        value={typed.value ?? formatNumber(count, { useGrouping: false })}
        onFocus={(event) => event.currentTarget.select()}
        onInput={(event) => {
          typed.value = event.currentTarget.value
          const number = typed.value.trim() ? wholeNumber(typed.value) : 0
          if (number !== undefined) change(number)
        }}
        onBlur={() => {
          typed.value = undefined
        }}
      />
      <Button kind="plain" aria-label={words.more} aria-disabled={isFull || undefined} onClick={() => isFull || change(count + 1)}>
        <span aria-hidden="true">+</span>
      </Button>
    </span>
  )
}

/** A field for counts: how many of each option, and the total. */
export function ItemsAnswer({ field, label, hint, error, value, change, language, isOff }: ControlProps) {
  const { options = [], mostTotal } = field
  const t = both[language]
  const counts = (value ?? {}) as Readonly<Record<string, number>>
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return (
    <Group label={label} hint={hint} error={error}>
      <ul class="answers-items">
        {options.map((option) => {
          const text = optionText(option, language)
          return (
            <li key={option.key} data-off={isOff(option) || undefined}>
              <bdi>{text}</bdi>
              {isOff(option) && <span class="chip">{t.soldOut}</span>}
              <Count
                label={text}
                words={{ more: t.more(isolated(text)), less: t.less(isolated(text)) }}
                count={own(counts, option.key) ?? 0}
                most={option.most ?? 99}
                isOff={isOff(option)}
                change={(count) => {
                  const { [option.key]: _, ...rest } = counts
                  change(count > 0 ? { ...rest, [option.key]: count } : rest)
                }}
              />
            </li>
          )
        })}
      </ul>
      {(total > 0 || mostTotal) && (
        <p class="answers-total small" role="status">
          {mostTotal ? t.totalOf(total, mostTotal) : t.total(total)}
        </p>
      )}
    </Group>
  )
}
