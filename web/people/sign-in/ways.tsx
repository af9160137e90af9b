import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { askPasskey, hasPasskeys, offersInField } from '../../parts/forms/passkeys.ts'
import { useSaving } from '../../parts/forms/saving.ts'
import { Button } from '../../parts/show/button.tsx'
import { meaningOf, report } from '../../parts/show/failures.ts'
import { appIcon } from '../../parts/show/glyph.tsx'
import { named } from '../../platform/language.ts'
import { ownPath } from '../../platform/own-path.ts'
import { Refusal } from '../../platform/refusal.ts'
import { queryValue } from '../../platform/router.ts'
import { goToProvider, methods, type Provider, signInByPasskey } from './data.ts'
import { t } from './texts.ts'

const Or = () => <p class="door-or quiet small">{t.or}</p>

interface WaysProps {
  /** The slug of the provider to which the page is on its way. */
  going: string | undefined
  go: (slug: string) => void
  /** Whether these buttons are the main way to sign in, without a form above them. */
  isMain?: boolean
}

/** A button for each provider. */
export function Providers({ going, go, isMain = false }: WaysProps) {
  const all = methods.data?.providers ?? []
  if (all.length === 0) return null
  return (
    <div class="door-providers">
      {!isMain && <Or />}
      {all.map((provider, index) => (
        <ProviderButton
          key={provider.slug}
          provider={provider}
          isMain={isMain && index === 0}
          isBusy={going === provider.slug}
          go={() => go(provider.slug)}
        />
      ))}
    </div>
  )
}

function ProviderButton({ provider, isMain, isBusy, go }: { provider: Provider; isMain: boolean; isBusy: boolean; go: () => void }) {
  return (
    <>
      <Button kind={isMain ? 'main' : undefined} icon={appIcon(provider.iconName)} isBusy={isBusy} onClick={go}>
        {t.through(named(provider))}
      </Button>
      {!provider.isReachable && <p class="quiet small">{t.notReachable(named(provider))}</p>}
    </>
  )
}

/** The address that the person wanted to open. The frame checks later whether the portal has such a page. */
const next = () => ownPath(queryValue('next'))

/** Goes to a provider. Returns its slug while the page is on its way, and the problem if it cannot go there. */
export function useProviders() {
  const going = useSignal<string | undefined>(undefined)
  const problem = useSignal('')
  return {
    going: going.value,
    problem: problem.value,
    async go(slug: string, loginHint?: string) {
      going.value = slug
      problem.value = ''
      try {
        await goToProvider(slug, next(), loginHint)
      } catch (failure) {
        going.value = undefined
        report(failure)
        const isUnreachable = failure instanceof Refusal && failure.code === 'unavailable'
        problem.value = isUnreachable ? t.startUnreachable : meaningOf(failure, t.noConnection)
      }
    },
  }
}

/** How often the offer in the field is renewed. It must be less than the five minutes for which a challenge is valid. */
const RENEW_MS = 240_000

/** Lets the browser offer passkeys in the field. Returns a text if the portal refuses the chosen passkey, otherwise ''. */
export function useOfferedPasskeys() {
  const problem = useSignal('')
  useEffect(() => {
    const left = new AbortController()
    async function offer() {
      if (!(await offersInField())) return
      while (!left.signal.aborted) {
        const round = AbortSignal.any([left.signal, AbortSignal.timeout(RENEW_MS)])
        try {
          await signInByPasskey(await askPasskey('sign_in', { inField: true, signal: round }))
          return
        } catch (failure) {
          if (left.signal.aborted) return
          const isRefused = failure instanceof Refusal && failure.status === 401
          if (isRefused) problem.value = t.passkeyRefused
          // Any other failure ends the offer: the page works without it.
          else if (!round.aborted) return
        }
      }
    }
    offer()
    return () => left.abort()
  }, [])
  return problem.value
}

/** A button to use a passkey instead of the proof for which the form asks. */
export function PasskeyInstead({ use }: { use: () => Promise<unknown> }) {
  const { isBusy, problem, run } = useSaving(use, { unreached: t.noConnection })
  if (!hasPasskeys()) return null
  return (
    <div class="door-providers">
      <Or />
      <Button icon="key-round" isBusy={isBusy} onClick={() => run()}>
        {t.passkey}
      </Button>
      <p class="error" role="alert">
        {problem}
      </p>
    </div>
  )
}

/** A button to sign in with a passkey, for browsers that cannot offer passkeys in a field and for pages without a field. */
export function PasskeyButton({ isAlone = false }: { isAlone?: boolean }) {
  const isNeeded = useSignal(false)
  useEffect(() => {
    offersInField().then((offers) => {
      isNeeded.value = hasPasskeys() && (isAlone || !offers)
    })
  }, [isAlone])
  const { isBusy, failure, problem, run } = useSaving(async () => signInByPasskey(await askPasskey('sign_in')), {
    unreached: t.noConnection,
  })
  if (!isNeeded.value) return null
  const isRefused = failure instanceof Refusal && failure.status === 401
  return (
    <>
      <Button icon="key-round" isBusy={isBusy} onClick={() => run()}>
        {t.passkey}
      </Button>
      <p class="error" role="alert">
        {isRefused ? t.passkeyRefused : problem}
      </p>
    </>
  )
}
