/** The teams and the services that the deletion of a group would change. */
import { sql } from 'kysely'
import { namesOnly } from '../../people/groups/queries.ts'
import type { Reads } from '../../platform/database/db.ts'
import { byNameIn } from '../../platform/database/search.ts'
import { paged } from '../../platform/http/lists.ts'
import type { Page } from '../../platform/http/page.ts'
import type { Language } from '../../platform/tables.ts'

interface Naming {
  part: 'team' | 'audience' | 'onBehalf' | 'steps'
  id: number
  nameAr: string
  nameEn: string
  isLast: boolean
}

const idsOf = (list: 'userIds' | 'groupIds') => sql`array(select jsonb_array_elements_text(step -> ${sql.lit(list)})::int)`

/** The teams and services that name a group, by name; a service is listed once for each of its lists that names the group. */
export function pageNaming(db: Reads, groupId: number, page: Page, language: Language) {
  const inHandlings = (part: Naming['part'], list: string, choice: string) => sql`
    select ${sql.lit(part)}, services.id, name_ar, name_en, ${namesOnly(sql.ref(list), groupId)}
    from service_handlings join services on services.id = service_id
    where ${sql.ref(choice)} = 'groups' and ${groupId}::int = any(${sql.ref(list)})`
  const naming = sql<Naming>`(
    select 'team' as part, id, name_ar, name_en, ${namesOnly(sql`group_ids`, groupId)} as is_last
    from service_teams where ${groupId}::int = any(group_ids)
    union all ${inHandlings('audience', 'audience_group_ids', 'audience')}
    union all ${inHandlings('onBehalf', 'on_behalf_group_ids', 'on_behalf')}
    union all select 'steps', services.id, name_ar, name_en, bool_or(
        not (step ->> 'manager')::bool and ${namesOnly(idsOf('groupIds'), groupId)}
        and not exists (select from users where id = any(${idsOf('userIds')}) and kind = 'person'))
      from service_handlings join services on services.id = service_id cross join jsonb_array_elements(steps) as one (step)
      where step -> 'groupIds' @> to_jsonb(${groupId}::int) group by services.id)`
  const listed = db
    .selectFrom(naming.as('naming'))
    .select(['part', 'id', 'nameAr', 'nameEn', 'isLast'])
    .orderBy(byNameIn(language))
    .orderBy('id')
    .orderBy('part')
  return paged(listed, page)
}
