import './style.css'
import { Field } from '../field.tsx'
import { useTypedTime } from './typed-time.ts'

interface TimeProps {
  label: string
  hint?: string
  /** `HH:MM`, or ''. */
  value: string
  change: (time: string) => void
  error?: string | undefined
  name?: string
  optional?: string
  /** Whether the form is not submitted while the field is empty. */
  required?: boolean
}

/** A field for a time of day, typed in Latin or Arabic digits and shown on the 24-hour clock, whatever the device prefers. */
export function TimeField({ label, hint, value, change, error, name, optional, required }: TimeProps) {
  const { input, wrong } = useTypedTime({ value, change })
  return (
    <Field label={label} hint={hint} error={wrong || error} {...(optional && { optional })}>
      {(tied) => <input {...input} class="input typed-time" name={name} required={required} {...tied} />}
    </Field>
  )
}
