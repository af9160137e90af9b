import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useTitle } from '../../frame/site.ts'
import { say } from '../../parts/overlay/toasts.tsx'
import { Contents } from '../../parts/show/contents.tsx'
import { lazily } from '../../parts/show/lazily.tsx'
import { Loaded } from '../../parts/show/skeleton.tsx'
import { queryValue, setQuery } from '../../platform/router.ts'
import { me } from '../../platform/session.ts'
import { Authenticator } from './authenticator.tsx'
import { hasFactor, identities, methods, overview } from './data.ts'
import { CodesDialog } from './lazy-codes.ts'
import { Passkeys } from './passkeys.tsx'
import { Password } from './password.tsx'
import { Recovery } from './recovery.tsx'
import { Standing } from './standing.tsx'
import { t } from './texts.ts'

const Calendar = lazily(async () => (await import('./calendar.tsx')).Calendar)
const Connected = lazily(async () => (await import('./connected.tsx')).Connected)
const Sessions = lazily(async () => (await import('./sessions.tsx')).Sessions)
const Tokens = lazily(async () => (await import('./tokens.tsx')).Tokens)

/** Shows the result if the person has just come back from a provider. */
function useReturn() {
  const [confirmed, connected, failed] = ['confirmed', 'connected', 'failed'].map(queryValue)
  useEffect(() => {
    if (failed)
      void import('../../parts/show/provider-failures.ts').then(({ failureAt }) => say({ text: failureAt(failed), kind: 'error' }))
    else if (confirmed) say({ text: t.confirmed })
    else if (connected) say({ text: t.connectedNow })
    if (confirmed || connected || failed) setQuery({ confirmed: '', connected: '', failed: '' })
  }, [])
}

/** The security page: how a person signs in, and where they are signed in. */
export function Security() {
  useTitle(t.title)
  useReturn()
  // The page holds the codes, because the dialog that asked for them may be closed before they arrive.
  const codes = useSignal<readonly string[] | null>(null)
  const show = (made: readonly string[] | null) => {
    if (made) codes.value = made
  }
  const person = me.value
  if (!person) return null
  const hasProviders = !!methods.data?.providers.length || !!identities.data?.length
  return (
    <Contents
      title={t.title}
      label={t.parts}
      entries={[
        { name: 'passkeys', icon: 'key-round', text: t.passkeys },
        { name: 'authenticator', icon: 'smartphone', text: t.authenticator },
        { name: 'codes', icon: 'list', text: t.codes },
        { name: 'password', icon: 'lock', text: t.password },
        ...(hasProviders ? [{ name: 'connected', icon: 'link' as const, text: t.connected }] : []),
        { name: 'sessions', icon: 'monitor', text: t.sessions },
        { name: 'tokens', icon: 'code', text: t.tokens },
        { name: 'calendar', icon: 'calendar', text: t.calendar },
        { path: '/account', icon: 'user', text: t.account },
      ]}
    >
      <Loaded of={overview}>
        {(now) => (
          <>
            <Standing now={now} />
            <Passkeys show={show} />
            <Authenticator since={now.totpSince} show={show} />
            <Recovery left={now.recoveryCodesLeft} hasFactor={hasFactor(now)} show={show} />
            <Password username={person.username} hasOne={now.hasPassword} />
            {hasProviders && <Connected />}
          </>
        )}
      </Loaded>
      <Sessions />
      <Tokens />
      <Calendar />
      {codes.value && <CodesDialog codes={codes.value} close={() => (codes.value = null)} />}
    </Contents>
  )
}
