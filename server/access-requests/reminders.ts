/** Reminders of requests that wait, 3 and 7 days after they were made. */
import { sql } from 'kysely'
import type { Change } from '../platform/changes/outcome.ts'
import type { Tx } from '../platform/database/db.ts'
import { approversFor, approvingIn } from './approvers.ts'
import { groupName, isPending } from './queries.ts'
import { MOST_NOTIFIED, paramsFor } from './rules.ts'

/** SQL: how many reminders of `r` are due by now. A late one counts for both. */
const DUE = sql.raw(`case when r.created_at <= statement_timestamp() - interval '168 hours' then 2
    when r.created_at <= statement_timestamp() - interval '72 hours' then 1 else 0 end`)

interface Reminded {
  id: number
  groupName: string
  groupDescriptionAr: string | null
  groupDescriptionEn: string | null
  recipients: number[]
  reminders: number
  username: string
  displayNameAr: string | null
  displayNameEn: string | null
}

/** Notes the reminders that are due, of at most `most` requests. Returns the change of each. */
export async function noteReminders(tx: Tx, most: number): Promise<Change[]> {
  const { rows } = await sql<Reminded>`
    with due as materialized (
        select r.id, ${DUE} as reminders from access_requests as r
        where ${sql.raw(isPending('r'))} and r.created_at <= statement_timestamp() - interval '72 hours' and r.reminders < ${DUE}
        order by r.id limit ${most} for update),
      reminded as (
        update access_requests as r set reminders = due.reminders from due where r.id = due.id returning r.*),
      ${approvingIn('reminded')}
    select r.id, ${sql.raw(groupName('r'))} as group_name, groups.description_ar as group_description_ar,
      groups.description_en as group_description_en, r.reminders, r.requester_username as username, u.display_name_ar, u.display_name_en,
      array(
        select id from unnest(${approversFor('r')}) with ordinality as approver (id, place)
        where not exists (select from access_approvals where request_id = r.id and approver_id = approver.id)
        order by place limit ${MOST_NOTIFIED}) as recipients
    from reminded as r join approving using (group_id) cross join administering left join users as u on u.id = r.requester_id
      left join groups on groups.id = r.group_id
    order by r.id`.execute(tx)
  return rows.map(
    (request): Change => ({
      kind: 'access_request.reminded',
      targetId: request.id,
      facts: { reminders: request.reminders },
      recipients: request.recipients,
      payload: { params: paramsFor(request, request) },
    }),
  )
}
