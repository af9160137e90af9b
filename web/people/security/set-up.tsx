import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { checkCode } from '../../parts/forms/code-field.tsx'
import { TextField } from '../../parts/forms/field.tsx'
import { useSaving } from '../../parts/forms/saving.ts'
import { codeIn } from '../../parts/overlay/codes.ts'
import { Button } from '../../parts/show/button.tsx'
import { meaningOf, report } from '../../parts/show/failures.ts'
import { Qr } from '../../parts/show/qr.tsx'
import { Skeleton } from '../../parts/show/skeleton.tsx'
import { beginTotp, proveTotp } from './data.ts'
import { t } from './texts.ts'

/** Splits a secret into groups of four, which are easier to type. */
const inFours = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? secret

/** The QR code for an authenticator app, and the field for its first code. `done` gets the recovery codes, or null. */
export function SetUp({ done }: { done: (codes: readonly string[] | null) => void }) {
  const begun = useSignal<{ secret: string; uri: string } | undefined>(undefined)
  const failure = useSignal('')
  const typed = useSignal('')
  const begin = async () => {
    failure.value = ''
    try {
      begun.value = await beginTotp()
    } catch (thrown) {
      report(thrown)
      failure.value = meaningOf(thrown)
    }
  }
  useEffect(() => void begin(), [])
  const { isBusy, problem, run, isFilled } = useSaving(async () => {
    const found = codeIn(typed.value)
    const code = found && 'code' in found ? found.code : typed.value.trim()
    done(await checkCode(proveTotp(code), { code }))
  })
  if (failure.value)
    return (
      <>
        <p class="error" role="alert">
          {failure.value}
        </p>
        <Button onClick={begin}>{t.tryAgain}</Button>
      </>
    )
  if (!begun.value) return <Skeleton count={1} height={13} />
  const { secret, uri } = begun.value
  return (
    <form
      class="security-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (isFilled(event.currentTarget)) run()
      }}
    >
      <ol class="security-steps">
        <li>
          <p>{t.scan}</p>
          <Qr text={uri} label={t.qr} />
          <p class="small">
            <a class="link" href={uri}>
              {t.openApp}
            </a>
          </p>
          <details>
            <summary class="link small">{t.cannotScan}</summary>
            <p class="small">{t.typeSecret}</p>
            <p>
              <code dir="ltr" class="security-secret">
                {inFours(secret)}
              </code>
            </p>
          </details>
        </li>
        <li>
          <TextField
            label={t.firstCode}
            name="code"
            required
            dir="ltr"
            inputMode="numeric"
            autocomplete="one-time-code"
            maxLength={20}
            value={typed.value}
            error={problem || undefined}
            onInput={(event) => {
              typed.value = event.currentTarget.value
            }}
          />
        </li>
      </ol>
      <Button kind="main" type="submit" isBusy={isBusy}>
        {t.turnOn}
      </Button>
    </form>
  )
}
