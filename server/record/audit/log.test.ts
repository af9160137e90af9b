/** The audit log as an administrator reads it: its filters, its pages, and its entries. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers } from '../../../test/makers.ts'
import { testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const make = makers(portal)

interface Entry {
  id: number
  action: string
  targetType: string
  targetId: number | null
  metadata: Record<string, unknown> | null
  createdAt: string
  actor: { id: number; username: string } | null
}

const HUDA = 900
const SALEM = 901
/** Entries with known days, actions, actors and targets, all older than the entries of the test portal itself. */
const history = [
  ['2020-03-01T00:00:00Z', 'user.delete', 'user', 5, HUDA],
  ['2020-03-01T23:59:59.999999Z', 'user.force_delete', 'user', 6, SALEM],
  ['2020-03-02T00:00:00Z', 'app.force_delete', 'app', 5, HUDA],
  ['2020-03-02T10:00:00Z', 'app.update', 'app', 5, SALEM],
  ['2020-03-03T10:00:00Z', 'app.update', 'app', 6, HUDA],
  ['2020-03-04T10:00:00Z', 'settings.update', 'settings', 1, null],
] as const

async function fill() {
  for (const [at, action, type, target, actor] of history)
    await portal.sql(
      `insert into ledger (at, kind, target_type, target_id, actor_id, actor_username, action, facts)
       values ($1, 'test.made', $2, $3, $4, $5, $6, '{"a": 1}')`,
      [at, type, target, actor, actor && `gone${actor}`, action],
    )
}
let filling: Promise<void> | undefined

async function read(query = '') {
  filling ??= fill()
  await filling
  return (await portal.admin.get(`/admin/audit-logs?${query}`)).body
}
const days = 'to=2020-12-31'

/** The indices in `history` of these entries, newest first. */
const placesIn = (entries: Entry[]) =>
  entries.map(({ createdAt, action }) =>
    history.findIndex(([at, name]) => name === action && Math.floor(Date.parse(at)) === Date.parse(createdAt)),
  )

for (const [query, expected] of [
  ['', [5, 4, 3, 2, 1, 0]],
  ['action=app.update', [4, 3]],
  ['action=app', []],
  ['action=APP.UPDATE', []],
  ['action=app.%25', []],
  ['action=', []],
  ['action=app.update&action=user.delete', [4, 3, 0]],
  ['action=app.update&action=app.update&action=nothing', [4, 3]],
  [`q=GONE${HUDA}`, [4, 2, 0]],
  [`q=gone${SALEM}&action=app.update&action=user.delete`, [3]],
  ['q=nobody-of-this-name', []],
  ['from=2020-03-02', [5, 4, 3, 2]],
  ['from=2020-03-01&to=2020-03-01', [1, 0]],
  ['from=2020-03-02&to=2020-03-02', [3, 2]],
  ['from=2020-02-29&to=2020-02-29', []],
  [`actorUserId=${HUDA}`, [4, 2, 0]],
  ['actorUserId=2147483647', []],
  ['targetType=app', [4, 3, 2]],
  ['targetType=App', []],
  ['targetId=5', [3, 2, 0]],
  ['targetType=app&targetId=5', [3, 2]],
  ['forcedOnly=true', [2, 1]],
  ['forcedOnly=false', [5, 4, 3, 2, 1, 0]],
  ['forcedOnly=true&targetType=user&targetId=6', [1]],
  ['forcedOnly=true&action=app.update', []],
  [`action=app.update&actorUserId=${SALEM}&targetType=app&targetId=5&from=2020-03-02&to=2020-03-02&forcedOnly=false`, [3]],
  [`action=app.update&actorUserId=${SALEM}&targetType=user`, []],
] as const)
  test(`the filter '${query}' shows ${expected.length} of six rows`, async () => {
    const { entries, totalCount, nextOffset } = await read(query.includes('to=') ? query : `${query}&${days}`)
    assert.deepEqual(placesIn(entries), expected)
    assert.deepEqual([totalCount, nextOffset], [expected.length, null])
  })

for (const query of [
  'from=2020-02-30',
  'from=2020-3-1',
  'from=',
  'to=today',
  'to=2021-02-29',
  'from=2020-03-02&to=2020-03-01',
  'targetId=0',
  'targetId=-1',
  'targetId=x',
  'targetId=1.5',
  'targetId=2147483648',
  'actorUserId=0',
  'actorUserId=-1',
  'actorUserId=x',
  'forcedOnly=maybe',
  'forcedOnly=1',
  `action=${Array.from({ length: 51 }, (_, n) => n).join('&action=')}`,
  `action=a&action=${'b'.repeat(201)}`,
  'action=a&action=%00',
  'q=a&q=b',
  `q=${'a'.repeat(201)}`,
  'targetType=%00',
]) {
  test(`the log and its CSV refuse ${query}`, async () => {
    for (const path of ['/admin/audit-logs', '/admin/audit-logs/export']) {
      const { status, body } = await portal.admin.get(`${path}?${query}`)
      assert.deepEqual([status, body.code], [400, 'validation_failed'], path)
      assert.equal(body.details[0].path.split('.')[0], query.split('=')[0])
    }
  })
}

for (const query of ['limit=0', 'limit=201', 'limit=x', 'offset=-1', 'limit=1&limit=2', 'before=0', 'before=x', 'before=2147483647'])
  test(`a page of the log refuses ${query}`, async () => {
    assert.equal((await portal.admin.get(`/admin/audit-logs?${query}`)).status, 400)
  })

test('pages go from the newest row to the oldest, with 50 rows unless a limit is given', async () => {
  const first = await read(`${days}&limit=4`)
  assert.deepEqual([placesIn(first.entries), first.totalCount, first.limit, first.offset, first.nextOffset], [[5, 4, 3, 2], 6, 4, 0, 4])
  const second = await read(`${days}&limit=4&offset=4`)
  assert.deepEqual([placesIn(second.entries), second.totalCount, second.offset, second.nextOffset], [[1, 0], 6, 4, null])
  const beyond = await read(`${days}&offset=6`)
  assert.deepEqual([beyond.entries, beyond.totalCount, beyond.limit, beyond.nextOffset], [[], 6, 50, null])
})

test('of rows with the same time, the one written last comes first', async () => {
  const app = await make.newApp({ permissionIds: await make.idsOfPermissions('portal.it', 'portal.hr') })
  const { entries } = await read(`targetType=app&targetId=${app.id}`)
  assert.equal(new Set(entries.map(({ createdAt }: Entry) => createdAt)).size, 1)
  assert.deepEqual(
    entries.map(({ action }: Entry) => action),
    ['app.permission.add', 'app.permission.add', 'app.create'],
  )
})

test('an entry shows the action, its target, its time and its author', async () => {
  const group = await make.newGroup()
  const { entries } = await read('limit=1')
  const { id, createdAt, metadata, ...entry } = entries[0]
  assert.ok(id > 0 && Math.abs(Date.now() - Date.parse(createdAt)) < 60_000)
  assert.equal(metadata.name, group.name)
  assert.deepEqual(entry, {
    action: 'group.create',
    targetType: 'group',
    targetId: group.id,
    revertOf: null,
    refs: { groups: { [group.id]: { name: group.name, descriptionAr: null, descriptionEn: null } } },
    actor: { id: portal.admin.id, username: 'admin', displayNameAr: null, displayNameEn: null, avatarUrl: null },
  })
})

test('an entry shows the actor’s present name, or their latest name if they were deleted', async () => {
  const deputy = await make.newPerson({ roles: ['admin'] })
  const { id: roleId } = (await deputy.post('/roles', { name: 'Made.by.deputy' })).body
  await portal.admin.patch(`/users/${deputy.id}`, { displayNameEn: 'Deputy' })
  const actor = async () => (await read(`targetType=role&targetId=${roleId}`)).entries[0].actor
  const nobody = { displayNameAr: null, avatarUrl: null, id: deputy.id, username: deputy.username }
  assert.deepEqual(await actor(), { ...nobody, displayNameEn: 'Deputy' })
  assert.equal((await portal.admin.delete(`/users/${deputy.id}`)).status, 204)
  assert.deepEqual(await actor(), { ...nobody, displayNameEn: null })
  assert.equal((await read(`actorUserId=${deputy.id}`)).totalCount, 1)
})

test('a missing actor, target or metadata is null', async () => {
  await portal.sql(
    `insert into ledger (at, kind, target_type, target_id, action, facts) values ('2019-05-05', 'test.made', 'portal', 0, 'test.bare', '{}')`,
  )
  const { id, ...entry } = (await read('action=test.bare')).entries[0]
  const bare = { targetType: 'portal', targetId: null, metadata: null, actor: null, revertOf: null, refs: {} }
  assert.deepEqual(entry, { action: 'test.bare', createdAt: '2019-05-05T00:00:00.000Z', ...bare })
})

test('every page lists the names of all actions, whatever the filter', async () => {
  const { actions } = await read('action=none')
  const present = await portal.sql<{ action: string }>('select distinct action from ledger where action is not null')
  assert.deepEqual(actions.toSorted(), present.map(({ action }) => action).toSorted())
  assert.ok(actions.includes('app.force_delete') && actions.includes('user.create'))
})

test('changes without an action are not in the log', async () => {
  const { totalCount } = await read()
  await portal.admin.post('/orders', { serviceId: (await make.newService()).id })
  assert.equal((await read()).totalCount, totalCount + 1, 'the service is, the order is not')
  assert.equal((await read('targetType=order')).totalCount, 0)
})

test('each forced deletion is found by its target', async () => {
  const [app, group] = [await make.newApp(), await make.newGroup({ userIds: [portal.admin.id] })]
  await portal.admin.post(`/apps/${app.id}/open`)
  for (const [path, type, id] of [
    ['apps', 'app', app.id],
    ['groups', 'group', group.id],
  ] as const) {
    assert.equal((await portal.admin.delete(`/${path}/${id}?force=true`)).status, 204)
    const { entries } = await read(`forcedOnly=true&targetType=${type}&targetId=${id}`)
    assert.deepEqual([entries.length, entries[0].action], [1, `${type}.force_delete`])
  }
})

test('the stored daily counts match the rows for every filter', async () => {
  for (const query of [
    '',
    'action=user.create',
    'actorUserId=1',
    'targetType=user',
    'from=2020-03-02',
    'forcedOnly=true',
    'to=2020-03-02',
  ]) {
    const seen: number[] = []
    const { totalCount } = await read(query)
    for (let offset: number | null = 0; offset !== null; ) {
      const page: { entries: Entry[]; nextOffset: number | null } = await read(`${query}&limit=7&offset=${offset}`)
      seen.push(...page.entries.map(({ id }) => id))
      offset = page.nextOffset
    }
    assert.deepEqual([new Set(seen).size, seen.length], [totalCount, totalCount], query)
  }
})

test('pages that continue from an entry list each older entry once', async () => {
  const whole = (await read(days)).entries as Entry[]
  const walked: Entry[] = []
  let before = ''
  for (let isLast = false; !isLast; ) {
    const { entries, nextOffset, totalCount } = await read(`${days}&limit=4${before}`)
    assert.equal(totalCount, whole.length)
    walked.push(...entries)
    before = `&before=${entries.at(-1).id}`
    isLast = nextOffset === null
  }
  assert.deepEqual(walked, whole)
  assert.deepEqual((await read(`${days}&limit=1&offset=1&before=${whole[0]!.id}`)).entries, whole.slice(2, 3))
  assert.deepEqual((await read(`${days}&before=${whole.at(-1)!.id}`)).entries, [])
})

test('each day of a span is counted, with the filters of the list, including days without entries', async () => {
  await read()
  const counted = async (query: string) => {
    const { status, body } = await portal.admin.get(`/admin/audit-logs/counts?${query}`)
    assert.equal(status, 200)
    return body.map(({ date, count }: { date: string; count: number }) => `${date} ${count}`)
  }
  const span = 'from=2020-02-29&to=2020-03-03'
  const [quiet, first, second, third] = ['2020-02-29', '2020-03-01', '2020-03-02', '2020-03-03']
  assert.deepEqual(await counted(span), [`${quiet} 0`, `${first} 2`, `${second} 2`, `${third} 1`])
  for (const filter of ['action=app.update', 'targetId=5&action=app.update', `q=gone&action=app.update`])
    assert.deepEqual(await counted(`${span}&${filter}`), [
      `${quiet} 0`,
      `${first} 0`,
      `${second} 1`,
      `${third} ${filter.startsWith('targetId') ? 0 : 1}`,
    ])
  assert.equal((await counted('from=2020-01-01&to=2020-04-01')).length, 92)
  for (const wrong of [
    '',
    'from=2020-03-01',
    'from=2020-01-01&to=2020-04-02',
    'from=2020-03-02&to=2020-03-01',
    'from=2020-02-30&to=2020-03-01',
  ])
    assert.equal((await portal.admin.get(`/admin/audit-logs/counts?${wrong}`)).body.code, 'validation_failed', wrong)
})

test('entries are found by the names of everything in them, as they were when the entry was written', async () => {
  const role = await make.newRole(['portal.hr'], 'searchable-one')
  const person = await make.newPerson({ displayNameAr: 'نوف الباحثة' })
  const group = await make.newGroup({ name: 'Searchers', descriptionAr: 'الباحثون عن الأسماء' })
  const found = async (q: string) =>
    ((await portal.admin.get(`/admin/audit-logs?q=${encodeURIComponent(q)}`)).body.entries as Entry[]).map(({ action }) => action)
  await portal.admin.post(`/users/${person.id}/roles`, { roleName: role.name })
  await portal.admin.post(`/groups/${group.id}/users`, { userId: person.id })
  assert.deepEqual(await found('نوف'), ['group.member.add', 'user.role.add', 'user.create'])
  assert.deepEqual(await found('SEARCHABLE-ONE'), ['user.role.add', 'role.permissions.replace', 'role.create'])
  assert.deepEqual(await found('الباحثون'), ['group.member.add', 'group.create'])
  await portal.admin.patch(`/roles/${role.id}`, { name: 'renamed-one' })
  await portal.admin.delete(`/groups/${group.id}?force=true`)
  assert.deepEqual(await found('searchable-one'), ['role.update', 'user.role.add', 'role.permissions.replace', 'role.create'])
  assert.deepEqual(await found('renamed-one'), ['role.update'])
  assert.deepEqual(await found('searchers'), ['group.force_delete', 'group.member.add', 'group.create'])
})
