import { useSignal } from '@preact/signals'
import { type ComponentChildren, Fragment } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { Icon, type IconName } from '../show/icon.tsx'

export interface MenuItem {
  text: string
  icon?: IconName
  /** An address from `at()`, for a link. Without it, `run` is called. */
  href?: string
  run?: () => void
  /** For an item that is one of several choices: whether it is chosen. */
  checked?: boolean
  lang?: string
  /** Whether a line separates the item from the one above. */
  apart?: boolean
  /** A heading above this item, for it and the items after it. */
  group?: string
}

interface MenuProps {
  label: string
  face: ComponentChildren
  /** A function is called only after the menu was opened, so that a page with many menus does not load data in vain. */
  items: MenuItem[] | (() => MenuItem[])
  /** Shown above the items; not an item itself. */
  head?: ComponentChildren
  class?: string
}

const letter = (text: string) => text.trim().toLocaleLowerCase()

/**
 * A button with a menu, which the browser opens above everything and closes on Escape or a press elsewhere. Arrows, Home, End and letters
 * move through its items.
 */
export function Menu({ label, face, items, head, class: name = 'button' }: MenuProps) {
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  // Items are rendered only after the menu was opened: a page may have a hundred menus, of which few are used.
  const wasOpened = useSignal(false)
  const entries = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]
  function step(event: KeyboardEvent) {
    const all = entries()
    const here = all.indexOf(document.activeElement as HTMLElement)
    const next = { ArrowDown: here + 1, ArrowUp: here < 0 ? -1 : here - 1, Home: 0, End: -1 }[event.key]
    if (next !== undefined) all.at(next % all.length)?.focus()
    else if (event.key === 'Tab') return menu.current?.hidePopover()
    else if (event.key.length === 1 && event.key !== ' ')
      [...all.slice(here + 1), ...all].find((one) => letter(one.textContent ?? '').startsWith(letter(event.key)))?.focus()
    else return
    event.preventDefault()
  }
  return (
    <>
      <button
        type="button"
        class={name}
        data-kind="plain"
        data-shape="round"
        aria-label={label}
        aria-haspopup="menu"
        popoverTarget={id}
        style={{ anchorName: `--${id}` }}
      >
        {face}
      </button>
      <div
        ref={menu}
        id={id}
        class="menu"
        popover="auto"
        style={{ positionAnchor: `--${id}` }}
        onBeforeToggle={() => {
          wasOpened.value = true
        }}
        // Until there are items, the list gets the focus, so that its key handler works.
        onToggle={(event) => event.newState === 'open' && (entries()[0] ?? list.current)?.focus()}
      >
        {head}
        <div ref={list} role="menu" aria-label={label} tabIndex={-1} onKeyDown={step}>
          {(!wasOpened.value ? [] : typeof items === 'function' ? items() : items).map(
            ({ text, icon, href, run, checked, lang, apart, group }) => {
              const shared = {
                role: checked === undefined ? 'menuitem' : 'menuitemradio',
                'aria-checked': checked,
                'data-apart': (apart && !group) || undefined,
                lang,
                tabIndex: -1,
                onClick: () => {
                  menu.current?.hidePopover()
                  run?.()
                },
              } as const
              const inside = (
                <>
                  {icon && <Icon name={icon} />}
                  <span>{text}</span>
                  {checked && <Icon name="check" size={18} />}
                </>
              )
              return (
                <Fragment key={text}>
                  {group && (
                    <p class="menu-group quiet small" role="presentation" data-apart={apart || undefined}>
                      {group}
                    </p>
                  )}
                  {href ? (
                    <a href={href} {...shared}>
                      {inside}
                    </a>
                  ) : (
                    <button type="button" {...shared}>
                      {inside}
                    </button>
                  )}
                </Fragment>
              )
            },
          )}
        </div>
      </div>
    </>
  )
}
