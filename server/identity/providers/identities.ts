/** The identities of people: what providers call them. */
import { sql } from 'kysely'
import { changed } from '../../platform/changes/outcome.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { hasOtherWay } from './leaving.ts'

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

/** Takes an identity from a person, who is locked. Refuses `not_found`, and `last_sign_in_method` for their only way to sign in. */
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
