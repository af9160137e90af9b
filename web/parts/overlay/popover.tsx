import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'

/** A button with a small panel, rendered while open. Escape or a press elsewhere closes it. */
export function Popover({
  label,
  face,
  hasNamingFace = false,
  children,
  class: name = 'button',
  tabIndex,
}: {
  label: string
  face: ComponentChildren
  /** Whether the button's content is its name. Then only the panel gets the label. */
  hasNamingFace?: boolean
  children: (close: () => void) => ComponentChildren
  class?: string
  tabIndex?: number | undefined
}) {
  const id = useId()
  const panel = useRef<HTMLDivElement>(null)
  const isOpen = useSignal(false)
  return (
    <>
      <button
        type="button"
        class={name}
        aria-label={hasNamingFace ? undefined : label}
        popoverTarget={id}
        tabIndex={tabIndex}
        style={{ anchorName: `--${id}` }}
      >
        {face}
      </button>
      <div
        ref={panel}
        id={id}
        class="menu panel"
        popover="auto"
        role="group"
        aria-label={label}
        style={{ positionAnchor: `--${id}` }}
        onBeforeToggle={({ newState }) => {
          if (newState === 'open') isOpen.value = true
        }}
        onToggle={({ newState }) => {
          if (newState === 'closed') isOpen.value = false
        }}
      >
        {isOpen.value && children(() => panel.current?.hidePopover())}
      </div>
    </>
  )
}
