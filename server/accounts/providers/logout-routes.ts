import { sql } from 'kysely'
import { networkOf, type Rule } from '../../platform/auth/limits.ts'
import { useOnce } from '../../platform/auth/used-once.ts'
import { endSessionsWhere } from '../../platform/changes/ending-sessions.ts'
import { changedIf } from '../../platform/changes/outcome.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { command } from '../../platform/http/endpoint.ts'
import { Success } from '../../platform/http/shape.ts'
import { SignInFailure } from '../../platform/oidc/failures.ts'
import { type Logout, readLogoutToken } from '../../platform/oidc/logout-token.ts'
import { findActive } from './queries.ts'
import { LogoutForm, SlugParams } from './shapes.ts'

/** Valid ones are never limited: a provider may end all its sessions in the evening, and would send none again. */
const invalid: Rule = { name: 'logout_address', tries: 100, withinMs: 15 * 60_000, counts: 'invalid_token' }

/** A token is remembered for longer than it counts. */
const BEYOND_MS = 10 * 60_000

/** SQL: the sessions that a token ends. Under `sid`, only those of `sub` if both are given; with `sub` alone, all that began by it. */
const endedBy = (providerId: number, { sub, sid }: Logout) => {
  const ofSubject = sql`identity_id in (select id from identities where provider_id = ${providerId} and subject = ${sub})`
  if (sid === null) return sql`provider_id = ${providerId} and ${ofSubject}`
  return sql`provider_id = ${providerId} and sid = ${sid} ${sub === null ? sql`` : sql`and ${ofSubject}`}`
}

export const logOutFromProvider = command('POST /auth/oidc/:slug/backchannel-logout', {
  summary: 'End the sessions that a provider says are over',
  description:
    'For providers, as OpenID Connect Back-Channel Logout has it. A token works once. Their streams end at once; unknown sessions are none to end.',
  allow: 'anyone',
  takes: ['application/x-www-form-urlencoded'],
  params: SlugParams,
  body: LogoutForm,
  reply: Success,
  refuses: ['not_found', 'invalid_token', 'rate_limited'],
  limits: ({ request }) => [{ rule: invalid, key: networkOf(request.ip) }],
  prepare: async ({ db, params: { slug }, body, providers }) => {
    const { id, issuer, clientId, stored } = await findActive(db, slug)
    try {
      return { id, logout: await readLogoutToken(providers, { id, issuer, clientId, stored }, body.logout_token) }
    } catch (error) {
      if (error instanceof SignInFailure) return refuse('invalid_token', { body: { error: 'invalid_request' } })
      throw error
    }
  },
  run: async ({ tx, prepared: { id, logout } }) => {
    const until = new Date(logout.until.getTime() + BEYOND_MS)
    if (!(await useOnce(tx, `logout ${id} ${logout.jti}`, until))) refuse('invalid_token', { body: { error: 'invalid_request' } })
    return changedIf({ success: true }, await endSessionsWhere(tx, endedBy(id, logout), 'provider', null))
  },
})
