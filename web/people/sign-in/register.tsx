import { useSignal } from '@preact/signals'
import { settings, useTitle } from '../../frame/site.ts'
import { TextField } from '../../parts/forms/field.tsx'
import { PasswordField } from '../../parts/forms/password-field.tsx'
import { Empty } from '../../parts/show/empty.tsx'
import { Loaded } from '../../parts/show/skeleton.tsx'
import { answer, api } from '../../platform/client.ts'
import { enterAs } from '../../platform/entering.ts'
import { language } from '../../platform/language.ts'
import { at, go } from '../../platform/router.ts'
import { Form } from './form.tsx'
import { t } from './texts.ts'

const nothing = { username: '', email: '', password: '', displayNameAr: '', displayNameEn: '' }
const names = Object.keys(nothing) as (keyof typeof nothing)[]

/** Creates an account if registration is open, and signs in. */
export function Register() {
  useTitle(t.registerTitle)
  const fields = useSignal(nothing)
  const bind = (name: keyof typeof nothing) => ({
    name,
    value: fields.value[name],
    onInput: (event: { currentTarget: HTMLInputElement }) => {
      fields.value = { ...fields.value, [name]: event.currentTarget.value }
    },
  })
  const submit = async () => {
    const { displayNameAr, displayNameEn, ...rest } = fields.value
    const body = { ...rest, displayNameAr: displayNameAr || null, displayNameEn: displayNameEn || null, preferredLanguage: language.value }
    const person = await answer(api.POST('/auth/register', { body }))
    await enterAs(person)
    go('/', { replace: true })
  }
  return (
    <Loaded of={settings}>
      {({ registrationOpen }) =>
        registrationOpen ? (
          <Form
            title={t.registerTitle}
            submitText={t.create}
            submit={submit}
            fields={names}
            fieldOf={{ username_taken: 'username', email_taken: 'email' }}
            end={
              <span>
                {t.hasAccount}{' '}
                <a class="link" href={at('/sign-in')}>
                  {t.signIn}
                </a>
              </span>
            }
          >
            {(error) => (
              <>
                <TextField
                  label={t.newUsername}
                  hint={t.newUsernameHint}
                  error={error('username')}
                  autocomplete="username"
                  required
                  maxLength={64}
                  spellcheck={false}
                  {...bind('username')}
                />
                <TextField
                  label={t.email}
                  error={error('email')}
                  type="email"
                  dir="ltr"
                  autocomplete="email"
                  required
                  maxLength={254}
                  {...bind('email')}
                />
                <TextField
                  label={t.nameAr}
                  optional={t.optional}
                  error={error('displayNameAr')}
                  autocomplete="name"
                  maxLength={200}
                  {...bind('displayNameAr')}
                />
                <TextField
                  label={t.nameEn}
                  optional={t.optional}
                  error={error('displayNameEn')}
                  autocomplete="name"
                  maxLength={200}
                  {...bind('displayNameEn')}
                />
                <PasswordField
                  label={t.password}
                  name="password"
                  autocomplete="new-password"
                  error={error('password')}
                  value={fields.value.password}
                  change={(password) => {
                    fields.value = { ...fields.value, password }
                  }}
                />
              </>
            )}
          </Form>
        ) : (
          <Empty
            icon="lock"
            isPage
            title={t.closed}
            act={
              <a class="button" href={at('/sign-in')}>
                {t.toSignIn}
              </a>
            }
          >
            {t.closedHint}
          </Empty>
        )
      }
    </Loaded>
  )
}
