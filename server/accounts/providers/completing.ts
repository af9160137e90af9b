/** What an answer of a provider completes: signing in, linking, confirming or trying. */
import { sql } from 'kysely'
import { hasFactor, readFactors } from '../../factors/queries.ts'
import { useOnce } from '../../platform/auth/used-once.ts'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Config } from '../../platform/config.ts'
import type { Tx } from '../../platform/database/db.ts'
import { keyOf } from '../../platform/database/search.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { type FailureReason, fail } from '../../platform/oidc/failures.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { lockPerson, setFields } from '../../users/queries.ts'
import { lockActive } from '../living.ts'
import { PENDING, PENDING_SECONDS, pendingAfter } from '../pending.ts'
import { confirmSession, readPasswordHash, versionOf, voidLinksOf } from '../queries.ts'
import { signIn } from '../signing-in.ts'
import { locationOf } from './addresses.ts'
import type { Answered } from './answered.ts'
import { type Attempt, useOf } from './attempts.ts'
import type { Claimed } from './claims.ts'
import { createFromClaims, findByIdentity, findPerson, identityLinked, linkIdentity, releaseAddress, vouchesFor } from './finding.ts'
import { moveByClaims, movesByClaims } from './groups-from-claims.ts'
import { waitForProof } from './pending.ts'
import type { Known } from './queries.ts'
import { findOwner } from './sessions.ts'
import { keepTry } from './trying.ts'

interface Browser {
  request: {
    ip: string
    userAgent: string | null
    sessionToken: string | undefined
    sessionTokens: readonly string[]
    deviceTokens: readonly string[]
  }
  config: Config
  secrets: Secrets
  cookie: {
    set(token: string): void
    setDevice(token: string): void
    setEncrypted(name: string, value: unknown, seconds: number): boolean
    clearEncrypted(name: string): void
  }
}
interface Completed {
  changes: Change[]
  location?: string
}

async function useAttempt(tx: Tx, attempt: Attempt) {
  if (!(await useOnce(tx, ...useOf(attempt)))) fail('state')
}

const levelOf = ({ secondFactor }: Known, { isStrong }: Claimed) => (secondFactor !== 'own' && isStrong ? 2 : 1)

const ROUNDS = 5

/** The account of the claims, known, linked or created, with what that changed; only its id if it has to be proven first. */
async function settlePerson(
  tx: Tx,
  { provider, claimed }: Answered,
): Promise<{ id: number; username: string; changes: Change[] } | number> {
  for (let round = 0; round < ROUNDS; round++) {
    const found = await findPerson(tx, provider, claimed)
    if (found.how === 'ask') return found.userId
    if (found.how === 'create') {
      const released = await releaseAddress(tx, provider, claimed)
      const created = await createFromClaims(tx, provider, claimed)
      // Somebody else, or another tab of theirs, was first.
      if (!created) continue
      const { id, username } = created
      if (!(await linkIdentity(tx, provider.id, id, claimed))) fail('not_allowed')
      return { id, username, changes: [...(released ? [released] : []), created.created] }
    }
    const { username } = (await lockActive(tx, found.userId)) ?? fail('not_allowed', 'the account is not active')
    // A proof of whose the account is may just have taken the identity from it.
    if (found.how === 'known' && (await findByIdentity(tx, provider.id, claimed.subject))?.userId !== found.userId) continue
    if (found.how === 'known') return { id: found.userId, username, changes: [] }
    if (!(await linkIdentity(tx, provider.id, found.userId, claimed))) continue
    const person = { id: found.userId, username }
    return { ...person, changes: [identityLinked(person, provider)] }
  }
  return fail('not_allowed', 'others signed in as the same person at the same time')
}

/** Has the profile follow the claims. An address that another account has is left as it was. */
async function refreshProfile(tx: Tx, provider: Known, userId: number, claimed: Claimed): Promise<Change[]> {
  if (!provider.refreshProfile) return []
  const { email, nameAr, nameEn } = claimed
  const before = await tx
    .selectFrom('users')
    .select(['email', 'displayNameAr', 'displayNameEn', 'emailVouched', 'isProven'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const released = await releaseAddress(tx, provider, claimed, userId)
  const isFree = email !== null && !(await isTaken(tx, userId, email))
  const after = {
    email: isFree ? email : before.email,
    displayNameAr: nameAr ?? before.displayNameAr,
    displayNameEn: nameEn ?? before.displayNameEn,
  }
  const changed = Object.fromEntries(
    (['email', 'displayNameAr', 'displayNameEn'] as const)
      .filter((field) => after[field] !== before[field])
      .map((field) => [field, { from: before[field], to: after[field] }]),
  )
  if (Object.keys(changed).length === 0) return []
  await sql`savepoint profile`.execute(tx)
  try {
    // A link that was mailed to the former address would prove this one.
    if ('email' in changed) await voidLinksOf(tx, [userId])
    // The provider, not an administrator, says that this is their address. If it may be anybody's, so may the account.
    const isProven = (before.emailVouched || before.isProven) && vouchesFor(provider, claimed)
    await setFields(tx, userId, { ...after, ...('email' in changed && { emailVouched: false, isProven }) })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // Another account has taken the address since.
    await sql`rollback to savepoint profile`.execute(tx)
    return refreshProfile(tx, provider, userId, { ...claimed, email: null })
  }
  const facts = { changed, groups: { added: [], removed: [] }, provider: provider.slug }
  return [...(released ? [released] : []), { kind: 'user.updated', targetId: userId, facts, author: null }]
}

async function isTaken(tx: Tx, userId: number, email: string) {
  const { rows } = await sql`select from users where email_key = ${keyOf(email)} and id <> ${userId}`.execute(tx)
  return rows.length > 0
}

/** Notes that the identity was used, with the address that the provider has now. Returns its id. */
async function useIdentity(tx: Tx, providerId: number, { subject, email }: Claimed) {
  const { id } = await tx
    .updateTable('identities')
    .set({ lastUsedAt: sql<Date>`now()`, ...(email !== null && { email }) })
    .where('providerId', '=', providerId)
    .where('subject', '=', subject)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function findIdentity(tx: Tx, providerId: number, { subject }: Claimed) {
  const { id } = await tx
    .selectFrom('identities')
    .select('id')
    .where('providerId', '=', providerId)
    .where('subject', '=', subject)
    .executeTakeFirstOrThrow()
  return id
}

interface SigningIn extends Pick<Answered, 'provider' | 'claimed' | 'movesGroups'> {
  idToken: string | null
  proof?: 'password' | 'factor'
}
/**
 * Signs a person in, who must be locked, by an identity that they have. Where a factor of the portal's own is still to come, returns the
 * sign-in that waits for it. `proof`: what they have just shown the portal itself.
 */
export async function signInBy(
  tx: Tx,
  person: { id: number; username: string },
  { provider, claimed, movesGroups, idToken, proof }: SigningIn,
  browser: Browser,
) {
  // Otherwise this is no change of access, and what has come up since waits for the next sign-in.
  const moved = movesGroups ? await moveByClaims(tx, provider, person.id, claimed.groups) : []
  const needsFactor = provider.secondFactor === 'own' && !proof && hasFactor(await readFactors(tx, person.id))
  const identityId = await (needsFactor ? findIdentity : useIdentity)(tx, provider.id, claimed)
  // It may void a reset link, which comes after identities: docs/lock-order.md.
  const profile = await refreshProfile(tx, provider, person.id, claimed)
  const by = { providerId: provider.id, identityId, sid: claimed.sid, hours: provider.sessionHours, version: versionOf(provider) }
  if (needsFactor) {
    const passwordHash = await readPasswordHash(tx, person.id)
    return { changes: [...profile, ...moved], pending: pendingAfter(by, { id: person.id, passwordHash }) }
  }
  const keptToken = provider.logout === 'provider' && provider.logoutHint === 'id_token' ? idToken : null
  const signedIn = await signIn(tx, person, browser, {
    level: proof === 'factor' ? 2 : levelOf(provider, claimed),
    confirms: claimed.isFresh || proof !== undefined,
    by: { ...by, idToken: keptToken, secrets: browser.secrets },
  })
  return { changes: [...profile, ...moved, ...signedIn], pending: null }
}

async function completeSignIn(tx: Tx, answered: Answered, browser: Browser): Promise<Completed> {
  const { attempt } = answered
  const settled = await settlePerson(tx, answered)
  if (typeof settled === 'number')
    return { changes: [], location: locationOf(browser.config, waitForProof(browser.cookie, settled, answered)) }
  await useAttempt(tx, attempt)
  const { changes, ...person } = settled
  const { changes: signedIn, pending } = await signInBy(tx, person, answered, browser)
  const done = { changes: [...changes, ...signedIn] }
  if (!pending) return done
  browser.cookie.setEncrypted(PENDING, pending, PENDING_SECONDS)
  return { ...done, location: locationOf(browser.config, secondStepTo(attempt.returnTo)) }
}

/** The page that asks for a factor, and then goes on. */
const secondStepTo = (returnTo: string | null) => `/sign-in/second${returnTo ? `?${new URLSearchParams({ returnTo })}` : ''}`

/** The session that began an attempt, locked with its person. Fails `state` if it has ended since. */
async function lockOwner(tx: Tx, { owner, attempt }: Answered, { request }: Browser) {
  await lockPerson(tx, owner!.userId)
  return (await findOwner(tx, request.sessionToken, attempt.session!)) ?? fail('state')
}

async function completeLink(tx: Tx, answered: Answered, browser: Browser): Promise<Completed> {
  const { provider, attempt, claimed } = answered
  const { userId, username } = await lockOwner(tx, answered, browser)
  await useAttempt(tx, attempt)
  if (await linkIdentity(tx, provider.id, userId, claimed)) return { changes: [identityLinked({ id: userId, username }, provider)] }
  const own = await tx
    .selectFrom('identities')
    .select('id')
    .where('providerId', '=', provider.id)
    .where('subject', '=', claimed.subject)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return own ? { changes: [] } : fail('identity_taken', 'the identity is another’s, or the account has another one')
}

async function completeConfirm(tx: Tx, answered: Answered, browser: Browser): Promise<Completed> {
  const { provider, attempt, claimed } = answered
  const { userId, sessionId, username } = await lockOwner(tx, answered, browser)
  const found = await findPerson(tx, provider, claimed)
  if (found.how !== 'known' || found.userId !== userId) fail('not_allowed', 'the identity is not the caller’s')
  if (!claimed.isFresh) fail('not_allowed', 'the provider does not say that the person is there')
  await useAttempt(tx, attempt)
  await useIdentity(tx, provider.id, claimed)
  const level = levelOf(provider, claimed)
  // Who has a factor of the portal's own confirms with nothing less.
  if (level === 1 && hasFactor(await readFactors(tx, userId)))
    fail('not_allowed', 'the provider does not say that it asked for two factors')
  await confirmSession(tx, sessionId, { level, by: provider.id })
  const author = { id: userId, username }
  return { changes: [{ kind: 'session.confirmed', targetId: userId, facts: { with: 'provider' }, author }] }
}

async function completeTry(tx: Tx, answered: Answered, { secrets }: Browser): Promise<Completed> {
  const { provider, claims, claimed, owner } = answered
  await useAttempt(tx, answered.attempt)
  const found = await findPerson(tx, provider, claimed)
  const userId = 'userId' in found ? found.userId : null
  const { joined, left } = await movesByClaims(tx, provider.id, userId, claimed.groups)
  const outcome = { known: 'known', link: 'linked', ask: 'ask', create: 'created' } as const
  const names = (groups: { name: string }[]) => groups.map(({ name }) => name)
  const result = { claims, outcome: outcome[found.how], reason: null, userId, groupsGained: names(joined), groupsLost: names(left) }
  await keepTry(tx, secrets, { providerId: provider.id, sessionId: owner!.sessionId, result })
  return { changes: [] }
}

export const complete = { sign_in: completeSignIn, link: completeLink, confirm: completeConfirm, try: completeTry }

interface FailedTry extends Pick<Browser, 'secrets' | 'request'> {
  providerId: number
  attempt: Attempt
  reason: FailureReason
  claims: Record<string, unknown>
}
/** Keeps that trying a provider failed, for the session that began it. */
export async function keepFailedTry(tx: Tx, { secrets, request, providerId, attempt, reason, claims }: FailedTry) {
  const owner = await findOwner(tx, request.sessionToken, attempt.session!)
  const result = { claims, outcome: 'refused' as const, reason, userId: null, groupsGained: [], groupsLost: [] }
  if (owner) await keepTry(tx, secrets, { providerId, sessionId: owner.sessionId, result })
}
