/** The groups that a person can ask to join. */
import { type RawBuilder, sql } from 'kysely'
import type { Reads } from '../../platform/database/db.ts'
import { alphabetically, patternFor } from '../../platform/database/search.ts'
import { type Page, pageOf } from '../../platform/http/page.ts'
import type { Language } from '../../platform/tables.ts'
import { appsIn, type GrantedApp, holdingsOf } from './gains.ts'
import { isPending } from './queries.ts'

interface Offer {
  groupId: number
  name: string
  descriptionAr: string | null
  descriptionEn: string | null
  noteAr: string | null
  noteEn: string | null
  apps: GrantedApp[]
  maxDays: number | null
  reasonRequired: boolean
  state: 'pending' | 'member' | 'open'
  requestId: number | null
  memberUntil: Date | null
}
interface Filter extends Page {
  q?: string
  appId?: number
  appSlug?: string
}

/** SQL: whether a person may see a group of this policy and ask to join it. */
export const mayAsk = (policy: string, userId: number) => sql`
  (${sql.raw(policy)}.requestable and (${sql.raw(policy)}.asker_group_ids = '{}' or exists (
    select from group_users where user_id = ${userId} and group_id = any(${sql.raw(policy)}.asker_group_ids))))`

/** A page of the groups that a person can ask for, by name. */
export async function pageOffers(db: Reads, { q, appId, appSlug, ...page }: Filter, userId: number, language: Language) {
  const pattern = await patternFor(db, q)
  const hasPattern = sql`(offered.search like ${pattern} or exists (
    select from given join apps on apps.id = given.app_id
    where given.group_id = offered.group_id and portal_fold(apps.name_ar || E'\x01' || apps.name_en) like ${pattern}))`
  const leadsTo = (app: RawBuilder<unknown>) =>
    sql`(offered.group_id in (select group_id from given where app_id = ${app}) and ${app} not in (select app_id from seen))`
  const isNew = sql`select app_id from given where given.group_id = page.group_id except select app_id from seen`
  const name = alphabetically(sql.ref('name'), language)
  const { rows } = await sql<{ count: number } & { [Field in keyof Offer]: Offer[Field] | null }>`
    with ${holdingsOf(userId)},
      offered as materialized (
        select group_id, name, description_ar, description_en, note_ar, note_en, max_days, reason_required,
          groups.search || E'\x01' || policy.search as search
        from request_policies as policy join groups on groups.id = group_id where ${mayAsk('policy', userId)}),
      given as materialized (
        select offered.group_id, app_id from offered join keys using (group_id)
        union select offered.group_id, app_id from offered join group_roles using (group_id) join keys using (role_id)),
      found as materialized (
        select * from offered where ${pattern === null ? sql`true` : hasPattern}
          and ${appId === undefined ? sql`true` : leadsTo(sql`${appId}`)}
          and ${appSlug === undefined ? sql`true` : leadsTo(sql`(select id from apps where slug = ${appSlug})`)}),
      page as materialized (select * from found order by ${name}, group_id limit ${page.limit} offset ${page.offset})
    select (select count(*) from found) as count, page.group_id, page.name, description_ar, description_en, note_ar, note_en,
      ${appsIn(isNew)} as apps, max_days, reason_required,
      case when pending.id is not null then 'pending' when joined.group_id is not null then 'member' else 'open' end as state,
      pending.id as request_id, joined.expires_at as member_until
    from (select) as one left join page on true left join joined using (group_id)
      left join lateral (
        select id from access_requests as r
        where r.requester_id = ${userId} and r.group_id = page.group_id and ${sql.raw(isPending('r'))} limit 1) as pending on true
    order by ${alphabetically(sql.ref('page.name'), language)}, page.group_id`.execute(db)
  const items = rows.filter(({ groupId }) => groupId !== null).map(({ count: _, ...offer }) => offer as Offer)
  return pageOf('items', items, rows[0]!.count, page)
}
