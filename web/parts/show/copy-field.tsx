import { Field } from '../forms/field.tsx'
import { Button } from './button.tsx'
import { copy } from './copying.ts'

interface Props {
  label: string
  value: string
  hint: string
  /** The label of the button. `copied` is the text of the toast after a press. */
  copy: string
  copied: string
}

/** A field with a text that is shown only once, and a button that copies it. */
export function CopyField({ label, value, hint, copy: act, copied }: Props) {
  return (
    <>
      <Field label={label} hint={hint}>
        {(tied) => <input class="input" dir="ltr" readOnly value={value} onFocus={(event) => event.currentTarget.select()} {...tied} />}
      </Field>
      <div>
        <Button kind="main" icon="copy" onClick={() => copy(value, copied)}>
          {act}
        </Button>
      </div>
    </>
  )
}
