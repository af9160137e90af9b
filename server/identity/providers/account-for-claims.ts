/**
 * Finds the account for a provider’s claims. It is identified only by provider and `sub`. Where the settings allow it, an account with the
 * claimed id or address is linked first, or a new one is created.
 */
import { type RawBuilder, sql } from 'kysely'
import { createPerson, setFields, voidLinksOf } from '../../people/users/queries.ts'
import { newToken } from '../../platform/auth/tokens.ts'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { keyOf, lowered } from '../../platform/database/search.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import type { StoredPicture } from '../../platform/objects/pictures.ts'
import { fail } from '../../platform/oidc/failures.ts'
import { pictured } from '../../work/storage/queries.ts'
import { lockActive } from '../sessions/active-users.ts'
import type { Claimed } from '../sessions/claimed.ts'
import { findByIdentity, identityLinked, linkIdentity } from './identities.ts'
import type { StoredProvider } from './queries.ts'
import { speaksFor, usernameFrom, usernamesFrom } from './rules.ts'

/** How the claims lead to an account. `ask`: the owner of the account must first prove that it is theirs. */
export type Found = { how: 'known' | 'link' | 'ask'; userId: number } | Creation
/** The address and the wanted username of a new account. */
interface Creation {
  how: 'create'
  email: string
  name: string
}

interface Account {
  id: number
  isPerson: boolean
  emailVouched: boolean
  hasOlderWays: boolean
  /** Whether the account has its address only by the word of a provider that does not speak for the domain. */
  yields: boolean
  isAdmin: boolean
  isException: boolean
  isLinked: boolean
}

/** The account whose row of `users`, named `u`, meets a condition. */
async function findWhere(db: Reads, provider: number, condition: RawBuilder<unknown>) {
  const { rows } = await sql<Account>`
    select u.id, u.is_active and u.kind = 'person' as is_person, u.email_vouched, u.has_older_ways,
      not u.email_vouched and not u.is_proven and (u.password_hash is null or exists (
        select from identities i where i.user_id = u.id and ${lowered(sql`i.email`)} = u.email_key)) as yields,
      exists (select from effective_roles e join roles r on r.id = e.role_id where e.user_id = u.id and r.name = 'admin') as is_admin,
      u.is_exception, exists (select from identities i where i.user_id = u.id and i.provider_id = ${provider}) as is_linked
    from users u where ${condition}`.execute(db)
  return rows[0]
}

/** The account with this address, regardless of case. */
export const findByEmail = (db: Reads, provider: number, email: string) => findWhere(db, provider, sql`u.email_key = ${keyOf(email)}`)

/** The account that the provider's source provisioned under the claimed id: the provider and its source belong to the same directory. */
export const findProvisioned = async (
  db: Reads,
  { id, sourceId }: Pick<StoredProvider, 'id' | 'sourceId'>,
  { external }: Pick<Claimed, 'external'>,
) =>
  sourceId === null || external === null
    ? undefined
    : findWhere(
        db,
        id,
        sql`u.id = (select user_id from provisioned_users where source_id = ${sourceId} and external_id = ${external} and removed_at is null)`,
      )

/**
 * Whether the claimed id alone proves nothing: the account is an administrator's, and the provider's source, which may not grant `admin`,
 * could have given it any id.
 */
async function mayBeMisnamed(db: Reads, { sourceId }: Pick<StoredProvider, 'sourceId'>, { isAdmin, isException, isLinked }: Account) {
  if (!isAdmin || isException || isLinked) return false
  const source = db.selectFrom('provisioningSources').select('id').where('id', '=', sourceId).where('mayGrantAdmin', '=', true)
  return !(await source.executeTakeFirst())
}

/** Whether the provider has verified the claimed address and speaks for its domain. */
export const vouchesFor = (
  { domains }: Pick<StoredProvider, 'domains'>,
  { email, isEmailVerified }: Pick<Claimed, 'email' | 'isEmailVerified'>,
) => email !== null && isEmailVerified && speaksFor(domains, email)

/** Whether a stranger may have prepared the account in order to share it with its owner later. */
const isShared = ({ emailVouched, hasOlderWays }: Account) => !emailVouched || hasOlderWays

/** Whether an account may be linked without a proof, by its address alone. */
const mayLink = (account: Account, provider: StoredProvider, claimed: Claimed) =>
  provider.linking === 'verified_email' &&
  vouchesFor(provider, claimed) &&
  !isShared(account) &&
  !account.isAdmin &&
  !account.isException &&
  !account.isLinked

/** Fails `claims` without an address, or without anything of which a username can be made. */
function creationFor({ email, username }: Claimed): Creation {
  if (email === null) return fail('claims', 'the email address is missing or malformed')
  const name = usernameFrom(username ?? '') || usernameFrom(email)
  return name === '' ? fail('claims', 'no username can be made of the claims') : { how: 'create', email, name }
}

/**
 * Finds out how the claims lead to an account; changes nothing. Fails `not_allowed`, and `claims` if the claims do not suffice for a new
 * account.
 */
export async function findAccount(db: Reads, provider: StoredProvider, claimed: Claimed): Promise<Found> {
  const identity = await findByIdentity(db, provider.id, claimed.subject)
  if (identity) return identity.isPerson ? { how: 'known', userId: identity.userId } : fail('not_allowed', 'the account is not active')
  const provisioned = await findProvisioned(db, provider, claimed)
  const account = provisioned ?? (claimed.email === null ? undefined : await findByEmail(db, provider.id, claimed.email))
  if (!account) return provider.createPeople ? creationFor(claimed) : fail('not_allowed', 'nobody has this identity')
  // Another tab of the same person may just have created the account, or linked the identity to it.
  const created = await findByIdentity(db, provider.id, claimed.subject)
  if (created?.isPerson) return { how: 'known', userId: created.userId }
  if (!account.isPerson) fail('not_allowed', 'the account is not active')
  if (provisioned && (await mayBeMisnamed(db, provider, provisioned))) return { how: 'ask', userId: provisioned.id }
  if (provisioned) {
    if (provisioned.isException || provisioned.isLinked) fail('not_allowed', 'the account is an exception, or has another identity')
    return { how: isShared(provisioned) ? 'ask' : 'link', userId: provisioned.id }
  }
  if (account.yields && provider.createPeople && vouchesFor(provider, claimed)) return creationFor(claimed)
  if (provider.linking === 'never') fail('not_allowed', 'an account has this address, and the provider links none')
  return { how: mayLink(account, provider, claimed) ? 'link' : 'ask', userId: account.id }
}

const ROUNDS = 5

/**
 * Finds, links or creates the account for these claims, with a picture if it is new. Returns the account with the changes; or only its id,
 * if its owner must first prove that the account is theirs.
 */
export async function accountForClaims(
  tx: Tx,
  provider: StoredProvider,
  claimed: Claimed,
  picture?: StoredPicture,
): Promise<{ id: number; username: string; passwordHash: string | null; changes: Change[] } | number> {
  for (let round = 0; round < ROUNDS; round++) {
    const found = await findAccount(tx, provider, claimed)
    if (found.how === 'ask') return found.userId
    if (found.how === 'create') {
      const released = await releaseAddress(tx, provider, claimed)
      const created = await createAccount(tx, provider, claimed, found)
      // Another sign-in created the account first; look again.
      if (!created) continue
      const { id, username } = created
      if (!(await linkIdentity(tx, provider.id, id, claimed))) fail('not_allowed')
      const { fields, changes } = await pictured(tx, id, 'avatarUrl', {}, picture)
      if (picture) await setFields(tx, id, fields)
      return { id, username, passwordHash: null, changes: [...(released ? [released] : []), created.change, ...changes] }
    }
    const person = (await lockActive(tx, found.userId)) ?? fail('not_allowed', 'the account is not active')
    if (found.how === 'known') {
      // A first proof of the account may just have removed the identity.
      if ((await findByIdentity(tx, provider.id, claimed.subject))?.userId !== found.userId) continue
      return { ...person, changes: [] }
    }
    if (!(await linkIdentity(tx, provider.id, found.userId, claimed))) continue
    return { ...person, changes: [identityLinked(person, provider)] }
  }
  return fail('not_allowed', 'others signed in as the same person at the same time')
}

/** Creates an account. Undefined if another account has taken the address since the search. Fails `claims` without a free username. */
async function createAccount(tx: Tx, provider: StoredProvider, claimed: Claimed, { email, name }: Creation) {
  const { nameAr: displayNameAr, nameEn: displayNameEn, language } = claimed
  const isProven = vouchesFor(provider, claimed)
  for (const username of usernamesFrom(name)) {
    const person = { username, email, passwordHash: null, displayNameAr, displayNameEn, isProven }
    try {
      const { id, roleIds, groupIds } = await createPerson(tx, { ...person, ...(language && { preferredLanguage: language }) }, [], 409)
      const facts = { username, email, roleIds, groupIds, provider: provider.slug }
      const change: Change = { kind: 'user.created', targetId: id, facts, author: null }
      return { id, username, change }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error.code === 'email_taken') return undefined
      if (error.code !== 'username_taken') throw error
    }
  }
  return fail('claims', 'all usernames that the claims suggest are taken')
}

/**
 * Takes a verified address from an account that has it only by the word of a provider that does not speak for its domain. That account gets
 * an address that nobody can have. Undefined if no account loses the address, or if `claimant` has it.
 */
async function releaseAddress(tx: Tx, provider: StoredProvider, claimed: Claimed, claimant?: number): Promise<Change | undefined> {
  if (!vouchesFor(provider, claimed)) return undefined
  const found = await findByEmail(tx, provider.id, claimed.email!)
  if (!found?.isPerson || !found.yields || found.id === claimant) return undefined
  const locked = await tx
    .selectFrom('users')
    .select('email')
    .where('id', '=', found.id)
    .where('kind', '=', 'person')
    .forNoKeyUpdate()
    .executeTakeFirst()
  // The address may have been proven since.
  const now = await findByEmail(tx, provider.id, claimed.email!)
  if (!locked || now?.id !== found.id || !now.isPerson || !now.yields) return undefined
  const to = `${newToken()}@unverified.invalid`
  await voidLinksOf(tx, [found.id])
  await setFields(tx, found.id, { email: to })
  const facts = { changed: { email: { from: locked.email, to } }, groups: { added: [], removed: [] }, provider: provider.slug }
  return { kind: 'user.updated', targetId: found.id, facts, author: null }
}

/**
 * Updates the profile from the claims, if the provider’s settings say so and no source manages the person. The email address stays if
 * another account uses the claimed one, or if the person is an administrator or an exception; for sources, the same holds.
 */
export async function refreshProfile(tx: Tx, provider: StoredProvider, userId: number, claims: Claimed): Promise<Change[]> {
  if (!provider.refreshProfile) return []
  const before = await tx
    .selectFrom('users')
    .select(['email', 'displayNameAr', 'displayNameEn', 'emailVouched', 'isProven'])
    .select(sql<boolean>`email_key = ${keyOf(claims.email ?? '')}`.as('isClaimed'))
    .where('id', '=', userId)
    .where(sql<boolean>`not exists (select from provisioned_users where user_id = users.id and removed_at is null)`)
    .executeTakeFirst()
  if (!before) return []
  const own = await findByEmail(tx, provider.id, before.email)
  // An address that differs only in case is the same one.
  const keepsAddress = before.isClaimed || own?.isAdmin || own?.isException
  const claimed = keepsAddress ? { ...claims, email: null } : claims
  const { email, nameAr, nameEn } = claimed
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
    // A link that was mailed to the former address would prove the new one.
    if ('email' in changed) await voidLinksOf(tx, [userId])
    // Only the provider says that this is the person's address. If it does not speak for the address, the account is unproven.
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
