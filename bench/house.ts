/** Compares everyday requests with a bare server, and measures sign-ins, start times and memory. */
import autocannon from 'autocannon'
import { note } from './figures.ts'
import { compareWithFloor } from './floor-ratio.ts'
import { fillPeople, fillTokens, PASSWORD, signIn } from './people.ts'
import { type BenchPortal, openBenchPortal } from './portal.ts'

const PEOPLE = 5000
const CONNECTIONS = 64
const SECONDS = 4

/** Creates 60 apps, 30 of them unrestricted. */
async function fillApps({ sql }: BenchPortal) {
  await sql(
    `with added as (
       insert into apps (slug, name_ar, name_en, description_ar, description_en, icon_name, route, color, sort_order)
       select 'app-' || n, 'التطبيق رقم ' || n, 'Application number ' || n, 'وصف موجز للتطبيق', 'A short description of the application',
         'layout-grid', '/apps/app-' || n, '#1f5f8b', n
       from generate_series(1, 60) as n returning id, sort_order),
     restricted as (
       insert into app_permissions select added.id, permissions.id from added, permissions
       where sort_order > 30 and permissions.name = 'portal.it' returning app_id),
     history as (insert into permission_history (kind, target_id, added, removed) select 'app.permissions', app_id, '{}', '{}' from restricted)
     insert into ledger (kind, target_type, target_id, facts) select 'bench.filled', 'app', id, '{}' from added`,
  )
  await sql('analyze')
}

async function logins(base: string) {
  const body = (n: number) => JSON.stringify({ username: `person${n + 1}`, password: PASSWORD })
  const result = await autocannon({
    url: base,
    connections: CONNECTIONS,
    duration: SECONDS * 2,
    requests: Array.from({ length: PEOPLE }, (_, n) => ({
      method: 'POST' as const,
      path: '/api/auth/login',
      headers: { 'content-type': 'application/json' },
      body: body(n),
    })),
  })
  if (result.non2xx || result.errors) throw new Error(`login: ${result.non2xx} refused, ${result.errors} failed`)
  return result.requests.average
}

/** Prints the figures; returns whether they meet their targets. */
export async function benchHouse() {
  const portal = await openBenchPortal()
  try {
    return await measure(portal)
  } finally {
    await portal.close()
  }
}

async function measure(portal: BenchPortal) {
  const held = [
    note({ what: 'start in an empty folder', unit: 's', rounds: [portal.coldMs / 1000], atMost: 6 }),
    note({ what: 'start again', unit: 's', rounds: [portal.warmMs / 1000], atMost: 2 }),
  ]
  const { ids, cookies } = await fillPeople(portal, PEOPLE)
  const tokens = await fillTokens(portal, ids)
  await fillApps(portal)
  held.push(
    await compareWithFloor(portal, { paths: ['/api/auth/me', '/api/apps'], callers: cookies.map((cookie) => ({ cookie })), atLeast: 0.5 }),
  )
  const byToken = tokens.map((token) => ({ authorization: `Bearer ${token}` }))
  held.push(await compareWithFloor(portal, { paths: ['/api/auth/me'], callers: byToken, by: 'a token', atLeast: 0.5 }))
  // Before the sign-ins: these end the oldest sessions of people who have too many.
  const bases = [await portal.addInstance({ WORKERS: '2' }), await portal.addInstance({ WORKERS: '2' })]
  const by = 'two instances of two processes'
  held.push(
    await compareWithFloor(portal, { paths: ['/api/auth/me', '/api/apps'], callers: cookies.map((cookie) => ({ cookie })), bases, by }),
  )
  note({ what: 'sign-ins', unit: '/s', rounds: [await logins(portal.base)] })
  // Clients that hung up leave password checks behind. Once one more sign-in is answered, these checks are done.
  await signIn(portal.base)
  held.push(note({ what: 'memory of the server after all this', unit: 'MB', rounds: [portal.rssMb()], atMost: 200 }))
  return held.every(Boolean)
}
