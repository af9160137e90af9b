import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { settings, siteName, useTitle } from '../../frame/site.ts'
import { TextField } from '../../parts/forms/field.tsx'
import { PasswordField } from '../../parts/forms/password-field.tsx'
import { failureAt } from '../../parts/show/provider-failures.ts'
import { ending } from '../../platform/entering.ts'
import { named } from '../../platform/language.ts'
import { at, onward, queryValue } from '../../platform/router.ts'
import { isFolded, methods, rememberFolded, signIn } from './data.ts'
import { Form } from './form.tsx'
import { t } from './texts.ts'
import { PasskeyButton, Providers, useOfferedPasskeys, useProviders } from './ways.tsx'

/** The endings after which the page may go to the default provider by itself: nobody chose them, or there was no session. */
const UNCHOSEN = [undefined, 'expired', 'ended']

/** Goes to a provider without a press: to the provider in the address, or to the default provider. */
function useAtOnce(go: (slug: string, loginHint?: string) => void) {
  const [slug, issuer, isLocal, failed] = ['provider', 'iss', 'local', 'failed'].map(queryValue)
  const all = methods.data?.providers
  const isTyping = useRef(false)
  useEffect(() => {
    const pressed = () => {
      isTyping.current = true
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [])
  useEffect(() => {
    if (failed || isLocal) return
    const hint = queryValue('login_hint') || undefined
    if (slug) return go(slug, hint)
    const named = issuer && all?.find((one) => one.issuer === issuer)
    if (named) return go(named.slug, hint)
    const usual = all?.find(({ isDefault }) => isDefault)
    // A person who has begun to type stays on the page.
    if (usual && UNCHOSEN.includes(ending()) && !isTyping.current) go(usual.slug, hint)
  }, [slug, all === undefined])
}

/** Says which provider the page is going to, why the session ended, or why signing in failed. */
function Notices({ going, problem }: { going: string | undefined; problem: string }) {
  const failed = queryValue('failed')
  const why = ending()
  const provider = methods.data?.providers.find(({ slug }) => slug === going)
  const note = going ? t.going(provider ? named(provider) : '') : why && t.endings[why]
  const said = problem || (failed && !going ? failureAt(failed) : '')
  return (
    <>
      {note && (
        <p class="door-note" role="status">
          {note}
        </p>
      )}
      <p class="door-problem error" role="alert">
        {said}
      </p>
    </>
  )
}

/** Signs in. The frame then opens the requested page. */
export function SignIn() {
  useTitle(t.signIn)
  const isAsked = useSignal(false)
  const { going, problem, go } = useProviders()
  useAtOnce(go)
  const { data } = methods
  useEffect(() => {
    if (data) rememberFolded(data.password === 'exceptions')
  }, [data])
  const notices = (
    <>
      {isFolded() && isAsked.value && <p class="door-note">{t.exceptionsOnly}</p>}
      <Notices going={going} problem={problem} />
    </>
  )
  const providers = { going, go: (slug: string) => void go(slug) }
  if (!isFolded() || isAsked.value) return <PasswordForm notices={notices} ways={<Providers {...providers} />} />
  return (
    <div class="door-form">
      <h1>{t.welcome(siteName.value)}</h1>
      {notices}
      <Providers {...providers} isMain />
      {data?.passkeys === 'everyone' && <PasskeyButton isAlone />}
      <div class="door-end">
        <button
          type="button"
          class="link"
          onClick={() => {
            isAsked.value = true
          }}
        >
          {t.withPassword}
        </button>
      </div>
    </div>
  )
}

function PasswordForm({ notices, ways }: { notices: ComponentChildren; ways: ComponentChildren }) {
  const username = useSignal('')
  const password = useSignal('')
  const refused = useOfferedPasskeys()
  const isOpen = methods.data?.registration ?? settings.data?.registrationOpen
  return (
    <Form
      title={t.welcome(siteName.value)}
      submitText={t.submit}
      fields={['username', 'password']}
      retry="password"
      submit={async () => {
        const goOn = onward()
        if (await signIn(username.value, password.value)) goOn(`/sign-in/second${location.search}`)
      }}
      ways={
        <>
          <PasskeyButton />
          {ways}
        </>
      }
      end={
        <>
          <a class="link" href={at('/forgot-password')}>
            {t.forgot}
          </a>
          {isOpen && (
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
          {notices}
          <TextField
            label={t.username}
            name="username"
            autocomplete="username webauthn"
            required
            maxLength={320}
            spellcheck={false}
            error={error('username') ?? (refused || undefined)}
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
