import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId } from 'preact/hooks'
import { t } from './texts.ts'

interface ComboboxProps<Option> {
  label: string
  placeholder?: string
  /** What matches the typed text, best first. */
  find: (typed: string) => Option[] | Promise<Option[]>
  id: (option: Option) => string | number
  children: (option: Option) => ComponentChildren
  choose: (option: Option) => void
  /** Shows the list before anything is typed. */
  eager?: boolean
}

/** A field that proposes what matches. Arrows walk, Enter chooses, Escape closes; the field is empty again after a choice. */
export function Combobox<Option>({ label, placeholder, find, id, children, choose, eager = false }: ComboboxProps<Option>) {
  const name = useId()
  const typed = useSignal('')
  const found = useSignal<Option[]>([])
  const here = useSignal(0)
  const isOpen = useSignal(false)
  useEffect(() => {
    let isCurrent = true
    if (isOpen.value && (eager || typed.value))
      Promise.resolve(find(typed.value)).then((options) => {
        if (!isCurrent) return
        found.value = options
        here.value = 0
      })
    else found.value = []
    return () => {
      isCurrent = false
    }
  }, [typed.value, isOpen.value])
  const take = (option: Option) => {
    typed.value = ''
    isOpen.value = false
    choose(option)
  }
  const isShown = isOpen.value && (typed.value !== '' || found.value.length > 0)
  function pressed(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const option = found.value[here.value]
    if (event.key === 'Enter' && isShown && option !== undefined) take(option)
    else if (event.key === 'Escape' && isShown) isOpen.value = false
    else if (step) {
      isOpen.value = true
      here.value = (here.value + step + found.value.length) % Math.max(1, found.value.length)
      requestAnimationFrame(() => document.getElementById(`${name}-${here.value}`)?.scrollIntoView({ block: 'nearest' }))
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div class="combobox">
      <input
        class="input"
        role="combobox"
        dir="auto"
        aria-label={label}
        aria-expanded={isShown}
        aria-controls={`${name}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isShown && found.value.length ? `${name}-${here.value}` : undefined}
        autocomplete="off"
        placeholder={placeholder}
        value={typed}
        onInput={(event) => {
          typed.value = event.currentTarget.value
          isOpen.value = true
        }}
        onFocus={() => {
          isOpen.value = true
        }}
        onBlur={() => {
          isOpen.value = false
        }}
        onKeyDown={pressed}
      />
      <div class="menu" role="listbox" id={`${name}-list`} aria-label={label} hidden={!isShown}>
        {found.value.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's
          <div
            key={id(option)}
            id={`${name}-${index}`}
            role="option"
            aria-selected={index === here.value}
            tabIndex={-1}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(option)}
          >
            {children(option)}
          </div>
        ))}
        {isShown && found.value.length === 0 && <p class="quiet small">{t.nothing}</p>}
      </div>
    </div>
  )
}
