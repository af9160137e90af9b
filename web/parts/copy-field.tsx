import { useRef } from 'preact/hooks'
import { Button } from './button.tsx'
import { attempt } from './failures.ts'
import { Field } from './field.tsx'
import { say } from './toasts.tsx'

interface Props {
  label: string
  value: string
  hint: string
  /** The label of the button, and what is said then. */
  copy: string
  copied: string
}

/** A text that is shown only once, for copying. */
export function CopyField({ label, value, hint, copy: act, copied }: Props) {
  const box = useRef<HTMLDivElement>(null)
  async function copy() {
    // Pages served without TLS have no `navigator.clipboard`.
    if (navigator.clipboard) await navigator.clipboard.writeText(value)
    else {
      box.current?.querySelector('input')?.select()
      document.execCommand('copy')
    }
    say({ text: copied })
  }
  return (
    <>
      <div ref={box}>
        <Field label={label} hint={hint}>
          {(tied) => <input class="input" dir="ltr" readOnly value={value} onFocus={(event) => event.currentTarget.select()} {...tied} />}
        </Field>
      </div>
      <div>
        <Button kind="main" icon="copy" onClick={() => attempt(copy())}>
          {act}
        </Button>
      </div>
    </>
  )
}
