/** Nobody can call themselves what others take for someone else's name. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD, testPortal } from '../../test/portal.ts'
import { migrateDb } from '../migrate.ts'
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
  ['a hamza', '\u0627\u0645\u0644', '\u0623\u0645\u0644', false],
  ['a mark', 'rene', 'ren\u00e9', false],
]
for (const [what, existing, other, isTaken] of pairs)
  test(`${what}: a name that looks like another is ${isTaken ? 'taken' : 'free'}`, async () => {
    assert.equal((await register(existing)).status, 201)
    const { status, body } = await register(other)
    assert.deepEqual([status, body.code], isTaken ? [400, 'username_taken'] : [201, undefined])
  })

test('an administrator is refused as well, and whoever is gone leaves the look to others', async () => {
  const create = (username: string) => portal.admin.post('/users', { username, email: `p${people++}@example.org`, password: PASSWORD })
  const taken = await create('\u0430dmin')
  assert.deepEqual([taken.status, taken.body.code], [409, 'username_taken'])
  const { body } = await create('passing')
  assert.equal((await create('p\u0430ssing')).status, 409)
  await portal.admin.delete(`/users/${body.id}`)
  assert.equal((await create('p\u0430ssing')).status, 201)
})

test('of many who ask for names that look alike at the same moment, one gets it', async () => {
  const names = ['\u0430ce', 'a\u0441e', 'ac\u0435', '\u0430\u0441e', 'a\u0441\u0435', '\u0430\u0441\u0435']
  const answers = await Promise.all(names.map(register))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400, 400, 400, 400, 400])
})

test('names from before are looked at when the portal starts', async () => {
  const huda = await portal.person('elder')
  await portal.sql('delete from username_looks where user_id = $1', [huda.id])
  await migrateDb(portal.connection)
  assert.equal((await register('\u0435lder')).body.code, 'username_taken')
})

test('letters of any script take their marks', async () => {
  for (const username of ['x\u0301', '\u0939\u093f\u0928\u094d\u0926\u0940', '\u0645\u064f\u062d\u0645\u0651\u062f', '\u0e01\u0e34\u0e19'])
    assert.equal((await register(username)).body.username, username.normalize('NFC'))
})

test('a name is compared as it is written, in small letters and in capitals', () => assert.deepEqual(looksOf('Im'), ['irn', 'lm', 'lrn']))
