/** Nobody can take a username that others would mistake for someone else's. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD, testPortal } from '../../../test/portal.ts'
import { migrateDb } from '../../commands/migrate.ts'
import { looksOf } from './rules.ts'

const portal = testPortal()
let people = 0
const register = (username: string) =>
  portal.stranger().post('/auth/register', { username, email: `p${people++}@example.org`, password: PASSWORD })

const pairs: [what: string, existing: string, other: string, isTaken: boolean][] = [
  ['a Cyrillic letter', 'paula', 'p\u0430ula', true],
  ['a Greek one', 'nikos', 'nik\u03bfs', true],
  ['capitals of another script', 'tamb', '\u0422\u0410\u041c\u0412', true],
  ['a capital i for an l', 'lila', 'I\u0456I\u0430', true],
  ['letters of full width', 'mona', '\uff4d\uff4f\uff4e\uff41', true],
  ['two letters that look like one', 'modern', 'm\u043edem', true],
  ['a plain name beside one of another script', '\u0441\u043e\u0440\u0430', 'copa', true],
  ['Farsi letters for Arabic ones', '\u0643\u0631\u064a\u0645', '\u06a9\u0631\u064a\u0645', true],
  ['plain letters alone', 'lisa', 'l1sa', false],
  ['another Arabic name', '\u0633\u0627\u0644\u0645', '\u0633\u0644\u064a\u0645', false],
  ['a hamza', '\u0627\u0645\u0644', '\u0623\u0645\u0644', true],
  ['a tatweel', '\u0645\u062d\u0645\u0648\u062f', '\u0645\u062d\u0640\u0645\u0648\u062f', true],
  ['Arabic marks', '\u0645\u062d\u0633\u0646', '\u0645\u064f\u062d\u0652\u0633\u0650\u0646', true],
  ['a ta marbuta', '\u0633\u0627\u0631\u0629', '\u0633\u0627\u0631\u0647', true],
  ['an alef maksura', '\u0644\u064a\u0644\u0649', '\u0644\u064a\u0644\u064a', true],
  ['an Arabic digit', '\u0646\u0648\u0631\u0661', '\u0646\u0648\u06311', true],
  ['a tatweel and a Farsi letter', '\u0639\u0644\u064a', '\u0639\u0640\u0644\u06cc', true],
  ['rn for m', 'salma', 'salrna', false],
  ['a mark', 'rene', 'ren\u00e9', false],
]
for (const [what, existing, other, isTaken] of pairs)
  test(`${what}: a name that looks like another is ${isTaken ? 'taken' : 'free'}`, async () => {
    assert.equal((await register(existing)).status, 201)
    const { status, body } = await register(other)
    assert.deepEqual([status, body.code], isTaken ? [400, 'username_taken'] : [201, undefined])
  })

test('administrators cannot take similar names either, and deleting a person frees the names that look like theirs', async () => {
  const create = (username: string) => portal.admin.post('/users', { username, email: `p${people++}@example.org`, password: PASSWORD })
  const taken = await create('\u0430dmin')
  assert.deepEqual([taken.status, taken.body.code], [409, 'username_taken'])
  const { body } = await create('passing')
  assert.equal((await create('p\u0430ssing')).status, 409)
  await portal.admin.delete(`/users/${body.id}`)
  assert.equal((await create('p\u0430ssing')).status, 201)
})

test('of many simultaneous requests for names that look alike, one succeeds', async () => {
  const names = ['\u0430ce', 'a\u0441e', 'ac\u0435', '\u0430\u0441e', 'a\u0441\u0435', '\u0430\u0441\u0435']
  const answers = await Promise.all(names.map(register))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400, 400, 400, 400, 400])
})

test('of many simultaneous requests for one Arabic name in several spellings, one succeeds', async () => {
  const names = [
    '\u0623\u062d\u0645\u062f',
    '\u0627\u062d\u0645\u062f',
    '\u0623\u062d\u0640\u0645\u062f',
    '\u0622\u062d\u0645\u062f',
    '\u0623\u064e\u062d\u0652\u0645\u064e\u062f',
  ]
  const answers = await Promise.all(names.map(register))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400, 400, 400, 400])
})

test('a name that looks like an administrator’s is taken, even if it differs only in ASCII letters', async () => {
  for (const look of ['adrnin', 'adm1n', 'admln', 'ADM1N', '\u0430dm1n'])
    assert.equal((await register(look)).body.code, 'username_taken', look)
  await portal.person('rawdo', { roles: ['admin'] })
  for (const look of ['ravvdo', 'rawd0', 'RAVVD0']) assert.equal((await register(look)).body.code, 'username_taken', look)
  const { status, body } = await portal.admin.post('/users', { username: 'ravvdo', email: 'ravvdo@example.org', password: PASSWORD })
  assert.deepEqual([status, body.code], [409, 'username_taken'])
})

test('the name of a person whom a group makes an administrator is protected, even if a similar name exists already', async () => {
  const [former, person] = [await portal.person('tarn'), await portal.person('tam')]
  const { body: roles } = await portal.admin.get('/roles')
  const { id: roleId } = roles.find(({ name }: { name: string }) => name === 'admin')
  const { body: group } = await portal.admin.post('/groups', { name: 'Administrators', roleIds: [roleId], userIds: [person.id] })
  assert.equal((await register('t\u0430rn')).body.code, 'username_taken')
  await portal.admin.delete(`/users/${former.id}`)
  assert.equal((await register('tarn')).body.code, 'username_taken')
  await portal.admin.delete(`/groups/${group.id}?force=true`)
  assert.equal((await register('tarn')).status, 201)
})

test('the looks of older names are computed when the portal starts', async () => {
  const huda = await portal.person('elder')
  await portal.sql('delete from username_looks where user_id = $1', [huda.id])
  await migrateDb(portal.connection)
  assert.equal((await register('\u0435lder')).body.code, 'username_taken')
  await portal.person('\u0645\u0646\u0649')
  await portal.sql(`delete from username_looks where look like '~%'`)
  await migrateDb(portal.connection)
  assert.equal((await register('\u0645\u0646\u064a')).body.code, 'username_taken')
})

test('letters of any script may have marks', async () => {
  for (const username of ['x\u0301', '\u0939\u093f\u0928\u094d\u0926\u0940', '\u0645\u064f\u062d\u0645\u0651\u062f', '\u0e01\u0e34\u0e19'])
    assert.equal((await register(username)).body.username, username.normalize('NFC'))
})

test('a name is compared as written, in lower case and in upper case', () => assert.deepEqual(looksOf('Im'), ['irn', 'lm', 'lrn']))
