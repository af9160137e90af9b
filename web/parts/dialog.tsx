import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from './icon.tsx'
import { t } from './texts.ts'
import { Toasts } from './toasts.tsx'

interface DialogProps {
  /** Names the dialog, and is shown as its heading unless `bare`. */
  title: string
  close: () => void
  children: ComponentChildren
  /** The buttons at its end. */
  end?: ComponentChildren
  class?: string
  bare?: boolean
}

/** A modal dialog while it is drawn. The browser keeps the focus inside, brings it back, and closes on Escape or a press outside. */
export function Dialog({ title, close, children, end, class: name, bare = false }: DialogProps) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const opener = document.activeElement as HTMLElement | null
    const shown = dialog.current
    shown?.showModal()
    return () => {
      shown?.close()
      if (opener?.isConnected) opener.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the key of this press
    <dialog
      ref={dialog}
      class={name}
      aria-labelledby={bare ? undefined : id}
      aria-label={bare ? title : undefined}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      onClick={(event) => event.target === dialog.current && close()}
    >
      {bare ? (
        children
      ) : (
        <div class="dialog">
          <div class="dialog-head">
            <h2 id={id}>{title}</h2>
            <button type="button" class="button" data-kind="plain" data-shape="round" aria-label={t.close} onClick={close}>
              <Icon name="x" />
            </button>
          </div>
          {children}
          {end && <div class="dialog-end">{end}</div>}
        </div>
      )}
      <Toasts />
    </dialog>
  )
}
