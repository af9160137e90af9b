import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Actor, type Allow, nameOf } from './actor.ts'

const person = (roles: string[], permissions: string[]) =>
  new Actor({
    id: 7,
    kind: 'person',
    username: 'huda',
    language: 'ar',
    access: { roles, permissions: new Set(permissions), groups: [], groupIds: new Set() },
    version: 3,
    epoch: 4,
    edition: 5,
  })
const office: Allow = { name: 'office', roles: ['lead', 'clerk'] }
const approve: Allow = { name: 'approve', roles: ['lead', 'clerk'], permission: 'office.approve' }

const cases: [allow: Allow, roles: string[], permissions: string[], allows: boolean][] = [
  ['anyone', [], [], true],
  ['signed-in', [], [], true],
  ['admin', ['admin', 'user'], [], true],
  ['admin', ['user'], ['admin'], false],
  ['orders.receive', ['user'], ['orders.receive'], true],
  ['orders.receive', ['admin'], [], false],
  [office, ['user', 'clerk'], [], true],
  [office, ['user', 'admin'], ['office'], false],
  [office, [], [], false],
  [approve, ['clerk'], ['office.approve'], true],
  [approve, ['clerk'], ['office.other'], false],
  [approve, ['user'], ['office.approve'], false],
]
for (const [allow, roles, permissions, allows] of cases)
  test(`allow ${nameOf(allow)}: ${allows ? 'admits' : 'refuses'} the roles [${roles}] with the permissions [${permissions}]`, () => {
    assert.equal(person(roles, permissions).mayEnter(allow), allows)
  })

test('only the role `admin` makes an administrator', () => {
  assert.deepEqual([person(['admin'], []).isAdmin, person(['user'], ['admin']).isAdmin], [true, false])
  const { id, username, language, version, epoch, edition } = person([], [])
  assert.deepEqual(
    { id, username, language, version, epoch, edition },
    { id: 7, username: 'huda', language: 'ar', version: 3, epoch: 4, edition: 5 },
  )
})

test('answers are cached per question for the life of the actor, failures are not', async () => {
  const actor = person([], [])
  let asked = 0
  const answer = async () => ++asked
  assert.deepEqual([await actor.remember('a', answer), await actor.remember('a', answer), await actor.remember('b', answer)], [1, 1, 2])
  const failing = async () => {
    asked++
    throw new Error('failed')
  }
  await assert.rejects(actor.remember('c', failing))
  await assert.rejects(actor.remember('c', failing))
  assert.equal(asked, 4)
  assert.equal(await actor.remember('c', answer), 5)
})
