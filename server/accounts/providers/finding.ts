/** Whom the claims of a provider are about. The key is always the provider with its subject, never an address. */
import { sql } from 'kysely'
import { newToken } from '../../platform/auth/tokens.ts'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { keyOf } from '../../platform/database/search.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { fail } from '../../platform/oidc/failures.ts'
import { createPerson, setFields } from '../../users/queries.ts'
import { voidLinksOf } from '../queries.ts'
import type { Claimed } from './claims.ts'
import type { Known } from './queries.ts'
import { speaksFor, usernameFrom, usernamesFrom } from './rules.ts'

type Settings = Pick<Known, 'id' | 'slug' | 'nameAr' | 'nameEn' | 'linking' | 'domains' | 'createPeople'>

/** An account, and how the claims lead to it. */
export type Found =
  | { how: 'known' | 'link'; userId: number }
  /** It has the claimed address, and must be proven. */
  | { how: 'ask'; userId: number }
  | { how: 'create' }

interface Account {
  id: number
  isPerson: boolean
  emailVouched: boolean
  /** Its address is the word of a provider that does not speak for it. */
  yields: boolean
  isAdmin: boolean
  isException: boolean
  isLinked: boolean
}

export async function findByIdentity(db: Reads, provider: number, subject: string) {
  const { rows } = await sql<{ userId: number; isPerson: boolean }>`
    select u.id as user_id, u.is_active and u.kind = 'person' as is_person
    from identities i join users u on u.id = i.user_id where i.provider_id = ${provider} and i.subject = ${subject}`.execute(db)
  return rows[0]
}

/** The account with this address, regardless of case. */
export async function findByEmail(db: Reads, provider: number, email: string) {
  const { rows } = await sql<Account>`
    select u.id, u.is_active and u.kind = 'person' as is_person, u.email_vouched,
      not u.email_vouched and not u.is_proven and (u.password_hash is null or exists (
        select from identities i where i.user_id = u.id and lower(i.email collate "und-x-icu") = u.email_key)) as yields,
      exists (select from effective_roles e join roles r on r.id = e.role_id where e.user_id = u.id and r.name = 'admin') as is_admin,
      u.is_exception, exists (select from identities i where i.user_id = u.id and i.provider_id = ${provider}) as is_linked
    from users u where u.email_key = ${keyOf(email)}`.execute(db)
  return rows[0]
}

/** Whether an account may be linked without a proof: nobody could have prepared it for somebody else’s return. */
function mayLink({ emailVouched, isAdmin, isException, isLinked }: Account, { domains }: Settings, { email, isEmailVerified }: Claimed) {
  return vouchesFor({ domains }, { email, isEmailVerified }) && emailVouched && !isAdmin && !isException && !isLinked
}

/** Whether the provider says that the claimed address is theirs, and speaks for its domain. */
export const vouchesFor = (
  { domains }: Pick<Settings, 'domains'>,
  { email, isEmailVerified }: Pick<Claimed, 'email' | 'isEmailVerified'>,
) => email !== null && isEmailVerified && speaksFor(domains, email)

/**
 * Takes an address from the account that has it, if only a provider that does not speak for it has said so: it yields to one that is
 * verified. The account keeps one that nobody has. Undefined if it keeps the address.
 */
export async function releaseAddress(
  tx: Tx,
  provider: Pick<Settings, 'id' | 'slug' | 'domains'>,
  claimed: Claimed,
  claimant?: number,
): Promise<Change | undefined> {
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
  // It may have been proven since.
  const now = await findByEmail(tx, provider.id, claimed.email!)
  if (!locked || now?.id !== found.id || !now.isPerson || !now.yields) return undefined
  const to = `${newToken()}@unverified.invalid`
  await voidLinksOf(tx, [found.id])
  await setFields(tx, found.id, { email: to })
  const facts = { changed: { email: { from: locked.email, to } }, groups: { added: [], removed: [] }, provider: provider.slug }
  return { kind: 'user.updated', targetId: found.id, facts, author: null }
}

/** Fails `not_allowed`. */
export async function findPerson(db: Reads, provider: Settings, claimed: Claimed): Promise<Found> {
  const identity = await findByIdentity(db, provider.id, claimed.subject)
  if (identity) return identity.isPerson ? { how: 'known', userId: identity.userId } : fail('not_allowed', 'the account is not active')
  const account = claimed.email === null ? undefined : await findByEmail(db, provider.id, claimed.email)
  if (account) {
    // Another tab of theirs may just have created or linked it.
    const created = await findByIdentity(db, provider.id, claimed.subject)
    if (created?.isPerson) return { how: 'known', userId: created.userId }
    if (!account.isPerson) fail('not_allowed', 'the account is not active')
    if (account.yields && provider.createPeople && vouchesFor(provider, claimed)) return { how: 'create' }
    if (provider.linking === 'never') fail('not_allowed', 'an account has this address, and the provider links none')
    const isLinked = provider.linking === 'verified_email' && mayLink(account, provider, claimed)
    return { how: isLinked ? 'link' : 'ask', userId: account.id }
  }
  return provider.createPeople ? { how: 'create' } : fail('not_allowed', 'nobody has this identity')
}

/** Links an account. False if it has another identity of the provider, or the identity is another’s. */
export async function linkIdentity(tx: Tx, providerId: number, userId: number, { subject, email }: Pick<Claimed, 'subject' | 'email'>) {
  const linked = await tx
    .insertInto('identities')
    .values({ providerId, subject, userId, email })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return linked.numInsertedOrUpdatedRows === 1n
}

/** The change of an identity that a person has linked. */
export function identityLinked(
  person: { id: number; username: string },
  { slug, nameAr, nameEn }: Pick<Settings, 'slug' | 'nameAr' | 'nameEn'>,
): Change {
  const facts = { provider: slug, providerNameAr: nameAr, providerNameEn: nameEn }
  return { kind: 'identity.linked', targetId: person.id, facts, author: person }
}

/**
 * Creates the account of a new person. Undefined if the address has been taken since the search: search again. Fails `claims`
 * without an address or a name that is free.
 */
export async function createFromClaims(tx: Tx, provider: Settings, claimed: Claimed) {
  const { slug } = provider
  const { email, nameAr, nameEn, language } = claimed
  if (email === null) return fail('claims', 'the e-mail address is missing or malformed')
  const name = usernameFrom(claimed.username ?? '') || usernameFrom(email)
  if (name === '') return fail('claims', 'no username can be made of the claims')
  for (const username of usernamesFrom(name)) {
    const isProven = vouchesFor(provider, claimed)
    const person = { username, email, passwordHash: null, displayNameAr: nameAr, displayNameEn: nameEn, isProven }
    try {
      const { id, roleIds, groupIds } = await createPerson(tx, { ...person, ...(language && { preferredLanguage: language }) }, [], 409)
      const facts = { username, email, roleIds, groupIds, provider: slug }
      const created: Change = { kind: 'user.created', targetId: id, facts, author: null }
      return { id, username, created }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error.code === 'email_taken') return undefined
      if (error.code !== 'username_taken') throw error
    }
  }
  return fail('claims', 'all usernames that the claims suggest are taken')
}
