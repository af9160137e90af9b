/** The database refuses every change of data without its recorded change and histories. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import webpush from 'web-push'
import { dayAhead, REVIEWS } from './access-reviews.ts'
import { stepOf } from './approvals.ts'
import { exempt } from './exempt-tables.ts'
import { addPasskey, addTotp } from './factors.ts'
import { makers } from './makers.ts'
import { newFolder, newLabel, send, writeNote } from './notes.ts'
import { insertProvider } from './oidc/acts.ts'
import { testPortal } from './portal.ts'
import { newSource } from './scim.ts'

const portal = testPortal({ SECRETS_KEY: Buffer.alloc(32, 'k').toString('base64url') })
const make = makers(portal)

interface Lock {
  table: string
  trigger: 'demand_change' | 'demand_history'
  /** The kind of subject of a change, or the kind of history, each with the column that contains the id of the subject. */
  pairs: [string, string][]
}
const readLocks = async () =>
  (
    await portal.sql<{ table: string; trigger: Lock['trigger']; args: string }>(
      `select relname as table, tgname as trigger, encode(tgargs, 'escape') as args from pg_trigger join pg_class c on c.oid = tgrelid
       where tgname like 'demand%' and tgenabled = 'O' and tgdeferrable and tginitdeferred
         and tgtype & 1 = 1 and tgtype & 28 = 28 and not relispartition order by 1`,
    )
  ).map(({ args, ...lock }): Lock => {
    const words = args.split('\\000').filter(Boolean)
    return { ...lock, pairs: words.flatMap((word, index) => (index % 2 ? [] : [[word, words[index + 1]!] as [string, string]])) }
  })

test('every table requires a recorded change for each row inserted, updated or deleted, or is exempt with a reason', async () => {
  const tables = await portal.sql<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  )
  const locked = (await readLocks()).filter(({ trigger }) => trigger === 'demand_change').map(({ table }) => table)
  const names = tables.map(({ name }) => name)
  const open = names.filter((name) => !locked.includes(name) && !(name in exempt))
  assert.equal(open.length, 0, `give these tables the trigger demand_change, or a reason in test/exempt-tables.ts: ${open.join(', ')}`)
  assert.deepEqual(
    [...locked, ...Object.keys(exempt)].toSorted(),
    names.toSorted(),
    'an exemption names a table that does not exist or has the trigger',
  )
})

test('every set with a history requires an entry in that history for each change', async () => {
  const kinds = (await readLocks())
    .filter(({ trigger }) => trigger === 'demand_history')
    .flatMap(({ pairs }) => pairs.map(([kind]) => kind))
  const [{ check }] = (await portal.sql<{ check: string }>(
    `select pg_get_constraintdef(oid) as check from pg_constraint where conrelid = 'permission_history'::regclass and contype = 'c'`,
  )) as [{ check: string }]
  assert.deepEqual(kinds.toSorted(), [...check.matchAll(/'([a-z]+\.[a-z]+)'/g)].map(([, kind]) => kind).toSorted())
})

/** The SQLSTATE with which a transaction of these statements fails, or null. The transaction is always rolled back. */
async function endOf(...statements: string[]) {
  const client = new pg.Client(portal.connection)
  await client.connect()
  try {
    await client.query('begin')
    for (const statement of statements) await client.query(statement)
    await client.query('set constraints all immediate')
    return null
  } catch (error) {
    return (error as { code: string }).code
  } finally {
    await client.query('rollback')
    await client.end()
  }
}

const aChange = (targetType: string, targetId: string | number) =>
  `insert into ledger (kind, target_type, target_id, facts) values ('test.tried', '${targetType}', ${targetId}, '{}')`
const aHistory = (kind: string, target: string | number) =>
  `insert into permission_history (kind, target_id, added, removed) values ('${kind}', ${target}, '{}', '{}')`

/** Statements that update and delete the last row of a table. */
async function oneOf(table: string) {
  const [row] = await portal.sql<{ line: Record<string, number>; place: string }>(
    `select to_jsonb(t) as line, ctid::text as place from ${table} t order by ctid desc limit 1`,
  )
  assert.ok(row, `there is no row of ${table} to try it on: make one in "populate"`)
  // Prefers a column that the trigger names.
  const [{ column }] = (await portal.sql<{ column: string }>(
    `select attname as column from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attname <> 'id'
     order by exists (select from pg_trigger where tgrelid = attrelid and tgname = 'demand_change' and attnum = any(tgattr)) desc, attnum limit 1`,
    [table],
  )) as [{ column: string }]
  return {
    /** The id in the column `name` of the row; a number in place of a column is the id itself. */
    idIn: (name: string) => row.line[name] ?? Number(name),
    update: `update ${table} set ${column} = ${column} where ctid = '${row.place}'`,
    delete: `delete from ${table} where ctid = '${row.place}'`,
  }
}

/**
 * Makes a note with a folder, a label, a recipient and a reply. Then adds a folder, a label, a note and a person that are not in use: the
 * last row of each table can be deleted.
 */
async function populateNotes() {
  const person = await make.newPerson()
  const [folderId, labelId] = [await newFolder(person), await newLabel(person)]
  const noteId = await writeNote(person, { title: 'Plan', folderId, labelIds: [labelId] })
  await send(person, noteId, portal.admin)
  await portal.admin.post(`/notes/${noteId}/replies`, { content: 'Fine' })
  for (const part of ['folders', 'labels']) await person.post(`/notes/${part}`, { name: 'Empty' })
  await writeNote(person)
  // The newest person, who owns nothing, can be deleted.
  await make.newPerson()
}

/** Makes a row in every table that requires a recorded change. */
async function populate() {
  const person = await make.newPerson()
  const role = await make.newRole(['portal.it'])
  const team = await make.newTeam({ leadUserIds: [person.id] })
  const [permissionId] = await make.idsOfPermissions('portal.hr')
  const app = await make.newApp({ permissionIds: [permissionId] })
  await make.newGroup({ userIds: [person.id], roleIds: [role.id], appIds: [app.id] })
  await portal.admin.put('/me/app-order', { order: [app.id] })
  await addPasskey(person)
  await addTotp(person)
  await portal.admin.post(`/auth/admin/users/${person.id}/issue-reset-link`)
  await make.newRole()
  const service = await make.newService({ categoryId: (await make.newCategory()).id })
  const order = (await person.post('/orders', { serviceId: service.id })).body
  const { uploadURL, fileId } = (await portal.admin.post('/order-files/request-url', { name: 'a.txt', size: 1, contentType: 'text/plain' }))
    .body
  const { pathname, search } = new URL(uploadURL)
  await fetch(portal.base + pathname + search, { method: 'PUT', body: 'x', headers: { 'content-type': 'text/plain' } })
  await portal.admin.post(`/orders/${order.id}/messages`, { fileIds: [fileId] })
  await portal.admin.post(`/orders/${order.id}/transfer`, { teamId: team.id, note: 'Again' })
  await portal.admin.put(`/services/${service.id}/handling`, { teamId: team.id })
  await portal.admin.put(`/services/${service.id}/form`, { fields: [{ key: 'drink', kind: 'text', labelEn: 'Which drink?' }] })
  await portal.admin.put(`/services/${service.id}/notice`, { noticeEn: 'Closed' })
  await make.newTeam()
  await make.newService()
  await make.newCategory()
  await portal.admin.post('/storage/uploads/request-url', { name: 'a', size: 1, contentType: 'text/plain' })
  await portal.admin.put('/executive-meetings/font-settings', { fontSize: 20 })
  await portal.admin.post('/executive-meetings/pdf-archives', { date: '2030-01-01', language: 'ar' })
  const keys = { p256dh: webpush.generateVAPIDKeys().publicKey, auth: 'A'.repeat(22) }
  await portal.admin.post('/push/subscribe', { endpoint: 'https://push.example.org/1', keys })
  await populateNotes()
  const meeting = { date: '2030-01-01', titleEn: 'Budget', attendees: [{ name: 'Ann', userId: person.id }] }
  const { id: meetingId } = (await portal.admin.post('/executive-meetings', meeting)).body
  await portal.admin.post('/executive-meetings/tasks', { titleEn: 'Draft', meetingId, assigneeId: portal.admin.id })
  const groups = [await make.newGroup(), await make.newGroup(), await make.newGroup()]
  for (const { id } of groups) await portal.admin.put(`/groups/${id}/request-policy`, { requestable: true })
  const [approved, pending] = [await make.newPerson(), await make.newPerson()]
  const { id: requestId } = (await approved.post('/access-requests', { groupId: groups[0]!.id })).body
  await portal.admin.post(`/access-requests/${requestId}/approve`, {})
  await portal.admin.delete(`/groups/${groups[0]!.id}?force=true`)
  await pending.post('/access-requests', { groupId: groups[1]!.id })
  const visit = { date: '2030-01-01', titleEn: 'Visit' }
  await portal.admin.post('/executive-meetings/requests', { type: 'create', details: visit })
  const review = { titleEn: 'Quarter', dueDate: dayAhead(1), ifSilent: 'keep' }
  await portal.admin.post(REVIEWS, { ...review, roleIds: [(await make.roleNamed('user')).id] })
  await portal.admin.post(REVIEWS, { ...review, groupIds: [(await make.newGroup()).id] })
  await insertProvider(portal, { userId: person.id, groupId: (await make.newGroup()).id })
  const program = { username: `program${person.id}`, nameAr: 'برنامج', nameEn: 'Program', contactUserId: person.id }
  const { id: programId } = (await portal.admin.post('/service-accounts', program)).body
  await portal.admin.post(`/service-accounts/${programId}/tokens`, { name: 'nightly', scopes: ['people:read'] })
  await portal.admin.post('/webhooks', { name: 'Stock', url: 'https://stock.example.org/', types: ['role.*'] })
  await portal.admin.send('POST', '/users/imports', 'username\nadmin', { 'content-type': 'text/csv' })
  const source = await newSource(portal)
  const { id: memberId } = await source.person(`member@${source.name}.example.org`)
  await source.group(`Members of ${source.name}`, [memberId])
  const held = await make.newService()
  const steps = [stepOf({ userIds: [person.id] }), stepOf({ key: 'second', userIds: [person.id] })]
  await portal.admin.put(`/services/${held.id}/handling`, { steps })
  await person.post(`/orders/${(await portal.admin.post('/orders', { serviceId: held.id })).body.id}/approve`, {})
  await make.newService()
  await portal.admin.put(`/users/${memberId}/manager`, { userId: person.id })
  await portal.meddle('sign_in_settings', 1, `insert into second_factor_roles values (${(await make.newRole()).id})`)
}

test('no row changes without a recorded change about its subject and the histories of its sets', async (t) => {
  await populate()
  const locks = await readLocks()
  for (const { table, trigger, pairs } of locks) {
    if (trigger !== 'demand_change') continue
    await t.test(table, async () => {
      const row = await oneOf(table)
      const [targetType, column] = pairs[0]!
      const targetId = row.idIn(column)
      const histories = locks
        .filter((lock) => lock.table === table && lock.trigger === 'demand_history')
        .flatMap((lock) => lock.pairs.map(([kind, target]) => aHistory(kind, row.idIn(target))))
      for (const statement of [row.update, row.delete]) {
        assert.equal(await endOf(statement), 'BW001', 'without a change')
        assert.equal(await endOf(aChange(targetType, targetId + 1000), ...histories, statement), 'BW001', 'with a change about another')
        assert.equal(await endOf(aChange('nothing', targetId), ...histories, statement), 'BW001', 'with a change about something else')
        for (const missing of histories.keys())
          assert.equal(
            await endOf(aChange(targetType, targetId), ...histories.toSpliced(missing, 1), statement),
            'BW001',
            'without a history',
          )
      }
      assert.equal(await endOf(aChange(targetType, targetId), ...histories, row.update), null, 'with its change and all histories')
    })
  }
})

const inserts = [
  `users (username, email, password_hash) values ('new', 'new@example.org', '-')`,
  `roles (name) values ('new')`,
  `permissions (name) values ('test.new')`,
  `groups (name) values ('new')`,
  `apps (slug, name_ar, name_en, icon_name, route, color) values ('new', 'جديد', 'New', 'box', '/new', 'red')`,
  `service_categories (name_ar, name_en) values ('جديدة', 'New')`,
  `services (name_ar, name_en) values ('جديدة', 'New')`,
  'user_roles values (1, 3)',
  'group_roles values (1, 3)',
  'role_permissions values (3, 3)',
]
for (const insert of inserts)
  test(`no row is inserted into ${insert.split(' ')[0]} without a change`, async () => {
    assert.equal(await endOf(`insert into ${insert}`), 'BW001')
    assert.equal(await endOf(aChange('settings', 1), `insert into ${insert}`), 'BW001')
  })

test('a row that moves between subjects requires a recorded change of both', async () => {
  const [huda, salem] = [await make.newPerson(), await make.newPerson()]
  const move = `update direct_roles set user_id = ${salem.id}, role_id = 3 where user_id = ${huda.id}`
  const recorded = (id: number) => [aChange('user', id), aHistory('user.roles', id)]
  assert.equal(await endOf(...recorded(salem.id), move), 'BW001')
  assert.equal(await endOf(...recorded(huda.id), move), 'BW001')
  assert.equal(await endOf(...recorded(huda.id), ...recorded(salem.id), move), null)
})

test('a transaction without its recorded change does not commit', async () => {
  const rename = `update users set display_name_en = 'Someone' where id = 1`
  await assert.rejects(portal.sql(rename), { code: 'BW001' })
  await assert.rejects(portal.sql(`begin; ${aChange('user', 1000)}; ${rename}; commit`), { code: 'BW001' })
  assert.equal((await portal.admin.get('/auth/me')).body.displayNameEn, null)
  assert.deepEqual(await portal.sql(`select from ledger where kind = 'test.tried'`), [])
})

test('a change recorded by an earlier transaction does not count', async () => {
  await portal.sql(aChange('user', 1))
  assert.equal(await endOf(`update users set display_name_en = 'Someone' where id = 1`), 'BW001')
})

test('no audited table can be truncated', async () => {
  for (const { table } of await readLocks())
    await assert.rejects(
      portal.sql(`truncate ${table} cascade`),
      { code: '42501', message: `the rows of ${table} go one by one, each with its change` },
      `give ${table} the trigger refuse_emptying`,
    )
})

test('rows of the ledger and the histories cannot be changed or deleted, nor their partitions truncated', async () => {
  await populate()
  const parts = await portal.sql<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'ledger'::regclass`,
  )
  assert.ok(parts.length >= 3)
  for (const table of ['ledger', 'permission_history', ...parts.map(({ name }) => name)])
    assert.equal(await endOf(`truncate ${table}`), '42501', table)
  for (const table of ['ledger', 'permission_history'])
    for (const statement of [`update ${table} set kind = kind`, `delete from ${table}`])
      assert.equal(await endOf(statement), '42501', statement)
  const held = await portal.sql<{ name: string }>('select distinct tableoid::regclass::text as name from ledger')
  for (const { name } of held)
    for (const statement of [`update ${name} set kind = kind`, `delete from ${name}`])
      assert.equal(await endOf(statement), '42501', statement)
})
