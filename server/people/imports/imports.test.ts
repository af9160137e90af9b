import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { applied, faultsOf, imported, personNamed, rowsOf, sendFile } from '../../../test/imports.ts'
import { testPortal, until } from '../../../test/portal.ts'

const portal = testPortal()
const group = async (name: string) => (await portal.admin.post('/groups', { name })).body.id as number

test('a preview says what a file would change, and changes nothing', async () => {
  const huda = await portal.person('prev.huda', { displayNameEn: 'Huda' })
  const finance = await group('Prev Finance')
  const legal = await group('Prev Legal')
  await portal.admin.post(`/groups/${finance}/users`, { userId: huda.id })
  const file = [
    'Username;EMAIL; display_name_en ;المجموعات;phone',
    'prev.huda;;Huda A;=prev LEGAL;1',
    'prev.new;prev.new@example.org;"New; one";Prev Legal;2',
    'PREV.HUDA2;;;;3',
    'admin;;;;4',
  ]
  const { audit, events } = await portal.traces(async () => {
    const { status, body, text } = await sendFile(portal.admin, file, '?fileName=people.csv')
    assert.equal(status, 201, text)
    const { id, createdAt, expiresAt, counts, ...rest } = body
    assert.equal(Date.parse(expiresAt) - Date.parse(createdAt), 7 * 24 * 3600_000)
    assert.deepEqual({ ...counts, deactivate: 0 }, { create: 1, update: 1, unchanged: 1, refused: 1, deactivate: 0 })
    assert.deepEqual(rest, {
      ...{ state: 'previewed', problem: null, fileName: 'people.csv', encoding: 'utf-8', delimiter: ';' },
      columns: ['username', 'email', 'display_name_en', 'groups'],
      ignoredColumns: ['phone'],
      groups: [
        { id: finance, name: 'Prev Finance', gained: 0, lost: 1 },
        { id: legal, name: 'Prev Legal', gained: 2, lost: 0 },
      ],
      ...{ changedSince: 0, done: 0, total: 4, isWithoutLinks: false, createdBy: { id: portal.admin.id, username: 'admin' } },
    })
    assert.deepEqual((await portal.admin.get(`/users/imports/${id}`)).body, body)
    const rows = await rowsOf(portal.admin, id)
    assert.deepEqual(rows[0]!, {
      ...{ line: 2, verdict: 'update', username: 'prev.huda', details: [], isDone: false },
      cells: { username: 'prev.huda', display_name_en: 'Huda A', groups: '=prev LEGAL' },
      changes: { display_name_en: { from: 'Huda', to: 'Huda A' }, groups: { from: ['Prev Finance'], to: ['Prev Legal'] } },
    })
    assert.deepEqual(rows[1]!.changes, {
      username: { from: null, to: 'prev.new' },
      email: { from: null, to: 'prev.new@example.org' },
      display_name_en: { from: null, to: 'New; one' },
      groups: { from: [], to: ['Prev Legal'] },
    })
    assert.deepEqual(await faultsOf(portal.admin, id), ['4 email required'])
    assert.deepEqual(
      (await rowsOf(portal.admin, id, '&verdict=unchanged')).map(({ username }) => username),
      ['admin'],
    )
  })
  assert.equal(await personNamed(portal, 'prev.new'), undefined)
  assert.deepEqual(
    audit.map(({ action }) => action),
    ['import.preview'],
  )
  assert.deepEqual(events, [])
})

test('each refusal names its line and column, and has messages in both languages', async () => {
  await portal.person('ref.one')
  await portal.person('ref.two')
  await portal.person('ref.نورة')
  const bosses = await group('Ref Bosses')
  await portal.admin.patch(`/groups/${bosses}`, {
    roleIds: [(await portal.admin.get('/roles')).body.find(({ name }: { name: string }) => name === 'admin').id],
  })
  const program = { username: 'ref.program', nameAr: 'برنامج', nameEn: 'Program', contactUserId: portal.admin.id }
  await portal.admin.post('/service-accounts', program)
  const file = [
    'username,email,display_name_ar,language,groups,active',
    'ref.one,ref.two@example.org,,,,',
    'ref.new,new@@x,,,,',
    'two words,ref.w@example.org,,,,',
    'ref.a,ref.a@example.org,,french,,perhaps',
    'ref.b,ref.b@example.org,,,Nowhere;Everyone,',
    'ref.c,ref.c@example.org,,,Ref Bosses,',
    'ref.d,ref.d@example.org,,,',
    ',,اسم,,,',
    'REF.ONE,,,,,',
    'admin,,,,,false',
    'ref.program,,,,,',
    'ref.e,ref.e@example.org,a\0b,,,',
    ',ref.d@example.org,,,,',
    'ref.ڼ,ref.f@example.org,,,,',
    'ref.ڼ2,REF.E@example.org,,,,',
  ]
  const { body } = await sendFile(portal.admin, file)
  assert.deepEqual(await faultsOf(portal.admin, body.id), [
    '2 email taken',
    '3 email pattern',
    '3  unclear',
    '4 username pattern',
    '4  unclear',
    '5 language enum',
    '5 active enum',
    '6 groups unknownGroup',
    '7 groups grants_admin',
    '8  columnCount',
    '8  unclear',
    '9 username required',
    '10 username twice',
    '11 active ownAccount',
    '12 username taken',
    '13 display_name_ar storable',
    '14 email twice',
    '16 email twice',
  ])
  for (const { details } of await rowsOf(portal.admin, body.id, '&verdict=refused'))
    for (const { messageAr, messageEn } of details) assert.ok(/\p{Script=Arabic}/u.test(messageAr) && /[a-z]/.test(messageEn))
})

test('a username is refused if it looks like one in the portal or one earlier in the file', async () => {
  await portal.person('look.алиса')
  const { body } = await sendFile(portal.admin, [
    'username,email',
    'look.aлиса,l1@example.org',
    'look.ж,l2@example.org',
    'loоk.ж,l3@example.org',
  ])
  assert.deepEqual(await faultsOf(portal.admin, body.id), ['2 username lookAlike', '4 username lookAlike'])
})

test('a row finds a person by username, else by e-mail address regardless of case, and never changes the username', async () => {
  await portal.person('by.mail')
  const { body } = await sendFile(portal.admin, ['username,email,display_name_en', 'other.name,BY.MAIL@example.org,Renamed'])
  const [row] = await rowsOf(portal.admin, body.id)
  assert.deepEqual([row!.verdict, row!.username, row!.changes], ['update', 'by.mail', { display_name_en: { from: null, to: 'Renamed' } }])
  assert.deepEqual(
    row!.details.map(({ path, rule, params }) => [path, rule, params]),
    [['username', 'usernameKept', { name: 'by.mail' }]],
  )
  await applied(portal.admin, body.id)
  assert.equal((await personNamed(portal, 'by.mail')).displayNameEn, 'Renamed')
  const both = await sendFile(portal.admin, ['username,email', 'by.mail,', ',by.mail@example.org'])
  assert.deepEqual(await faultsOf(portal.admin, both.body.id), ['3 email twice'])
})

test('new people without a username get a free one from their address', async () => {
  await portal.person('free.name')
  const emails = ['free.name@a.example.org', 'FREE.name@b.example.org', 'free.name@c.example.org']
  await imported(portal.admin, ['email,username', `${emails[0]},`, `${emails[1]},`, `${emails[2]},free.name-2`])
  assert.equal((await personNamed(portal, 'free.name-2')).email, emails[2])
  assert.equal((await personNamed(portal, 'free.name-3')).email, emails[0])
  assert.equal((await personNamed(portal, 'FREE.name-4')).email, emails[1])
})

test('a manager must be active in the portal, or by a row above', async () => {
  const [idle] = [await portal.person('lead.idle'), await portal.person('lead.back'), await portal.person('lead.off')]
  await portal.person('lead.known')
  for (const { id } of [idle, await personNamed(portal, 'lead.back')]) await portal.admin.patch(`/users/${id}`, { isActive: false })
  const { body } = await sendFile(portal.admin, [
    'username,email,active,manager,language',
    'lead.bad,lead.bad@example.org,perhaps,,',
    'lead.a,lead.a@example.org,,lead.bad,',
    'lead.asleep,lead.asleep@example.org,0,,',
    'lead.b,lead.b@example.org,,lead.asleep,',
    'lead.idle,,,,en',
    'lead.c,lead.c@example.org,,lead.idle,',
    'lead.off,,0,,',
    'lead.d,lead.d@example.org,,lead.off,',
    'lead.back,,1,,',
    'lead.e,lead.e@example.org,,lead.back,',
    'lead.known,,,LEAD.back,',
    'lead.chief,lead.chief@example.org,,,',
    'lead.f,lead.f@example.org,,LEAD.chief,',
  ])
  const unknown = [3, 5, 7, 9, 11].map((line) => `${line} manager unknownManager`)
  assert.deepEqual(await faultsOf(portal.admin, body.id), ['2 active enum', ...unknown])
  assert.equal((await applied(portal.admin, body.id)).changedSince, 0)
  const managerOf = async (name: string) =>
    (await portal.admin.get(`/users/${(await personNamed(portal, name)).id}/manager`)).body.manager?.username
  assert.deepEqual([await managerOf('lead.known'), await managerOf('lead.f')], ['lead.back', 'lead.chief'])
})

test('a file takes the role `admin` by no group from the last lasting administrator or from its sender', async () => {
  const roles: { id: number; name: string }[] = (await portal.admin.get('/roles')).body
  const bosses = await group('Grp Bosses')
  await portal.admin.patch(`/groups/${bosses}`, { roleIds: [roles.find(({ name }) => name === 'admin')!.id] })
  const boss = await portal.person('grp.boss', { groupIds: [bosses] })
  const other = await portal.person('grp.other', { groupIds: [bosses] })
  const file = ['username,groups', 'grp.boss,=', 'grp.other,=']
  const own = await sendFile(boss, file)
  assert.deepEqual(await faultsOf(boss, own.body.id), ['2 groups ownAccount'])
  const role = `/users/${portal.admin.id}/roles`
  await boss.delete(`${role}/admin`)
  const tomorrow = new Date(Date.now() + 24 * 3600_000).toISOString()
  assert.equal((await boss.post(role, { roleName: 'admin', expiresAt: tomorrow })).status, 200)
  const last = await sendFile(portal.admin, file)
  assert.deepEqual(await faultsOf(portal.admin, last.body.id), ['3 groups lastAdmin'])
  const kept = await sendFile(portal.admin, ['username,groups,display_name_en', 'grp.boss,,Boss', 'grp.other,=,', 'admin,=,'])
  assert.equal(kept.body.counts.refused, 0)
  await boss.delete(`${role}/admin`)
  assert.equal((await boss.post(role, { roleName: 'admin' })).status, 200)
  await portal.admin.delete(`/users/${other.id}`)
})

test('somebody who gets an account while a file is read does not count as missing from it', async () => {
  const all = await portal.sql<{ username: string }>(`select username from users where kind = 'person' and is_active`)
  const holder = new pg.Client(portal.connection)
  await holder.connect()
  await holder.query('begin')
  await holder.query(`select pg_advisory_xact_lock(hashtext('imports of a person'), $1)`, [portal.admin.id])
  const lines = all.map(({ username }) => `${username},`)
  const sending = sendFile(portal.admin, [
    'username,email',
    ...lines,
    'LATE.one,late.one@new.example.org',
    '\u200Flate.two,LATE.three@example.org',
  ])
  await until(
    'the file is read',
    async () =>
      (await portal.sql(`select from pg_locks where locktype = 'advisory' and not granted and objid = $1`, [portal.admin.id])).length,
  )
  // The upload makes changes of access wait, but not registrations.
  for (const username of ['late.one', 'late.three', 'late.four']) {
    const person = { username, email: `${username}@example.org`, password: 'a long password' }
    assert.equal((await portal.stranger().post('/auth/register', person)).status, 201)
  }
  await holder.end()
  const { body, text } = await sending
  assert.equal(body.counts?.deactivate, 1, text)
  const missing = await rowsOf(portal.admin, body.id, '&verdict=deactivate')
  assert.deepEqual(
    missing.map(({ username }) => username),
    ['late.four'],
  )
})

test('a new file discards the starter’s former preview, and only the starter can apply or delete an import', async () => {
  const boss = await portal.person('own.boss', { roles: ['admin'] })
  const first = (await sendFile(portal.admin, ['username', 'admin'])).body.id
  const second = (await sendFile(portal.admin, ['username', 'admin'])).body.id
  const of = (id: number) => `/users/imports/${id}`
  assert.equal((await portal.admin.get(of(first))).body.state, 'discarded')
  assert.equal((await portal.admin.post(`${of(first)}/apply`, {})).body.code, 'invalid_transition')
  assert.equal((await boss.post(`${of(second)}/apply`, {})).body.code, 'forbidden')
  assert.equal((await boss.delete(of(second))).body.code, 'forbidden')
  await portal.meddle('import', second, `update user_imports set state = 'applying' where id = ${second}`)
  const busy = await sendFile(portal.admin, ['username', 'admin'])
  assert.deepEqual([busy.status, busy.body.code, busy.body.importId], [409, 'import_under_way', second])
  assert.equal((await portal.admin.delete(of(second))).body.code, 'invalid_transition')
  await portal.meddle('import', second, `update user_imports set state = 'previewed' where id = ${second}`)
  assert.equal((await portal.admin.delete(of(second))).status, 204)
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/rows'],
    ['GET', '/report.csv'],
    ['POST', '/apply'],
    ['POST', '/links'],
    ['DELETE', ''],
  ])
    assert.equal((await portal.admin.send(method!, of(second) + path, path === '/apply' ? {} : undefined)).body.code, 'not_found', path)
})

test('files that are no list of people are refused', async () => {
  const refused = async (file: string | Uint8Array) => {
    const { status, body } = await sendFile(portal.admin, file)
    return [status, body.code, body.details?.[0].path, body.details?.[0].rule]
  }
  const columns = [400, 'validation_failed', 'columns', 'minProperties']
  assert.deepEqual(await refused(''), columns)
  assert.deepEqual(await refused('name,groups\nx,y'), columns)
  assert.deepEqual(await refused('\0\0\0'), columns)
  assert.deepEqual(await refused('email,username,اسم المستخدم\n'), [400, 'validation_failed', 'columns', 'uniqueItems'])
  assert.deepEqual(await refused('username\nx\n"open\ny'), [400, 'validation_failed', '', 'quote'])
  assert.deepEqual(await refused(`username\n${'x\n'.repeat(50_001)}`), [400, 'too_many_items', undefined, undefined])
  assert.equal((await portal.admin.post('/users/imports', { username: 'x' })).body.code, 'unsupported_media_type')
  const { status, body } = await sendFile(portal.admin, 'username\n')
  assert.deepEqual([status, body.total], [201, 0])
})
