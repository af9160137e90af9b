import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applied, faultsOf, imported, personNamed, rowsOf, sendFile } from '../../../test/imports.ts'
import { Client, testPortal, until } from '../../../test/portal.ts'
import { newSource } from '../../../test/scim.ts'
import { cleaning } from '../../lists/cleaning.ts'
import { cleaningUp } from '../../platform/jobs/cleaning.ts'
import type { JobContext } from '../../platform/jobs/runner.ts'

const portal = testPortal()
const group = async (name: string) => (await portal.admin.post('/groups', { name })).body.id as number
const groupNames = async (username: string) =>
  (await personNamed(portal, username)).groups.map(({ name }: { name: string }) => name).toSorted()

test('applying a file changes people as changes by hand do, and tells its starter', async () => {
  const sara = await portal.person('app.sara', { displayNameAr: 'سارة' })
  const team = await group('App Team')
  const { body: preview } = await sendFile(portal.admin, [
    'username,email,display_name_ar,language,groups,active',
    "app.sara,,'=سارة,english,App Team,",
    'app.new,app.new@example.org,جديد,ar,app team,',
    'app.off,app.off@example.org,,,,لا',
  ])
  assert.deepEqual(preview.counts.create, 2)
  const { audit, histories, events } = await portal.traces(async () => {
    const done = await applied(portal.admin, preview.id)
    assert.deepEqual([done.state, done.done, done.total, done.changedSince], ['applied', 3, 3, 0])
  })
  const person = await personNamed(portal, 'app.sara')
  assert.deepEqual([person.displayNameAr, person.preferredLanguage, person.groups.length], ['=سارة', 'en', 2])
  const made = await personNamed(portal, 'app.new')
  assert.deepEqual([made.displayNameAr, made.isActive, made.invitation, made.roles], ['جديد', true, null, ['user']])
  assert.equal((await personNamed(portal, 'app.off')).isActive, false)
  assert.deepEqual(
    audit.map(({ action, target, metadata }) => [action, target, metadata['importId']]),
    [
      ['import.apply', preview.id, undefined],
      ['user.create', made.id, preview.id],
      ['user.create', (await personNamed(portal, 'app.off')).id, preview.id],
      ['user.update', sara.id, preview.id],
    ],
  )
  const [row] = await portal.sql<{ actorId: number }>(
    `select actor_id as "actorId" from ledger where kind = 'user.updated' order by id desc limit 1`,
  )
  assert.equal(row!.actorId, portal.admin.id)
  assert.ok(histories.some(({ kind, target, added }) => kind === 'group.users' && target === team && added.includes(sara.id)))
  const told = events.filter(({ event }) => event === 'import_changed')
  assert.deepEqual(told.at(-1), {
    event: 'import_changed',
    data: { importId: preview.id, state: 'applied', done: 3, total: 3 },
    to: [portal.admin.id],
  })
  assert.ok((await rowsOf(portal.admin, preview.id)).every(({ isDone }) => isDone))
  assert.equal((await portal.admin.post(`/users/imports/${preview.id}/apply`, {})).body.code, 'invalid_transition')
})

test('a file may name a group by its description or title in either language, unless two groups have it or one is named so', async () => {
  const described = async (name: string, descriptionAr: string, descriptionEn: string) =>
    assert.equal((await portal.admin.post('/groups', { name, descriptionAr, descriptionEn })).status, 201)
  await described('Desc One', 'فريق المستودع', 'The Store')
  await described('Desc Two', 'فريق مكرر', 'Desc One')
  await described('Desc Three', 'فريق مكرر', 'Third')
  const long = 'The people who look after the stores of the harbour and of the town'
  await described('Desc Long', 'أمناء المخازن\nفي المدينة', long)
  const { body } = await sendFile(portal.admin, [
    'username,email,groups',
    'desc.ar,desc.ar@example.org,فريق المستودع',
    'desc.en,desc.en@example.org,the store;Desc Two',
    'desc.name,desc.name@example.org,Desc One',
    'desc.both,desc.both@example.org,فريق مكرر',
    'desc.titled,desc.titled@example.org,أمناء المخازن',
    `desc.cut,desc.cut@example.org,${long.slice(0, 59).trim()}…`,
  ])
  assert.deepEqual(await faultsOf(portal.admin, body.id), ['5 groups unknownGroup'])
  const [refused] = await rowsOf(portal.admin, body.id, '&verdict=refused')
  assert.deepEqual(refused!.cells, { username: 'desc.both', email: 'desc.both@example.org', groups: 'فريق مكرر' })
  await applied(portal.admin, body.id)
  assert.deepEqual(await groupNames('desc.ar'), ['Desc One', 'Everyone'])
  assert.deepEqual(await groupNames('desc.en'), ['Desc One', 'Desc Two', 'Everyone'])
  assert.deepEqual(await groupNames('desc.name'), ['Desc One', 'Everyone'])
  for (const username of ['desc.titled', 'desc.cut']) assert.deepEqual(await groupNames(username), ['Desc Long', 'Everyone'])
})

test('a cell of `=` alone removes a person from all groups except Everyone and managed ones', async () => {
  const source = await newSource(portal)
  const { id } = await source.person('eq.managed@example.org')
  const kept = Number(id)
  await source.group('Eq Managed', [id])
  const { username } = (await portal.admin.get(`/users/${kept}`)).body
  const free = await group('Eq Free')
  await portal.admin.post(`/groups/${free}/users`, { userId: kept })
  const managed = await sendFile(portal.admin, [
    'username,groups,display_name_en,email',
    `${username},,Other,`,
    'eq.new,Eq Managed,,eq.new@example.org',
  ])
  assert.deepEqual(await faultsOf(portal.admin, managed.body.id), ['2 display_name_en managed_elsewhere', '3 groups managed_elsewhere'])
  await imported(portal.admin, ['username,groups', `${username},=`])
  assert.deepEqual(await groupNames(username), ['Eq Managed', 'Everyone'])
})

test('a row that would leave no administrator is skipped, and the rest of the file is applied', async () => {
  const boss = await portal.person('last.boss', { roles: ['admin'] })
  const { body } = await sendFile(boss, ['username,email,active', 'admin,,false', 'last.new,last.new@example.org,'])
  assert.equal(body.counts.refused, 0)
  await portal.admin.delete(`/users/${boss.id}/roles/admin`)
  await portal.admin.post(`/users/${boss.id}/roles`, { roleName: 'admin', expiresAt: new Date(Date.now() + 24 * 3600_000).toISOString() })
  await boss.signIn('last.boss')
  const done = await applied(boss, body.id)
  assert.deepEqual([done.state, done.changedSince], ['applied', 1])
  const [row] = await rowsOf(boss, body.id)
  assert.deepEqual([row!.verdict, row!.details[0]!.path, row!.details[0]!.rule], ['changed_since', 'active', 'lastAdmin'])
  assert.ok((await personNamed(portal, 'admin')).isActive)
  assert.ok(await personNamed(portal, 'last.new'))
  await portal.admin.delete(`/users/${boss.id}/roles/admin`)
})

test('an import stops once its starter is no longer an administrator', async () => {
  const boss = await portal.person('stop.boss', { roles: ['admin'] })
  const { body } = await sendFile(boss, ['username,email', 'stop.new,stop.new@example.org'])
  // As if the starter lost the role between two portions.
  await portal.meddle('import', body.id, `update user_imports set state = 'applying' where id = ${body.id}`)
  await portal.admin.delete(`/users/${boss.id}/roles/admin`)
  await portal.sql(`select graphile_worker.add_job('apply_import', payload => '{"importId": ${body.id}}'::json)`)
  const failed = await until('it failed', async () => {
    const found = (await portal.admin.get(`/users/imports/${body.id}`)).body
    return found.state === 'failed' ? found : undefined
  })
  assert.equal(failed.problem, 'not_administrator')
  assert.equal(await personNamed(portal, 'stop.new'), undefined)
  assert.equal((await boss.get(`/users/imports/${body.id}`)).body.code, 'forbidden')
})

test('people missing from a file are deactivated only if their number is that of the preview, and not too high', async () => {
  const one = await portal.person('miss.one')
  const all = await portal.sql<{ username: string }>(
    `select username from users where kind = 'person' and is_active and username <> 'miss.one'`,
  )
  const { body } = await sendFile(portal.admin, ['username', ...all.map(({ username }) => username)])
  assert.equal(body.counts.deactivate, 1)
  const [row] = await rowsOf(portal.admin, body.id, '&verdict=deactivate')
  assert.deepEqual([row!.line, row!.username, row!.changes], [null, 'miss.one', { active: { from: true, to: false } }])
  const path = `/users/imports/${body.id}/apply`
  assert.equal((await portal.admin.post(path, { deactivateMissing: true })).body.details[0].path, 'expectedDeactivations')
  const wrong = await portal.admin.post(path, { deactivateMissing: true, expectedDeactivations: 2 })
  assert.deepEqual(
    [wrong.status, wrong.body.code, wrong.body.expectedDeactivations, wrong.body.deactivations],
    [409, 'unexpected_deactivations', 2, 1],
  )
  const done = await applied(portal.admin, body.id, { deactivateMissing: true, expectedDeactivations: 1 })
  assert.equal(done.total, all.length + 1)
  assert.equal((await portal.admin.get(`/users/${one.id}`)).body.isActive, false)
  assert.equal((await one.get('/auth/me')).status, 401)
  const few = await sendFile(portal.admin, ['username', 'admin'])
  const { deactivate } = few.body.counts
  const tooMany = await portal.admin.post(`/users/imports/${few.body.id}/apply`, {
    deactivateMissing: true,
    expectedDeactivations: deactivate,
  })
  assert.equal(tooMany.body.code, 'unexpected_deactivations')
})

test('nobody counts as missing from a file while a row leaves open whose it is', async () => {
  await portal.person('open.one')
  const all = await portal.sql<{ username: string }>(
    `select username from users where kind = 'person' and is_active and username <> 'open.one'`,
  )
  const known = all.map(({ username }) => `Name,${username},`)
  for (const [row, missing] of [
    ['One, Open,open.one,open.one@example.org', 0],
    ['Open One;open.one', 0],
    ['Open One,open\uFFFDone,', 0],
    ['Open One,open.one\0,', 0],
    ['Open One,,open.one@example.org / one@example.org', 0],
    ['A total of two people,,', 1],
  ] as const) {
    const { body, text } = await sendFile(portal.admin, ['display_name_en,username,email', ...known, row])
    const last = (await rowsOf(portal.admin, body.id, '&verdict=refused')).at(-1)!
    assert.deepEqual([body.counts?.deactivate, last.line], [missing, all.length + 2], `${row} ${text}`)
    assert.equal(last.details.at(-1)!.rule === 'unclear', missing === 0, row)
  }
})

test('the links of invited people are handed out once, to the starter, and no link is stored', async () => {
  const boss = await portal.person('link.boss', { roles: ['admin'] })
  const { id, isWithoutLinks } = await imported(
    portal.admin,
    ['username,email,active', 'link.a,link.a@example.org,', 'link.b,link.b@example.org,0'],
    { invite: true },
  )
  assert.equal(isWithoutLinks, true)
  const before = await portal.sql(`select from password_resets`)
  assert.equal((await boss.post(`/users/imports/${id}/links`)).body.code, 'forbidden')
  const { audit } = await portal.traces(async () => {
    const once = { 'idempotency-key': 'the links' }
    const { status, body } = await portal.admin.send('POST', `/users/imports/${id}/links`, undefined, once)
    assert.equal(status, 200)
    // The answer is written while it is sent, so the portal has none to give again.
    const again = await portal.admin.send('POST', `/users/imports/${id}/links`, undefined, once)
    assert.deepEqual([again.status, again.body.code], [409, 'answer_forgotten'])
    assert.deepEqual(
      body.map(({ line, username, email }: { line: number; username: string; email: string }) => [line, username, email]),
      [[2, 'link.a', 'link.a@example.org']],
    )
    const token = /token=(.+)$/.exec(body[0].resetUrl)![1]
    const answer = await portal.stranger().post('/auth/reset-password', { token, newPassword: 'a long password' })
    assert.equal(answer.status, 200, answer.text)
  })
  assert.ok(audit.some(({ action, metadata }) => action === 'import.links' && metadata['count'] === 1))
  assert.equal((await portal.sql(`select from password_resets`)).length, before.length)
  assert.equal((await portal.admin.post(`/users/imports/${id}/links`)).body.code, 'invalid_transition')
  assert.equal((await portal.admin.get(`/users/imports/${id}`)).body.isWithoutLinks, false)
})

test('links wait for their administrator even if mail is set up before they are taken', async () => {
  const mailing = await portal.another({ SMTP_URL: 'smtp://127.0.0.1:9' })
  const { id } = await imported(portal.admin, ['username,email', 'wait.a,wait.a@example.org'], { invite: true })
  const there = new Client(mailing.base)
  there.cookie = portal.admin.cookie
  assert.equal((await there.get(`/users/imports/${id}`)).body.isWithoutLinks, true)
  assert.equal((await there.post(`/users/imports/${id}/links`)).body.length, 1)
  await mailing.close()
})

test('an import is kept while it is applied, and for seven days from then', async () => {
  const { body } = await sendFile(portal.admin, ['username', 'admin'])
  const state = (name: string) => portal.meddle('import', body.id, `update user_imports set state = '${name}' where id = ${body.id}`)
  await portal.sql(`update user_imports set expires_at = now() - interval '1 minute' where id = ${body.id}`)
  await state('applying')
  const own = cleaning.filter(({ name }) => name === 'user_imports')
  await cleaningUp(own)(undefined, { db: portal.instance.db } as JobContext)
  assert.equal((await portal.admin.get(`/users/imports/${body.id}`)).status, 200)
  await state('previewed')
  const { expiresAt } = await applied(portal.admin, body.id)
  assert.ok(Date.parse(expiresAt) > Date.now() + 6 * 24 * 3600_000)
})

test('the report has each row, guarded against formulas', async () => {
  await portal.person('rep.missing')
  const { id } = await imported(portal.admin, ['username,email,display_name_en', "rep.one,rep.one@example.org,'=1+1", ',,"x"'])
  const { text, headers } = await portal.admin.get(`/users/imports/${id}/report.csv`)
  assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8')
  const [head, first, second] = text.split('\n')
  assert.equal(head, 'line,username,verdict,changes,details,isDone')
  assert.match(first!, /^2,rep\.one,create,.*,true$/)
  assert.doesNotMatch(text, /(^|[;,|\t])[=+@]/m)
  assert.match(second!, /^3,,refused,,/)
  // The import was not asked to deactivate anybody.
  assert.match(text, /\n,rep\.missing,deactivate,.*,false\n/)
})

test('a file sets managers, even ones that it creates itself, and names the rows whose manager is refused', async () => {
  const boss = await portal.person('man.boss')
  const source = await newSource(portal)
  const named = await source.person('man.named@example.org', {
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { manager: { value: String(boss.id) } },
  })
  const { username } = (await portal.admin.get(`/users/${named.id}`)).body
  const idle = await portal.person('man.idle')
  await portal.admin.patch(`/users/${idle.id}`, { isActive: false })
  const { body: preview } = await sendFile(portal.admin, [
    'username,email,المدير',
    'man.chief,man.chief@example.org,MAN.boss',
    'man.new,man.new@example.org,man.chief',
    'man.boss,,man.chief',
    'man.self,man.self@example.org,man.self',
    'man.late,man.late@example.org,man.idle',
    `${username},,man.chief`,
  ])
  assert.deepEqual(preview.columns, ['username', 'email', 'manager'])
  assert.deepEqual(await faultsOf(portal.admin, preview.id), [
    '5 manager unknownManager',
    '6 manager unknownManager',
    '7 manager managed_elsewhere',
  ])
  const { audit } = await portal.traces(async () => {
    const { changedSince } = await applied(portal.admin, preview.id)
    assert.equal(changedSince, 0)
  })
  const manager = audit.filter(({ action }) => action === 'user.manager.update')
  assert.deepEqual(
    manager.map(({ metadata }) => metadata['importId']),
    [preview.id, preview.id, preview.id],
  )
  const managerOf = async (name: string) =>
    (await portal.admin.get(`/users/${(await personNamed(portal, name)).id}/manager`)).body.manager?.username
  assert.deepEqual(
    [await managerOf('man.chief'), await managerOf('man.new'), await managerOf('man.boss')],
    ['man.boss', 'man.chief', 'man.chief'],
  )
})
