/** However the last two administrators are demoted, and however many try at once, exactly one is left. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, type Client, testPortal } from './portal.ts'
import { scale } from './suite.ts'

const portal = testPortal()
const AT_ONCE = scale(100, 1000)
const EVERYONE = 1
const [ADMIN, USER] = [1, 2]

type Standing = 'direct' | 'group'
interface Chief {
  person: Client
  /** A group whose only member is this person. */
  group: number
}
/** A way to demote someone who is an administrator by a role of their own or of their group. */
interface Path {
  name: string
  standing: Standing
  demote: (by: Client, chief: Chief) => Promise<Answer>
}
const paths: Path[] = [
  { name: 'removal of the role', standing: 'direct', demote: (by, { person }) => by.delete(`/users/${person.id}/roles/admin`) },
  { name: 'deactivation', standing: 'direct', demote: (by, { person }) => by.patch(`/users/${person.id}`, { isActive: false }) },
  { name: 'deletion', standing: 'direct', demote: (by, { person }) => by.delete(`/users/${person.id}?force=true`) },
  { name: 'new groups', standing: 'group', demote: (by, { person }) => by.patch(`/users/${person.id}`, { groupIds: [EVERYONE] }) },
  {
    name: 'removal from the group',
    standing: 'group',
    demote: (by, { person, group }) => by.delete(`/groups/${group}/users/${person.id}`),
  },
  { name: 'new members of the group', standing: 'group', demote: (by, { group }) => by.patch(`/groups/${group}`, { userIds: [] }) },
  { name: 'new roles of the group', standing: 'group', demote: (by, { group }) => by.patch(`/groups/${group}`, { roleIds: [USER] }) },
  { name: 'removal of the group’s role', standing: 'group', demote: (by, { group }) => by.delete(`/groups/${group}/roles/${ADMIN}`) },
  { name: 'deletion of the group', standing: 'group', demote: (by, { group }) => by.delete(`/groups/${group}?force=true`) },
]

let made = 0
async function appoint(standing: Standing): Promise<Chief> {
  const username = `chief${++made}`
  const group = (await portal.admin.post('/groups', { name: username, roleIds: standing === 'group' ? [ADMIN] : [] })).body.id
  const person = await portal.person(username, { groupIds: [group], roles: standing === 'direct' ? ['admin'] : [] })
  return { person, group }
}

/** Deactivates the portal's own administrator, past the rules, or reactivates them. */
const stepAside = (isActive: boolean) =>
  portal.meddle('user', portal.admin.id, `update users set is_active = ${isActive} where id = ${portal.admin.id}`)
const activeAdmins = async () =>
  (
    await portal.sql<{ id: number }>(
      `select u.id from users u join effective_roles er on er.user_id = u.id where er.role_id = ${ADMIN} and u.is_active`,
    )
  ).map(({ id }) => id)

/** Starts all calls at once; returns how many got which answer. */
async function storm(calls: (() => Promise<Answer>)[]) {
  const answers = await Promise.all(calls.map((call) => call()))
  const tally: Record<string, number> = {}
  for (const { status, body } of answers) {
    const answer = `${status} ${body?.code ?? 'done'}`
    tally[answer] = (tally[answer] ?? 0) + 1
  }
  const allowed = [
    '200 done',
    '204 done',
    '400 cannot_delete_self',
    '400 cannot_deactivate_self',
    '401 unauthorized',
    '403 forbidden',
    '404 not_found',
    '409 last_admin',
    '503 unavailable',
  ]
  assert.deepEqual(
    Object.keys(tally).filter((answer) => !allowed.includes(answer)),
    [],
  )
  return tally
}

/** Makes two people the only administrators; each of many simultaneous calls is made by one of them against one of them. */
async function leaveOne(chiefs: [Chief, Chief], ways: Path['demote'][]) {
  const calls = Array.from({ length: AT_ONCE }, (_, i) => () => ways[(i >> 2) % ways.length]!(chiefs[i & 1]!.person, chiefs[(i >> 1) & 1]!))
  await stepAside(false)
  assert.equal((await activeAdmins()).length, 2)
  const tally = await storm(calls)
  const left = await activeAdmins()
  await stepAside(true)
  assert.equal(left.length, 1)
  for (const { person } of chiefs) await portal.admin.delete(`/users/${person.id}?force=true`)
  return JSON.stringify(tally)
}

for (const { name, standing, demote } of paths)
  test(`${AT_ONCE} demotions at once by ${name} leave exactly one administrator`, async (t) => {
    t.diagnostic(await leaveOne([await appoint(standing), await appoint(standing)], [demote]))
  })

test(`${AT_ONCE} demotions at once by every way there is leave exactly one administrator`, async (t) => {
  t.diagnostic(
    await leaveOne(
      [await appoint('direct'), await appoint('group')],
      paths.map(({ demote }) => demote),
    ),
  )
})

const ownCodes: Record<string, string> = { deactivation: 'cannot_deactivate_self', deletion: 'cannot_delete_self' }
for (const { name, standing, demote } of paths)
  test(`the last administrator cannot step down by ${name}, and trying leaves no trace`, async () => {
    const chief = await appoint(standing)
    await stepAside(false)
    const traces = await portal.traces(async () =>
      assert.equal((await demote(chief.person, chief)).body?.code, ownCodes[name] ?? 'last_admin'),
    )
    await stepAside(true)
    assert.deepEqual(traces, { audit: [], histories: [], notices: [], events: [] })
    await portal.admin.delete(`/users/${chief.person.id}?force=true`)
  })
