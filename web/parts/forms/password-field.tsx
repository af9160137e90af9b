import { useSignal } from '@preact/signals'
import { Button } from '../show/button.tsx'
import { Field } from './field.tsx'
import { t } from './password-texts.ts'

interface PasswordProps {
  label: string
  name: string
  autocomplete: 'current-password' | 'new-password'
  value: string
  change: (value: string) => void
  error?: string | undefined
  /** Whether the field gets the focus when its dialog opens. */
  autoFocus?: boolean
}

/** A password field that can show what is typed. */
export function PasswordField({ label, name, autocomplete, value, change, error, autoFocus }: PasswordProps) {
  const isShown = useSignal(false)
  return (
    <Field label={label} error={error}>
      {(tied) => (
        <div class="password-field">
          <input
            class="input"
            dir="ltr"
            name={name}
            {...(isShown.value ? { type: 'text' as const } : { type: 'password' as const })}
            autocomplete={autocomplete}
            required
            maxLength={256}
            spellcheck={false}
            {...(autoFocus && { autoFocus })}
            value={value}
            onInput={(event) => change(event.currentTarget.value)}
            {...tied}
          />
          <Button
            kind="plain"
            icon={isShown.value ? 'eye-off' : 'eye'}
            aria-label={isShown.value ? t.hide : t.show}
            onClick={() => {
              isShown.value = !isShown.value
            }}
          />
        </div>
      )}
    </Field>
  )
}
