import { useRef } from 'preact/hooks'
import { Button } from '../../../parts/button.tsx'
import { attempt } from '../../../parts/failures.ts'
import { Field } from '../../../parts/field.tsx'
import { say } from '../../../parts/toasts.tsx'
import { t } from './texts.ts'

/** A link that is shown only once, for copying. */
export function CopyField({ label, value, hint }: { label: string; value: string; hint: string }) {
  const box = useRef<HTMLDivElement>(null)
  async function copy() {
    // Pages served without TLS have no `navigator.clipboard`.
    if (navigator.clipboard) await navigator.clipboard.writeText(value)
    else {
      box.current?.querySelector('input')?.select()
      document.execCommand('copy')
    }
    say({ text: t.link.copied })
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
          {t.link.copy}
        </Button>
      </div>
    </>
  )
}
