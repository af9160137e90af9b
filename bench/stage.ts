/** A portal with a service, its receivers, and people who order it. */
import { fillPeople, PASSWORD } from './people.ts'
import { type BenchPortal, openBenchPortal } from './portal.ts'

export const RECEIVERS = 5
const PEOPLE = 2000

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
  // The administrator would be a sixth receiver.
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

async function signIn(base: string) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${base}/api/auth/login`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ username: 'admin', password: PASSWORD }),
  })
  return response.headers.getSetCookie()[0]!.split(';')[0]!
}
