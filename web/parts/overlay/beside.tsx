import './beside.css'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../show/button.tsx'
import { isWide } from '../show/wide.ts'
import { t } from '../texts.ts'
import { Dialog } from './dialog.tsx'

interface BesideProps {
  title: string
  close: () => void
  /** Whether closing loses nothing, because the device stores the typed text. */
  isKept?: boolean
  children: ComponentChildren
}

/**
 * The details of a row: a panel beside the list on a wide page, a dialog on a narrow one. It must be the last child of a `.beside-page`.
 * It takes the focus, and Escape closes it. `close` must give the focus back.
 */
export function Beside({ title, close, isKept = false, children }: BesideProps) {
  const box = useRef<HTMLElement>(null)
  useEffect(() => box.current?.querySelector('h2')?.focus({ preventScroll: true }), [])
  if (!isWide.value)
    return (
      <Dialog title={title} close={close} {...(isKept && { isUnsaved: () => false })}>
        {children}
      </Dialog>
    )
  return (
    <aside
      ref={box}
      class="card beside-card"
      aria-label={title}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        close()
      }}
    >
      <div class="section-head">
        <h2 tabIndex={-1}>
          <bdi>{title}</bdi>
        </h2>
        <Button kind="plain" icon="x" aria-label={t.close} onClick={close} />
      </div>
      {children}
    </aside>
  )
}
