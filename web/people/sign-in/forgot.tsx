import { useSignal } from '@preact/signals'
import { useTitle } from '../../frame/site.ts'
import { TextField } from '../../parts/forms/field.tsx'
import { Button } from '../../parts/show/button.tsx'
import { answer, api } from '../../platform/client.ts'
import { at } from '../../platform/router.ts'
import { Done } from './done.tsx'
import { Form } from './form.tsx'
import { t } from './texts.ts'

const toSignIn = () => (
  <a class="link" href={at('/sign-in')}>
    {t.toSignIn}
  </a>
)

/** Requests a reset link. The answer never reveals whether the account exists. */
export function Forgot() {
  useTitle(t.forgotTitle)
  const identifier = useSignal('')
  const isSent = useSignal(false)
  if (isSent.value)
    return (
      <Done icon="mail" title={t.sent} hint={t.sentHint}>
        <Button
          onClick={() => {
            isSent.value = false
          }}
        >
          {t.again}
        </Button>
        {toSignIn()}
      </Done>
    )
  return (
    <Form
      title={t.forgotTitle}
      hint={t.forgotHint}
      submitText={t.sendLink}
      fields={['identifier']}
      submit={async () => {
        await answer(api.POST('/auth/forgot-password', { body: { identifier: identifier.value } }))
        isSent.value = true
      }}
      end={toSignIn()}
    >
      {(error) => (
        <TextField
          label={t.username}
          name="identifier"
          autocomplete="username"
          required
          maxLength={320}
          spellcheck={false}
          error={error('identifier')}
          value={identifier}
          onInput={(event) => {
            identifier.value = event.currentTarget.value
          }}
        />
      )}
    </Form>
  )
}
