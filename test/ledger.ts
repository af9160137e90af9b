/** Invariants of orders after any failure: acknowledged orders exist, and rows, changes, notifications and events agree. */

export type Sql = <T>(text: string, values?: unknown[]) => Promise<T[]>

/**
 * A change and its notifications and events have the same `at`, the start of their transaction, by which they are matched. People who
 * were deleted are left out, because their notifications were deleted with them.
 */
const TORN = `
with forced as (
  select at, coalesce((facts ->> 'orderCount')::int, 0) as orders from ledger where kind in ('user.deleted', 'service.deleted')
), gone as (
  select at, target_id as id, array[(facts ->> 'userId')::int] || array_remove(array[nullif(facts ->> 'assignedTo', facts ->> 'userId')::int], null) as people
  from ledger where kind = 'order.deleted'
), steps as (
  select id as step, at, target_id as id, facts ->> 'from' as was, coalesce(facts ->> 'to', 'pending') as status,
    (facts ->> 'userId')::int as owner, kind = 'order.placed' as is_first, actor_id as author,
    (facts ->> 'wasAssignedTo')::int as was_assigned, (facts ->> 'assignedTo')::int as assigned,
    lag(coalesce(facts ->> 'to', 'pending')) over (partition by target_id order by id) as before,
    lead(id) over (partition by target_id order by id) is null as is_last
  from ledger where kind in ('order.placed', 'order.moved')
), expected_events as (
  select at, id, 'order_incoming_changed' as event, null::int[] as recipients,
    case when is_first then 'placed' when was = 'cancelled' then 'restored' when status = 'cancelled' then 'cancelled'
         when was = 'pending' then 'claimed' else 'changed' end as says from steps
  union all select at, id, 'order_updated', array[case when is_first then author else owner end], status from steps
  union all select at, id, 'order_incoming_changed', null, 'deleted' from gone
  union all select at, id, 'order_deleted', people, null from gone
), sent_events as (
  select at, coalesce(data ->> 'orderId', data -> 'order' ->> 'id')::int as id, event,
    case when event <> 'order_incoming_changed' then recipients end as recipients, coalesce(data ->> 'change', data -> 'order' ->> 'status') as says
  from events where event in ('order_incoming_changed', 'order_updated', 'order_deleted')
), sent_notifications as (
  -- An event names no order to a person who has lost the right to it.
  select at, (data -> 'notification' ->> 'id')::int as notification,
    coalesce((data -> 'notification' ->> 'relatedId')::int, notifications.related_id) as id, one as person
  from events cross join unnest(recipients) as one join users on users.id = one
    left join notifications on notifications.id = (data -> 'notification' ->> 'id')::int
  where event = 'notification_created' and data -> 'notification' ->> 'type' = 'order'
), expected_notifications as (
  select at, steps.id, owner as person from steps join users on users.id = owner where not is_first
  union all
  select at, steps.id, person from steps cross join unnest(case
      when was = 'cancelled' or status = 'cancelled' and was <> 'completed' then array[assigned]
      when status <> 'cancelled' and was_assigned is distinct from assigned then array[was_assigned, assigned] end) as person
    join users on users.id = person where person <> owner and person is distinct from author
  union all
  select events.at, (data ->> 'orderId')::int, one from events cross join unnest(recipients) as one join users on users.id = one
  where event = 'order_incoming_changed' and data ->> 'change' = 'placed'
), stored_notifications as (
  select id as notification, related_id as id, user_id as person from notifications where type = 'order'
), shown as (
  select distinct on (data -> 'order' ->> 'id') (data -> 'order' ->> 'id')::int as shown, data -> 'order' ->> 'status' as status, (data -> 'order' ->> 'assignedTo')::int as assignee
  from events where event = 'order_updated' order by data -> 'order' ->> 'id', id desc
)
select 'order ' || id || ' has a step from ' || coalesce(was, 'nothing') || ' after ' || coalesce(before, 'nothing') as torn
  from steps where was is distinct from before
union all
select 'order ' || coalesce(orders.id, steps.id) || ' is ' || coalesce(orders.status, 'nowhere') || ', its changes say ' || coalesce(steps.status, 'nothing')
  from (select * from steps where is_last and id not in (select id from gone)) as steps full join orders on orders.id = steps.id
  where orders.status is distinct from steps.status
union all
select 'the last event of order ' || orders.id || ' has another assignee or status'
  from orders join shown on shown = orders.id join users on users.id = shown.assignee
  where (orders.assigned_to, orders.status) is distinct from (shown.assignee, shown.status)
union all
select 'the events of order ' || id || ' are out of order' from (
  select coalesce(data ->> 'orderId', data -> 'order' ->> 'id') as id, id < lag(id) over (
    partition by coalesce(data ->> 'orderId', data -> 'order' ->> 'id') order by tx, id) as is_late
  from events where event in ('order_incoming_changed', 'order_updated', 'order_deleted')) as numbered where is_late
union all
select 'a deletion of ' || orders || ' orders recorded ' || count(gone.id)
  from forced left join gone using (at) group by at, orders having orders <> count(gone.id)
union all
select 'missing event: ' || event || ' ' || coalesce(says, '') || ' of order ' || id
  from (table expected_events except all table sent_events) as one
union all
select 'event without a change: ' || event || ' ' || coalesce(says, '') || ' of order ' || id
  from (table sent_events except all table expected_events) as one
union all
select 'missing notification: order ' || id || ' to person ' || person
  from (table expected_notifications except all select at, id, person from sent_notifications) as one
union all
select 'notification without a reason: order ' || id || ' to person ' || person
  from (select at, id, person from sent_notifications except all table expected_notifications) as one
union all
select 'notification ' || notification || ' without its event'
  from (table stored_notifications except all select notification, id, person from sent_notifications) as one
union all
select 'event without its notification ' || notification
  from (select notification, id, person from sent_notifications except all table stored_notifications) as one
union all
select 'service ' || service_id || ' counts ' || counted || ' orders and has ' || there
  from (select service_id, sum(count) as counted from service_order_counts group by 1) as counts
  full join (select service_id, count(*) as there from orders group by 1) as orders using (service_id)
  where coalesce(counted, 0) <> coalesce(there, 0)
order by 1`

/** Descriptions of everything half-written; empty if there is nothing. */
export const findTorn = async (sql: Sql) => (await sql<{ torn: string }>(TORN)).map(({ torn }) => torn)

const statuses = ['pending', 'received', 'preparing', 'completed', 'cancelled'] as const
export type Status = (typeof statuses)[number]

/** Records the answers that people got about each order, and the requests without an answer. */
export class Ledger {
  readonly answered = new Map<number, Status[]>()
  readonly unanswered = new Map<number, Status[]>()
  /** The notes of orders whose placing got no answer. */
  readonly unansweredNotes = new Set<string>()
  /** Answers that should not occur. */
  readonly odd: string[] = []
  acknowledged = 0
  #last = performance.now()
  /** The longest time between two acknowledgements. */
  longestGapMs = 0

  noteAnswer(id: number, status: Status) {
    this.acknowledged++
    const now = performance.now()
    this.longestGapMs = Math.max(this.longestGapMs, now - this.#last)
    this.#last = now
    this.answered.set(id, [...(this.answered.get(id) ?? []), status])
  }
  noteUnanswered(id: number, status: Status) {
    this.unanswered.set(id, [...(this.unanswered.get(id) ?? []), status])
  }

  /** Descriptions of everything that contradicts the stored orders. */
  compare(orders: { id: number; status: Status; notes: string }[]) {
    const present = new Set(orders.map(({ id }) => id))
    const lost = [...this.answered.keys()].filter((id) => !present.has(id)).map((id) => `order ${id} is lost`)
    const stageOf = (status: Status) => Math.min(statuses.indexOf(status), statuses.indexOf('completed'))
    const wrong = orders.flatMap(({ id, status, notes }) => {
      const answered = this.answered.get(id) ?? []
      const unanswered = [...(this.unanswered.get(id) ?? []), ...(this.unansweredNotes.has(notes) ? ['pending' as const] : [])]
      const latest = answered.toSorted((one, other) => stageOf(one) - stageOf(other)).at(-1)
      const isPossible = status === latest || (unanswered.includes(status) && (!latest || stageOf(latest) < stageOf(status)))
      return isPossible ? [] : [`order ${id} (${notes}) is ${status}: answered ${answered}, unanswered ${unanswered}`]
    })
    return [...lost, ...wrong]
  }
}
