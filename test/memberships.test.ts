/** Whatever is done to people, groups, roles and apps at once, each history adds up to its set, and so does its mirror. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, PASSWORD, testPortal } from './portal.ts'
import { scale } from './suite.ts'

const portal = testPortal()
const EVERYONE = 1
const OPERATIONS = scale(160, 800)
const AT_ONCE = 24

/** A pseudorandom generator that yields the same numbers on every run. */
function dice(seed: number) {
  let state = seed
  return (sides: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

const sets = {
  'user.roles': ['user_roles', 'user_id', 'role_id'],
  'user.groups': ['group_users', 'user_id', 'group_id'],
  'group.users': ['group_users', 'group_id', 'user_id'],
  'group.roles': ['group_roles', 'group_id', 'role_id'],
  'group.apps': ['group_apps', 'group_id', 'app_id'],
} as const

/** Targets whose additions minus removals differ from their current set. */
const mismatches = ([kind, [table, target, member]]: [string, readonly [string, string, string]]) =>
  portal.sql(
    `with moves as (
       select target_id as target, member, 1 as by from permission_history, unnest(added) as member where kind = $1
       union all
       select target_id, member, -1 from permission_history, unnest(removed) as member where kind = $1)
     select coalesce(told.target, held.target) as target, coalesce(told.member, held.member) as member, told.total
     from (select target, member, sum(by)::int as total from moves group by 1, 2) as told
     full join (select ${target} as target, ${member} as member from ${table}) as held using (target, member)
     where coalesce(told.total, 0) <> case when held.target is null then 0 else 1 end`,
    [kind],
  )

test(`after ${OPERATIONS} operations, ${AT_ONCE} at a time, histories add up to the sets and their mirrors`, async (t) => {
  const { admin } = portal
  const roll = dice(7)
  const [people, groups, apps] = [[], [EVERYONE], []] as [number[], number[], number[]]
  const person = () => people[roll(people.length)] ?? 1
  const group = () => groups[roll(groups.length)]!
  const app = () => apps[roll(apps.length)] ?? 1
  const some = (one: () => number) => Array.from({ length: roll(4) }, one)
  const role = () => 2 + roll(7)
  const keep = async (ids: number[], answer: Promise<Answer>) => {
    const { body, ...rest } = await answer
    if (body?.id && !ids.includes(body.id)) ids.push(body.id)
    return { body, ...rest }
  }
  let made = 0
  const newPerson = () => ({ username: `person${++made}`, email: `person${made}@example.org`, password: PASSWORD })
  const newApp = () => ({ slug: `app${++made}`, nameAr: 'تطبيق', nameEn: 'App', iconName: 'grid', route: '/app', color: 'red' })

  const operations: (() => Promise<Answer>)[] = [
    () => keep(people, admin.post('/users', { ...newPerson(), groupIds: some(group) })),
    () => keep(people, portal.stranger().post('/auth/register', newPerson())),
    () => keep(groups, admin.post('/groups', { name: `group${++made}`, userIds: some(person), roleIds: some(role), appIds: some(app) })),
    () => keep(apps, admin.post('/apps', newApp())),
    () => admin.patch(`/users/${person()}`, { groupIds: some(group) }),
    () => admin.patch(`/users/${person()}`, { isActive: roll(2) === 0, displayNameEn: `Name ${roll(3)}` }),
    () => admin.post(`/users/${person()}/roles`, { roleName: ['user', 'order_receiver', 'executive_viewer'][roll(3)] }),
    () => admin.delete(`/users/${person()}/roles/order_receiver`),
    () => admin.patch(`/groups/${group()}`, { userIds: some(person), roleIds: some(role) }),
    () => admin.patch(`/groups/${group()}`, { appIds: some(app) }),
    () => admin.post(`/groups/${group()}/users`, { userId: person() }),
    () => admin.delete(`/groups/${group()}/users/${person()}`),
    () => admin.post(`/groups/${group()}/roles`, { roleId: role() }),
    () => admin.delete(`/groups/${group()}/apps/${app()}`),
    () => admin.post(`/groups/${group()}/apps`, { appId: app() }),
    () => (roll(3) ? admin.get(`/groups/${group()}`) : admin.delete(`/groups/${group()}?force=true`)),
    () => (roll(3) ? admin.get(`/users/${person()}/audit`) : admin.delete(`/users/${person()}?force=true`)),
    () => (roll(3) ? admin.get(`/groups/${group()}/audit`) : admin.delete(`/apps/${app()}?force=true`)),
  ]

  const tally: Record<string, number> = {}
  let left = OPERATIONS
  const work = async () => {
    while (left-- > 0) {
      const { status, body } = await operations[roll(operations.length)]!()
      const answer = `${status} ${body?.code ?? 'done'}`
      tally[answer] = (tally[answer] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))

  t.diagnostic(JSON.stringify(tally))
  assert.deepEqual(
    Object.keys(tally).filter((answer) => answer.startsWith('5') && answer !== '503 unavailable'),
    [],
  )
  for (const set of Object.entries(sets)) assert.deepEqual(await mismatches(set), [], set[0])
})
