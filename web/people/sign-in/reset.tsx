import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { useTitle } from '../../frame/site.ts'
import { PasswordField } from '../../parts/forms/password-field.tsx'
import { Skeleton } from '../../parts/show/skeleton.tsx'
import { answer, api } from '../../platform/client.ts'
import { Refusal } from '../../platform/refusal.ts'
import { at, queryValue, setQuery } from '../../platform/router.ts'
import { Done } from './done.tsx'
import { Form } from './form.tsx'
import { t } from './texts.ts'

/** Sets a new password for a person with a reset link. */
export function Reset() {
  useTitle(t.resetTitle)
  // The token is read once and removed from the address, where bystanders and later users of the browser could see it.
  const token = useMemo(() => queryValue('token'), [])
  useEffect(() => setQuery({ token: '' }), [])
  const state = useSignal<'checking' | 'good' | 'bad' | 'saved'>('checking')
  const newPassword = useSignal('')
  useEffect(() => {
    const check = async () => {
      const { valid } = token ? await answer(api.POST('/auth/reset-password/verify', { body: { token } })) : { valid: false }
      state.value = valid ? 'good' : 'bad'
    }
    check().catch((failure) => {
      // Without an answer, the person may try anyway: the portal checks the link again.
      state.value = failure instanceof Refusal && failure.status < 429 ? 'bad' : 'good'
    })
  }, [token])
  if (state.value === 'checking') return <Skeleton count={1} height={12} />
  if (state.value !== 'good') {
    const isSaved = state.value === 'saved'
    return (
      <Done
        icon={isSaved ? 'circle-check' : 'key-round'}
        title={isSaved ? t.saved : t.badLink}
        hint={isSaved ? t.savedHint : t.badLinkHint}
      >
        <a class="button" data-kind="main" href={at(isSaved ? '/sign-in' : '/forgot-password')}>
          {isSaved ? t.signIn : t.newLink}
        </a>
      </Done>
    )
  }
  const submit = async () => {
    await answer(api.POST('/auth/reset-password', { body: { token, newPassword: newPassword.value } })).catch((failure) => {
      if (!(failure instanceof Refusal) || failure.code !== 'invalid_token') throw failure
      state.value = 'bad'
    })
    if (state.value === 'good') state.value = 'saved'
  }
  return (
    <Form title={t.resetTitle} submitText={t.save} submit={submit} fields={['newPassword']}>
      {(error) => (
        <>
          {/* Password managers need a username field. */}
          <input type="text" name="username" autocomplete="username" hidden />
          <PasswordField
            label={t.newPassword}
            name="newPassword"
            autocomplete="new-password"
            error={error('newPassword')}
            value={newPassword.value}
            change={(value) => {
              newPassword.value = value
            }}
          />
        </>
      )}
    </Form>
  )
}
