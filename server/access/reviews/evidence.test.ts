/** The evidence of an item: the age of its grant, the person who gave it, and its use. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { REVIEWS, reviewing } from '../../../test/access-reviews.ts'
import { makers } from '../../../test/makers.ts'
import { signedIn } from '../../../test/people.ts'
import { testPortal } from '../../../test/portal.ts'
import { newSource } from '../../../test/scim.ts'
import { addProgram } from '../../../test/service-accounts.ts'

const portal = testPortal()
const make = makers(portal)
const { open, itemsOf, decide, close } = reviewing(portal)

const groupOf = (...people: { id: number }[]) => make.newGroup({ userIds: people.map(({ id }) => id) })
/** The item of a person in a review of this group or role. */
async function itemIn(fields: { groupIds?: number[]; roleIds?: number[] }, person: { id: number }) {
  const { id } = await open(fields)
  return (await itemsOf(id, portal.admin, `&userId=${person.id}`))[0]!
}
/** Stores that somebody opened an app `days` ago. */
const openedAgo = (app: { id: number }, person: { id: number }, days: number) =>
  portal.sql(`insert into app_opens (app_id, user_id, created_at) values ($1, $2, now() - make_interval(days => $3))`, [
    app.id,
    person.id,
    days,
  ])
/** Runs a statement on the histories, which are append-only. */
const rewrite = (statement: string) =>
  portal.sql(`
    begin; grant update, delete on permission_history to current_user; alter table permission_history disable trigger user;
    ${statement};
    alter table permission_history enable trigger user; revoke update, delete on permission_history from current_user; commit`)
/** Moves the beginning of a membership to `days` ago. */
const grantedAgo = (group: { id: number }, person: { id: number }, days: number) =>
  rewrite(`update permission_history set at = now() - make_interval(days => ${days})
    where kind = 'group.users' and target_id = ${group.id} and ${person.id} = any(added)`)

test('an item names the time of its grant and the person who gave it last', async () => {
  const chief = await make.newPerson({ roles: ['admin'] })
  const person = await make.newPerson()
  const [group, role] = [await groupOf(), await make.newRole()]
  await portal.admin.post(`/groups/${group.id}/users`, { userId: person.id })
  await portal.admin.delete(`/groups/${group.id}/users/${person.id}`)
  await chief.post(`/groups/${group.id}/users`, { userId: person.id })
  await chief.post(`/users/${person.id}/roles`, { roleName: role.name })
  const histories = await portal.sql<{ at: Date }>(
    `select at from permission_history where kind in ('group.users', 'user.roles') and actor_username = $1 order by id`,
    [chief.username],
  )
  const items = [await itemIn({ groupIds: [group.id] }, person), await itemIn({ roleIds: [role.id] }, person)]
  assert.deepEqual(
    items.map(({ since, grantedBy }) => [since, grantedBy?.username]),
    histories.map(({ at }) => [at.toISOString(), chief.username]),
  )
  await portal.admin.delete(`/users/${chief.id}?force=true`)
  const later = await itemIn({ groupIds: [group.id] }, person)
  assert.deepEqual([later.grantedBy!.id, later.grantedBy!.username], [chief.id, chief.username])
})

test('an item whose grant has no history names neither a time nor a giver', async () => {
  const person = await make.newPerson()
  const group = await groupOf(person)
  await rewrite(`delete from permission_history where kind = 'group.users' and target_id = ${group.id}`)
  const { since, grantedBy, suggestion } = await itemIn({ groupIds: [group.id] }, person)
  assert.deepEqual([since, grantedBy, suggestion], [null, null, null])
})

test('an item has the end of its grant, and the last sign-in of its person', async () => {
  const person = await make.newPerson()
  const group = await groupOf()
  const expiresAt = new Date(Date.now() + 3 * 24 * 3600 * 1000).toISOString()
  await portal.admin.post(`/groups/${group.id}/users`, { userId: person.id, expiresAt })
  await signedIn(portal.instance, person)
  const [last] = await portal.sql<{ at: Date }>(`select max(at) as at from ledger where kind = 'session.started' and target_id = $1`, [
    person.id,
  ])
  const item = await itemIn({ groupIds: [group.id] }, person)
  assert.deepEqual([item.expiresAt, item.lastSignInAt], [expiresAt, last!.at.toISOString()])
})

test('a review lists the grants of service accounts, marked as such, and closing takes them away', async () => {
  const [role, group] = [await make.newRole(), await groupOf()]
  const program = await addProgram(portal, 'reviewed', { roles: [role.name], groupIds: [group.id] })
  const { id, counts } = await open({ groupIds: [group.id], roleIds: [role.id], ifSilent: 'remove' })
  assert.equal(counts['total'], 2)
  const items = await itemsOf(id)
  assert.deepEqual(
    items.map(({ person, kind, isServiceAccount, lastSignInAt }) => [person.username, kind, isServiceAccount, lastSignInAt]).toSorted(),
    [
      ['reviewed', 'group', true, null],
      ['reviewed', 'role', true, null],
    ],
  )
  assert.ok(items.every(({ since }) => since !== null))
  const { audit, histories } = await portal.traces(() => close(id))
  assert.deepEqual(
    audit.map(({ action, type, target, metadata }) => [action, type, target, metadata['accessReviewId']]),
    [
      ['access_review.close', 'access_review', id, undefined],
      ['group.member.remove', 'group', group.id, id],
      ['user.role.remove', 'user', program.id, id],
    ],
  )
  assert.deepEqual(histories.map(({ kind, target }) => [kind, target]).toSorted(), [
    ['group.users', group.id],
    ['user.groups', program.id],
    ['user.roles', program.id],
  ])
  assert.deepEqual((await portal.admin.get(`/service-accounts/${program.id}`)).body.roleNames, [])
  const { text } = await portal.admin.get(`${REVIEWS}/${id}/report.csv`)
  assert.deepEqual(text.match(/^reviewed,(group|role),.*,removed,/gm)?.length, 2, text)
})

test('an item about the account of a source names the source', async () => {
  const [group, source] = [await groupOf(), await newSource(portal)]
  const [account] = await portal.sql<{ id: number }>(`select user_id as id from provisioning_sources where id = ${source.id}`)
  assert.equal((await portal.admin.post(`/groups/${group.id}/users`, { userId: account!.id })).status, 201)
  const { id } = await open({ groupIds: [group.id] })
  const [item] = await itemsOf(id)
  assert.deepEqual([item!.person.id, item!.isServiceAccount, item!.sourceId], [account!.id, true, source.id])
})

test('only opens of apps that no other grant shows count as the use of a grant', async () => {
  const person = await make.newPerson()
  const role = await make.newRole(['portal.hr'])
  const [group, second] = [await make.newGroup({ roleIds: [role.id] }), await make.newGroup()]
  const [permissionId] = await make.idsOfPermissions('portal.hr')
  const [byRole, open, shared] = [
    await make.newApp({ permissionIds: [permissionId] }),
    await make.newApp(),
    await make.newApp({ permissionIds: [permissionId] }),
  ]
  await portal.admin.post(`/groups/${second.id}/apps`, { appId: shared.id })
  for (const { id } of [group, second]) await portal.admin.post(`/groups/${id}/users`, { userId: person.id })
  for (const [app, days] of [
    [byRole, 10],
    [open, 1],
    [shared, 2],
  ] as const)
    await openedAgo(app, person, days)
  const days = ({ lastUsedAt }: { lastUsedAt: string | null }) =>
    lastUsedAt && Math.round((Date.now() - Date.parse(lastUsedAt)) / 86_400_000)
  const first = await itemIn({ groupIds: [group.id] }, person)
  assert.deepEqual([days(first), first.suggestion], [10, 'keep'])
  const other = await itemIn({ groupIds: [second.id] }, person)
  assert.deepEqual([other.lastUsedAt, other.suggestion], [null, null])
  await portal.admin.post(`/users/${person.id}/roles`, { roleName: role.name })
  assert.equal((await itemIn({ groupIds: [group.id] }, person)).lastUsedAt, null)
  await portal.admin.delete(`/groups/${group.id}/users/${person.id}`)
  assert.equal(days(await itemIn({ roleIds: [role.id] }, person)), 10)
})

const suggestions: [what: string, granted: number, opened: number | null, suggestion: string | null][] = [
  ['used within 90 days', 200, 89, 'keep'],
  ['last used 91 days ago', 200, 91, 'remove'],
  ['never used', 200, null, 'remove'],
  ['never used, but no older than 90 days', 89, null, null],
]
for (const [what, granted, opened, suggestion] of suggestions)
  test(`the suggestion for a grant ${what} is ${suggestion}`, async () => {
    const person = await make.newPerson()
    const app = await make.newApp({ permissionIds: await make.idsOfPermissions('portal.it') })
    const group = await make.newGroup({ userIds: [person.id], appIds: [app.id] })
    await grantedAgo(group, person, granted)
    if (opened !== null) await openedAgo(app, person, opened)
    const item = await itemIn({ groupIds: [group.id] }, person)
    assert.equal(item.suggestion, suggestion)
  })

test('opening an app during a review counts as use until the review is closed', async () => {
  const person = await make.newPerson()
  const app = await make.newApp({ permissionIds: await make.idsOfPermissions('portal.it') })
  const group = await make.newGroup({ userIds: [person.id], appIds: [app.id] })
  const { id } = await open({ groupIds: [group.id] })
  const [before] = await itemsOf(id)
  assert.equal(before!.lastUsedAt, null)
  await person.post(`/apps/${app.id}/open`)
  const [after] = await itemsOf(id)
  assert.deepEqual([after!.lastUsedAt !== null, after!.suggestion], [true, 'keep'])
  await close(id)
  await person.post(`/apps/${app.id}/open`)
  const [closed] = await itemsOf(id)
  assert.deepEqual([closed!.lastUsedAt, closed!.suggestion], [after!.lastUsedAt, 'keep'])
})

test('the report has a row for each item, by username, and no cell that a spreadsheet would run as a formula', async () => {
  const [first, second] = [await portal.person('report.b'), await portal.person('report.a')]
  const group = await make.newGroup({ name: '=SUM(A1)', userIds: [first.id, second.id] })
  const { id } = await open({ groupIds: [group.id] })
  const [item] = await itemsOf(id, portal.admin, `&userId=${first.id}`)
  await portal.admin.post(`${REVIEWS}/${id}/verdicts`, { items: [{ id: item!.id, verdict: 'remove', note: '+1, "gone"' }] })
  await decide(id, 'keep', second)
  await close(id)
  const { text, headers } = await portal.admin.get(`${REVIEWS}/${id}/report.csv`)
  assert.match(headers.get('content-disposition')!, new RegExp(`access-review-${id}.csv`))
  const [judged] = await itemsOf(id, portal.admin, `&userId=${first.id}`)
  const [kept] = await itemsOf(id, portal.admin, `&userId=${second.id}`)
  assert.deepEqual(text.replace('\uFEFF', '').trimEnd().split('\n'), [
    'person,kind,name,since,granted_by,last_used_at,suggestion,verdict,reviewer,note,decided_at,outcome,skip_reason',
    `report.a,group,'=SUM(A1),${kept!.since},admin,,,keep,admin,,${kept!.at},kept,`,
    `report.b,group,'=SUM(A1),${judged!.since},admin,,,remove,admin,"'+1, ""gone""",${judged!.at},removed,`,
  ])
})
