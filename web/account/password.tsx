import { useSignal } from '@preact/signals'
import { Button } from '../parts/button.tsx'
import { PasswordField } from '../parts/password-field.tsx'
import { useSaving } from '../parts/saving.ts'
import { Section } from '../parts/section.tsx'
import { say } from '../parts/toasts.tsx'
import { changePassword } from './data.ts'
import { t } from './texts.ts'

/** Changes the password of a person who knows the current one. */
export function Password({ username }: { username: string }) {
  const typed = useSignal({ current: '', next: '' })
  const { isBusy, error, problem, run, isFilled } = useSaving(() => changePassword(typed.value.current, typed.value.next), {
    fields: ['currentPassword', 'newPassword'],
    fieldOf: { invalid_password: 'currentPassword' },
  })
  return (
    <Section name="password" title={t.password} hint={t.passwordHint}>
      <form
        class="account-form"
        noValidate
        onSubmit={async (event) => {
          event.preventDefault()
          if (!isFilled(event.currentTarget) || !(await run())) return
          typed.value = { current: '', next: '' }
          say({ text: t.passwordChanged })
        }}
      >
        {/* Password managers need a username field. */}
        <input type="text" name="username" autocomplete="username" value={username} hidden readOnly />
        <div class="account-pair">
          <PasswordField
            label={t.currentPassword}
            name="currentPassword"
            autocomplete="current-password"
            error={error('currentPassword')}
            value={typed.value.current}
            change={(current) => {
              typed.value = { ...typed.value, current }
            }}
          />
          <PasswordField
            label={t.newPassword}
            name="newPassword"
            autocomplete="new-password"
            error={error('newPassword')}
            value={typed.value.next}
            change={(next) => {
              typed.value = { ...typed.value, next }
            }}
          />
        </div>
        <p class="error" role="alert">
          {problem}
        </p>
        <Button type="submit" isBusy={isBusy}>
          {t.changePassword}
        </Button>
      </form>
    </Section>
  )
}
