/** A portal with a service, its receivers, and people who order it. */
import { fillPeople, signIn } from './people.ts'
import { type BenchPortal, openBenchPortal } from './portal.ts'

export const RECEIVERS = 5
const PEOPLE = 2000
/** The orders that `fillOrders` gives one person. */
export const OWN = 200

/** Creates a service, five receivers with a browser each, and people who order. */
async function setStage(portal: BenchPortal) {
  const { sql } = portal
  const { ids, cookies } = await fillPeople(portal, PEOPLE)
  const receivers = ids.slice(0, RECEIVERS)
  await sql(
    `with recorded as (
       insert into ledger (kind, target_type, target_id, facts) select 'bench.filled', 'user', unnest($1::int[]), '{}'),
     history as (
       insert into permission_history (kind, target_id, added, removed) select 'user.roles', unnest($1::int[]), '{}', '{}'),
     subscribed as (
       insert into push_subscriptions (user_id, session_id, endpoint, p256dh, auth)
       select user_id, id, 'https://push.example.org/' || user_id, '', '' from sessions where user_id = any($1::int[]))
     insert into direct_roles (user_id, role_id) select unnest($1::int[]), id from roles where name = 'order_receiver'`,
    [receivers],
  )
  // Takes the right to receive orders from administrators; otherwise the administrator would be a sixth receiver.
  await sql(
    `with recorded as (insert into ledger (kind, target_type, target_id, facts) select 'bench.filled', 'role', id, '{}' from roles where name = 'admin'),
     history as (
       insert into permission_history (kind, target_id, added, removed) select 'role.permissions', id, '{}', '{}' from roles where name = 'admin')
     delete from role_permissions using roles, permissions
     where roles.id = role_id and roles.name = 'admin' and permissions.id = permission_id and permissions.name = 'orders.receive'`,
  )
  const [{ id: serviceId }] = (await sql<{ id: number }>(
    `with added as (insert into services (name_ar, name_en) values ('قهوة عربية مع التمر', 'Arabic coffee') returning id),
     recorded as (insert into ledger (kind, target_type, target_id, facts) select 'bench.filled', 'service', id, '{}' from added)
     select id from added`,
  )) as [{ id: number }]
  const subscriptions = await sql<{ id: number }>('select id from push_subscriptions order by user_id')
  await sql('analyze')
  return { portal, serviceId, receivers, cookies, ids, subscriptions: subscriptions.map(({ id }) => id) }
}

export type Stage = Awaited<ReturnType<typeof openStage>>

export async function openStage(env: Record<string, string> = {}) {
  const portal = await openBenchPortal(env)
  const stage = await setStage(portal)
  return { ...stage, adminCookie: await signIn(portal.base), close: portal.close }
}

/**
 * Makes `others` orders in every state but `pending`, all assigned to receivers but the first; and 200 orders by one person, half of them
 * `pending` and half claimed by the first receiver.
 */
export async function fillOrders({ portal: { sql }, serviceId, ids, receivers }: Stage, others: number) {
  const [receiver, requester, ...rest] = ids
  // The trigger would take minutes to check for a million rows that their change is recorded.
  await sql('alter table orders disable trigger demand_change')
  await sql(
    `with recorded as (insert into ledger (kind, target_type, target_id, facts) values ('bench.filled', 'service', $1, '{}')),
     own as (
       insert into orders (service_id, user_id, status, assigned_to)
       select $1, $2, case when n % 2 = 0 then 'pending' else 'received' end, case when n % 2 = 1 then $3::int end
       from generate_series(1, $4::int) as n)
     insert into orders (service_id, user_id, status, assigned_to, cancelled_at)
     select $1, ($5::int[])[1 + n % cardinality($5::int[])], status, ($7::int[])[1 + n % cardinality($7::int[])], case when status = 'cancelled' then now() end
     from generate_series(1, $6::int) as n, lateral (select (array['received', 'completed', 'completed', 'cancelled', 'preparing'])[1 + n % 5] as status)`,
    [serviceId, requester, receiver, OWN, rest, others, receivers.filter((id) => id !== receiver)],
  )
  await sql('alter table orders enable trigger demand_change')
  await sql('vacuum analyze')
}
