/** Simultaneous calls: each is answered as if the other had ended before or began later. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import pg from 'pg'
import { testPortal, until } from '../../../test/portal.ts'
import { overlapping, waits } from '../../../test/race.ts'
import { newSource, type TestSource } from '../../../test/scim.ts'

const portal = testPortal()
const SOURCES = '/admin/provisioning/sources'
let source: TestSource
before(async () => {
  await portal.ready
  source = await newSource(portal)
})
const post = (body: object) => () => source.call('POST', '/Users', body)
const address = (value: string) => [{ value, type: 'work' }]

for (const [what, one, other] of [
  ['the same externalId', { userName: 'one@example.org', externalId: 'E1' }, { userName: 'other@example.org', externalId: 'E1' }],
  ['the same userName', { userName: 'twin', emails: address('a@example.org') }, { userName: 'TWIN', emails: address('b@example.org') }],
] as const)
  test(`of two people with ${what} who are sent at the same time, the second is refused`, async () => {
    const answers = await overlapping(0)(portal, [post(one), post(other)])
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.scimType, body.code]),
      [
        [201, undefined, undefined],
        [409, 'uniqueness', 'username_taken'],
      ],
    )
  })

test('an account that loses its proof while a source waits to take it over is not taken over', async () => {
  const { id } = await portal.person('doubtful')
  const client = new pg.Client(portal.connection)
  await client.connect()
  await client.query(`begin; select from user_access where user_id = ${id} for update`)
  const answer = source.call('POST', '/Users', { userName: 'doubtful@example.org' })
  await until('it waits', async () => (await waits(portal)) > 0)
  await client.query(`insert into ledger (kind, target_type, target_id, facts) values ('test.meddled', 'user', ${id}, '{}');
    update users set email_vouched = false, is_proven = false where id = ${id}; commit`)
  await client.end()
  const { status, body } = await answer
  assert.deepEqual([status, body.code], [409, 'email_taken'])
  assert.equal((await portal.admin.get(`/users/${id}/provisioning`)).body.source, null)
})

test('a group that gets another name while a source waits to take it over is not taken over', async () => {
  const { id } = (await portal.admin.post('/groups', { name: 'Renamed' })).body
  const client = new pg.Client(portal.connection)
  await client.connect()
  await client.query(`begin; insert into ledger (kind, target_type, target_id, facts) values ('test.meddled', 'group', ${id}, '{}');
    update groups set name = 'Formerly renamed' where id = ${id}`)
  const answer = source.call('POST', '/Groups', { displayName: 'Renamed' })
  await until('it waits', async () => (await waits(portal)) > 0)
  await client.query('commit')
  await client.end()
  const { status, body } = await answer
  assert.equal(status, 201)
  assert.notEqual(body.id, String(id))
  assert.equal((await portal.admin.get(`/groups/${id}/provisioning`)).body.source, null)
})

test('of two sources that are added at the same time, the eleventh is refused', async () => {
  for (let { length } = (await portal.admin.get(SOURCES)).body; length < 9; length++)
    assert.equal((await portal.admin.post(SOURCES, { name: `filling-${length}` })).status, 201)
  const add = (name: string) => () => portal.admin.post(SOURCES, { name })
  const [tenth, eleventh] = await overlapping(0)(portal, [add('tenth'), add('eleventh')])
  assert.deepEqual([tenth.status, eleventh.status, eleventh.body.quota], [201, 409, 'sources'])
})
