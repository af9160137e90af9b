/** Simultaneous demotions of the last two administrators leave exactly one, whichever way they are made. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers, tracing } from './makers.ts'
import { type Answer, type Client, testPortal } from './portal.ts'
import { scale } from './suite.ts'

const portal = testPortal()
const { newGroup, newPerson } = makers(portal)
const { silent } = tracing(portal)
const AT_ONCE = scale(40, 1000)
const EVERYONE = 1
const [ADMIN, USER] = [1, 2]

interface Administrator {
  person: Client
  /** A group whose only member is this person. */
  group: number
}
/** How somebody is an administrator: by their own role or a group’s. */
type By = 'role' | 'group'
type Demote = (by: Client, administrator: Administrator) => Promise<Answer>
const ways: [name: string, by: By, demote: Demote][] = [
  ['removal of the role', 'role', (by, { person }) => by.delete(`/users/${person.id}/roles/admin`)],
  ['deactivation', 'role', (by, { person }) => by.patch(`/users/${person.id}`, { isActive: false })],
  ['deletion', 'role', (by, { person }) => by.delete(`/users/${person.id}?force=true`)],
  ['new groups', 'group', (by, { person }) => by.patch(`/users/${person.id}`, { groupIds: [EVERYONE] })],
  ['removal from the group', 'group', (by, { person, group }) => by.delete(`/groups/${group}/users/${person.id}`)],
  ['new members of the group', 'group', (by, { group }) => by.patch(`/groups/${group}`, { userIds: [] })],
  ['new roles of the group', 'group', (by, { group }) => by.patch(`/groups/${group}`, { roleIds: [USER] })],
  ['removal of the group’s role', 'group', (by, { group }) => by.delete(`/groups/${group}/roles/${ADMIN}`)],
  ['deletion of the group', 'group', (by, { group }) => by.delete(`/groups/${group}?force=true`)],
]

async function appoint(by: By): Promise<Administrator> {
  const { id: group } = await newGroup({ roleIds: by === 'group' ? [ADMIN] : [] })
  const person = await newPerson({ groupIds: [group], roles: by === 'role' ? ['admin'] : [] })
  return { person, group }
}
const remove = ({ person }: Administrator) => portal.admin.delete(`/users/${person.id}?force=true`)

/** Runs `act` while the portal’s own administrator is inactive, a state that the API would refuse. */
async function withoutOwnAdmin<T>(act: () => Promise<T>) {
  const setActive = (isActive: boolean) =>
    portal.meddle('user', portal.admin.id, `update users set is_active = ${isActive} where id = ${portal.admin.id}`)
  await setActive(false)
  return act().finally(() => setActive(true))
}
const countActiveAdmins = async () =>
  (await portal.sql(`select from users u join effective_roles er on er.user_id = u.id where er.role_id = ${ADMIN} and u.is_active`)).length

const ALLOWED = [
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
/** Starts all calls at once. Returns how many got each answer. */
async function countAnswers(calls: (() => Promise<Answer>)[]) {
  const counts: Record<string, number> = {}
  for (const { status, body } of await Promise.all(calls.map((call) => call()))) {
    const answer = `${status} ${body?.code ?? 'done'}`
    assert.ok(ALLOWED.includes(answer), answer)
    counts[answer] = (counts[answer] ?? 0) + 1
  }
  return JSON.stringify(counts)
}

/** Makes many simultaneous calls, each by one of the only two administrators against one of the two. */
async function checkOneIsLeft(administrators: [Administrator, Administrator], demotions: Demote[]) {
  const calls = Array.from({ length: AT_ONCE }, (_, i) => () => {
    const [by, whom] = [administrators[i & 1]!, administrators[(i >> 1) & 1]!]
    return demotions[(i >> 2) % demotions.length]!(by.person, whom)
  })
  const counts = await withoutOwnAdmin(async () => {
    assert.equal(await countActiveAdmins(), 2)
    const counts = await countAnswers(calls)
    assert.equal(await countActiveAdmins(), 1)
    return counts
  })
  for (const one of administrators) await remove(one)
  return counts
}

for (const [name, by, demote] of ways)
  test(`${AT_ONCE} simultaneous demotions by ${name} leave exactly one administrator`, async (t) => {
    t.diagnostic(await checkOneIsLeft([await appoint(by), await appoint(by)], [demote]))
  })

test(`${AT_ONCE} simultaneous demotions of every kind leave exactly one administrator`, async (t) => {
  const demotions = ways.map(([, , demote]) => demote)
  t.diagnostic(await checkOneIsLeft([await appoint('role'), await appoint('group')], demotions))
})

const ownCodes: Record<string, string> = { deactivation: 'cannot_deactivate_self', deletion: 'cannot_delete_self' }
for (const [name, by, demote] of ways)
  test(`the last administrator cannot step down by ${name}, and the attempt leaves no trace`, async () => {
    const last = await appoint(by)
    await withoutOwnAdmin(async () => {
      const { body } = await silent(() => demote(last.person, last))
      assert.equal(body?.code, ownCodes[name] ?? 'last_admin')
    })
    await remove(last)
  })
