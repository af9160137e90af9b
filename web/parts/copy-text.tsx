import { useRef } from 'preact/hooks'
import { Button } from './button.tsx'
import './copy-text.css'
import { t } from './copy-texts.ts'
import { attempt } from './failures.ts'
import { Field } from './field.tsx'
import { say } from './toasts.tsx'

/** A text for entering elsewhere, with a button that copies it. */
export function CopyText({ label, value, hint }: { label: string; value: string; hint?: string }) {
  const box = useRef<HTMLDivElement>(null)
  async function copy() {
    // Pages served without TLS have no `navigator.clipboard`.
    if (navigator.clipboard) await navigator.clipboard.writeText(value)
    else {
      box.current?.querySelector('input')?.select()
      document.execCommand('copy')
    }
    say({ text: t.copied })
  }
  return (
    <div ref={box} class="copy-text">
      <Field label={label} hint={hint}>
        {(tied) => (
          <div>
            <input class="input" dir="ltr" readOnly value={value} onFocus={(event) => event.currentTarget.select()} {...tied} />
            <Button icon="copy" aria-label={t.copy(label)} onClick={() => attempt(copy())} />
          </div>
        )}
      </Field>
    </div>
  )
}
