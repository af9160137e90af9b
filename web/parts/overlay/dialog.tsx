import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from '../show/button.tsx'
import { Icon } from '../show/icon.tsx'
import { t } from '../texts.ts'
import { t as words } from './dialog-texts.ts'
import { useStaying } from './staying.ts'
import { Toasts } from './toasts.tsx'

export interface DialogProps {
  /** The name of the dialog, and its heading unless `bare`. */
  title: string
  close: () => void
  children: ComponentChildren
  /** The buttons at the bottom. */
  end?: ComponentChildren
  class?: string
  bare?: boolean
  /** Whether closing loses something; by default, whether a text in the dialog was changed. */
  isUnsaved?: () => boolean
  /** The texts of the question that is asked before something is lost. */
  lost?: typeof words
}

const isText = (element: EventTarget | null): element is HTMLInputElement | HTMLTextAreaElement =>
  (element as Element).matches('textarea, input:not([type=radio], [type=checkbox], [type=range], [type=search], [role=combobox])')

/**
 * A modal dialog, open while it is rendered. The browser keeps the focus inside, and closing returns it to the element that had it before.
 * Escape, the cross and a press outside close the dialog, after a confirmation if typed text would be lost. Other ways to leave ask, too: see `useStaying`.
 */
export function Dialog({ title, close, children, end, class: name, bare = false, isUnsaved, lost = words }: DialogProps) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const isAsking = useSignal(false)
  const isPressedOutside = useRef(false)
  const isGone = useRef(false)
  /** The text of each field when it first got the focus. */
  const former = useRef(new Map<HTMLInputElement | HTMLTextAreaElement, string>())
  const isChanged = () => [...former.current].some(([field, value]) => field.isConnected && field.value !== value)
  const isLost = isUnsaved ?? isChanged
  function leave() {
    if (isAsking.value) isAsking.value = false
    else if (isLost()) isAsking.value = true
    else close()
  }
  useStaying(isLost, () => {
    isAsking.value = true
  })
  useLayoutEffect(() => {
    const opener = document.activeElement as HTMLElement | null
    const shown = dialog.current
    shown?.showModal()
    return () => {
      isGone.current = true
      shown?.close()
      if (opener?.isConnected) opener.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class={name}
      aria-labelledby={bare ? undefined : id}
      aria-label={bare ? title : undefined}
      onCancel={(event) => {
        event.preventDefault()
        leave()
      }}
      onClose={() => isGone.current || close()}
      onKeyDown={(event) => {
        // Escape first closes an open popover inside the dialog. Otherwise it is handled here, because on a second Escape the browser would
        // close the dialog without asking.
        if (event.key !== 'Escape' || event.defaultPrevented || dialog.current?.querySelector(':popover-open')) return
        event.preventDefault()
        leave()
      }}
      onFocusIn={({ target }) => {
        if (isText(target) && !former.current.has(target)) former.current.set(target, target.value)
      }}
      // A text selection may begin inside and end outside, which must not close the dialog.
      onPointerDown={(event) => {
        isPressedOutside.current = event.target === dialog.current
      }}
      onClick={(event) => event.target === dialog.current && isPressedOutside.current && leave()}
    >
      {bare ? (
        children
      ) : (
        <div class="dialog">
          <div class="dialog-head">
            <h2 id={id}>{title}</h2>
            <button type="button" class="button" data-kind="plain" data-shape="round" aria-label={t.close} onClick={leave}>
              <Icon name="x" />
            </button>
          </div>
          {children}
          {isAsking.value ? (
            <div class="dialog-unsaved" role="alert">
              <p>{lost.unsaved}</p>
              <div class="dialog-end">
                <Button autoFocus onClick={leave}>
                  {lost.stay}
                </Button>
                <Button kind="danger" onClick={close}>
                  {lost.discard}
                </Button>
              </div>
            </div>
          ) : (
            end && <div class="dialog-end">{end}</div>
          )}
        </div>
      )}
      <Toasts />
    </dialog>
  )
}
