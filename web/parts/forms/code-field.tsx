import './code-field.css'
import { useSignal } from '@preact/signals'
import { Refusal } from '../../platform/refusal.ts'
import { type Code, codeIn } from '../overlay/codes.ts'
import { both, t } from '../show/code-texts.ts'
import { TextField } from './field.tsx'

/**
 * Reads a code from a typed text. Throws a refusal for the form to show if the text is neither an authenticator code nor a recovery code.
 */
export function readCode(typed: string): Code {
  const found = codeIn(typed)
  if (!found) throw new Refusal(0, { messageAr: both.ar.neither, messageEn: both.en.neither })
  return found
}

/** Replaces the portal's text for a wrong code, which also mentions passkeys, by one for this kind of code. */
export async function checkCode<T>(checked: Promise<T>, code: Code): Promise<T> {
  try {
    return await checked
  } catch (failure) {
    if (!(failure instanceof Refusal && failure.code === 'invalid_factor')) throw failure
    const text = 'code' in code ? 'wrong' : 'wrongRecovery'
    throw new Refusal(failure.status, { ...failure.body, messageAr: both.ar[text], messageEn: both.en[text] })
  }
}

interface CodeProps {
  name: string
  value: string
  change: (value: string) => void
  error?: string | undefined
  /** Whether the person has no authenticator app, so that only a recovery code is possible. */
  isRecovery?: boolean
}

/** A field for a code of an authenticator app or a recovery code. It recognises which of them is typed. */
export function CodeField({ name, value, change, error, isRecovery = false }: CodeProps) {
  const usesLetters = useSignal(isRecovery)
  const found = codeIn(value)
  return (
    <div class="code-field">
      <TextField
        label={usesLetters.value ? t.recoveryCode : t.code}
        hint={found && 'recoveryCode' in found ? t.isRecovery : usesLetters.value ? t.recoveryHint : t.codeHint}
        error={error}
        name={name}
        required
        dir="ltr"
        autocomplete="one-time-code"
        inputMode={usesLetters.value ? 'text' : 'numeric'}
        spellcheck={false}
        maxLength={40}
        value={value}
        onInput={(event) => change(event.currentTarget.value)}
      />
      {!isRecovery && (
        <button
          type="button"
          class="link small"
          onClick={(event) => {
            usesLetters.value = !usesLetters.value
            // The typed text is a code of the other kind, so empty the field.
            change('')
            // Phones change the keyboard only when the field gets the focus.
            event.currentTarget.closest('.code-field')?.querySelector('input')?.focus()
          }}
        >
          {usesLetters.value ? t.useCode : t.useRecovery}
        </button>
      )}
    </div>
  )
}
