/** Reminders of requests that wait, 3 and 7 days after they were made, to the approvers who have not approved. */
import { sql } from 'kysely'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Reminders } from '../../platform/jobs/reminders.ts'
import { shareNotices } from '../../work/notifications/queries.ts'
import { approversFor, approvingIn } from './approvers.ts'
import { groupName, isPending } from './queries.ts'
import { MOST_NOTIFIED, paramsFor } from './rules.ts'

interface Waiting {
  id: number
  requesterId: number
  groupName: string
  groupDescriptionAr: string | null
  groupDescriptionEn: string | null
  asked: number[]
  username: string
  displayNameAr: string | null
  displayNameEn: string | null
}

/** Locks the requests among these that are still pending, and returns each with the approvers to remind, by the ids of their requesters. */
const waitingAmong = (ids: readonly number[]) => sql<Waiting>`
  with waiting as materialized (
      select * from access_requests as r where id = any(${ids}::int[]) and ${sql.raw(isPending('r'))} order by id for update),
    ${approvingIn('waiting')}
  select r.id, r.requester_id, ${sql.raw(groupName('r'))} as group_name, groups.description_ar as group_description_ar,
    groups.description_en as group_description_en, r.requester_username as username, u.display_name_ar, u.display_name_en,
    array(
      select id from unnest(${approversFor('r')}) with ordinality as approver (id, place)
      where not exists (select from access_approvals where request_id = r.id and approver_id = approver.id)
      order by place limit ${MOST_NOTIFIED}) as asked
  from waiting as r join approving using (group_id) cross join administering left join users as u on u.id = r.requester_id
    left join groups on groups.id = r.group_id
  order by r.requester_id, r.id`

export const accessRequestReminders: Reminders = {
  name: 'access_request',
  planned: sql`
    select id as subject_id, 0 as object_id, 'infinity'::timestamptz as deadline, stage.days,
      created_at + make_interval(hours => 24 * stage.days) as due_at
    from access_requests as r cross join (values (3), (7)) as stage (days)
    where ${sql.raw(isPending('r'))} and created_at <= statement_timestamp() - interval '72 hours'`,
  changes: async (tx, due) => {
    const daysOf = new Map(due.map(({ subjectId, days }) => [subjectId, days]))
    const { rows } = await waitingAmong([...daysOf.keys()]).execute(tx)
    const changes: Change[] = []
    for (const request of rows)
      changes.push({
        kind: 'access_request.reminded',
        targetId: request.id,
        facts: { reminders: daysOf.get(request.id) === 3 ? 1 : 2 },
        recipients: await shareNotices(tx, request.requesterId, request.asked),
        payload: { params: paramsFor(request, request) },
      })
    return changes
  },
}
