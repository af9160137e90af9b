/** After simultaneous changes of people, groups, roles and apps, the histories of both sides of each link add up to the current sets. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers } from './makers.ts'
import { type Answer, PASSWORD, testPortal } from './portal.ts'
import { generator } from './suite.ts'

const portal = testPortal()
const { appFields } = makers(portal)
const EVERYONE = 1
const OPERATIONS = 800
const AT_ONCE = 24

const below = generator(7)

let made = 0
const accountFields = () => ({ username: `member${++made}`, email: `member${made}@example.org`, password: PASSWORD })

/** The ids that answers have returned so far. `any` chooses one at random, and `some` chooses up to three. */
function knownIds(...ids: number[]) {
  return {
    any: () => ids[below(ids.length)] ?? 1,
    some: () => Array.from({ length: below(4) }, () => ids[below(ids.length)] ?? 1),
    async add(sent: Promise<Answer>) {
      const answer = await sent
      if (answer.body?.id && !ids.includes(answer.body.id)) ids.push(answer.body.id)
      return answer
    },
  }
}
const [people, groups, apps] = [knownIds(), knownIds(EVERYONE), knownIds()]
const role = () => 2 + below(7)
const someRoles = () => Array.from({ length: below(4) }, role)
const [person, group, app] = [people.any, groups.any, apps.any]

const operations: (() => Promise<Answer>)[] = [
  () => people.add(portal.admin.post('/users', { ...accountFields(), groupIds: groups.some() })),
  () => people.add(portal.stranger().post('/auth/register', accountFields())),
  () =>
    groups.add(portal.admin.post('/groups', { name: `set${++made}`, userIds: people.some(), roleIds: someRoles(), appIds: apps.some() })),
  () => apps.add(portal.admin.post('/apps', appFields())),
  () => portal.admin.patch(`/users/${person()}`, { groupIds: groups.some() }),
  () => portal.admin.patch(`/users/${person()}`, { isActive: below(2) === 0, displayNameEn: `Name ${below(3)}` }),
  () => portal.admin.post(`/users/${person()}/roles`, { roleName: ['user', 'order_receiver', 'executive_viewer'][below(3)] }),
  () => portal.admin.delete(`/users/${person()}/roles/order_receiver`),
  () => portal.admin.patch(`/groups/${group()}`, { userIds: people.some(), roleIds: someRoles() }),
  () => portal.admin.patch(`/groups/${group()}`, { appIds: apps.some() }),
  () => portal.admin.post(`/groups/${group()}/users`, { userId: person() }),
  () => portal.admin.delete(`/groups/${group()}/users/${person()}`),
  () => portal.admin.post(`/groups/${group()}/roles`, { roleId: role() }),
  () => portal.admin.delete(`/groups/${group()}/apps/${app()}`),
  () => portal.admin.post(`/groups/${group()}/apps`, { appId: app() }),
  () => (below(3) ? portal.admin.get(`/groups/${group()}`) : portal.admin.delete(`/groups/${group()}?force=true`)),
  () => (below(3) ? portal.admin.get(`/users/${person()}/audit`) : portal.admin.delete(`/users/${person()}?force=true`)),
  () => (below(3) ? portal.admin.get(`/groups/${group()}/audit`) : portal.admin.delete(`/apps/${app()}?force=true`)),
]

/** Makes `OPERATIONS` random operations, `AT_ONCE` at a time. Returns how often each answer occurred. */
async function operate() {
  const counts: Record<string, number> = {}
  let left = OPERATIONS
  const work = async () => {
    while (left-- > 0) {
      const { status, body } = await operations[below(operations.length)]!()
      const answer = `${status} ${body?.code ?? 'done'}`
      counts[answer] = (counts[answer] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return counts
}

const sets = [
  ['user.roles', 'user_roles', 'user_id', 'role_id'],
  ['user.groups', 'group_users', 'user_id', 'group_id'],
  ['group.users', 'group_users', 'group_id', 'user_id'],
  ['group.roles', 'group_roles', 'group_id', 'role_id'],
  ['group.apps', 'group_apps', 'group_id', 'app_id'],
] as const
/** The members whose additions minus removals differ from the current set of their target. */
const mismatches = ([kind, table, target, member]: (typeof sets)[number]) =>
  portal.sql(
    `with moves as (
       select target_id as target, member, 1 as by from permission_history, unnest(added) as member where kind = $1
       union all
       select target_id, member, -1 from permission_history, unnest(removed) as member where kind = $1)
     select coalesce(summed.target, held.target) as target, coalesce(summed.member, held.member) as member, summed.total
     from (select target, member, sum(by)::int as total from moves group by 1, 2) as summed
     full join (select ${target} as target, ${member} as member from ${table}) as held using (target, member)
     where coalesce(summed.total, 0) <> case when held.target is null then 0 else 1 end`,
    [kind],
  )

test(`after ${OPERATIONS} operations, ${AT_ONCE} at a time, the histories add up to the current sets`, async (t) => {
  const counts = await operate()
  t.diagnostic(JSON.stringify(counts))
  const failed = Object.keys(counts).filter((answer) => answer.startsWith('5') && answer !== '503 unavailable')
  assert.deepEqual(failed, [])
  for (const set of sets) assert.deepEqual(await mismatches(set), [], set[0])
})
