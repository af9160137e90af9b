import { sql } from 'kysely'
import { Type } from 'typebox'
import { networkOf } from '../../platform/auth/limits.ts'
import { isUsed } from '../../platform/auth/used-once.ts'
import { changedIf, type Outcome, unchanged } from '../../platform/changes/outcome.ts'
import type { Reads } from '../../platform/database/db.ts'
import { Refusal, refusalStatus } from '../../platform/errors/refusal.ts'
import { command } from '../../platform/http/endpoint.ts'
import { Onward, PartialShape } from '../../platform/http/shape.ts'
import { exchange } from '../../platform/oidc/exchange.ts'
import { type FailureReason, fail, SignInFailure } from '../../platform/oidc/failures.ts'
import type { Providers } from '../../platform/oidc/providers.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { failureOf, successOf } from './addresses.ts'
import { type Answered, asOfNow } from './answered.ts'
import { type Attempt, clientHashOf, findAttempt, takeAttempt, useOf } from './attempts.ts'
import { readClaims, wantedClaims } from './claims.ts'
import { complete, keepFailedTry } from './completing.ts'
import { findPerson } from './finding.ts'
import { movesByClaims } from './groups-from-claims.ts'
import { clientOf, findBySlug, type Known, redirectUrlOf } from './queries.ts'
import { findOwner } from './sessions.ts'
import { SlugParams } from './shapes.ts'

/** What a browser may bring, whatever it is: what is no text counts as nothing. */
const Sent = Object.assign(PartialShape({ state: Type.Unknown(), code: Type.Unknown(), iss: Type.Unknown(), error: Type.Unknown() }), {
  isCheckedAlone: true,
})

interface Failed {
  reason: FailureReason
  detail: string
  attempt: Attempt | undefined
  providerId: number | null
  /** What the provider said of the person, if it came to that. */
  claims: Record<string, unknown>
}
type Prepared = { answered: Answered } | { failed: Failed }

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)

interface Asking {
  db: Reads
  config: Parameters<typeof redirectUrlOf>[0]
  providers: Providers
  secrets: Secrets
  request: { encryptedCookie(name: string): unknown; sessionToken: string | undefined; ip: string }
}

/** Takes an answer apart, and exchanges its code for claims. Fails before anything is asked if it is not this browser’s own attempt. */
async function readAnswer(call: Asking, provider: Known, attempt: Attempt, query: Record<string, unknown>) {
  const { db, config, providers, secrets, request } = call
  const owner = attempt.session === null ? null : ((await findOwner(db, request.sessionToken, attempt.session)) ?? fail('state'))
  if ((await isUsed(db, useOf(attempt)[0])) || !providers.useUp(attempt.state)) fail('state')
  if (attempt.client !== clientHashOf(provider)) fail('state', 'the provider is another one')
  if (!provider.isActive && attempt.purpose !== 'try') fail('not_allowed', 'the provider is not active')
  const [code, iss] = [text(query['code']), text(query['iss'])]
  if (iss !== undefined && iss !== provider.issuer) fail('token', 'the answer names another issuer')
  if (query['error'] !== undefined) fail('denied', 'the provider answered with an error')
  if (!code) return fail('token', 'the answer has neither a code nor an error')
  const client = clientOf(secrets, provider)
  // A change of the settings begins the count of failures again.
  const sender = `${owner ? `person ${owner.userId}` : networkOf(request.ip)} ${provider.id} ${provider.updatedAt.getTime()}`
  const { claims, idToken } = await providers.exchange(sender, () =>
    exchange(providers, client, {
      attempt,
      redirectUri: redirectUrlOf(config, provider.slug),
      answer: { code, iss },
      stored: provider.stored,
      wanted: wantedClaims(provider),
      emailClaim: provider.claims.email,
    }),
  )
  return { provider, attempt, claims, idToken, owner }
}

/** Whether signing in would move the person into or out of groups. */
async function wouldMove(db: Reads, { provider, attempt, claimed }: Omit<Answered, 'movesGroups'>) {
  if (attempt.purpose !== 'sign_in' || claimed.groups === null) return false
  const found = await findPerson(db, provider, claimed)
  if (found.how === 'ask') return false
  const { joined, left } = await movesByClaims(db, provider.id, 'userId' in found ? found.userId : null, claimed.groups)
  return joined.length + left.length > 0
}

const asFailure = (error: unknown): SignInFailure => {
  if (error instanceof SignInFailure) return error
  // The browser has come to an address of its own: it gets a page that explains, never a body.
  if (error instanceof Refusal && refusalStatus(error) < 500) return new SignInFailure('not_allowed', error.code)
  throw error
}

export const comeBack = command('GET /auth/oidc/:slug/callback', {
  summary: 'Come back from a provider',
  description:
    'Leads to the page that the attempt names, or to the sign-in page with `failed` and the reason: `state`, `expired`, `denied`, `unreachable`, `token`, `clock`, `claims`, `not_allowed` or `identity_taken`. An attempt belongs to the browser that began it and works once, within 10 minutes. An account that has the claimed address may have to be proven first, at `/sign-in/connect`.',
  allow: 'anyone',
  arrives: 'by_navigation',
  status: 303,
  params: SlugParams,
  query: Sent,
  reply: Onward,
  locks: {
    when: ({ prepared }: { prepared: Prepared }) => ('answered' in prepared && prepared.answered.movesGroups ? 'access' : undefined),
  },
  prepare: async ({ db, params: { slug }, query, ...call }): Promise<Prepared> => {
    const provider = await findBySlug(db, slug)
    let attempt: Attempt | undefined
    let claims = {}
    try {
      // Without it, no attempt began here, and nobody but a reader of the database can have one.
      if (!call.secrets.isConfigured) fail('state')
      attempt = findAttempt(call.request, provider?.id, text(query['state']))
      const answer = await readAnswer({ db, ...call }, provider!, attempt, query)
      claims = answer.claims
      const answered = { ...answer, claimed: readClaims(answer.claims, answer.provider) }
      return { answered: { ...answered, movesGroups: await wouldMove(db, answered) } }
    } catch (error) {
      const { reason, message } = asFailure(error)
      return { failed: { reason, detail: message, attempt, providerId: provider?.id ?? null, claims } }
    }
  },
  run: async ({ tx, params: { slug }, query, prepared, ...call }) => {
    const { config, providers, request, cookie } = call
    takeAttempt(request, cookie, text(query['state']))
    const refuse = async ({ reason, detail, attempt, providerId, claims }: Failed): Promise<Outcome<string>> => {
      providers.refused(providerId, reason, detail, request)
      if (attempt?.purpose === 'try' && providerId !== null) await keepFailedTry(tx, { ...call, providerId, attempt, reason, claims })
      return unchanged(failureOf(config, reason, attempt, slug))
    }
    if ('failed' in prepared) return refuse(prepared.failed)
    const { provider, attempt, claims } = prepared.answered
    await sql`savepoint attempt`.execute(tx)
    try {
      const answered = await asOfNow(tx, prepared.answered)
      const { changes, location = successOf(config, attempt, slug) } = await complete[attempt.purpose](tx, answered, call)
      if (answered.claimed.isOverage) providers.count(provider.id, 'overage')
      return changedIf(location, changes)
    } catch (error) {
      const { reason, message } = asFailure(error)
      await sql`rollback to savepoint attempt`.execute(tx)
      return refuse({ reason, detail: message, attempt, providerId: provider.id, claims })
    }
  },
})
