import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { withDigits } from '../../../platform/language.ts'
import { t } from './texts.ts'
import { timeIn } from './times.ts'

interface TypedTime {
  /** `HH:MM`, or ''. */
  value: string
  change: (time: string) => void
  /** The latest time, 23:59 unless it is given. */
  latest?: string
  /** Whether an empty field is an error when it loses the focus or on Enter. */
  isFilled?: boolean
}

/**
 * The state of an input in which a person types a time, and the input's attributes. A complete time such as `8:30` is passed to `change`
 * while it is typed, and so is an emptied field; any other time on Enter or when the field loses the focus. While `wrong` is not empty, the
 * form is not submitted.
 */
export function useTypedTime({ value, change, latest, isFilled = false }: TypedTime) {
  const typed = useSignal(withDigits(value))
  const wrong = useSignal('')
  const field = useRef<HTMLInputElement>(null)
  const judge = (problem: string) => {
    wrong.value = problem
    field.current?.setCustomValidity(problem)
  }
  /** The typed time; '' if the field is empty and may be empty; undefined if the text is no valid time. */
  const read = () => (typed.value.trim() === '' && !isFilled ? '' : timeIn(typed.value, latest))
  // A layout effect, because one after painting could replace text that the person has typed since.
  useLayoutEffect(() => {
    if (read() === value) return
    typed.value = withDigits(value)
    judge('')
  }, [value])
  /** Passes the typed time to `change`, or shows an error. Returns true only if the time is already the value. */
  function take() {
    const time = read()
    if (time === undefined) {
      judge(t.unknown(withDigits('13:30')))
      return false
    }
    judge('')
    typed.value = withDigits(time)
    if (time === value) return true
    change(time)
    return false
  }
  const input = {
    ref: field,
    class: 'input',
    'data-late': true,
    dir: 'ltr',
    inputMode: 'text',
    autocomplete: 'off',
    spellcheck: false,
    value: typed.value,
    onInput(event: { currentTarget: HTMLInputElement }) {
      typed.value = event.currentTarget.value
      const time = read()
      const isWhole = time === '' || /^.{1,2}:..$/.test(typed.value.trim())
      if (time === undefined || !isWhole) return
      judge('')
      if (time !== value) change(time)
    },
    onBlur: take,
    onKeyDown(event: KeyboardEvent) {
      if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && !take()) event.preventDefault()
    },
  } as const
  return { input, wrong: wrong.value }
}
