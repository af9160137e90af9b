import { useSignal } from '@preact/signals'
import { settings, siteName, useTitle } from '../frame/site.ts'
import { TextField } from '../parts/field.tsx'
import { PasswordField } from '../parts/password-field.tsx'
import { ending, signIn } from '../platform/entering.ts'
import { at } from '../platform/router.ts'
import { Form } from './form.tsx'
import { t } from './texts.ts'

/** Signs in. The frame then opens the requested page. */
export function SignIn() {
  useTitle(t.signIn)
  const username = useSignal('')
  const password = useSignal('')
  const why = ending()
  return (
    <Form
      title={t.welcome(siteName.value)}
      submitText={t.submit}
      fields={['username', 'password']}
      retry="password"
      submit={() => signIn(username.value, password.value)}
      end={
        <>
          <a class="link" href={at('/forgot-password')}>
            {t.forgot}
          </a>
          {settings.data?.registrationOpen && (
            <span>
              {t.noAccount}{' '}
              <a class="link" href={at('/register')}>
                {t.register}
              </a>
            </span>
          )}
        </>
      }
    >
      {(error) => (
        <>
          {why && t.endings[why] && (
            <p class="door-note" role="status">
              {t.endings[why]}
            </p>
          )}
          <TextField
            label={t.username}
            name="username"
            autocomplete="username"
            required
            maxLength={320}
            spellcheck={false}
            error={error('username')}
            value={username}
            onInput={(event) => {
              username.value = event.currentTarget.value
            }}
          />
          <PasswordField
            label={t.password}
            name="password"
            autocomplete="current-password"
            error={error('password')}
            value={password.value}
            change={(value) => {
              password.value = value
            }}
          />
        </>
      )}
    </Form>
  )
}
