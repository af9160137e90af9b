import './style.css'
import { useSignal } from '@preact/signals'
import { useTitle } from '../frame/site.ts'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { Refusal } from '../platform/refusal.ts'
import { at } from '../platform/router.ts'
import { endedBy, signIn } from '../platform/session.ts'
import { t } from './texts.ts'

/** Signs in; the frame then goes where the person wanted to. */
export default function SignIn() {
  useTitle(t.signIn)
  const username = useSignal('')
  const password = useSignal('')
  const isBusy = useSignal(false)
  const refusal = useSignal<Error | undefined>(undefined)
  const submit = async (event: Event) => {
    event.preventDefault()
    isBusy.value = true
    refusal.value = undefined
    await signIn(username.value, password.value).catch((failure) => {
      refusal.value = failure
    })
    isBusy.value = false
  }
  const problem = refusal.value && (refusal.value instanceof Refusal ? refusal.value.text : t.noConnection)
  return (
    <div class="gate">
      <form class="gate-form" onSubmit={submit}>
        <h1>{t.signIn}</h1>
        {endedBy.value && <p class="gate-note">{t.endings[endedBy.value]}</p>}
        <TextField
          label={t.username}
          name="username"
          autocomplete="username"
          required
          dir="ltr"
          value={username}
          onInput={(event) => (username.value = event.currentTarget.value)}
        />
        <TextField
          label={t.password}
          name="password"
          type="password"
          autocomplete="current-password"
          required
          dir="ltr"
          value={password}
          onInput={(event) => (password.value = event.currentTarget.value)}
        />
        <p class="error" role="alert">
          {problem}
        </p>
        <Button kind="main" type="submit" isBusy={isBusy.value}>
          {t.submit}
        </Button>
        <a class="link" href={at('/forgot-password')}>
          {t.forgot}
        </a>
      </form>
    </div>
  )
}
