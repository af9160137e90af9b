/** The identities of people: the providers that know them, and their `sub` there. */
import { sql } from 'kysely'
import { type Change, changed } from '../../platform/changes/outcome.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import type { Claimed } from '../sessions/claimed.ts'
import type { StoredProvider } from './queries.ts'

/** The account of an identity, and whether it may sign in: it is active, and a person’s. */
export async function findByIdentity(db: Reads, provider: number, subject: string) {
  const { rows } = await sql<{ userId: number; isPerson: boolean }>`
    select u.id as user_id, u.is_active and u.kind = 'person' as is_person
    from identities i join users u on u.id = i.user_id where i.provider_id = ${provider} and i.subject = ${subject}`.execute(db)
  return rows[0]
}

/** The address that a provider names for an identity, and whether it has verified it. Without one, the earlier address stays. */
export const addressIn = ({ email, isEmailVerified }: Pick<Claimed, 'email' | 'isEmailVerified'>) =>
  email === null ? {} : { email, emailVerified: isEmailVerified }

/** Links an identity to an account. False if the account already has an identity of this provider, or if the identity is already linked. */
export async function linkIdentity(
  tx: Tx,
  providerId: number,
  userId: number,
  claimed: Pick<Claimed, 'subject' | 'email' | 'isEmailVerified'>,
) {
  const linked = await tx
    .insertInto('identities')
    .values({ providerId, subject: claimed.subject, userId, ...addressIn(claimed) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return linked.numInsertedOrUpdatedRows === 1n
}

export function identityLinked(
  { id, username }: { id: number; username: string },
  { slug, nameAr, nameEn }: Pick<StoredProvider, 'slug' | 'nameAr' | 'nameEn'>,
): Change {
  const facts = { provider: slug, providerNameAr: nameAr, providerNameEn: nameEn }
  return { kind: 'identity.linked', targetId: id, facts, author: { id, username } }
}

/** Notes that an identity was used, with the address that the provider now has for it. Returns its id. */
export async function useIdentity(tx: Tx, providerId: number, claimed: Claimed) {
  const { id } = await tx
    .updateTable('identities')
    .set({ lastUsedAt: sql<Date>`now()`, ...addressIn(claimed) })
    .where('providerId', '=', providerId)
    .where('subject', '=', claimed.subject)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function readIdentityId(tx: Tx, providerId: number, { subject }: Claimed) {
  const { id } = await tx
    .selectFrom('identities')
    .select('id')
    .where('providerId', '=', providerId)
    .where('subject', '=', subject)
    .executeTakeFirstOrThrow()
  return id
}

/** The identities of a person, in the order of their providers. */
export const listIdentities = (db: Reads, userId: number) =>
  db
    .selectFrom('identities as i')
    .innerJoin('signInProviders as p', 'p.id', 'i.providerId')
    .select(['i.id', 'i.subject', 'i.email', 'i.createdAt', 'i.lastUsedAt'])
    .select(
      sql<{ slug: string; nameAr: string; nameEn: string }>`json_build_object('slug', p.slug, 'nameAr', p.name_ar, 'nameEn', p.name_en)`.as(
        'provider',
      ),
    )
    .where('i.userId', '=', userId)
    .orderBy('p.sortOrder')
    .orderBy('i.id')
    .execute()

/** SQL: whether a person `u` can sign in without the identity. */
const hasOtherWay = (identity: string) => `(
  u.password_hash is not null and (u.is_exception or (select passwords from sign_in_settings) = 'everyone')
  or exists (select from passkeys where user_id = u.id) and (u.is_exception or (select passkeys from sign_in_settings) = 'everyone')
  or exists (select from identities other join sign_in_providers p on p.id = other.provider_id and p.is_active
    where other.user_id = u.id and other.id <> ${identity}))`

/** The active people whose only way to sign in is an identity at this provider. */
export async function findStranded(tx: Tx, providerId: number) {
  const { rows } = await sql<{ id: number; username: string }>`
    select u.id, u.username from identities i join users u on u.id = i.user_id
    where i.provider_id = ${providerId} and u.is_active and u.kind = 'person' and not ${sql.raw(hasOtherWay('i.id'))} order by u.id`.execute(
    tx,
  )
  return rows
}

/** Removes an identity of a locked person. Refuses `not_found`, and `last_sign_in_method` for their only way to sign in. */
export async function unlink(tx: Tx, userId: number, id: number) {
  const { rows } = await sql<{ slug: string; hasOther: boolean }>`
    select p.slug, ${sql.raw(hasOtherWay('i.id'))} as has_other
    from identities i join users u on u.id = i.user_id join sign_in_providers p on p.id = i.provider_id
    where i.id = ${id} and i.user_id = ${userId}`.execute(tx)
  const { slug, hasOther } = rows[0] ?? refuse('not_found')
  if (!hasOther) refuse('last_sign_in_method')
  await tx.deleteFrom('identities').where('id', '=', id).execute()
  return changed(null, { kind: 'identity.unlinked', targetId: userId, facts: { provider: slug } })
}
