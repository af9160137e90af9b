import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { meaningOf, report } from '../show/failures.ts'
import { t } from '../texts.ts'
import { t as words } from './combobox-texts.ts'

interface ComboboxProps<Option> {
  label: string
  placeholder?: string
  /** The options that match the typed text, best first. */
  find: (typed: string) => Option[] | Promise<Option[]>
  id: (option: Option) => string | number
  children: (option: Option) => ComponentChildren
  choose: (option: Option) => void
  /** Shows the list before anything is typed. */
  eager?: boolean
  /** Whether the choice is part of a form, which is not saved while a typed text was neither chosen from nor cleared. */
  isField?: boolean
  /** Keeps the list open below the field, as part of the surrounding dialog. */
  isInside?: boolean
  /** The reason why an option cannot be chosen; undefined if it can. */
  off?: (option: Option) => string | undefined
  /** Handles a pasted text; returns false to search for it like a typed one. */
  paste?: (text: string) => boolean
}

/** How long typing must pause before the search, in ms. */
const PAUSE_MS = 150
/** The most options shown. A longer list helps less than typing more letters. */
const MOST = 50

/**
 * A field with suggestions. Arrow keys move through them, Enter chooses, Escape closes. A choice empties the field. With `isInside`,
 * neither Escape nor a choice closes the list, and the text stays. The previous list stays while the next one loads, but Enter never
 * chooses from a list that was found for other letters.
 */
export function Combobox<Option>({
  label,
  placeholder,
  find,
  id,
  children,
  choose,
  isField = false,
  isInside = false,
  eager = isInside,
  off,
  paste,
}: ComboboxProps<Option>) {
  const name = useId()
  const typed = useSignal('')
  const found = useSignal<{ typed: string; all: Option[] } | undefined>(undefined)
  const here = useSignal(0)
  const isOpen = useSignal(isInside)
  const failure = useSignal('')
  const isWrong = useSignal(false)
  const isSaid = useSignal(false)
  const field = useRef<HTMLInputElement>(null)
  /**
   * Makes the field invalid, so that its form is not saved. The reason is shown once the field has the focus again: shown at once, it would
   * move the button whose press takes the focus away.
   */
  const judge = (is: boolean) => {
    isWrong.value = is
    if (!is) isSaid.value = false
    field.current?.setCustomValidity(is ? words.unchosen : '')
  }
  useEffect(() => {
    const sought = typed.value
    if (!isOpen.value || !(eager || sought)) {
      found.value = undefined
      return
    }
    let isCurrent = true
    const look = async () => {
      let all: Option[] = []
      let why = ''
      try {
        all = await find(sought)
      } catch (thrown) {
        report(thrown)
        why = meaningOf(thrown)
      }
      if (!isCurrent) return
      found.value = { typed: sought, all: all.slice(0, MOST) }
      failure.value = why
      here.value = 0
    }
    const timer = setTimeout(look, sought ? PAUSE_MS : 0)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [typed.value, isOpen.value])
  const isFound = () => found.value?.typed === typed.value
  const options = found.value?.all ?? []
  const take = (option: Option) => {
    if (off?.(option)) return
    if (isInside) here.value = options.indexOf(option)
    else {
      typed.value = ''
      isOpen.value = false
      judge(false)
    }
    choose(option)
  }
  const isShown = isOpen.value && (options.length > 0 || (isFound() && (typed.value !== '' || failure.value !== '')))
  function pressed(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const all = found.value?.all ?? []
    if (event.key === 'Enter' && isShown) {
      if (isFound() && all.length) take(all[here.value]!)
    } else if (event.key === 'Escape' && isShown && !isInside) isOpen.value = false
    else if (step) {
      isOpen.value = true
      here.value = (here.value + step + all.length) % Math.max(1, all.length)
      requestAnimationFrame(() => document.getElementById(`${name}-${here.value}`)?.scrollIntoView({ block: 'nearest' }))
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div class="combobox" data-inside={isInside || undefined}>
      <input
        ref={field}
        class="input"
        role="combobox"
        data-late={isField ? '' : undefined}
        aria-invalid={isWrong.value || undefined}
        aria-describedby={isSaid.value ? `${name}-wrong` : undefined}
        dir="auto"
        aria-label={label}
        aria-expanded={isShown}
        aria-controls={`${name}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isShown && isFound() && options.length ? `${name}-${here.value}` : undefined}
        autocomplete="off"
        placeholder={placeholder}
        value={typed}
        onInput={(event) => {
          typed.value = event.currentTarget.value
          isOpen.value = true
          judge(false)
        }}
        onFocus={() => {
          isOpen.value = true
          isSaid.value = isWrong.value
        }}
        onBlur={() => {
          isOpen.value = isInside
          if (isField && typed.value.trim()) judge(true)
        }}
        onKeyDown={pressed}
        onPaste={(event) => paste?.(event.clipboardData?.getData('text') ?? '') && event.preventDefault()}
      />
      {isField && (
        <p id={`${name}-wrong`} class="error small" role="alert">
          {isSaid.value && words.unchosen}
        </p>
      )}
      <div class="menu" hidden={!isShown}>
        <div role="listbox" id={`${name}-list`} aria-label={label} aria-busy={isShown && !isFound()}>
          {options.map((option, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
            <div
              key={id(option)}
              id={`${name}-${index}`}
              role="option"
              aria-selected={isFound() && index === here.value}
              aria-disabled={off?.(option) ? true : undefined}
              tabIndex={-1}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(option)}
            >
              {children(option)}
              {off?.(option) && <span class="quiet small">{off(option)}</span>}
            </div>
          ))}
        </div>
        <p class={failure.value ? 'error small' : 'quiet small'} role="status">
          {isShown && options.length === 0 && (failure.value || t.nothing)}
        </p>
      </div>
    </div>
  )
}
