import './copy-text.css'
import { Field } from '../forms/field.tsx'
import { Button } from './button.tsx'
import { t } from './copy-texts.ts'
import { copy } from './copying.ts'

/** A text that people enter into another program, with a button that copies it. */
export function CopyText({ label, value }: { label: string; value: string }) {
  return (
    <div class="copy-text">
      <Field label={label}>
        {(tied) => (
          <div>
            <textarea class="input" dir="ltr" rows={1} readOnly value={value} onFocus={(event) => event.currentTarget.select()} {...tied} />
            <Button icon="copy" aria-label={t.copy(label)} onClick={() => copy(value, t.copied)} />
          </div>
        )}
      </Field>
    </div>
  )
}
