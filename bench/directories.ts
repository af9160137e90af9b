/** A directory that provisions people and groups by SCIM. */
import pg from 'pg'
import { call, p99, readsDuring, timeEach, timeOf } from './asking.ts'
import { note } from './figures.ts'
import type { BenchPortal } from './portal.ts'

export const PEOPLE = 50_000
const ROUNDS = 5
/** The number of people created in one measurement, and of members added by a call. */
const [CREATED, MEMBERS] = [500, 100]

export interface Organisation {
  portal: BenchPortal
  /** The administrator's cookie. */
  cookie: string
  /** The people created by SQL, and their cookies. */
  ids: number[]
  cookies: string[]
}

export const askAsAdmin = ({ portal, cookie }: Organisation, method: string, path: string, body?: unknown) =>
  call(`${portal.base}/api`, { cookie }, method, path, body)

/** Opens a directory that has provisioned all people of the organisation. */
export async function openDirectory(organisation: Organisation) {
  const { id } = await askAsAdmin(organisation, 'POST', '/admin/provisioning/sources', { name: 'directory', isActive: true })
  const { token } = await askAsAdmin(organisation, 'POST', `/admin/provisioning/sources/${id}/tokens`, { name: 'Bench' })
  await organisation.portal.sql(
    `with recorded as (insert into ledger (kind, target_type, target_id, facts) values ('bench.filled', 'source', $1, '{}'))
     insert into provisioned_users (user_id, source_id, external_id, user_name, attributes)
     select id, $1, 'external-' || id, username || '@example.org', '{}' from users where id = any($2::int[])`,
    [id, organisation.ids],
  )
  await organisation.portal.sql('vacuum analyze')
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' }
  const ask = (method: string, path: string, body?: unknown) => call(`${organisation.portal.base}/api/scim/v2`, headers, method, path, body)
  return { ask, find: (userName: string) => ask('GET', `/Users?filter=${encodeURIComponent(`userName eq "${userName}"`)}`) }
}
type Directory = Awaited<ReturnType<typeof openDirectory>>

const resourceOf = (n: number) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: `new${n}@example.org`,
  externalId: `new-${n}`,
  displayName: `New person ${n}`,
  emails: [{ value: `new${n}@example.org`, type: 'work', primary: true }],
  active: true,
})

export async function measurePeople(organisation: Organisation, { ask, find }: Directory) {
  const { portal } = organisation
  await portal.sql('create table bare (id int generated always as identity primary key, name text unique, email text unique, facts jsonb)')
  const client = new pg.Client(portal.connection)
  await client.connect()
  const insert = { name: 'bare', text: 'insert into bare (name, email, facts) values ($1, $2, $3)' }
  const bare = (n: number) => client.query({ ...insert, values: [`new${n}`, `new${n}@example.org`, JSON.stringify(resourceOf(n))] })
  const times = { bare: [] as number[], one: [] as number[], three: [] as number[], found: [] as number[], me: [] as number[] }
  const from = (round: number) => (n: number) => ask('POST', '/Users', resourceOf(round * CREATED + n))
  for (let round = 0; round < ROUNDS; round++) {
    times.bare.push(await timeEach(CREATED, (n) => bare(round * CREATED + n)))
    times.one.push(await timeEach(CREATED, from(2 * round)))
    times.three.push(await timeEach(CREATED, from(2 * round + 1), 3))
  }
  await client.end()
  const changes = async () => (await portal.sql<{ count: string }>('select count(*) from ledger'))[0]!.count
  const before = await changes()
  for (let round = 0; round < ROUNDS; round++) {
    times.me.push(await timeEach(CREATED, () => askAsAdmin(organisation, 'GET', '/auth/me')))
    times.found.push(
      await timeEach(CREATED, async (n) => {
        const { Resources } = await find(`new${n}@example.org`)
        await ask('PUT', `/Users/${Resources[0].id}`, resourceOf(n))
      }),
    )
  }
  if ((await changes()) !== before) throw new Error('people who did not change left changes')
  const lookups: number[] = []
  for (let n = 1; n <= 500; n++) lookups.push(await timeOf(() => find(`person${n * 97}@example.org`)))
  const grown = portal.rssMb()
  const whole = await timeOf(async () => {
    for (let start = 1; ; start += 500) if ((await ask('GET', `/Users?startIndex=${start}&count=500`)).Resources.length < 500) return
  })
  const perSecond = (ms: number) => 1000 / ms
  return [
    note({
      what: `a person created by SCIM among ${PEOPLE}, against a committed insert`,
      unit: 'ms',
      rounds: times.one,
      floor: times.bare,
      atMost: 5,
    }),
    note({
      what: 'people created by SCIM over three connections, against one',
      unit: '/s',
      rounds: times.three.map(perSecond),
      floor: times.one.map(perSecond),
      atLeast: 2,
    }),
    note({ what: 'a person found by SCIM and sent as they are, against GET /auth/me', unit: 'ms', rounds: times.found, floor: times.me }),
    note({ what: `a person looked up by SCIM among ${PEOPLE}, p99`, unit: 'ms', rounds: [p99(lookups)], atMost: 20 }),
    note({ what: `GET /Users of ${PEOPLE}, 500 a page`, unit: 's', rounds: [whole / 1000], atMost: 60 }),
    note({
      what: 'memory that the server gains while it lists them',
      unit: 'MB',
      rounds: [Math.max(0, portal.rssMb() - grown)],
      atMost: 40,
    }),
  ]
}

export async function measureGroups(organisation: Organisation, { ask }: Directory) {
  const { portal, ids } = organisation
  const group = (displayName: string, members: object[]) => ask('POST', '/Groups', { displayName, members })
  const patch = (id: string, op: 'add' | 'remove', values: number[]) => {
    const operation =
      op === 'add'
        ? { op, path: 'members', value: values.map((value) => ({ value: String(value) })) }
        : { op, path: `members[value eq "${values[0]}"]` }
    return ask('PATCH', `/Groups/${id}`, { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: [operation] })
  }
  const [large, small] = [
    await group('Large', []),
    await group(
      'Small',
      ids.slice(0, 10).map((id) => ({ value: String(id) })),
    ),
  ]
  const grow: number[] = []
  const others = await readsDuring(portal.base, organisation.cookies[7]!, async () => {
    for (let n = 0; n < PEOPLE - MEMBERS; n += MEMBERS) grow.push(await timeOf(() => patch(large.id, 'add', ids.slice(n, n + MEMBERS))))
  })
  const [{ bytes }] = (await portal.sql<{ bytes: number }>(
    `select sum(pg_column_size(ledger.*))::int as bytes from ledger where target_type = 'group' and target_id = $1`,
    [large.id],
  )) as [{ bytes: number }]
  const single = { large: [] as number[], small: [] as number[] }
  for (let n = 1; n <= 20; n++)
    for (const [name, one] of [
      ['large', large],
      ['small', small],
    ] as const) {
      const person = [ids.at(-n)!]
      single[name].push(await timeOf(() => patch(one.id, 'add', person)), await timeOf(() => patch(one.id, 'remove', person)))
    }
  const members = ids.slice(0, PEOPLE - MEMBERS).map((id) => ({ value: String(id) }))
  const whole: number[] = []
  for (let n = 1; n <= ROUNDS; n++) {
    const resource = { displayName: 'Large', members: [...members.slice(1), { value: String(ids.at(-n)) }] }
    whole.push((await timeOf(() => ask('PUT', `/Groups/${large.id}`, resource))) / 1000)
  }
  return [
    note({
      what: `the last thousand of ${PEOPLE} members by ${MEMBERS} a call, against the first`,
      unit: 'ms',
      rounds: grow.slice(-10),
      floor: grow.slice(0, 10),
      atMost: 1.5,
    }),
    note({
      what: `one member more or less of ${PEOPLE}, against one of ten`,
      unit: 'ms',
      rounds: single.large,
      floor: single.small,
      atMost: 3,
    }),
    note({ what: `a PUT of ${PEOPLE} members that changes two`, unit: 's', rounds: whole, atMost: 2 }),
    note({ what: 'the record of a member', unit: 'kB', rounds: [bytes / (PEOPLE - MEMBERS) / 1000], atMost: 0.1 }),
    note({ what: 'someone else’s reads while the group grows, p99', unit: 'ms', rounds: [p99(others)], atMost: 250 }),
  ]
}
