import { sql } from 'kysely'
import type { Reads } from '../platform/database/db.ts'
import { paged } from '../platform/http/lists.ts'
import type { Page } from '../platform/http/page.ts'
import type { Language } from '../tables.ts'
import { nameAsListed } from '../users/queries.ts'

interface Lacking extends Page {
  roleIds: readonly number[]
  graceDays: number
}

/**
 * The active holders of one of these roles who have no second factor, with the moment at which the portal closes to them; soonest first. A
 * duty that has not begun would begin now.
 */
export async function pageLacking(db: Reads, { roleIds, graceDays, ...page }: Lacking, language: Language) {
  const found = db
    .selectFrom('users as u')
    .innerJoin('userAccess as a', 'a.userId', 'u.id')
    .where('u.isActive', '=', true)
    .where('u.kind', '=', 'person')
    .where('u.id', 'in', (eb) => eb.selectFrom('effectiveRoles').select('userId').where('roleId', '=', sql<number>`any(${roleIds}::int[])`))
    .where(sql<boolean>`not has_factor(u.id)`)
  const until = sql<Date>`coalesce(a.must_enrol_at, now()) + make_interval(days => ${graceDays}::int)`
  const listed = found
    .select(['u.id', 'u.username', 'u.displayNameAr', 'u.displayNameEn', 'u.avatarUrl', until.as('until')])
    .orderBy('until')
    .orderBy(sql.raw(nameAsListed[language]))
    .orderBy('u.id')
  const { items, ...rest } = await paged(listed, page)
  return { ...rest, items: items.map(({ until, ...person }) => ({ person, until })) }
}
