import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

interface TabsProps<K extends string> {
  label: string
  /** A narrow screen shows `short` instead of the text. */
  tabs: { key: K; text: string; short?: string; count?: string }[]
  value: K
  choose: (key: K) => void
  children: ComponentChildren
}

/** Fades the ends of a row beyond which there are more tabs, and scrolls to the chosen tab. `state` must change with the row's content. */
export function useEnds<E extends HTMLElement = HTMLDivElement>(state: string) {
  const row = useRef<E>(null)
  useLayoutEffect(() => {
    const box = row.current!
    const look = () => {
      const passed = Math.abs(box.scrollLeft)
      box.toggleAttribute('data-before', passed > 1)
      box.toggleAttribute('data-after', passed + box.clientWidth < box.scrollWidth - 1)
    }
    const watch = new ResizeObserver(look)
    watch.observe(box)
    box.addEventListener('scroll', look, { passive: true })
    look()
    return () => {
      watch.disconnect()
      box.removeEventListener('scroll', look)
    }
  }, [])
  useLayoutEffect(() => {
    const box = row.current!
    const tab = box.querySelector<HTMLElement>('[aria-selected=true], [aria-current]')
    if (tab) box.scrollTo({ left: tab.offsetLeft - (box.clientWidth - tab.offsetWidth) / 2 })
  }, [state])
  return row
}

/** Tabs above the panel of the chosen tab. Arrows (mirrored on a right-to-left page), Home and End choose. */
export function Tabs<K extends string>({ label, tabs, value, choose, children }: TabsProps<K>) {
  const id = useId()
  // A count that arrives later changes the width of the tabs.
  const row = useEnds([value, ...tabs.map(({ count }) => count)].join())
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
      <div ref={row} class="tabs" role="tablist" aria-label={label} tabIndex={-1} onKeyDown={step}>
        {tabs.map(({ key, text, short, count }) => (
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
            <span class={short && 'tabs-long'}>{text}</span>
            {short && <span class="tabs-short">{short}</span>}
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
