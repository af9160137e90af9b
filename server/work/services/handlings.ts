/** The notices of services, and the catalogue: everything that people read about a service before they order it. */
import { sql } from 'kysely'
import { namesOnly } from '../../people/groups/queries.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import type { Page } from '../../platform/http/page.ts'
import { calendarOf, microsecondsOf } from '../calendars/queries.ts'
import { isInAudience, isKnownTo, mayOrderForOthers } from '../service-handlings/queries.ts'

export interface ServiceNotice {
  noticeAr: string | null
  noticeEn: string | null
  paused: boolean
  /** The moment at which the notice ends; null if it does not. */
  until: Date | null
  /** Options that are sold out, as `field.option`. */
  offOptions: string[]
}
export const noNotice: ServiceNotice = { noticeAr: null, noticeEn: null, paused: false, until: null, offOptions: [] }

/** SQL: whether the notice in a row of `service_notices` has not ended. */
const isCurrent = sql<boolean>`(until is null or until > clock_timestamp())`

/** The current notice of a service; `noNotice` if it has none. */
export const findNotice = async (db: Reads, serviceId: number): Promise<ServiceNotice> =>
  (await db
    .selectFrom('serviceNotices')
    .select(['noticeAr', 'noticeEn', 'paused', 'until', 'offOptions'])
    .where('serviceId', '=', serviceId)
    .where(isCurrent)
    .executeTakeFirst()) ?? noNotice

export async function setNotice(tx: Tx, serviceId: number, notice: ServiceNotice) {
  if (!notice.noticeAr && !notice.noticeEn && !notice.paused && notice.offOptions.length === 0)
    return tx.deleteFrom('serviceNotices').where('serviceId', '=', serviceId).execute()
  return tx
    .insertInto('serviceNotices')
    .values({ serviceId, ...notice })
    .onConflict((conflict) => conflict.column('serviceId').doUpdateSet(notice))
    .execute()
}

/** The groups and leads of the team of a service; null without a team. */
export async function findCrewOf(db: Reads, serviceId: number) {
  const { rows } = await sql<{ groupIds: number[]; leadUserIds: number[] }>`
    select group_ids, lead_user_ids from service_handlings join service_teams on service_teams.id = team_id
    where service_id = ${serviceId}`.execute(db)
  return rows[0] ?? null
}

export interface CatalogueEntry {
  serviceId: number
  mayOrder: boolean
  mayOrderForOthers: boolean
  needsApproval: 'no' | 'yes' | 'depends'
  formVersion: number | null
  asksWantedAt: boolean
  noticeAr: string | null
  noticeEn: string | null
  isPaused: boolean
  until: Date | null
  offOptions: string[]
  receiveMinutes: number | null
  completeMinutes: number | null
  dueIfNow: { receiveBy: Date | null; completeBy: Date | null }
  isOpen: boolean
  opensAt: Date | null
  teamNameAr: string | null
  teamNameEn: string | null
  reopenDays: number
}
/** SQL: whether an order of a service needs an approval: `yes`, `no`, or `depends` on its answers. The handling must be joined. */
const NEEDS_APPROVAL = sql`case
  when coalesce(handling.steps, '[]') = '[]' then 'no' when handling.steps @? '$[*] ? (@.when.size() == 0)' then 'yes' else 'depends' end`

/** SQL: the moment at which an order placed now would be due. */
const dueIfNow = (minutes: string) => sql`working_moment(calendar.id, working_time(calendar.id, now) + ${microsecondsOf(minutes)})`

/** The catalogue entry of each service that the caller may know of, sorted like the services. */
export async function listCatalogue(db: Reads, actor: Actor, { serviceId, limit, offset }: { serviceId?: number } & Partial<Page>) {
  const { rows } = await sql<Omit<CatalogueEntry, 'dueIfNow'> & CatalogueEntry['dueIfNow']>`
    select services.id as service_id, is_available and ${isInAudience(actor)} as may_order, ${mayOrderForOthers(actor)} as may_order_for_others,
      ${NEEDS_APPROVAL} as needs_approval, notice_ar, notice_en,
      coalesce(paused, false) as is_paused, until, coalesce(off_options, '{}') as off_options,
      form.version as form_version, coalesce(form.asks, false) as asks_wanted_at, team.name_ar as team_name_ar, team.name_en as team_name_en,
      receive_minutes, complete_minutes, coalesce(reopen_days, 0) as reopen_days,
      ${dueIfNow('receive_minutes')} as receive_by, ${dueIfNow('complete_minutes')} as complete_by,
      is_working(calendar.id, now) as is_open,
      case when not is_working(calendar.id, now) then (
        select min(starts_at) from working_spans where calendar_id = calendar.id and starts_at > now) end as opens_at
    from services left join service_notices as notice on notice.service_id = services.id and ${isCurrent}
      left join service_handlings as handling on handling.service_id = services.id left join service_teams as team on team.id = team_id
      cross join lateral (select ${calendarOf('team')} as id, statement_timestamp() as now) as calendar
      left join lateral (
        select version, fields <> '[]' as has_fields, fields @> '[{"kind": "wanted_at"}]' as asks from service_forms
        where service_forms.service_id = services.id order by version desc limit 1) as form on has_fields
    where ${isKnownTo(actor)} and ${serviceId === undefined ? sql`true` : sql`services.id = ${serviceId}`}
    order by services.sort_order, services.id limit ${limit ?? null} offset ${offset ?? 0}`.execute(db)
  return rows.map(({ receiveBy, completeBy, ...entry }) => ({ ...entry, dueIfNow: { receiveBy, completeBy } }))
}

/** The services whose audience has only this group left. */
export async function findServicesForOnly(tx: Tx, groupId: number) {
  const { rows } = await sql<{ id: number; nameAr: string; nameEn: string }>`
    select services.id, name_ar, name_en from services join service_handlings on service_id = services.id
    where audience = 'groups' and ${groupId} = any(audience_group_ids) and ${namesOnly(sql`audience_group_ids`, groupId)}
    order by services.id`.execute(tx)
  return rows
}
