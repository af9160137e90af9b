import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useTitle } from '../frame/site.ts'
import { Button } from '../parts/button.tsx'
import { CodeField, readCode } from '../parts/code-field.tsx'
import { askPasskey, hasPasskeys } from '../parts/passkeys.ts'
import { useSaving } from '../parts/saving.ts'
import { onThisClock } from '../platform/client.ts'
import { at } from '../platform/router.ts'
import { passSecondStep, secondStep } from './data.ts'
import { Done } from './done.tsx'
import { Form } from './form.tsx'
import { t } from './texts.ts'
import { Or } from './ways.tsx'

/** The second step after a password: a passkey, a code of an authenticator app, or a recovery code. */
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
  const passkey = useSaving(async () => pass({ assertion: await askPasskey('second_factor') }), { unreached: t.noConnection })
  const again = (
    <a class="link" href={at(`/sign-in${location.search}`)}>
      {t.startOver}
    </a>
  )
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
      hint={has('totp') ? t.secondHint : t.secondRecoveryHint}
      submitText={t.goOn}
      fields={['code']}
      fieldOf={{ invalid_factor: 'code' }}
      submit={() => pass(readCode(typed.value))}
      ways={
        has('passkey') &&
        hasPasskeys() && (
          <div class="door-providers">
            <Or />
            <Button icon="key-round" isBusy={passkey.isBusy} onClick={() => passkey.run()}>
              {t.passkey}
            </Button>
            <p class="error" role="alert">
              {passkey.problem}
            </p>
          </div>
        )
      }
      end={
        <>
          <p class="quiet small">{t.lostFactor}</p>
          {again}
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
