import { useSignal } from '@preact/signals'
import { PasswordField } from '../../parts/forms/password-field.tsx'
import { useSaving } from '../../parts/forms/saving.ts'
import { say } from '../../parts/overlay/toasts.tsx'
import { Button } from '../../parts/show/button.tsx'
import { Section } from '../../parts/show/section.tsx'
import { changePassword, methods } from './data.ts'
import { t } from './texts.ts'

/** Changes the password of a person who knows the current one, or sets a first one. */
export function Password({ username, hasOne }: { username: string; hasOne: boolean }) {
  const typed = useSignal({ current: '', next: '' })
  const { isBusy, error, problem, run, isFilled } = useSaving(
    () => changePassword(hasOne ? typed.value.current : undefined, typed.value.next),
    {
      fields: ['currentPassword', 'newPassword'],
      fieldOf: { invalid_password: 'currentPassword' },
    },
  )
  if (!hasOne && methods.data?.password === 'exceptions')
    return (
      <Section name="password" title={t.password}>
        <p class="quiet">{t.noPasswordNeeded}</p>
      </Section>
    )
  return (
    <Section name="password" title={t.password} hint={hasOne ? t.passwordHint : t.noPasswordYet}>
      <form
        class="security-form"
        noValidate
        onSubmit={async (event) => {
          event.preventDefault()
          if (!isFilled(event.currentTarget) || !(await run())) return
          typed.value = { current: '', next: '' }
          say({ text: hasOne ? t.passwordChanged : t.passwordSet })
        }}
      >
        {/* Password managers need a username field. */}
        <input type="text" name="username" autocomplete="username" value={username} hidden readOnly />
        <div class="security-pair">
          {hasOne && (
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
          )}
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
          {hasOne ? t.changePassword : t.setPassword}
        </Button>
      </form>
    </Section>
  )
}
