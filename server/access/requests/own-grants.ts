/** A person's own memberships and direct roles. */
import { sql } from 'kysely'
import type { Reads } from '../../platform/database/db.ts'
import { alphabetically } from '../../platform/database/search.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import type { Page } from '../../platform/http/page.ts'
import type { Language } from '../../platform/tables.ts'
import { appsIn, type GrantedApp, holdingsOf } from './gains.ts'

interface OwnGrant {
  kind: 'group' | 'role'
  id: number
  name: string
  descriptionAr: string | null
  descriptionEn: string | null
  since: Date | null
  expiresAt: Date | null
  requestId: number | null
  canGiveBack: boolean
  apps: GrantedApp[]
}

/** Sorted by their ends, grants without an end last, and then by name. */
export async function listOwnGrants(db: Reads, userId: number, { limit, offset = 0 }: Page, language: Language) {
  const name = alphabetically(sql.ref('own.name'), language)
  const shownBy = sql`
    select app_id from keys where own.kind = 'role' and keys.role_id = own.id
    union select app_id from keys where own.kind = 'group' and keys.group_id = own.id
    union select app_id from group_roles join keys using (role_id) where own.kind = 'group' and group_roles.group_id = own.id`
  const { rows } = await sql<OwnGrant>`
    with ${holdingsOf(userId)},
      own as materialized (
        select 'group' as kind, groups.id, groups.name, description_ar, description_en, expires_at,
          coalesce(policy.requestable, false) as can_give_back
        from joined join groups on groups.id = joined.group_id left join request_policies as policy on policy.group_id = groups.id
        union all
        select 'role', roles.id, roles.name, description_ar, description_en, expires_at, false
        from user_roles join roles on roles.id = role_id where user_id = ${userId})
    select own.kind, own.id, own.name, own.description_ar, own.description_en, given.at as since, own.expires_at,
      asked.id as request_id, own.can_give_back, ${appsIn(shownBy)} as apps
    from own left join lateral (
        select id, at from permission_history as past
        where past.kind = 'user.' || own.kind || 's' and past.target_id = ${userId} and own.id = any(past.added)
        order by id desc limit 1) as given on true
      left join lateral (
        select r.id from access_requests as r
        where own.kind = 'group' and r.requester_id = ${userId} and r.group_id = own.id and r.status = 'approved' and exists (
          select from permission_history as past
          where past.kind = 'user.groups' and past.target_id = ${userId} and past.at = r.decided_at and past.id >= given.id)
        order by r.decided_at desc limit 1) as asked on true
    order by own.expires_at nulls last, ${name}, own.kind, own.id limit ${limit ?? null} offset ${offset}`.execute(db)
  return rows
}

/** Refuses `not_found` where a person is no member of a group, and `not_requestable` where nobody can ask for the group. */
export async function checkGivesBack(db: Reads, groupId: number, userId: number) {
  const { rows } = await sql<{ isRequestable: boolean }>`
    select exists (select from request_policies as policy where policy.group_id = own.group_id and requestable) as is_requestable
    from group_users as own where own.group_id = ${groupId} and own.user_id = ${userId}`.execute(db)
  const { isRequestable } = rows[0] ?? refuse('not_found')
  if (!isRequestable) refuse('not_requestable')
}
