/** What names a group in its lists: the teams and the services that its deletion would change. */
import { sql } from 'kysely'
import type { Reads } from '../../platform/database/db.ts'
import { alphabetically } from '../../platform/database/search.ts'
import { paged } from '../../platform/http/lists.ts'
import type { Page } from '../../platform/http/page.ts'
import type { Language } from '../../platform/tables.ts'

export const partNames = ['team', 'audience', 'onBehalf', 'steps'] as const

interface Naming {
  part: (typeof partNames)[number]
  id: number
  nameAr: string
  nameEn: string
  isLast: boolean
}

/** The teams and services that name a group, by name; once for each list. */
export function pageNaming(db: Reads, groupId: number, page: Page, language: Language) {
  const isLastOf = (list: string) => sql`not exists (select from groups where id = any(${sql.ref(list)}) and id <> ${groupId}::int)`
  const inHandlings = (list: string, part: Naming['part'], who: string) => sql`
    select ${sql.lit(part)}, services.id, name_ar, name_en, ${isLastOf(list)} from service_handlings join services on services.id = service_id
    where ${sql.ref(who)} = 'groups' and ${groupId}::int = any(${sql.ref(list)})`
  const naming = sql<Naming>`(
    select 'team' as part, id, name_ar, name_en, ${isLastOf('group_ids')} as is_last from service_teams where ${groupId}::int = any(group_ids)
    union all ${inHandlings('audience_group_ids', 'audience', 'audience')}
    union all ${inHandlings('on_behalf_group_ids', 'onBehalf', 'on_behalf')}
    union all select 'steps', services.id, name_ar, name_en, bool_or(not (step ->> 'manager')::bool and step -> 'userIds' = '[]' and not exists (
        select from jsonb_array_elements_text(step -> 'groupIds') as other (id) join groups on groups.id = other.id::int where groups.id <> ${groupId}::int))
      from service_handlings join services on services.id = service_id cross join jsonb_array_elements(steps) as one (step)
      where step -> 'groupIds' @> to_jsonb(${groupId}::int) group by services.id)`
  const listed = db
    .selectFrom(naming.as('naming'))
    .select(['part', 'id', 'nameAr', 'nameEn', 'isLast'])
    .orderBy(alphabetically(sql.ref(language === 'ar' ? 'name_ar' : 'name_en'), language))
    .orderBy('id')
    .orderBy('part')
  return paged(listed, page)
}
