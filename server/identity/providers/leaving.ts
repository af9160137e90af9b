/** When a provider goes: the sessions that began there, the identities, and the people who have no other way to sign in. */
import { sql } from 'kysely'
import { blockCommands } from '../../platform/auth/last-admin.ts'
import { endSessionsWhere } from '../../platform/changes/ending-sessions.ts'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Config } from '../../platform/config.ts'
import type { Tx } from '../../platform/database/db.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { inviteAgain } from '../passwords/invitations.ts'
import { settleGroups } from './saving.ts'

export const endSessionsOfProvider = (tx: Tx, providerId: number) =>
  endSessionsWhere(tx, sql`provider_id = ${providerId}`, 'provider', null)

/** The active people whose only way to sign in is an identity at this provider. */
export async function findStranded(tx: Tx, providerId: number) {
  const { rows } = await sql<{ id: number; username: string }>`
    select u.id, u.username from identities i join users u on u.id = i.user_id
    where i.provider_id = ${providerId} and u.is_active and u.kind = 'person' and not ${sql.raw(hasOtherWay('i.id'))} order by u.id`.execute(
    tx,
  )
  return rows
}

/** SQL: whether a person `u` can sign in without the identity. */
export const hasOtherWay = (identity: string) => `(
  u.password_hash is not null and (u.is_exception or (select passwords from sign_in_settings) = 'everyone')
  or exists (select from passkeys where user_id = u.id) and (u.is_exception or (select passkeys from sign_in_settings) = 'everyone')
  or exists (select from identities other join sign_in_providers p on p.id = other.provider_id and p.is_active
    where other.user_id = u.id and other.id <> ${identity}))`

interface Leaving {
  id: number
  slug: string
  nameAr: string
  nameEn: string
  identityCount: number
}

/** Deletes a provider. Refuses `last_sign_in_method` while people have no other way, unless they are to be invited. */
export async function leaveProvider(tx: Tx, provider: Leaving, isForced: boolean, config: Config): Promise<Change[]> {
  const { id, slug, nameAr, nameEn, identityCount } = provider
  // Somebody may be giving up their only other way at this moment.
  await blockCommands(tx)
  const stranded = await findStranded(tx, id)
  if (stranded.length && !isForced) refuse('last_sign_in_method', { body: { count: stranded.length } })
  const groups = await settleGroups(tx, provider, 'add', [])
  const { rows: unlinked } = await sql<{ userId: number }>`delete from identities where provider_id = ${id} returning user_id`.execute(tx)
  await tx.deleteFrom('providerGroupRules').where('providerId', '=', id).execute()
  // Before their sessions: docs/lock-order.md.
  for (const person of stranded) await inviteAgain(tx, person, config)
  const ended = await endSessionsOfProvider(tx, id)
  await tx.deleteFrom('signInProviders').where('id', '=', id).execute()
  return [
    { kind: 'provider.deleted', targetId: id, facts: { slug, nameAr, nameEn, identityCount } },
    ...unlinked.map(({ userId }): Change => ({ kind: 'identity.unlinked', targetId: userId, facts: { provider: slug } })),
    ...groups,
    ...ended,
  ]
}
