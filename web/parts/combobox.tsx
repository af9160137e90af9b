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

/**
 * A field that proposes what matches. Arrows walk, Enter chooses, Escape closes; the field is empty again after a choice. The list stays
 * while the next is on its way, but Enter takes nothing from it that was found for other letters.
 */
export function Combobox<Option>({ label, placeholder, find, id, children, choose, eager = false }: ComboboxProps<Option>) {
  const name = useId()
  const typed = useSignal('')
  const found = useSignal<{ typed: string; all: Option[] } | undefined>(undefined)
  const here = useSignal(0)
  const isOpen = useSignal(false)
  useEffect(() => {
    let isCurrent = true
    const sought = typed.value
    if (isOpen.value && (eager || sought))
      Promise.resolve(find(sought)).then((all) => {
        if (!isCurrent) return
        found.value = { typed: sought, all }
        here.value = 0
      })
    else found.value = undefined
    return () => {
      isCurrent = false
    }
  }, [typed.value, isOpen.value])
  const isFound = () => found.value?.typed === typed.value
  const options = found.value?.all ?? []
  const take = (option: Option) => {
    typed.value = ''
    isOpen.value = false
    choose(option)
  }
  const isShown = isOpen.value && (options.length > 0 || (typed.value !== '' && isFound()))
  function pressed(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const all = found.value?.all ?? []
    if (event.key === 'Enter' && isShown) {
      if (isFound() && all.length) take(all[here.value]!)
    } else if (event.key === 'Escape' && isShown) isOpen.value = false
    else if (step) {
      isOpen.value = true
      here.value = (here.value + step + all.length) % Math.max(1, all.length)
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
        aria-activedescendant={isShown && isFound() && options.length ? `${name}-${here.value}` : undefined}
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
      <div class="menu" role="listbox" id={`${name}-list`} aria-label={label} aria-busy={!isFound()} hidden={!isShown}>
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's
          <div
            key={id(option)}
            id={`${name}-${index}`}
            role="option"
            aria-selected={isFound() && index === here.value}
            tabIndex={-1}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(option)}
          >
            {children(option)}
          </div>
        ))}
        {isShown && options.length === 0 && <p class="quiet small">{t.nothing}</p>}
      </div>
    </div>
  )
}
