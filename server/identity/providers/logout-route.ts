import { sql } from 'kysely'
import { networkOf, type Rule } from '../../platform/auth/limits.ts'
import { useOnce } from '../../platform/auth/used-once.ts'
import { endSessionsWhere } from '../../platform/changes/ending-sessions.ts'
import { changedIf } from '../../platform/changes/outcome.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { command } from '../../platform/http/endpoint.ts'
import { Success } from '../../platform/http/shape.ts'
import { SignInFailure } from '../../platform/oidc/failures.ts'
import { type Logout, readKeyId, readLogoutToken } from '../../platform/oidc/logout-token.ts'
import type { Providers } from '../../platform/oidc/providers.ts'
import { endWaiting } from '../factors/sign-in-step.ts'
import { findActive, type StoredProvider } from './queries.ts'
import { LogoutForm, SlugParams } from './shapes.ts'

/**
 * Limits invalid tokens. A token is checked even when the limit is used up, and a valid one never counts: a provider may end all its
 * sessions in one evening, and sends a refused token only once.
 */
const invalid: Rule = { name: 'logout_address', tries: 100, withinMs: 15 * 60_000, counts: 'invalid_token', isSilent: true }

/** The seconds after which a provider may send a token again if its keys could not be fetched. */
const AGAIN_SECONDS = 30

const isInvalid = (error: unknown) => error instanceof SignInFailure

/** Whether a token is valid by the cached keys. Such a token needs no limit. */
async function isValid(providers: Providers, provider: StoredProvider, token: string) {
  try {
    const known = providers.atHand(provider, provider.stored, await readKeyId(token))
    return known !== undefined && (await readLogoutToken({ ...provider, ...known }, token)).jti !== ''
  } catch (error) {
    if (isInvalid(error)) return false
    throw error
  }
}

/** The metadata and keys that verify a token. Refuses `unavailable` if they cannot be fetched: the provider may send the token again. */
const signingOf = (providers: Providers, provider: StoredProvider, kid: string | undefined) =>
  providers.forStranger(provider, provider.stored, kid).catch((error: unknown) => {
    if (isInvalid(error)) return refuse('unavailable', { retryAfter: AGAIN_SECONDS })
    throw error
  })

/** Used tokens are stored for longer than they are valid, so that none works twice. */
const BEYOND_MS = 10 * 60_000

/**
 * SQL: the sessions that a token ends: with a `sid`, those of that `sid`, and of them only those of the `sub` if the token also has one;
 * with a `sub` alone, all of that identity.
 */
const endedBy = (providerId: number, { sub, sid }: Logout) => {
  const ofSubject = sql`identity_id in (select id from identities where provider_id = ${providerId} and subject = ${sub})`
  if (sid === null) return sql`provider_id = ${providerId} and ${ofSubject}`
  return sql`provider_id = ${providerId} and sid = ${sid} ${sub === null ? sql`` : sql`and ${ofSubject}`}`
}

export const logOutFromProvider = command('POST /auth/oidc/:slug/backchannel-logout', {
  summary: 'End the sessions that a provider says are over',
  description:
    'For providers, by OpenID Connect Back-Channel Logout. A token works once. The sessions and their streams end at once; a token that fits no session changes nothing. While the provider’s keys cannot be had, it answers 503 with `Retry-After`.',
  allow: 'anyone',
  takes: ['application/x-www-form-urlencoded'],
  params: SlugParams,
  body: LogoutForm,
  reply: Success,
  refuses: ['not_found', 'invalid_token', 'rate_limited', 'unavailable'],
  limits: async ({ db, request, params: { slug }, body, providers }) =>
    (await isValid(providers, await findActive(db, slug), body.logout_token)) ? [] : [{ rule: invalid, key: networkOf(request.ip) }],
  prepare: async ({ db, params: { slug }, body: { logout_token: token }, providers, isSpent }) => {
    const provider = await findActive(db, slug)
    try {
      const signing = await signingOf(providers, provider, await readKeyId(token))
      return { id: provider.id, logout: await readLogoutToken({ ...provider, ...signing }, token) }
    } catch (error) {
      if (!isInvalid(error)) throw error
      if (isSpent) refuse('rate_limited', { retryAfter: invalid.withinMs / 1000 })
      return refuse('invalid_token', { body: { error: 'invalid_request' } })
    }
  },
  run: async ({ tx, prepared: { id, logout } }) => {
    const until = new Date(logout.until.getTime() + BEYOND_MS)
    if (!(await useOnce(tx, `logout ${id} ${logout.jti}`, until))) refuse('invalid_token', { body: { error: 'invalid_request' } })
    await endWaiting(tx, id, logout)
    return changedIf({ success: true }, await endSessionsWhere(tx, endedBy(id, logout), 'provider', null))
  },
})
