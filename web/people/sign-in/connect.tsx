import { useSignal } from '@preact/signals'
import { useTitle } from '../../frame/site.ts'
import { CodeField, checkCode, readCode } from '../../parts/forms/code-field.tsx'
import { askPasskey } from '../../parts/forms/passkeys.ts'
import { PasswordField } from '../../parts/forms/password-field.tsx'
import { Refusal } from '../../platform/refusal.ts'
import { at } from '../../platform/router.ts'
import { proveAccount } from './data.ts'
import { Form } from './form.tsx'
import { both, t } from './texts.ts'
import { PasskeyInstead } from './ways.tsx'

/** Asks a person who comes from a provider to prove, once, that the account that was found is theirs. */
export function Connect() {
  useTitle(t.connectTitle)
  const password = useSignal('')
  const code = useSignal('')
  /** The methods for a second factor; undefined until one is needed. */
  const second = useSignal<readonly string[] | undefined>(undefined)
  const methods = second.value
  const has = (method: string) => methods?.includes(method) ?? false
  async function submit(): Promise<unknown> {
    try {
      if (!methods) return await proveAccount({ password: password.value })
      const typed = readCode(code.value)
      await checkCode(proveAccount({ password: password.value, ...typed }), typed)
    } catch (failure) {
      if (!(failure instanceof Refusal)) throw failure
      // The portal's own text also mentions a username, which this form does not ask for.
      if (failure.code === 'invalid_credentials')
        throw new Refusal(failure.status, { ...failure.body, messageAr: both.ar.wrongPassword, messageEn: both.en.wrongPassword })
      if (failure.code !== 'second_factor_required') throw failure
      second.value = (failure.body.methods ?? []) as string[]
    }
  }
  return (
    <Form
      key={String(methods !== undefined)}
      title={t.connectTitle}
      hint={!methods ? t.connectHint : has('totp') ? t.secondHint : t.secondRecoveryHint}
      submitText={t.connect}
      fields={['password', 'code']}
      fieldOf={{ invalid_factor: 'code', invalid_credentials: 'password' }}
      submit={submit}
      ways={(!methods || has('passkey')) && <PasskeyInstead use={async () => proveAccount({ assertion: await askPasskey('link') })} />}
      end={
        <>
          <a class="link" href={at('/forgot-password')}>
            {t.forgot}
          </a>
          <a class="link" href={at('/sign-in?local=1')}>
            {t.notMine}
          </a>
        </>
      }
    >
      {(error) =>
        methods ? (
          <CodeField
            name="code"
            isRecovery={!has('totp')}
            value={code.value}
            error={error('code')}
            change={(value) => {
              code.value = value
            }}
          />
        ) : (
          <PasswordField
            label={t.connectPassword}
            name="password"
            autocomplete="current-password"
            error={error('password')}
            value={password.value}
            change={(value) => {
              password.value = value
            }}
          />
        )
      }
    </Form>
  )
}
