import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useClosing, useSaving } from '../../parts/forms/saving.ts'
import { Button } from '../../parts/show/button.tsx'
import { Icon } from '../../parts/show/icon.tsx'
import { t } from './texts.ts'

interface NameFieldProps {
  kind: 'folder' | 'label'
  value?: string
  save: (name: string) => Promise<unknown>
  close: () => void
}

const LONGEST = { folder: 100, label: 50 }

/** A name edited in place: Enter saves, Escape cancels. */
export function NameField({ kind, value = '', save, close }: NameFieldProps) {
  const typed = useSignal(value)
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    field.current?.select()
    field.current?.focus()
  }, [])
  const closing = useClosing(close)
  const { isBusy, failure, problem, run } = useSaving(save)
  async function submit() {
    const name = typed.value.trim()
    if (name === '' || (await run(name))) closing()
  }
  const label = kind === 'folder' ? t.nameOfFolder : t.nameOfLabel
  return (
    // Not a form, because it may be inside one.
    <div class="notes-name">
      <input
        ref={field}
        class="input"
        dir="auto"
        aria-label={label}
        placeholder={label}
        maxLength={LONGEST[kind]}
        aria-invalid={failure ? true : undefined}
        value={typed}
        onInput={(event) => (typed.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') submit()
          else if (event.key === 'Escape') close()
          else return
          event.preventDefault()
          event.stopPropagation()
        }}
      />
      <Button icon="check" aria-label={t.save} isBusy={isBusy} onClick={submit} />
      <Button icon="x" kind="plain" aria-label={t.cancel} onClick={close} />
      <p class="error small" role="alert">
        {problem}
      </p>
    </div>
  )
}

/** A button that turns into a field for a new name. */
export function NameForm({ kind, add }: { kind: 'folder' | 'label'; add: (name: string) => Promise<unknown> }) {
  const isOpen = useSignal(false)
  const opener = useRef<HTMLSpanElement>(null)
  const close = () => {
    isOpen.value = false
    requestAnimationFrame(() => opener.current?.querySelector('button')?.focus())
  }
  return (
    <span ref={opener} class="notes-add">
      {isOpen.value ? (
        <NameField kind={kind} save={add} close={close} />
      ) : (
        <button type="button" class="button" data-kind="plain" onClick={() => (isOpen.value = true)}>
          <Icon name={kind === 'folder' ? 'folder-plus' : 'plus'} size={18} />
          {kind === 'folder' ? t.newFolder : t.newLabel}
        </button>
      )}
    </span>
  )
}
