/** Beginning and reading reviews. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { dayAhead, REVIEWS, reviewing } from '../../../test/access-reviews.ts'
import { makers, tracing } from '../../../test/makers.ts'
import { type Client, testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const make = makers(portal)
const { open, itemsOf, read, close } = reviewing(portal)
const { traced, silent } = tracing(portal)
const UNKNOWN = 2 ** 31 - 1

let huda: Client & { id: number; username: string }
let salem: typeof huda
before(async () => {
  await portal.ready
  huda = await make.newPerson({ displayNameEn: 'Huda', displayNameAr: 'هدى' })
  salem = await make.newPerson({ displayNameEn: 'Salem', displayNameAr: 'سالم' })
})
const groupOf = (...people: { id: number }[]) => make.newGroup({ userIds: people.map(({ id }) => id) })
const whole = async () => ({
  titleEn: 'Quarter',
  groupIds: [(await groupOf(huda)).id],
  roleIds: [],
  dueDate: dayAhead(8),
  ifSilent: 'keep',
})

test('a review lists the present memberships and direct roles, also of inactive people', async () => {
  const gone = await make.newPerson()
  const role = await make.newRole()
  const group = await groupOf(huda, gone)
  await portal.admin.post(`/users/${salem.id}/roles`, { roleName: role.name })
  await portal.admin.patch(`/users/${gone.id}`, { isActive: false })
  const { answer, ...traces } = await traced(() =>
    portal.admin.post(REVIEWS, { titleEn: ' Access ', groupIds: [group.id], roleIds: [role.id], dueDate: dayAhead(8), ifSilent: 'remove' }),
  )
  assert.equal(answer.status, 201, answer.text)
  const { id, createdAt, createdBy, ...review } = answer.body
  assert.equal(createdBy.username, 'admin')
  assert.ok(createdAt)
  assert.deepEqual(review, {
    titleAr: null,
    titleEn: 'Access',
    groupIds: [group.id],
    roleIds: [role.id],
    reviewerUserIds: [],
    dueDate: dayAhead(8),
    ifSilent: 'remove',
    status: 'open',
    counts: { total: 3, keep: 0, remove: 0, undecided: 3, skipped: 0 },
    uncovered: [],
    closedBy: null,
    closedAt: null,
  })
  assert.deepEqual(traces.audit, [
    {
      action: 'access_review.create',
      type: 'access_review',
      target: id,
      metadata: {
        titleEn: 'Access',
        groupIds: [group.id],
        roleIds: [role.id],
        reviewerUserIds: [],
        dueDate: dayAhead(8),
        ifSilent: 'remove',
        itemCount: 3,
      },
    },
  ])
  assert.deepEqual(
    traces.events.filter(({ event }) => event === 'access_review_changed'),
    [{ event: 'access_review_changed', data: { reviewId: id, status: 'open' }, to: [portal.admin.id] }],
  )
  await portal.admin.post(`/groups/${group.id}/users`, { userId: salem.id })
  const items = await itemsOf(id)
  assert.deepEqual(
    items.map(({ person, kind, group, role }) => [person.username, kind, (group ?? role)!.name]).toSorted(),
    [
      [gone.username, 'group', group.name],
      [huda.username, 'group', group.name],
      [salem.username, 'role', role.name],
    ].toSorted(),
  )
  assert.ok(
    items.every(({ verdict, note, reviewer, at, outcome, skipReason }) =>
      [verdict, note, reviewer, at, outcome, skipReason].every((one) => one === null),
    ),
  )
})

const invalid: [what: string, change: object, path: string][] = [
  ['without a title', { titleEn: null }, 'titleAr'],
  ['with an empty title', { titleEn: ' ' }, 'titleAr'],
  ['of nothing', { groupIds: [], roleIds: [] }, 'groupIds'],
  ['until yesterday', { dueDate: dayAhead(-1) }, 'dueDate'],
  ['until 367 days from now', { dueDate: dayAhead(367) }, 'dueDate'],
  ['until no day', { dueDate: '2026-02-30' }, 'dueDate'],
  ['that does something else when reviewers are silent', { ifSilent: 'ask' }, 'ifSilent'],
  ['with 51 reviewers', { reviewerUserIds: Array.from({ length: 51 }, (_, n) => n + 1) }, 'reviewerUserIds'],
]
for (const [what, change, path] of invalid)
  test(`a review ${what} is refused`, async () => {
    const fields = await whole()
    const { status, body } = await silent(() => portal.admin.post(REVIEWS, { ...fields, ...change }))
    assert.deepEqual([status, body.code], [400, 'validation_failed'])
    assert.ok(
      body.details.some((detail: { path: string }) => detail.path === path),
      JSON.stringify(body.details),
    )
  })

test('a review may last from today to 366 days from now', async () => {
  for (const days of [0, 366]) assert.equal((await portal.admin.post(REVIEWS, { ...(await whole()), dueDate: dayAhead(days) })).status, 201)
})

test('a review of unknown groups or roles, or with unknown or inactive reviewers, is refused', async () => {
  const inactive = await make.newPerson()
  await portal.admin.patch(`/users/${inactive.id}`, { isActive: false })
  const fields = await whole()
  for (const change of [
    { groupIds: [UNKNOWN] },
    { roleIds: [UNKNOWN] },
    { reviewerUserIds: [huda.id, UNKNOWN] },
    { reviewerUserIds: [inactive.id] },
  ]) {
    const { status, body } = await silent(() => portal.admin.post(REVIEWS, { ...fields, ...change }))
    assert.deepEqual([status, body.code], [400, 'unknown_ids'])
    assert.deepEqual(body.unknownIds, [Object.values(change)[0]!.at(-1)])
  }
})

test('a review of more than 100,000 items is refused', async () => {
  await portal.sql(`
    begin; alter table groups disable trigger user; alter table users disable trigger user; alter table memberships disable trigger user;
    insert into groups (name) select 'crowd ' || n from generate_series(1, 334) as n;
    insert into users (username, email, password_hash) select 'crowd' || n, 'crowd' || n || '@example.org', '-' from generate_series(1, 300) as n;
    insert into memberships (group_id, user_id) select groups.id, users.id from groups cross join users where name like 'crowd %' and username like 'crowd%';
    alter table groups enable trigger user; alter table users enable trigger user; alter table memberships enable trigger user; commit`)
  const groups = await portal.sql<{ id: number }>(`select id from groups where name like 'crowd %'`)
  const fields = { ...(await whole()), groupIds: groups.map(({ id }) => id) }
  const { status, body } = await silent(() => portal.admin.post(REVIEWS, fields))
  assert.deepEqual([status, body.code], [400, 'too_many_items'])
})

test('only administrators begin, change, close, cancel and export reviews', async () => {
  const { id } = await open(await whole())
  const reviewed = await open({ ...(await whole()), reviewerUserIds: [salem.id] })
  for (const one of [id, reviewed.id]) {
    assert.equal((await salem.post(REVIEWS, await whole())).status, 403)
    assert.equal((await salem.patch(`${REVIEWS}/${one}`, { titleEn: 'x' })).status, 403)
    assert.equal((await salem.get(`${REVIEWS}/${one}/report.csv`)).status, 403)
    for (const act of ['close', 'cancel']) assert.equal((await salem.post(`${REVIEWS}/${one}/${act}`, {})).status, 403)
  }
})

test('a review is unknown to everyone but its reviewers and administrators', async () => {
  const { id } = await open({ ...(await whole()), reviewerUserIds: [salem.id] })
  const calls = (by: Client) => [
    by.get(`${REVIEWS}/${id}`),
    by.get(`${REVIEWS}/${id}/items`),
    by.post(`${REVIEWS}/${id}/verdicts`, { items: [{ id: 1, verdict: 'keep' }] }),
  ]
  for (const { status, body } of await Promise.all(calls(huda))) assert.deepEqual([status, body.code], [404, 'not_found'])
  for (const by of [salem, portal.admin]) for (const { status } of await Promise.all(calls(by))) assert.equal(status, 200)
  for (const path of [`${REVIEWS}/${UNKNOWN}`, `${REVIEWS}/${UNKNOWN}/items`, `${REVIEWS}/${UNKNOWN}/report.csv`])
    assert.equal((await portal.admin.get(path)).status, 404)
})

test('changing, closing and cancelling a review that does not exist are refused', async () => {
  const path = `${REVIEWS}/${UNKNOWN}`
  for (const act of [
    () => portal.admin.patch(path, { titleEn: 'x' }),
    () => portal.admin.post(`${path}/close`, {}),
    () => portal.admin.post(`${path}/close`, { dryRun: true }),
    () => portal.admin.post(`${path}/cancel`),
  ]) {
    const { status, body } = await silent(act)
    assert.deepEqual([status, body.code], [404, 'not_found'])
  }
})

test('people list the reviews that they review, and administrators also all, newest first and by status', async () => {
  const reader = await make.newPerson()
  const [first, second, other] = [
    await open({ ...(await whole()), reviewerUserIds: [reader.id] }),
    await open({ ...(await whole()), reviewerUserIds: [reader.id] }),
    await open({ ...(await whole()), reviewerUserIds: [salem.id] }),
  ]
  await portal.admin.post(`${REVIEWS}/${first.id}/cancel`)
  const idsOf = async (by: Client, query: string) => (await by.get(`${REVIEWS}${query}`)).body.items.map(({ id }: { id: number }) => id)
  assert.deepEqual(await idsOf(reader, ''), [second.id, first.id])
  assert.deepEqual(await idsOf(reader, '?view=mine&status=open'), [second.id])
  assert.deepEqual(await idsOf(reader, '?status=cancelled'), [first.id])
  assert.deepEqual(await idsOf(reader, '?limit=1&offset=1'), [first.id])
  assert.deepEqual((await idsOf(portal.admin, '?view=all')).slice(0, 3), [other.id, second.id, first.id])
  assert.ok(!(await idsOf(portal.admin, '')).includes(other.id))
  const { status, body } = await reader.get(`${REVIEWS}?view=all`)
  assert.deepEqual([status, body.code], [403, 'forbidden'])
})

test('a review names the groups that give a reviewed role but are not reviewed themselves', async () => {
  const role = await make.newRole()
  const [inside, outside] = [
    await make.newGroup({ roleIds: [role.id] }),
    await make.newGroup({ roleIds: [role.id], userIds: [huda.id, salem.id] }),
  ]
  const { id } = await open({ groupIds: [inside.id], roleIds: [role.id] })
  assert.deepEqual((await read(id)).uncovered, [{ roleId: role.id, groupId: outside.id, name: outside.name, memberCount: 2 }])
})

test('a review follows changes of people’s names, and keeps the names of deleted people, groups and roles', async () => {
  const leaver = await make.newPerson({ displayNameEn: 'Zaid' })
  const [group, role] = [await groupOf(leaver), await make.newRole()]
  await portal.admin.post(`/users/${leaver.id}/roles`, { roleName: role.name })
  const { id } = await open({ groupIds: [group.id], roleIds: [role.id] })
  await portal.admin.patch(`/users/${leaver.id}`, { displayNameEn: 'Adam' })
  assert.equal((await itemsOf(id, portal.admin, '&q=adam')).length, 2)
  await portal.admin.delete(`/users/${leaver.id}?force=true`)
  await portal.admin.delete(`/groups/${group.id}?force=true`)
  await portal.admin.delete(`/roles/${role.id}`)
  const items = await itemsOf(id)
  assert.deepEqual(
    items.map(({ person }) => [person.id, person.username]),
    [
      [leaver.id, leaver.username],
      [leaver.id, leaver.username],
    ],
  )
  assert.deepEqual(items.map((item) => (item.group ?? item.role)!.name).toSorted(), [group.name, role.name].toSorted())
  assert.equal((await itemsOf(id, portal.admin, '&q=adam')).length, 2)
  await close(id)
})
