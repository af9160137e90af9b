import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'

/** A button with a small panel, closed by Escape or a press elsewhere. */
export function Popover({
  label,
  face,
  children,
  class: name = 'button',
}: {
  label: string
  face: ComponentChildren
  children: (close: () => void) => ComponentChildren
  class?: string
}) {
  const id = useId()
  const panel = useRef<HTMLDivElement>(null)
  return (
    <>
      <button type="button" class={name} aria-label={label} popoverTarget={id} style={{ anchorName: `--${id}` }}>
        {face}
      </button>
      <div ref={panel} id={id} class="menu panel" popover="auto" role="group" aria-label={label} style={{ positionAnchor: `--${id}` }}>
        {children(() => panel.current?.hidePopover())}
      </div>
    </>
  )
}
