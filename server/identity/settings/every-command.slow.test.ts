/**
 * Every command of the portal, called by an administrator who has not confirmed and by an API token: none changes who is an administrator.
 * The name of a parameter or field decides which values the calls try in it.
 */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { dayAhead } from '../../../test/access-reviews.ts'
import { duties } from '../../../test/duties.ts'
import { makers } from '../../../test/makers.ts'
import { type Client, testPortal, until } from '../../../test/portal.ts'
import { type Route, routes } from '../../../test/running.ts'
import { tokenOf } from '../../../test/tokens.ts'
import { scopeNames } from '../tokens/rules.ts'

const portal = testPortal()
const make = makers(portal)
const commands = routes.filter(({ endpoint }) => endpoint.does === 'command')

/** The administrators, and what open reviews will do to them, read without the portal's own view. */
const STATE = `
  with gives as (select group_id from group_roles where role_id = (select id from roles where name = 'admin'))
  select array(select (user_id, expires_at)::text from direct_roles where role_id = (select id from roles where name = 'admin') order by 1) as held,
    array(select group_id from gives order by 1) as groups,
    array(select (group_id, user_id, expires_at)::text from memberships where group_id in (select group_id from gives) order by 1) as members,
    array(
      select id from users where is_active and (
        id in (select user_id from direct_roles where role_id = (select id from roles where name = 'admin'))
        or id in (select user_id from memberships where group_id in (select group_id from gives))) order by 1) as active,
    array(
      select (i.id, r.closed_by, (r.due_date + 1)::timestamp at time zone (select time_zone from settings))::text
      from access_review_items as i join access_reviews as r on r.id = review_id
      where (r.status = 'open' or r.closed_by is not null and r.status <> 'cancelled')
        and (i.group_id in (select group_id from gives) or i.role_id = (select id from roles where name = 'admin'))
        and coalesce(verdict, if_silent) = 'remove' order by 1) as reviewed`
const state = async () => JSON.stringify((await portal.sql(STATE))[0])

/** An administrator whose calls are watched, and the records that the calls aim at. */
async function openWorld() {
  await portal.sql('update sessions set confirmed_at = now() where user_id = $1', [portal.admin.id])
  const admin = (await make.roleNamed('admin')).id
  const must = async (answering: ReturnType<Client['post']>) => {
    const { status, body, text } = await answering
    assert.ok(status < 300, text)
    return body
  }
  const chief = async () => (await make.newPerson({ roles: ['admin'] })).id
  const [caller, plain, revived] = [await make.newPerson({ roles: ['admin'] }), (await make.newPerson()).id, await chief()]
  await must(portal.admin.patch(`/users/${revived}`, { isActive: false }))
  const heads = async (...userIds: number[]) => {
    const { id } = await make.newGroup({ userIds })
    await must(portal.admin.post(`/groups/${id}/roles`, { roleId: admin }))
    return id
  }
  const [member, role] = [(await make.newPerson()).id, await make.newRole(['portal.hr'])]
  const groups = { full: await heads(member), empty: await heads(), plain: (await make.newGroup()).id }
  const open = { titleEn: 'Quarter', groupIds: [groups.full], dueDate: dayAhead(8) }
  const reviews = {
    silent: (await must(portal.admin.post('/access-reviews', { ...open, ifSilent: 'remove' }))).id as number,
    keeping: (await must(portal.admin.post('/access-reviews', { ...open, ifSilent: 'keep' }))).id as number,
  }
  const itemOf = async (id: number) => (await portal.admin.get(`/access-reviews/${id}/items`)).body.items[0].id as number
  const itemIds = { silent: await itemOf(reviews.silent), keeping: await itemOf(reviews.keeping) }
  const logged = async (type: string, id: number) =>
    (await portal.admin.get(`/admin/audit-logs?targetType=${type}&targetId=${id}&limit=1`)).body.entries[0].id as number
  const entries = [await logged('user', revived), await logged('group', groups.empty), await logged('role', role.id)]
  const token = await tokenOf(portal, caller.id, { scopes: scopeNames.filter((scope) => scope !== 'scim') })
  const users = { chief: await chief(), revived, plain, member }
  return { caller, cookie: caller.cookie, token, admin, users, role: role.id, groups, reviews, itemIds, entries }
}
type World = Awaited<ReturnType<typeof openWorld>>

/** The values to try for a parameter of a path. */
function valuesOf({ path }: Route, name: string, { users, groups, reviews, admin, role, entries }: World): (string | number)[] {
  if (name === 'memberId') return path.includes('/users/') ? [users.member] : [admin]
  if (name === 'roleName') return ['admin']
  if (name === 'kind') return ['audit']
  if (name === 'entryId') return entries
  if (path.startsWith('/access-reviews')) return Object.values(reviews)
  if (path.startsWith('/groups')) return Object.values(groups)
  if (path.startsWith('/roles')) return [role, admin]
  return path.includes('users/') ? Object.values(users) : [1]
}

/** The values to try for each field of a body. */
function fieldsOf({ users, groups, admin, itemIds }: World): Record<string, unknown[]> {
  const both = (one: number) => [[one], []]
  const moves = (one: number) => [
    { add: [one], remove: [] },
    { add: [], remove: [one] },
  ]
  return {
    isActive: [true, false],
    userId: [users.plain, users.member],
    userIds: both(users.plain),
    groupIds: both(groups.full),
    roleId: [admin],
    roleIds: both(admin),
    roleName: ['admin'],
    roleNames: [['admin']],
    members: moves(users.plain).concat(moves(users.member)),
    roles: moves(admin),
    ids: [[users.chief, users.revived, users.plain]],
    set: [
      { isActive: true },
      { isActive: false },
      { addRoleNames: ['admin'] },
      { removeRoleNames: ['admin'] },
      { addGroupIds: [groups.full] },
    ],
    items: Object.values(itemIds).flatMap((id) => ['keep', 'remove', null].map((verdict) => [{ id, verdict }])),
    dryRun: [false],
    ifSilent: ['remove'],
    dueDate: [dayAhead(3)],
    timeZone: ['Asia/Riyadh', 'Pacific/Auckland'],
    permissionIds: [[1], []],
    permissionId: [1],
    username: [`made${crypto.randomUUID().slice(0, 8)}`],
    email: [`${crypto.randomUUID()}@example.org`],
    name: [`made-${crypto.randomUUID().slice(0, 8)}`],
  }
}
/** Fields that a call needs besides the field that is tried, because that field alone would be refused. */
const beside: Record<string, (world: World) => object> = {
  'POST /access-reviews': ({ groups }) => ({ groupIds: [groups.full], roleIds: [], reviewerUserIds: [] }),
  'POST /users/bulk-change': ({ users }) => ({ ids: [users.chief, users.revived, users.plain], filter: undefined }),
  'POST /groups': () => ({ userIds: [], roleIds: [], appIds: [] }),
  'POST /users': () => ({ password: 'a longer password', roleNames: undefined, groupIds: undefined, invite: undefined }),
}
/** Whether the tried field is sent alone: an example would change other fields, too. */
const isPartial = ({ method }: Route) => method === 'PATCH'

function bodiesOf(route: Route, world: World): object[] {
  const { properties = {}, examples = [] } = (route.endpoint.body ?? {}) as { properties?: object; examples?: object[] }
  const values = fieldsOf(world)
  const example = isPartial(route) ? {} : { ...examples[0] }
  const unique = Object.fromEntries(
    ['username', 'email', 'name']
      .filter((name) => !isPartial(route) && name in properties)
      .map((name) => [name, values[name]![0]] as const),
  )
  const base = { ...example, ...unique, ...('dueDate' in example && { dueDate: dayAhead(9) }), ...beside[route.at]?.(world) }
  const tried = Object.keys(properties).flatMap((name) => (values[name] ?? []).map((value) => ({ ...base, [name]: value })))
  return [base, ...tried]
}

function addressesOf(route: Route, world: World) {
  let filled: Record<string, string | number>[] = [{}]
  for (const name of route.parameters)
    filled = filled.flatMap((one) => valuesOf(route, name, world).map((value) => ({ ...one, [name]: value })))
  const addresses = filled.map((values) => route.path.replace(/:(\w+)/g, (_, name: string) => String(values[name])))
  const isForced = 'force' in ((route.endpoint.query as { properties?: object } | undefined)?.properties ?? {})
  return isForced ? addresses.map((address) => `${address}?force=true`) : addresses
}

before(async () => {
  await portal.ready
  assert.equal((await duties(portal).set({ confirmAdministration: true })).status, 200)
})

/** Commands that must change the administrators once they are confirmed: proof that the calls reach administrators. */
const movers = [
  'POST /users',
  'PATCH /users/:id',
  'DELETE /users/:id',
  'POST /users/bulk-change',
  'POST /users/:id/roles',
  'PUT /users/:id/roles',
  'DELETE /users/:id/roles/:roleName',
  'POST /groups',
  'PATCH /groups/:id',
  'DELETE /groups/:id',
  'POST /groups/:id/users',
  'DELETE /groups/:id/users/:memberId',
  'POST /groups/:id/roles',
  'DELETE /groups/:id/roles/:memberId',
  'POST /access-reviews',
  'PATCH /access-reviews/:id',
  'POST /access-reviews/:id/verdicts',
  'POST /access-reviews/:id/close',
  'POST /access-reviews/:id/cancel',
  'POST /admin/history/:kind/:entryId/revert',
  'PATCH /settings',
]

test('no command changes who is an administrator without confirmation, and none by a token', async () => {
  let world = await openWorld()
  const [wrong, moved] = [[] as string[], new Set<string>()]
  /** Sets when the caller last confirmed, and undoes what a call did to their session, such as a sign-out or a registration. */
  const confirmedAt = async (moment: string) => {
    world.caller.cookie = world.cookie
    await portal.sql(`update sessions set confirmed_at = ${moment}, ended_at = null where user_id = $1 and kind = 'browser'`, [
      world.caller.id,
    ])
  }
  for (const route of commands) {
    const count = bodiesOf(route, world).length
    for (let place = 0; place < addressesOf(route, world).length; place++)
      for (let nth = 0; nth < count; nth++) {
        const send = (by: Client) => {
          const body = route.endpoint.body ? JSON.stringify(bodiesOf(route, world)[nth]) : undefined
          return by.send(route.method, addressesOf(route, world)[place]!, body)
        }
        const before = await state()
        await confirmedAt(`now() - interval '16 minutes'`)
        for (const [who, by] of [
          ['unconfirmed', world.caller],
          ['a token', world.token],
        ] as const) {
          const { status } = await send(by)
          // Other tests show that refused calls change nothing.
          if (status < 300 && (await state()) !== before)
            wrong.push(`${route.at} by ${who}: ${status} ${JSON.stringify(bodiesOf(route, world)[nth])}`)
        }
        if (moved.has(route.at)) continue
        await confirmedAt('now()')
        await send(world.caller)
        if ((await state()) === before) continue
        moved.add(route.at)
        await until('no review is being closed', async () => {
          const open = await portal.sql(`select from access_reviews where status = 'closing'`)
          return open.length === 0
        })
        world = await openWorld()
      }
  }
  assert.deepEqual(wrong, [])
  assert.deepEqual(
    movers.filter((at) => !moved.has(at)),
    [],
  )
})
