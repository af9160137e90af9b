/** Adding and removing members, roles and apps one at a time, and the histories of all three. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessChangedFor, tracing } from '../../../test/makers.ts'
import { testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const { traced, silent } = tracing(portal)
const [USER, RECEIVER] = [2, 3]
const UNKNOWN = 2147483647

const group = async (name: string, fields = {}) => (await portal.admin.post('/groups', { name, ...fields })).body.id as number
const account = async (username: string) =>
  (await portal.admin.post('/users', { username, email: `${username}@example.org`, password: 'battery staple' })).body.id as number
const app = async (slug: string) => {
  const fields = { slug, nameAr: slug, nameEn: slug, iconName: 'grid', route: `/${slug}`, color: 'blue' }
  return (await portal.admin.post('/apps', fields)).body.id as number
}

for (const [part, field] of [
  ['users', 'userId'],
  ['roles', 'roleId'],
  ['apps', 'appId'],
] as const)
  test(`${part} are added and removed one at a time, recorded once with both histories, and the people concerned get an event`, async () => {
    const member = await account(`member-of-${part}`)
    const id = await group(`With ${part}`, { userIds: part === 'users' ? [] : [member] })
    const memberId = part === 'users' ? member : part === 'roles' ? RECEIVER : await app('with-apps')
    const add = () => portal.admin.post(`/groups/${id}/${part}`, { [field]: memberId })
    const remove = () => portal.admin.delete(`/groups/${id}/${part}/${memberId}`)
    const left = (move: 'added' | 'removed', action: string) => ({
      audit: [{ action, type: 'group', target: id, metadata: { [field]: memberId } }],
      histories: [
        { kind: `group.${part}`, target: id, added: [], removed: [], [move]: [memberId] },
        ...(part === 'users' ? [{ kind: 'user.groups', target: member, added: [], removed: [], [move]: [id] }] : []),
      ],
      notices: [],
      events: part === 'apps' ? accessChangedFor(member).slice(0, 1) : accessChangedFor(member),
    })

    const { answer: added, ...came } = await traced(add)
    assert.deepEqual([added.status, added.body], [201, (await portal.admin.get(`/groups/${id}`)).body])
    assert.deepEqual(added.body[`${field}s`], [memberId])
    assert.deepEqual(came, left('added', 'group.member.add'))
    assert.deepEqual([(await silent(add)).status, (await silent(add)).body], [201, added.body])

    const { answer: removed, ...went } = await traced(remove)
    assert.deepEqual([removed.status, removed.text], [204, ''])
    assert.deepEqual(went, left('removed', 'group.member.remove'))
    assert.equal((await silent(remove)).status, 204)

    const unknown = await silent(() => portal.admin.post(`/groups/${id}/${part}`, { [field]: UNKNOWN }))
    assert.deepEqual([unknown.status, unknown.body.code, unknown.body.unknownIds], [400, 'unknown_ids', [UNKNOWN]])
    assert.equal((await silent(() => portal.admin.delete(`/groups/${id}/${part}/${UNKNOWN}`))).status, 204)
  })

test('a member added twenty times at once is recorded once', async () => {
  const [id, member] = [await group('Crowded'), await account('crowd')]
  const { audit, histories, events } = await portal.traces(() =>
    Promise.all(Array.from({ length: 20 }, () => portal.admin.post(`/groups/${id}/users`, { userId: member }))),
  )
  assert.deepEqual([audit.length, histories.length, events.length], [1, 2, 2])
})

test('the history shows each set before and after, newest first, page by page, whichever endpoint changed it', async () => {
  const member = await account('recorded')
  const id = await group('Recorded', { userIds: [1], roleIds: [USER] })
  await portal.admin.patch(`/users/${member}`, { groupIds: [id] })
  await portal.admin.post(`/groups/${id}/roles`, { roleId: RECEIVER })
  await portal.admin.patch(`/groups/${id}`, { userIds: [], roleIds: [RECEIVER] })
  const { body } = await portal.admin.get(`/groups/${id}/audit`)
  assert.deepEqual(
    body.entries.map((one: Record<string, unknown>) => [one.changeKind, one.previousIds, one.newIds, one.addedIds, one.removedIds]),
    [
      ['group.roles', [USER, RECEIVER], [RECEIVER], [], [USER]],
      ['group.users', [1, member], [], [], [1, member]],
      ['group.roles', [USER], [USER, RECEIVER], [RECEIVER], []],
      ['group.users', [1], [1, member], [member], []],
      ['group.roles', [], [USER], [USER], []],
      ['group.users', [], [1], [1], []],
    ],
  )
  const { targetKind, targetId, actor } = body.entries[0]
  assert.deepEqual(
    [targetKind, targetId, actor.id, body.totalCount, body.limit, body.nextOffset],
    ['group', id, portal.admin.id, 6, 10, null],
  )
  const page = (await portal.admin.get(`/groups/${id}/audit?limit=2&offset=3`)).body
  assert.deepEqual([page.entries, page.nextOffset], [body.entries.slice(3, 5), 5])
  assert.deepEqual((await portal.admin.get(`/users/${member}/audit?limit=1`)).body.entries[0].removedIds, [id])
})

test('the history can be filtered by actor and by whole UTC days', async () => {
  const id = await group('Narrowed', { userIds: [1] })
  const total = async (query: string) => (await portal.admin.get(`/groups/${id}/audit?${query}`)).body.totalCount
  assert.deepEqual([await total('actorUserId=1'), await total('actorUserId=0'), await total('actorUserId=999')], [1, 1, 0])

  await portal.sql(
    `insert into permission_history (at, kind, target_id, added, removed) values
       ('2020-02-10T00:00:00Z', 'group.apps', $1, '{3}', '{}'), ('2020-02-10T23:59:59.999Z', 'group.apps', $1, '{}', '{3}')`,
    [id],
  )
  const days = ['from=2020-02-10&to=2020-02-10', 'to=2020-02-09', 'to=2020-02-10', 'from=2020-02-11', 'from=2020-02-11&to=2020-02-12']
  assert.deepEqual(await Promise.all(days.map(total)), [2, 0, 2, 1, 0])
})

test('differences of all three sets are applied and recorded as one change, without ids that change nothing', async () => {
  const [stays, leaves, comes] = [await account('stays'), await account('leaves'), await account('comes')]
  const [old, next] = [await app('old-app'), await app('next-app')]
  const id = await group('Differing', { userIds: [stays, leaves], roleIds: [USER], appIds: [old] })
  const change = {
    members: { add: [comes, stays], remove: [leaves, UNKNOWN] },
    roles: { add: [RECEIVER] },
    apps: { add: [next], remove: [old] },
  }
  const { answer, audit, histories } = await traced(() => portal.admin.patch(`/groups/${id}`, change))
  assert.deepEqual(
    [answer.status, answer.body.userIds, answer.body.roleIds, answer.body.appIds],
    [200, [stays, comes], [USER, RECEIVER], [next]],
  )
  const changed = {
    userIds: { from: [leaves], to: [comes] },
    roleIds: { from: [], to: [RECEIVER] },
    appIds: { from: [old], to: [next] },
  }
  assert.deepEqual(audit, [{ action: 'group.update', type: 'group', target: id, metadata: { changed } }])
  assert.deepEqual(
    histories.map(({ kind, added, removed }) => [kind, added, removed]),
    [
      ['group.users', [comes], [leaves]],
      ['group.roles', [RECEIVER], []],
      ['group.apps', [next], [old]],
      ['user.groups', [id], []],
      ['user.groups', [], [id]],
    ],
  )
  assert.equal((await silent(() => portal.admin.patch(`/groups/${id}`, change))).status, 200)
  assert.deepEqual((await silent(() => portal.admin.post(`/groups/${id}/impact-preview`, change))).body.noChange, true)
  const back = { members: { remove: [comes] }, roles: { remove: [RECEIVER] } }
  const { lostRoles } = (await portal.admin.post(`/groups/${id}/impact-preview`, back)).body
  assert.deepEqual(
    lostRoles.map(({ userId }: { userId: number }) => userId),
    [stays, comes],
  )
})

test('simultaneous differences of one group are all applied', async () => {
  const id = await group('Shared')
  const people = await Promise.all(Array.from({ length: 10 }, (_, n) => account(`shared${n}`)))
  const answers = await Promise.all(people.map((member) => portal.admin.patch(`/groups/${id}`, { members: { add: [member] } })))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.deepEqual(
    (await portal.admin.get(`/groups/${id}`)).body.userIds,
    people.toSorted((one, other) => one - other),
  )
})

for (const [what, body, code, path] of [
  ['a set beside its difference', { userIds: [], members: { add: [1] } }, 'validation_failed', 'members'],
  ['a role to be added and removed', { roles: { add: [USER], remove: [USER] } }, 'validation_failed', 'roles.add'],
  ['a difference that is a list', { apps: [1] }, 'validation_failed', 'apps'],
  ['an unknown app to be added', { apps: { add: [UNKNOWN] } }, 'unknown_ids'],
] as const)
  test(`${what} is refused, and nothing is written`, async () => {
    const id = await group(`Refusing ${what}`)
    for (const send of [() => portal.admin.patch(`/groups/${id}`, body), () => portal.admin.post(`/groups/${id}/impact-preview`, body)]) {
      const answer = await silent(send)
      assert.deepEqual([answer.status, answer.body.code, answer.body.details?.[0].path], [400, code, path])
    }
  })

test('the members of a group are read in pages by name, and can be searched', async () => {
  const named = async (username: string, displayNameEn: string) => {
    const id = await account(username)
    await portal.admin.patch(`/users/${id}`, { displayNameEn })
    return id
  }
  const [zed, abe, mid] = [await named('zed', 'Zed Last'), await named('abe', 'Abe First'), await named('mid', 'Mona Middle')]
  await named('outside', 'Abe Outside')
  await portal.admin.patch(`/users/${mid}`, { isActive: false })
  const id = await group('Listed', { userIds: [zed, abe, mid] })
  const page = async (query = '') => (await portal.admin.get(`/groups/${id}/members${query}`)).body
  const idsIn = ({ items }: { items: { id: number }[] }) => items.map((item) => item.id)
  const { items, ...rest } = await page()
  const middle = { id: mid, username: 'mid', displayNameAr: null, displayNameEn: 'Mona Middle', avatarUrl: null, isActive: false }
  assert.deepEqual(items[1], middle)
  assert.deepEqual([idsIn({ items }), rest], [[abe, mid, zed], { totalCount: 3, limit: 50, offset: 0, nextOffset: null }])
  const part = await page('?limit=1&offset=1')
  assert.deepEqual([idsIn(part), part.nextOffset], [[mid], 2])
  assert.deepEqual(idsIn(await page('?q=ABE')), [abe])
  assert.deepEqual(idsIn(await page('?q=mid%40example')), [mid])
  assert.equal((await portal.admin.get(`/groups/${UNKNOWN}/members`)).status, 404)
  assert.equal((await portal.admin.get(`/groups/${id}/members?limit=201`)).status, 400)
})
