import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { testPortal } from '../../../test/portal.ts'
import { scale, slowTest } from '../../../test/suite.ts'

const portal = testPortal()
const EDITS = scale(40, 200)
let made = 0

const newRole = async (name = `role${++made}`) => (await portal.admin.post('/roles', { name })).body as { id: number; name: string }
const readPermissions = async () => (await portal.admin.get('/permissions')).body as { id: number; name: string }[]
const csvOf = (text: string) => parse(text, { bom: true, columns: true }) as Record<string, string>[]
const ascending = (ids: number[]) => ids.toSorted((a, b) => a - b)

/** Replaces a role's permissions; returns the ids of the new ones in the order of the given names. */
async function put(roleId: number, ...names: string[]) {
  const permissions = await readPermissions()
  const permissionIds = names.map((name) => permissions.find((permission) => permission.name === name)!.id)
  await portal.admin.put(`/roles/${roleId}/permissions`, { permissionIds })
  return permissionIds
}

/** Makes an edit of a role's permissions, a different one for each `n`. */
function edit(roleId: number, ids: number[], n: number) {
  const some = ids.filter((id) => (n * 7 + id * 13) % 5 < 2)
  const one = ids[n % ids.length]!
  if (n % 4 === 0) return portal.admin.post(`/roles/${roleId}/permissions`, { permissionId: one })
  if (n % 4 === 1) return portal.admin.delete(`/roles/${roleId}/permissions/${one}`)
  return portal.admin.put(`/roles/${roleId}/permissions`, { permissionIds: some })
}

test(`${EDITS} simultaneous edits leave one unbroken chain that ends with the role's permissions`, async () => {
  const role = await newRole()
  const ids = (await readPermissions()).map(({ id }) => id)
  const answers = await Promise.all(Array.from({ length: EDITS }, (_, n) => edit(role.id, ids, n)))
  assert.deepEqual(
    answers.filter(({ status }) => status >= 300).map(({ text }) => text),
    [],
  )

  const { entries, totalCount } = (await portal.admin.get(`/roles/${role.id}/audit?limit=200`)).body
  assert.equal(entries.length, totalCount)
  assert.ok(totalCount >= EDITS / 2, 'every replacement is recorded')
  const held = (await portal.admin.get(`/roles/${role.id}/permissions`)).body as { id: number }[]
  let expected = ascending(held.map(({ id }) => id))
  for (const { newPermissionIds, previousPermissionIds, addedPermissionIds, removedPermissionIds } of entries) {
    assert.deepEqual(newPermissionIds, expected)
    const stored = newPermissionIds.filter((id: number) => !addedPermissionIds.includes(id))
    assert.deepEqual(previousPermissionIds, ascending([...stored, ...removedPermissionIds]))
    expected = previousPermissionIds
  }
  assert.deepEqual(expected, [])
})

test('history is paged newest first, with the sets before and after each change and its author', async () => {
  const role = await newRole()
  await put(role.id, 'portal.it')
  const [it, hr] = await put(role.id, 'portal.it', 'portal.hr')
  await put(role.id)
  const { body } = await portal.admin.get(`/roles/${role.id}/audit?limit=1&offset=1`)
  const { id, createdAt, ...entry } = body.entries[0]
  assert.ok(id > 0 && !Number.isNaN(Date.parse(createdAt)))
  assert.deepEqual(entry, {
    roleId: role.id,
    previousPermissionIds: [it],
    newPermissionIds: [it, hr],
    addedPermissionIds: [hr],
    removedPermissionIds: [],
    addedNames: ['portal.hr'],
    removedNames: [],
    revertOf: null,
    refs: { permissions: { [hr!]: { name: 'portal.hr', descriptionAr: 'الموارد البشرية', descriptionEn: 'Human resources' } } },
    actor: { id: portal.admin.id, username: 'admin', displayNameAr: null, displayNameEn: null, avatarUrl: null },
  })
  assert.deepEqual({ ...body, entries: [] }, { entries: [], totalCount: 3, limit: 1, offset: 1, nextOffset: 2 })
  assert.equal((await portal.admin.get(`/roles/${role.id}/audit`)).body.limit, 10)
})

const today = () => new Date().toISOString().slice(0, 10)
for (const [query, expected] of [
  ['', 1],
  ['actorUserId=0', 1],
  ['actorUserId=2147483647', 0],
  [`from=${today()}&to=2999-12-31`, 1],
  ['from=2999-01-01', 0],
  ['to=2001-01-01', 0],
  ['from=2026-02-30', 400],
  ['from=2026-2-3', 400],
  ['from=2026-03-02&to=2026-03-01', 400],
  ['actorUserId=-1', 400],
  ['actorUserId=x', 400],
  ['from=', 400],
] as const) {
  test(`history and CSV answer '${query}' with this number of rows or this status: ${expected}`, async () => {
    const role = await newRole()
    await put(role.id, 'portal.it')
    const [list, csv] = [
      await portal.admin.get(`/roles/${role.id}/audit?${query}`),
      await portal.admin.get(`/roles/${role.id}/audit.csv?${query}`),
    ]
    if (expected === 400) assert.deepEqual([list.status, csv.status], [400, 400])
    else assert.deepEqual([list.body.totalCount, csvOf(csv.text).length], [expected, expected])
  })
}

for (const query of ['limit=0', 'limit=201', 'limit=x', 'offset=-1', 'limit=1&limit=2']) {
  test(`a page of history is refused for ${query}`, async () => {
    assert.equal((await portal.admin.get(`/roles/${(await newRole()).id}/audit?${query}`)).status, 400)
  })
}

test('an impossible date is refused before the role is looked up', async () => {
  assert.equal((await portal.admin.get('/roles/2147483647/audit?from=2026-02-30')).status, 400)
  assert.equal((await portal.admin.get('/roles/2147483647/audit.csv?from=2026-02-30')).status, 400)
})

test('the CSV is newest first and names permissions, deleted ones too', async () => {
  const role = await newRole('Csv.role')
  const gone = (await portal.admin.post('/permissions', { name: 'test.gone' })).body.id as number
  await put(role.id, 'portal.it', 'portal.hr')
  await portal.admin.post(`/roles/${role.id}/permissions`, { permissionId: gone })
  await put(role.id, 'portal.it')
  await portal.admin.delete(`/permissions/${gone}`)

  const { status, text, headers } = await portal.admin.get(`/roles/${role.id}/audit.csv`)
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8')
  assert.equal(headers.get('content-disposition'), `attachment; filename="role-Csv.role-audit-${today()}.csv"`)
  const rows = csvOf(text)
  assert.deepEqual(Object.keys(rows[0]!), ['timestamp', 'actor_username', 'added_permissions', 'removed_permissions'])
  assert.deepEqual(
    rows.map((row) => [row.actor_username, row.added_permissions, row.removed_permissions]),
    [
      ['admin', '', 'portal.hr; test.gone'],
      ['admin', 'test.gone', ''],
      ['admin', 'portal.it; portal.hr', ''],
    ],
  )
  assert.ok(rows.every(({ timestamp }) => new Date(timestamp!).toISOString() === timestamp))
})

test('the CSV begins with a byte-order mark, and a name cannot become a formula', async () => {
  const role = await newRole()
  const { id } = await portal.person('-dash', { roles: ['admin'] })
  const dash = await portal.stranger().signIn('-dash')
  await dash.put(`/roles/${role.id}/permissions`, { permissionIds: [] })
  const response = await fetch(`${portal.base}/api/roles/${role.id}/audit.csv`, { headers: { cookie: portal.admin.cookie } })
  const bytes = Buffer.from(await response.arrayBuffer())
  assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf])
  assert.equal(csvOf(bytes.toString())[0]!.actor_username, "'-dash")
  assert.equal((await portal.admin.get(`/roles/${role.id}/audit?actorUserId=${id}`)).body.totalCount, 1)
})

slowTest('the CSV holds the newest 10,000 rows at most', async () => {
  const role = await newRole()
  await portal.sql(
    `insert into permission_history (at, kind, target_id, added, removed, actor_username)
     select now() + n * interval '1 second', 'role.permissions', $1, '{}', '{}', 'row' || n from generate_series(1, 10001) as n`,
    [role.id],
  )
  const { text, headers } = await portal.admin.get(`/roles/${role.id}/audit.csv`)
  const rows = csvOf(text)
  assert.deepEqual(
    [headers.get('x-rows-omitted'), Object.values(rows.pop()!)],
    ['1', ['عدد الصفوف الأقدم التي لم تُدرج في هذا الملف: 1', '', '', '']],
  )
  assert.equal(rows.length, 10_000)
  assert.equal(new Set(rows.map(({ timestamp }) => timestamp)).size, 10_000)
  assert.ok(rows[0]!.timestamp! > rows.at(-1)!.timestamp!)
})
