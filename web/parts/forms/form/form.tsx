import './form.css'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Dialog } from '../../overlay/dialog.tsx'
import { Button } from '../../show/button.tsx'
import { useLeaving } from './leaving.ts'
import { takeTyped } from './take-typed.ts'
import { t } from './texts.ts'
import type { FormState } from './use-form.ts'

/** The forms on the page, and whether each has changes. */
const drawn = new Map<HTMLElement, () => boolean>()

/**
 * Whether Ctrl S saves the form: it contains the focus, or is the only one with changes. While a dialog is open, only forms in dialogs
 * count.
 */
function isMeant(box: HTMLElement) {
  const isInReach = (one: HTMLElement) => !document.querySelector('dialog[open]') || one.closest('dialog') !== null
  const changed = [...drawn].filter(([one, hasChanges]) => isInReach(one) && hasChanges()).map(([one]) => one)
  return isInReach(box) && (box.contains(document.activeElement) || (changed.length === 1 && changed[0] === box))
}

interface FormProps<V extends object> {
  of: FormState<V>
  children: ComponentChildren
  class?: string
  /** Whether the form contains parts that must not be inside a form element, such as tabs with lists. */
  isWide?: boolean
}

/**
 * The frame of a form: Ctrl S saves, the first invalid field gets the focus, a restored draft is announced, and leaving asks for
 * confirmation if something would be lost.
 */
export function Form<V extends object>({ of, children, class: name = 'form', isWide = false }: FormProps<V>) {
  const box = useRef<HTMLFormElement & HTMLDivElement>(null)
  const leave = useLeaving(of)
  const save = () => {
    if (!box.current) return
    takeTyped(box.current)
    if (of.isFilled(box.current)) of.submit()
  }
  const latest = useRef({ save, of })
  latest.current = { save, of }
  useEffect(() => {
    const own = box.current!
    const pressed = (event: KeyboardEvent) => {
      const isSave = event.code === 'KeyS' || (event.code === 'Enter' && own.contains(event.target as Node))
      if (!isSave || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      if (isMeant(own)) latest.current.save()
    }
    drawn.set(own, () => latest.current.of.hasChanges())
    addEventListener('keydown', pressed)
    return () => {
      drawn.delete(own)
      removeEventListener('keydown', pressed)
    }
  }, [])
  useEffect(() => {
    if (!of.failure) return
    const wrong = of.fields.find((field) => of.error(field))
    if (!wrong) return
    of.reveal?.(wrong)
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
  }, [of.failure])
  const inside = (
    <>
      {of.isRestored && (
        <p class="form-restored small" role="status">
          <span>{t.restored}</span>
          <Button kind="plain" onClick={of.discard}>
            {t.discard}
          </Button>
        </p>
      )}
      {children}
      {leave.value && (
        <Dialog
          title={t.leave}
          close={() => {
            leave.value = undefined
          }}
          end={
            <>
              <Button
                autoFocus
                onClick={() => {
                  leave.value = undefined
                }}
              >
                {t.stay}
              </Button>
              <Button kind="danger" onClick={() => leave.value?.()}>
                {t.go}
              </Button>
            </>
          }
        >
          <p>{t.leaveHint}</p>
        </Dialog>
      )}
    </>
  )
  if (isWide)
    return (
      <div ref={box} class={name}>
        {inside}
      </div>
    )
  return (
    <form
      ref={box}
      class={name}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      {inside}
    </form>
  )
}

/** The error of the form as a whole, and its button, which is disabled until all overlaps are settled. */
export function Save<V extends object>({ of, text, isPlain = false }: { of: FormState<V>; text?: string; isPlain?: boolean }) {
  const isOpen = of.overlaps.some(({ chosen }) => !chosen)
  return (
    <>
      <p class="error" role="alert">
        {of.problem}
      </p>
      <Button kind={isPlain ? undefined : 'main'} type="submit" isBusy={of.isBusy} aria-keyshortcuts="Control+S" disabled={isOpen}>
        {isOpen ? t.chooseFirst : (text ?? t.save)}
      </Button>
    </>
  )
}
