/**
 * The return from a provider. First checks the browser's attempt, the provider's answer and its claims. A transaction then reads the
 * provider again, and handles the account, its groups, and the session or the step that is still missing.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { blockCommandsOf, lockPerson } from '../../people/users/queries.ts'
import { networkOf } from '../../platform/auth/limits.ts'
import { isUsed, useOnce } from '../../platform/auth/used-once.ts'
import { type Change, changedIf, unchanged } from '../../platform/changes/outcome.ts'
import type { Config } from '../../platform/config.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { type Call, command } from '../../platform/http/endpoint.ts'
import { Onward, PartialShape } from '../../platform/http/shape.ts'
import { fetchPicture, type StoredPicture } from '../../platform/objects/pictures.ts'
import { type Claims, exchange } from '../../platform/oidc/exchange.ts'
import { asFailure, fail, type SignInFailure } from '../../platform/oidc/failures.ts'
import type { Providers } from '../../platform/oidc/providers.ts'
import type { Outbound } from '../../platform/outbound.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { hasFactor, readFactors } from '../factors/queries.ts'
import { isOver, untilFromNow } from '../factors/sign-in-step.ts'
import type { Claimed } from '../sessions/claimed.ts'
import { confirmSession } from '../sessions/queries.ts'
import { accountForClaims, findAccount } from './account-for-claims.ts'
import {
  type Attempt,
  afterFailure,
  afterSuccess,
  clientHashOf,
  findAttempt,
  findStarter,
  locationOf,
  type Starter,
  takeAttempt,
  useOf,
} from './attempts.ts'
import { readClaims, wantedClaims } from './claims.ts'
import { movesByClaims } from './groups-by-claims.ts'
import { findByIdentity, identityLinked, linkIdentity, useIdentity } from './identities.ts'
import { clientOf, findBySlug, lockProviderForSignIn, redirectUrlOf, type StoredProvider } from './queries.ts'
import { SlugParams } from './shapes.ts'
import { askForProof, levelOf, signInBy } from './sign-in.ts'
import { keepResult, refusedResult, resultOf } from './test-run.ts'

/** The query parameters, unchecked; anything but a string is ignored. */
const Sent = Object.assign(PartialShape({ state: Type.Unknown(), code: Type.Unknown(), iss: Type.Unknown(), error: Type.Unknown() }), {
  isCheckedAlone: true,
})
type Sent = Partial<Record<'state' | 'code' | 'iss' | 'error', unknown>>
const text = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** The provider's answer to an attempt, with the claims. */
interface Answer {
  provider: StoredProvider
  attempt: Attempt
  claims: Claims
  claimed: Claimed
  idToken: string
  /** As of a sign-in that has waited since the browser came back; see `isOver`. */
  until: number
  /** The session that began the attempt; undefined for signing in. */
  starter: Starter | undefined
  /** Whether signing in is to move the person into or out of groups, which is a change of access. */
  movesGroups: boolean
  /** The picture for a new account. */
  picture: StoredPicture | undefined
}
interface Failed {
  failure: SignInFailure
  provider: StoredProvider | undefined
  attempt: Attempt | undefined
  /** The ID token’s claims, if they were read before the failure. */
  claims: Record<string, unknown>
}

interface Browser {
  request: {
    id: string
    ip: string
    userAgent: string | null
    sessionToken: string | undefined
    sessionTokens: readonly string[]
    deviceTokens: readonly string[]
    encryptedCookie(name: string): unknown
  }
  config: Config
  providers: Providers
  secrets: Secrets
}
interface Browsing extends Browser {
  cookie: {
    set(token: string): void
    setDevice(token: string): void
    setEncrypted(name: string, value: unknown, seconds: number): boolean
    clearEncrypted(name: string): void
  }
}

export const comeBack = command('GET /auth/oidc/:slug/callback', {
  summary: 'Come back from a provider',
  description:
    'Leads to the page that the attempt names, or to the sign-in page with `failed` and the reason: `state`, `expired`, `denied`, `unreachable`, `token`, `clock`, `claims`, `not_allowed` or `identity_taken`. An attempt belongs to the browser that began it and works once, within 10 minutes. An account that has the claimed address may have to be proven first, at `/sign-in/connect`.',
  allow: 'anyone',
  status: 303,
  params: SlugParams,
  query: Sent,
  reply: Onward,
  locks: {
    when: ({ prepared }: { prepared: Answer | Failed }) => ('movesGroups' in prepared && prepared.movesGroups ? 'access' : undefined),
  },
  prepare: async ({ db, params: { slug }, query, ...call }): Promise<Answer | Failed> => {
    const until = await untilFromNow(db)
    const provider = await findBySlug(db, slug)
    let attempt: Attempt | undefined
    let claims = {}
    try {
      // Without SECRETS_KEY, no attempt can begin: a cookie with one was forged by somebody who can read the database.
      if (!call.secrets.isConfigured) fail('state')
      attempt = findAttempt(call.request, provider?.id, text(query.state))
      const { starter, code, iss } = await checkAnswer(db, provider!, attempt, query, call)
      const exchanged = await redeem(provider!, attempt, starter, { code, iss }, call)
      claims = exchanged.claims
      const answer = { provider: provider!, attempt, until, starter, ...exchanged, claimed: readClaims(exchanged.claims, provider!) }
      return { ...answer, ...(await prepareSignIn(db, answer, call)) }
    } catch (error) {
      return { failure: asFailure(error), provider, attempt, claims }
    }
  },
  run: async ({ tx, params: { slug }, query, prepared, ...browser }) => {
    takeAttempt(browser.request, browser.cookie, text(query.state))
    if ('failure' in prepared) return giveUp(tx, slug, prepared, browser)
    await sql`savepoint attempt`.execute(tx)
    try {
      const answer = await lockAnswer(tx, prepared)
      const { changes, page } = await finish[answer.attempt.purpose](tx, answer, browser)
      if (answer.claimed.isOverage) browser.providers.count(answer.provider.id, 'overage')
      return changedIf(page === undefined ? afterSuccess(browser.config, answer.attempt, slug) : locationOf(browser.config, page), changes)
    } catch (error) {
      const failure = asFailure(error)
      await sql`rollback to savepoint attempt`.execute(tx)
      return giveUp(tx, slug, { ...prepared, failure }, browser)
    }
  },
})

/** Checks that the answer belongs to an attempt of this browser, before the provider is asked and before its `error` is believed. */
async function checkAnswer(db: Reads, provider: StoredProvider, attempt: Attempt, sent: Sent, { providers, request }: Browser) {
  const starter = await findStarter(db, request, attempt)
  if (attempt.session !== null && !starter) fail('state')
  if ((await isUsed(db, useOf(attempt)[0])) || !providers.useUp(attempt.state)) fail('state')
  if (attempt.client !== clientHashOf(provider)) fail('state', 'the provider is another one')
  if (!provider.isActive && attempt.purpose !== 'try') fail('not_allowed', 'the provider is not active')
  const [code, iss] = [text(sent.code), text(sent.iss)]
  if (iss !== undefined && iss !== provider.issuer) fail('token', 'the answer names another issuer')
  if (sent.error !== undefined) fail('denied', 'the provider answered with an error')
  return { starter, code: code || fail('token', 'the answer has neither a code nor an error'), iss }
}

/** Exchanges the code for the claims, within the sender's limit of exchanges. */
function redeem(
  provider: StoredProvider,
  attempt: Attempt,
  starter: Starter | undefined,
  answer: { code: string; iss: string | undefined },
  { config, providers, secrets, request }: Browser,
) {
  const client = clientOf(secrets, provider)
  // The time of the last change is part of the sender's name: a change of the settings resets the count of failures.
  const sender = `${starter ? `person ${starter.userId}` : networkOf(request.ip)} ${provider.id} ${provider.updatedAt.getTime()}`
  return providers.exchange(provider.id, sender, () =>
    exchange(providers, client, {
      attempt,
      redirectUri: redirectUrlOf(config, provider.slug),
      answer,
      stored: provider.stored,
      wanted: wantedClaims(provider),
      emailClaim: provider.claims.email,
    }),
  )
}

/** Whether signing in would move the person into or out of groups, and the picture of somebody who would get an account. */
async function prepareSignIn(
  db: Reads,
  { provider, attempt, claimed }: Pick<Answer, 'provider' | 'attempt' | 'claimed'>,
  call: Pick<Call, 'pictures' | 'objects'>,
): Promise<Pick<Answer, 'movesGroups' | 'picture'>> {
  const nothing = { movesGroups: false, picture: undefined }
  if (attempt.purpose !== 'sign_in' || (claimed.groups === null && claimed.picture === null)) return nothing
  const found = await findAccount(db, provider, claimed)
  if (found.how === 'ask') return nothing
  const { joined, left } = await movesByClaims(db, provider.id, 'userId' in found ? found.userId : null, claimed)
  const picture = found.how === 'create' ? await fetchNewPicture(provider, claimed, call) : undefined
  return { movesGroups: joined.length + left.length > 0, picture }
}

const PICTURE_WITHIN_MS = 2000

/**
 * Fetches the picture of somebody who would get an account; undefined if that fails or takes too long, so that the sign-in goes on. Needs
 * no check for room, because a new person has stored nothing.
 */
function fetchNewPicture({ id }: StoredProvider, { picture }: Claimed, { pictures, objects }: Pick<Call, 'pictures' | 'objects'>) {
  const late = () => sleep(PICTURE_WITHIN_MS, undefined, { ref: false }).then(() => fail('unreachable'))
  const fetch: Outbound['fetch'] = (...asked) => Promise.race([pictures.fetch(...asked), late()])
  // The negative id of the provider stands for a person, so that all its sign-ins share the limits of one person's calls.
  const sharing = { pictures: { fetch }, objects, actor: { id: -id } }
  return fetchPicture(sharing, 'picture', picture, async () => {}).catch(() => undefined)
}

/**
 * Locks the provider, and reads the claims again by its current settings, which an administrator may have changed in between. Fails
 * `not_allowed` if nobody may sign in with it any more, and `state` if its issuer or client has changed.
 */
async function lockAnswer(tx: Tx, answer: Answer): Promise<Answer> {
  const { provider: before, attempt, claims, starter } = answer
  // The caller is locked before the provider: docs/lock-order.md.
  if (starter) await blockCommandsOf(tx, starter.userId)
  const provider = (await lockProviderForSignIn(tx, before.id)) ?? fail('not_allowed', 'the provider was deleted')
  if (provider.issuer !== before.issuer || provider.clientId !== before.clientId) fail('state', 'the provider is another one')
  if (!provider.isActive && attempt.purpose !== 'try') fail('not_allowed', 'the provider is not active')
  return { ...answer, provider, claimed: readClaims(claims, provider) }
}

interface Finished {
  changes: Change[]
  /** The page that asks for the step that is still missing. */
  page?: string
}

async function useUp(tx: Tx, attempt: Attempt) {
  if (!(await useOnce(tx, ...useOf(attempt)))) fail('state')
}

async function finishSignIn(tx: Tx, answer: Answer, browser: Browsing): Promise<Finished> {
  const { provider, claimed, attempt } = answer
  const { returnTo } = attempt
  const account = await accountForClaims(tx, provider, claimed, answer.picture)
  // The provider may have ended its session while the portal asked it for the claims.
  if (await isOver(tx, provider.id, { sub: claimed.subject, sid: claimed.sid }, answer)) fail('not_allowed', 'its session has ended')
  if (typeof account === 'number') return { changes: [], page: await askForProof(tx, browser, account, { provider, claimed, returnTo }) }
  await useUp(tx, attempt)
  const { changes, ...person } = account
  const signedIn = await signInBy(tx, person, answer, browser)
  const done = { changes: [...changes, ...signedIn.changes] }
  return signedIn.isWaiting ? { ...done, page: `/sign-in/second${returnTo ? `?${new URLSearchParams({ returnTo })}` : ''}` } : done
}

/** The session that began an attempt, locked with its person. Fails `state` if it has ended since. */
async function lockStarter(tx: Tx, { starter, attempt }: Answer, { request }: Browsing) {
  await lockPerson(tx, starter!.userId)
  return (await findStarter(tx, request, attempt)) ?? fail('state')
}

async function finishLink(tx: Tx, answer: Answer, browser: Browsing): Promise<Finished> {
  const { provider, attempt, claimed } = answer
  const { userId, username } = await lockStarter(tx, answer, browser)
  await useUp(tx, attempt)
  if (await linkIdentity(tx, provider.id, userId, claimed)) return { changes: [identityLinked({ id: userId, username }, provider)] }
  const isOwn = (await findByIdentity(tx, provider.id, claimed.subject))?.userId === userId
  return isOwn ? { changes: [] } : fail('identity_taken', 'the identity is another’s, or the account has another one')
}

async function finishConfirming(tx: Tx, answer: Answer, browser: Browsing): Promise<Finished> {
  const { provider, attempt, claimed } = answer
  const { userId, sessionId, username } = await lockStarter(tx, answer, browser)
  const identity = await findByIdentity(tx, provider.id, claimed.subject)
  if (!identity?.isPerson || identity.userId !== userId) fail('not_allowed', 'the identity is not the caller’s')
  if (!claimed.isFresh) fail('not_allowed', 'the provider does not say that the person is there')
  await useUp(tx, attempt)
  await useIdentity(tx, provider.id, claimed)
  const level = levelOf(provider, claimed)
  // Users with a second factor in the portal cannot confirm by a single-factor provider.
  if (level === 1 && hasFactor(await readFactors(tx, userId)))
    fail('not_allowed', 'the provider does not say that it asked for two factors')
  await confirmSession(tx, sessionId, { level, by: provider.id })
  const author = { id: userId, username }
  return { changes: [{ kind: 'session.confirmed', targetId: userId, facts: { with: 'provider' }, author }] }
}

async function finishTrying(tx: Tx, { provider, attempt, claims, claimed, starter }: Answer, { secrets }: Browsing): Promise<Finished> {
  await useUp(tx, attempt)
  await keepResult(tx, secrets, provider.id, starter!.sessionId, await resultOf(tx, provider, claimed, claims))
  return { changes: [] }
}

const finish = { sign_in: finishSignIn, link: finishLink, confirm: finishConfirming, try: finishTrying }

/** Leads to the page that explains the failure, and notes it for administrators. */
async function giveUp(tx: Tx, slug: string, { failure: { reason, message }, provider, attempt, claims }: Failed, browser: Browsing) {
  const { config, providers, request, secrets } = browser
  providers.refused(provider?.id ?? null, reason, message, request)
  if (attempt?.purpose === 'try' && provider) {
    const starter = await findStarter(tx, request, attempt)
    if (starter) await keepResult(tx, secrets, provider.id, starter.sessionId, refusedResult(reason, claims))
  }
  return unchanged(afterFailure(config, reason, attempt, slug))
}
