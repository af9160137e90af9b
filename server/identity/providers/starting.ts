/** Beginning an attempt: the address at the provider, and the cookie with which the browser comes back. */
import type { Config } from '../../platform/config.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { authorizationUrl } from '../../platform/oidc/exchange.ts'
import { SignInFailure } from '../../platform/oidc/failures.ts'
import type { Metadata } from '../../platform/oidc/metadata.ts'
import type { Providers } from '../../platform/oidc/providers.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { addAttempt, newAttempt, type Purpose } from './attempts.ts'
import { clientOf, type Known, redirectUrlOf } from './queries.ts'
import { sessionHashOf } from './sessions.ts'

/** How long a start waits for a provider that did not answer before. */
const WITHIN_MS = 5000

interface Asked {
  purpose: Purpose
  returnTo: string | null
  /** The token of the session that begins it. */
  session: string | null | undefined
  loginHint?: string | undefined
  isFresh?: boolean
}
interface With {
  config: Config
  providers: Providers
  secrets: Secrets
}
type Request = Parameters<typeof addAttempt>[0]
type Cookie = Parameters<typeof addAttempt>[1]

/** The metadata of a provider. One that did not answer when it was last asked is asked again first. Refuses `unavailable`. */
async function reach(provider: Known, providers: Providers): Promise<Metadata> {
  const isDown = providers.answered(provider.id) === false || provider.unreachableSince !== null
  try {
    return isDown
      ? (await providers.refetch(provider, WITHIN_MS)).metadata
      : await providers.metadataOf(provider, provider.stored, WITHIN_MS)
  } catch (error) {
    if (error instanceof SignInFailure) return refuse('unavailable', { retryAfter: 5 })
    throw error
  }
}

/**
 * The address to go to. `goTo` has the browser keep the attempt, in the command’s transaction. Refuses `secrets_not_configured` without a key
 * of secrets.
 */
export async function begin(provider: Known, { session, loginHint, isFresh, ...asked }: Asked, { config, providers, secrets }: With) {
  // The key of other cookies is in the database, whose reader could make up any attempt.
  if (!secrets.isConfigured) refuse('secrets_not_configured')
  const metadata = await reach(provider, providers)
  const attempt = newAttempt(provider, { ...asked, session: sessionHashOf(session ?? undefined) })
  const url = authorizationUrl(clientOf(secrets, provider), metadata, {
    ...attempt,
    redirectUri: redirectUrlOf(config, provider.slug),
    loginHint,
    isFresh: isFresh === true,
  })
  return {
    goTo(request: Request, cookie: Cookie) {
      addAttempt(request, cookie, attempt)
      return url
    },
  }
}
