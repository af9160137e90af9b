/** Reminders of the targets of orders, each sent once and only while the team works, and of approvals. */
import { type RawBuilder, sql } from 'kysely'
import { administrators } from '../../platform/auth/held.ts'
import type { Recipients } from '../../platform/changes/change-kind.ts'
import type { Change } from '../../platform/changes/outcome.ts'
import { type Person, personOrNull } from '../../platform/database/json.ts'
import type { Reminders } from '../../platform/jobs/reminders.ts'
import { calendarOf } from '../calendars/queries.ts'
import { shareNotices } from '../notifications/queries.ts'
import { receiversOf } from '../service-teams/queries.ts'
import { APPROVAL_REMINDERS, leftAt } from './approving.ts'
import { LEFT } from './detail-pages.ts'
import { RECEIVER, TEAM_ID } from './queries.ts'
import { MOST_ASKED, paramsFor } from './rules.ts'
import { pausing } from './times.ts'

/** The stages in the table of reminders: not claimed in time, three quarters of the time used, late. */
const UNCLAIMED = 1
const SOON = 2
const LATE = 3
const templates = { [UNCLAIMED]: 'order_unclaimed', [SOON]: 'order_due_soon', [LATE]: 'order_late' } as const

interface Told {
  id: number
  isClaimed: boolean
  receiverId: number | null
  teamId: number | null
  leads: number[]
  service: { nameAr: string; nameEn: string }
  requester: Person | null
}

/**
 * The recipients of a reminder. Not claimed in time: the receivers and the leads. Due soon: the assignee or, without one, the leads. Late:
 * the assignee and the leads. Administrators replace the leads of a team that has none.
 */
function recipientsOf(stage: number, { receiverId, teamId, leads }: Told): Recipients {
  const assignee = receiverId === null ? [] : [receiverId]
  if (stage === SOON && receiverId !== null) return assignee
  const others = stage === UNCLAIMED ? receiversOf(teamId) : sql`${assignee}::int[]`
  // An order without a team has no leads: administrators are told of it only once it is late.
  const isTheirs = leads.length === 0 && (teamId !== null || stage === LATE)
  return sql`array(select unnest(${others}) union select unnest(${isTheirs ? administrators : sql`${leads}::int[]`}))`
}

/** SQL: the moment of a point in working time, as if the working time since then were real time. */
const momentOf = (workingTime: RawBuilder<unknown>) => sql`statement_timestamp() - (now - (${workingTime})) * interval '1 microsecond'`

export const orderReminders: Reminders = {
  name: 'order_due',
  // `due_at` only sorts what is due already, so the working time since a target is subtracted as if it were real time. An order with
  // `wanted_at` has its target by the real clock. A pause that is over counts, whether or not a job has ended it. `offset 0` stops the
  // planner from reading the clock again for each order.
  planned: sql`
    select order_id as subject_id, 0 as object_id, 'infinity'::timestamptz as deadline, stage.number as days,
      stage.at - (${sql.lit(LATE)} - stage.number) * interval '1 microsecond' as due_at
    from (
      select id, working_time(id, statement_timestamp()) as now from working_calendars where is_working(id, statement_timestamp()) offset 0) as calendar
      join order_details on calendar_id = calendar.id and due is not null
      cross join lateral (select ${pausing('order_details', 'statement_timestamp()')} as pause) as running
      cross join lateral (values
        (${sql.lit(UNCLAIMED)}, case when received_at is not null then null when wanted_at is null then ${momentOf(sql`receive_due`)}
          else receive_by(order_details) end),
        (${sql.lit(SOON)}, case when wanted_at is null then ${momentOf(sql`complete_due + pause - (complete_due - started - paused) / 4`)}
          else complete_by(order_details) - interval '1 hour' end),
        (${sql.lit(LATE)}, case when wanted_at is null then ${momentOf(sql`complete_due + pause`)}
          else complete_by(order_details) end)) as stage (number, at)
    where stage.at <= statement_timestamp() and not is_waiting(order_details)`,
  // The reminder of the claim alone goes to the receivers, so no other reminder replaces it, except after an outage.
  isOwn: sql`days = ${sql.lit(UNCLAIMED)} and due_at > statement_timestamp() - interval '5 minutes'`,
  async changes(tx, due) {
    const stagesOf = Map.groupBy(due, ({ subjectId }) => subjectId)
    const { rows } = await sql<Told>`
      select o.id, o.assigned_to is not null as is_claimed, ${RECEIVER} as receiver_id, ${sql.raw(TEAM_ID)} as team_id,
        array(select id from users where id = any(lead_user_ids) and is_active order by id) as leads,
        json_build_object('nameAr', services.name_ar, 'nameEn', services.name_en) as service, ${sql.raw(personOrNull('requester'))} as requester
      from orders as o join services on services.id = o.service_id
        left join service_handlings as handling on handling.service_id = o.service_id
        left join service_teams as team on team.id = ${sql.raw(TEAM_ID)} left join users as requester on requester.id = o.user_id
      where o.id = any(${[...stagesOf.keys()]}::int[]) and o.status in ('pending', 'received', 'preparing') order by o.id for update of o`.execute(
      tx,
    )
    return rows.flatMap((order) =>
      stagesOf.get(order.id)!.flatMap(({ days }): Change[] => {
        const stage = days as keyof typeof templates
        // The order was claimed after the reminder was planned.
        if (stage === UNCLAIMED && order.isClaimed) return []
        const facts = { template: templates[stage], params: paramsFor(order.service, order.requester) }
        return [{ kind: 'order.reminded', targetId: order.id, facts, recipients: recipientsOf(stage, order) }]
      }),
    )
  },
}

interface Waiting {
  id: number
  place: number
  userId: number
  service: { nameAr: string; nameEn: string }
  requester: Person | null
  asked: number[]
}

/**
 * Reminders of orders that wait for approvals. 1 and 3 working days after a step opened, they go to the approvers who have not approved it,
 * or to administrators if none of these is left; `object_id` is then the place of the step. As soon as no approver is left, administrators
 * get one more; `object_id` is then `leftAt` of the place.
 */
export const approvalReminders: Reminders = {
  name: APPROVAL_REMINDERS,
  planned: sql`
    select o.id as subject_id, step.place as object_id, 'infinity'::timestamptz as deadline, stage.days,
      working_day_after(calendar.id, step.opened_at, stage.days) as due_at
    from order_steps as step cross join lateral (select id, service_id, team_id from orders where id = step.order_id offset 0) as o
      left join service_handlings as handling using (service_id) left join service_teams as team on team.id = ${sql.raw(TEAM_ID)}
      cross join lateral (select ${calendarOf('team')} as id) as calendar cross join (values (1), (3)) as stage (days)
    where step.opened_at <= statement_timestamp() - interval '12 hours' and step.done_at is null and is_open(step)
    union all
    select id, ${leftAt(sql`place`)}, 'infinity', 0, opened_at from (${LEFT}) as step`,
  changes: async (tx, due) => {
    const daysOf = new Map(due.map(({ subjectId, objectId, days }) => [`${subjectId} ${objectId < 0 ? -1 - objectId : objectId}`, days]))
    const ids = [...new Set(due.map(({ subjectId }) => subjectId))]
    // An approver may decide while this statement waits for its locks, so only the next query reads which steps are open.
    await sql`select from orders where id = any(${ids}::int[]) order by id for update`.execute(tx)
    const { rows } = await sql<Waiting>`
      select o.id, step.place, o.user_id, json_build_object('nameAr', services.name_ar, 'nameEn', services.name_en) as service,
        ${sql.raw(personOrNull('requester'))} as requester,
        array(select id from step_waits_for(step.order_id, step.place) order by place, id limit ${MOST_ASKED}) as asked
      from order_steps as step join orders as o on o.id = step.order_id join services on services.id = o.service_id
        left join users as requester on requester.id = o.user_id
      where o.id = any(${ids}::int[]) and is_open(step) order by o.user_id, o.id`.execute(tx)
    const changes: Change[] = []
    for (const { id, place, userId, service, requester, asked } of rows) {
      const days = daysOf.get(`${id} ${place}`)
      if (days === undefined) continue
      const facts = { reminders: Math.ceil(days / 2), params: paramsFor(service, requester) }
      changes.push({ kind: 'order.approval_reminded', targetId: id, facts, recipients: await shareNotices(tx, userId, asked) })
    }
    return changes
  },
}
