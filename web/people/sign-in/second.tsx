import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useTitle } from '../../frame/site.ts'
import { CodeField, checkCode, readCode } from '../../parts/forms/code-field.tsx'
import { askPasskey } from '../../parts/forms/passkeys.ts'
import { onThisClock } from '../../platform/client.ts'
import { at } from '../../platform/router.ts'
import { passSecondStep, secondStep } from './data.ts'
import { Done } from './done.tsx'
import { Form } from './form.tsx'
import { t } from './texts.ts'
import { PasskeyInstead } from './ways.tsx'

/** Asks for the second factor after a password or a provider: a passkey, a code of an authenticator app, or a recovery code. */
export function Second() {
  useTitle(t.secondTitle)
  const step = secondStep()
  const has = (method: string) => step?.methods.includes(method) ?? true
  const typed = useSignal('')
  const isOver = useSignal(false)
  const isTrusted = useSignal(false)
  const pass = (proof: Parameters<typeof passSecondStep>[0]) => passSecondStep({ ...proof, ...(isTrusted.value && { trustDevice: true }) })
  useEffect(() => {
    if (!step) return
    const timer = setTimeout(() => {
      isOver.value = true
    }, onThisClock(step.expiresAt) - Date.now())
    return () => clearTimeout(timer)
  }, [])
  if (isOver.value)
    return (
      <Done icon="clock" title={t.secondTitle} hint={t.timeIsOver}>
        <a class="button" data-kind="main" href={at(`/sign-in${location.search}`)}>
          {t.startOver}
        </a>
      </Done>
    )
  return (
    <Form
      title={t.secondTitle}
      hint={!step ? t.secondAnyHint : has('totp') ? t.secondHint : t.secondRecoveryHint}
      submitText={t.goOn}
      fields={['code']}
      fieldOf={{ invalid_factor: 'code' }}
      submit={async () => {
        const code = readCode(typed.value)
        await checkCode(pass(code), code)
      }}
      ways={has('passkey') && <PasskeyInstead use={async () => pass({ assertion: await askPasskey('second_factor') })} />}
      end={
        <>
          <p class="quiet small">{t.lostFactor}</p>
          <a class="link" href={at(`/sign-in${location.search}`)}>
            {t.startOver}
          </a>
        </>
      }
    >
      {(error) => (
        <>
          <CodeField
            name="code"
            isRecovery={!has('totp')}
            value={typed.value}
            error={error('code')}
            change={(value) => {
              typed.value = value
            }}
          />
          {step?.mayTrust && (
            <label class="door-trust">
              <input
                type="checkbox"
                checked={isTrusted}
                onChange={(event) => {
                  isTrusted.value = event.currentTarget.checked
                }}
              />
              {t.trust}
            </label>
          )}
        </>
      )}
    </Form>
  )
}
