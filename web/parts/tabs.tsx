import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface TabsProps<K extends string> {
  label: string
  tabs: { key: K; text: string; count?: string }[]
  value: K
  choose: (key: K) => void
  children: ComponentChildren
}

/** Tabs above the panel of the chosen one. Arrows (turned in a right-to-left page), Home and End choose. */
export function Tabs<K extends string>({ label, tabs, value, choose, children }: TabsProps<K>) {
  const id = useId()
  function step(event: KeyboardEvent) {
    const here = tabs.findIndex(({ key }) => key === value)
    const onward = getComputedStyle(event.currentTarget as Element).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const next =
      event.key === 'Home'
        ? 0
        : event.key === 'End'
          ? -1
          : /^Arrow(Left|Right)$/.test(event.key)
            ? here + (event.key === onward ? 1 : -1)
            : undefined
    const tab = next === undefined ? undefined : tabs.at(next % tabs.length)
    if (!tab) return
    event.preventDefault()
    choose(tab.key)
    document.getElementById(`${id}-${tab.key}`)?.focus()
  }
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} tabIndex={-1} onKeyDown={step}>
        {tabs.map(({ key, text, count }) => (
          <button
            key={key}
            id={`${id}-${key}`}
            type="button"
            role="tab"
            aria-selected={key === value}
            aria-controls={`${id}-panel`}
            tabIndex={key === value ? 0 : -1}
            onClick={() => choose(key)}
          >
            {text}
            {count && <span class="chip">{count}</span>}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${value}`}>
        {children}
      </div>
    </>
  )
}
