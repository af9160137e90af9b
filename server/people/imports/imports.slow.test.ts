/** Large files, several instances, and changes between a preview and its application. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { applied, ended, faultsOf, imported, personNamed, rowsOf, sendFile } from '../../../test/imports.ts'
import { testPortal, until } from '../../../test/portal.ts'

const portal = testPortal()
const group = async (name: string) => (await portal.admin.post('/groups', { name })).body.id as number

test('the portal answers other requests while it previews 50,000 rows', async () => {
  const lines = Array.from({ length: 50_000 }, (_, n) => `big${n},big${n}@example.org,"الاسم ""${n}""\r\nثانٍ",Name ${n}`)
  const sending = sendFile(portal.admin, ['username,email,display_name_ar,display_name_en', ...lines])
  let isSent = false
  void sending.then(() => {
    isSent = true
  })
  let asked = 0
  while (!isSent) {
    assert.equal((await portal.admin.get('/auth/me')).status, 200)
    asked++
    await pause(20)
  }
  const { status, body, text } = await sending
  assert.equal(status, 201, text)
  assert.deepEqual([body.counts.create, body.total], [50_000, 50_000])
  assert.ok(asked > 5)
  const [last] = await rowsOf(portal.admin, body.id, '&offset=49999')
  assert.deepEqual([last!.line, last!.username], [2 + 49_999 * 2, 'big49999'])
})

test('a file of more than 16 MiB is refused before it is read whole, and one of 16 MiB is read', async () => {
  const MOST = 16 * 1024 * 1024
  const padded = (bytes: number) => {
    const file = new Uint8Array(bytes).fill(0x0a)
    file.set(new TextEncoder().encode('username\nadmin'))
    return file
  }
  assert.equal((await sendFile(portal.admin, padded(MOST))).status, 201)
  assert.equal((await sendFile(portal.admin, padded(MOST + 1))).body.code, 'too_large')
  const commas = new Uint8Array(MOST).fill(0x2c)
  assert.deepEqual((await sendFile(portal.admin, commas)).body.details[0].path, 'columns')
  const open = new Uint8Array(MOST).fill(0x78)
  open.set(new TextEncoder().encode('username\n"'))
  assert.equal((await sendFile(portal.admin, open)).body.details[0].rule, 'quote')
})

test('two imports of the same people, applied at once on two instances, create each account once', async () => {
  const other = await portal.another()
  const boss = await portal.person('two.boss', { roles: ['admin'] })
  const lines = Array.from({ length: 450 }, (_, n) => `both${n},both${n}@example.org`)
  const one = await sendFile(portal.admin, ['username,email', ...lines])
  const two = await sendFile(boss, ['username,email', ...lines])
  const [first, second] = await Promise.all([applied(portal.admin, one.body.id), applied(boss, two.body.id)])
  assert.equal(first.changedSince + second.changedSince, 450)
  assert.deepEqual([first.done, second.done], [450, 450])
  assert.equal((await portal.sql(`select from users where username like 'both%'`)).length, 450)
  assert.equal((await portal.sql(`select from ledger where action = 'user.create' and facts ->> 'username' like 'both%'`)).length, 450)
  await other.close()
})

test('two calls apply one import once, and two uploads leave one preview', async () => {
  const { body } = await sendFile(portal.admin, ['username,email', 'once,once@example.org'])
  const answers = await Promise.all(Array.from({ length: 4 }, () => portal.admin.post(`/users/imports/${body.id}/apply`, {})))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [202, 400, 400, 400])
  await ended(portal.admin, body.id)
  const sent = await Promise.all(Array.from({ length: 4 }, () => sendFile(portal.admin, ['username', 'admin'])))
  assert.deepEqual([...new Set(sent.map(({ status }) => status))], [201])
  assert.equal((await portal.sql(`select from user_imports where state = 'previewed' and created_by = ${portal.admin.id}`)).length, 1)
})

test('changes between a preview and its application make the import skip only the rows that they concern', async () => {
  const team = await group('Between Team')
  const [gone, off, renamed, moved] = await Promise.all(['gone', 'off', 'renamed', 'moved'].map((name) => portal.person(`btw.${name}`)))
  const { body } = await sendFile(portal.admin, [
    'username,email,display_name_en,groups,active',
    'btw.gone,,Gone,,',
    'btw.off,,,,0',
    'btw.renamed,,Same,,',
    'btw.moved,btw.moved2@example.org,,,',
    'btw.fresh,btw.fresh@example.org,,Between Team,',
    'btw.kept,btw.kept@example.org,,,',
  ])
  await portal.admin.delete(`/users/${gone!.id}`)
  await portal.admin.patch(`/users/${off!.id}`, { isActive: false })
  await portal.admin.patch(`/users/${renamed!.id}`, { displayNameEn: 'Same' })
  await portal.person('btw.moved2')
  await portal.admin.patch(`/groups/${team}`, { name: 'Renamed Team' })
  const done = await applied(portal.admin, body.id)
  assert.deepEqual([done.state, done.changedSince, done.done], ['applied', 5, 6])
  const rows = await rowsOf(portal.admin, body.id)
  assert.deepEqual(
    rows.map(({ verdict }) => verdict),
    ['changed_since', 'changed_since', 'changed_since', 'changed_since', 'changed_since', 'create'],
  )
  assert.deepEqual(
    rows[3]!.details.map(({ path, rule }) => [path, rule]),
    [['email', 'taken']],
  )
  assert.equal((await personNamed(portal, 'btw.moved')).id, moved!.id)
  assert.equal(await personNamed(portal, 'btw.fresh'), undefined)
})

test('a file that changes the address of an unproven account, or deactivates a person, ends their sessions', async () => {
  const person = await portal.person('acts.person')
  await portal.meddle('user', person.id, `update users set email_vouched = false where id = ${person.id}`)
  await imported(portal.admin, ['username,email', 'acts.person,acts.new@example.org'])
  assert.equal((await person.get('/auth/me')).status, 401)
  const other = await portal.person('acts.other')
  await imported(portal.admin, ['username,active', 'acts.other,no', 'acts.other,0'])
  assert.equal((await other.get('/auth/me')).status, 200)
  await imported(portal.admin, ['username,active', 'acts.other,FALSE'])
  assert.equal((await other.get('/auth/me')).status, 401)
})

test('a file never changes an administrator who is an exception', async () => {
  const boss = await portal.person('exc.boss', { roles: ['admin'] })
  await portal.meddle('user', boss.id, `update users set is_exception = true where id = ${boss.id}`)
  const { body } = await sendFile(portal.admin, ['username,display_name_en,language', 'exc.boss,Boss,', 'admin,,'])
  assert.deepEqual(await faultsOf(portal.admin, body.id), ['2 username exception'])
  const same = await sendFile(portal.admin, ['username,language', 'exc.boss,ar'])
  assert.equal(same.body.counts.unchanged, 1)
})

test('an import is gone after seven days', async () => {
  const { body } = await sendFile(portal.admin, ['username', 'admin'])
  await portal.sql(`update user_imports set expires_at = now() - interval '1 minute' where id = ${body.id}`)
  await portal.sql(`select graphile_worker.add_job('clean_up')`)
  await until('it is gone', async () => (await portal.admin.get(`/users/imports/${body.id}`)).status === 404)
  assert.equal((await portal.sql(`select from user_import_rows where import_id = ${body.id}`)).length, 0)
})
