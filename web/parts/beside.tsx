import './beside.css'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { t } from './texts.ts'
import { isWide } from './wide.ts'

interface BesideProps {
  title: string
  close: () => void
  /** Whether closing loses nothing, because the device keeps what was typed. */
  isKept?: boolean
  children: ComponentChildren
}

/**
 * What a row of a list unfolds to: beside the list where its page is wide, over it elsewhere. It stands last in a `.beside-page`, takes the
 * focus, and is closed by Escape; `close` brings the focus back.
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
