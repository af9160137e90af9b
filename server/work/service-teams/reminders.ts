import { sql } from 'kysely'
import type { Reminders } from '../../platform/jobs/reminders.ts'
import { readUnstaffed } from './queries.ts'

/**
 * A team with waiting orders and no receivers causes a reminder each hour: to its leads, or to administrators if it has none. A deleted
 * team can have waiting orders, too, such as completed ones that were reopened.
 */
export const serviceTeamReminders: Reminders = {
  name: 'team_unstaffed',
  planned: sql`
    select team.id as subject_id, 0 as object_id, date_trunc('hour', statement_timestamp()) as deadline, 0 as days,
      statement_timestamp() as due_at
    from (
      select distinct coalesce(orders.team_id, handling.team_id) as id
      from orders left join service_handlings as handling using (service_id) where status = 'pending' and hold is null) as team
    where team.id is not null`,
  stands: sql`team_receivers(subject_id) = '{}'`,
  async changes(tx, due) {
    const teams = await readUnstaffed(
      tx,
      due.map(({ subjectId }) => subjectId),
    )
    return teams.map(({ id: targetId, ...facts }) => ({ kind: 'service_team.unstaffed', targetId, facts }) as const)
  },
}
