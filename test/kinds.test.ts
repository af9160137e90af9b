/** A service account is no person, and an API token is no session of a browser, wherever people and sessions are listed or counted. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { recount } from '../server/work/stats/recount.ts'
import { makers } from './makers.ts'
import { type Client, PASSWORD, testPortal } from './portal.ts'
import { routes } from './running.ts'
import { addProgram } from './service-accounts.ts'
import { giveToken } from './tokens.ts'

const portal = testPortal()
const make = makers(portal)
const root = join(import.meta.dirname, '..')

/** Files whose statements read accounts of either kind: how many statements, and why. */
const either: Record<string, [reads: number, why: string]> = {
  'server/access/requests/lapses.ts': [1, 'the requester of a request'],
  'server/access/requests/reminders.ts': [1, 'the requester of a request'],
  'server/access/reviews/opening.ts': [1, 'the holders of reviewed grants, programs among them'],
  'server/access/reviews/items.ts': [1, 'which items are about a program'],
  'server/access/explain/queries.ts': [1, 'names of people who were found before'],
  'server/identity/settings/exception-notice.ts': [1, 'who signs in'],
  'server/identity/accounts/jobs.ts': [1, 'a person who was found before'],
  'server/identity/providers/account-for-claims.ts': [2, 'people who were found before, and whether an address is taken'],
  'server/identity/providers/groups-by-claims.ts': [2, 'people who were found before'],
  'server/identity/providers/identities.ts': [1, 'people who were found before'],
  'server/identity/providers/link-routes.ts': [1, 'a person who was found before'],
  'server/identity/providers/test-run.ts': [1, 'a person who was found before'],
  'server/identity/passwords/queries.ts': [2, 'whose password it is, and the owner of a link'],
  'server/identity/sessions/queries.ts': [1, 'the caller'],
  'server/work/apps/app-opens.ts': [1, 'callers'],
  'server/work/apps/dependents.ts': [1, 'who opened an app'],
  'server/work/meetings/meetings/queries.ts': [1, 'people who were found before'],
  'server/work/meetings/requests/queries.ts': [2, 'the requester and the reviewer of a request'],
  'server/work/meetings/schedules/queries.ts': [2, 'who printed a schedule'],
  'server/work/meetings/tasks/queries.ts': [1, 'the assignee of a task'],
  'server/identity/factors/queries.ts': [3, 'the caller, and the owner of a passkey'],
  'server/access/grants/queries.ts': [1, 'the holders of grants that have ended'],
  'server/people/groups/policies.ts': [1, 'which approvers still exist'],
  'server/access/impact/stored.ts': [2, 'members of a group, which programs may be; and people who were found before'],
  'server/work/notes/queries.ts': [1, 'the caller'],
  'server/work/notes/sharing.ts': [2, 'the owners of notes'],
  'server/work/notes/thread.ts': [5, 'the owner and the recipients of a note'],
  'server/work/notes/views.ts': [2, 'the recipients of a note, and who wrote a reply'],
  'server/work/orders/conversation.ts': [1, 'the author of a message'],
  'server/work/orders/timeline.ts': [1, 'the people of an order, by their names of then'],
  'server/work/orders/waiting.ts': [1, 'the requester of an order'],
  'server/work/service-reports/export.ts': [1, 'the requester of an order'],
  'server/work/orders/pages.ts': [1, 'the requester of an order'],
  'server/people/managers/queries.ts': [2, 'managers, who are persons'],
  'server/work/orders/approval.ts': [2, 'approvers who were found before, and for whom an order is'],
  'server/work/orders/detail-pages.ts': [3, 'approvers, by a condition that three readings share, and for whom an order is'],
  'server/work/orders/new-orders.ts': [1, 'for whom an order is, who was judged before'],
  'server/work/orders/holding.ts': [1, 'for whom an order is, who was judged before'],
  'server/work/orders/lapses.ts': [1, 'the beneficiary of an order'],
  'server/work/orders/for-another.ts': [1, 'the beneficiary of an order'],
  'server/work/service-handlings/queries.ts': [3, 'which approvers still exist, and people by the condition of the audience'],
  'server/work/orders/queries.ts': [4, 'the requester, the assignee and the beneficiary of an order'],
  'server/work/orders/receiving.ts': [1, 'people who were found before'],
  'server/platform/auth/confirmation.ts': [1, 'the caller'],
  'server/platform/auth/held.ts': [1, 'the programs, who are left out of counts'],
  'server/platform/auth/last-admin.ts': [1, 'programs that would be administrators'],
  'server/platform/auth/sessions.ts': [1, 'the caller'],
  'server/platform/changes/record.ts': [1, 'the targets of changes'],
  'server/platform/database/json.ts': [1, 'the authors of changes'],
  'server/work/presence/queries.ts': [1, 'who has a page open'],
  'server/work/push/queries.ts': [2, 'the owner of a subscription'],
  'server/people/service-accounts/queries.ts': [1, 'programs'],
  'server/work/orders/reminders.ts': [3, 'the leads of teams, and requesters by name'],
  'server/work/service-teams/queries.ts': [3, 'the leads of teams, who are persons, and receivers of either kind'],
  'server/work/services/queries.ts': [1, 'who placed an order'],
  'server/identity/settings/queries.ts': [1, 'who signs in'],
  'server/work/stats/queries.ts': [1, 'who opened an app'],
  'server/work/storage/queries.ts': [2, 'the owners of objects, and whose pictures they are'],
  'server/identity/scim/source-routes.ts': [1, 'the account of a source'],
  'server/identity/scim/user-lists.ts': [1, 'the people of a source'],
  'server/identity/scim/user-queries.ts': [3, 'whoever has a name, programs among them, which keeps it; and people who were found before'],
  'server/identity/tokens/queries.ts': [3, 'the owners of tokens'],
  'server/record/undo/queries.ts': [1, 'programs'],
  'server/record/webhooks/queries.ts': [1, 'who made a webhook'],
  'server/people/imports/applying.ts': [1, 'who applies an import'],
  'server/identity/scim/managers.ts': [3, 'the people of a source, and managers, who are persons'],
  'server/people/imports/facts.ts': [5, 'whoever has a name, programs among them, which keeps it; and accounts that were found before'],
  'server/people/imports/queries.ts': [3, 'who began an import, and whoever has a name that a file names'],
  'server/people/users/complete-looks.ts': [1, 'usernames of either kind look alike'],
  'server/people/users/lists.ts': [1, 'people who were found before'],
  'server/people/users/looks.ts': [1, 'usernames of either kind look alike'],
  'server/people/users/writing.ts': [1, 'a person who was found before'],
  'server/people/users/queries.ts': [4, 'whether a name is taken, and people who were found before or locked'],
}

const READS = /\b(?:from|join) users\b|`users where\b|\b(?:selectFrom|innerJoin|leftJoin)\('users\b/g
const PERSONS = /\bkind = 'person'|\b[kK]ind', '=', 'person'/g

test('each statement that reads accounts is limited to persons or listed here with a reason', () => {
  const counts = globSync('server/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }).flatMap((file): [string, number][] => {
    const text = readFileSync(join(root, file), 'utf8')
    const open = (text.match(READS)?.length ?? 0) - (text.match(PERSONS)?.length ?? 0)
    return open === 0 ? [] : [[file, open]]
  })
  const listed = Object.entries(either).map(([file, [reads]]) => [file, reads])
  assert.deepEqual(
    Object.fromEntries(counts.toSorted()),
    Object.fromEntries(listed),
    `a reader of people needs the condition kind = 'person'; one of accounts of either kind is listed here, with its reason`,
  )
})

/** Functions of the database that read accounts of either kind. */
const functions = 'count_app_opens is_open keep_security_events names_of order_deciders order_message_readers order_readers'.split(' ')

test('each function or view of the database that reads accounts is limited to persons or listed here', async () => {
  const found = await portal.sql<{ name: string; isOpen: boolean }>(`
    select name, text !~ 'kind = ''person''' as "isOpen" from (
      select proname::text as name, prosrc as text from pg_proc where pronamespace = 'public'::regnamespace
      union all
      select viewname, regexp_replace(definition, '::text|[()]', '', 'g') from pg_views where schemaname = 'public') as all_of_them
    where text ~ '\\m(from|join) users\\M' order by 1`)
  assert.ok(found.length > functions.length)
  assert.deepEqual(
    found.filter(({ isOpen }) => isOpen).map(({ name }) => name),
    functions,
  )
})

const NAME = 'robot7'

/** A service account with these roles, in these groups. */
const addService = async (fields: { roles?: string[]; groupIds?: number[] }, username = NAME) =>
  (await addProgram(portal, username, fields)).id

test('a service account is in no list and no count of people', async () => {
  const { admin } = portal
  const reader = await portal.person('reader', { roles: ['order_receiver', 'executive_office_manager'] })
  const [group, app] = [await make.newGroup(), await make.newApp()]
  const count = async () => ({
    users: (await admin.get('/users?limit=1')).headers.get('x-total-count'),
    stats: (await admin.get('/stats/admin')).body,
    home: (await admin.get('/stats/home')).body,
    receivers: (await admin.get('/orders/receivers')).body.length,
    recipients: (await admin.get('/notes/recipients')).body.length,
    viewers: (await admin.get(`/apps/${app.id}/access`)).body,
  })
  const before = await count()
  const traces = await portal.traces(async () => {
    await addService({ roles: ['order_receiver', 'executive_office_manager'], groupIds: [group.id] })
  })
  assert.deepEqual(traces.notices, [])
  assert.deepEqual(await count(), before)
  assert.deepEqual(await recount(portal.instance.db.reads), [])
  assert.deepEqual((await admin.get(`/apps/${app.id}/access?at=${new Date().toISOString()}`)).body, before.viewers)
  for (const who of [admin, reader])
    for (const route of routes.filter(({ method, parameters }) => method === 'GET' && parameters.length === 0)) {
      if (route.endpoint.does === 'stream' || /^\/(admin\/audit-(logs|stream)|service-accounts)/.test(route.path)) continue
      for (const query of ['', `?q=${NAME}`]) {
        const { text } = await who.get(route.path + query)
        assert.ok(!text.includes(NAME), `${route.at}${query}`)
      }
    }
  for (const role of await make.list('/roles')) {
    const { status, text } = await admin.get(`/roles/${role.id}/holders?effective=true`)
    assert.deepEqual([status, text.includes(NAME)], [200, false], role.name)
  }
  const resolved = await admin.post('/users/resolve', { texts: [NAME, 'robot'] })
  assert.deepEqual(
    resolved.body.map(({ matches }: { matches: unknown[] }) => matches),
    [[], []],
  )
})

test('endpoints about a person answer 404 to the id of a service account', async () => {
  const id = await addService({}, 'robot8')
  for (const { method, at, address } of routes
    .filter(({ path }) => path.startsWith('/users/:id'))
    .filter(({ method }) => method !== 'POST')) {
    const path = address((parameter) => (parameter === 'id' ? id : parameter === 'roleName' ? 'order_receiver' : 1))
    const body =
      { 'PUT /users/:id/roles': { roleIds: [] }, 'PATCH /users/:id': { isActive: false }, 'PUT /users/:id/manager': { userId: null } }[
        at
      ] ?? undefined
    const { status } = await portal.admin.send(method, path, body)
    assert.equal(status, 404, at)
  }
  assert.equal((await portal.admin.post(`/users/${id}/roles`, { roleName: 'admin' })).status, 404)
  assert.equal((await portal.admin.post(`/auth/admin/users/${id}/issue-reset-link`)).status, 404)
  assert.equal((await portal.admin.get(`/stats/admin/app-opens/by-user/${id}`)).status, 404)
  const changes = await portal.admin.post('/users/bulk-change', { ids: [id], set: { isActive: false } })
  assert.deepEqual([changes.body.doneIds, changes.body.failed[0].code], [[], 'not_found'])
})

test('a service account can be neither the recipient of a note nor an approver of requests', async () => {
  const id = await addService({ roles: ['order_receiver', 'executive_office_manager'] }, 'robot9')
  const note = (await portal.admin.post('/notes', { title: 'Plan' })).body.id
  const sent = await portal.admin.post(`/notes/${note}/send`, { recipientUserIds: [id] })
  assert.deepEqual([sent.status, sent.body.code], [400, 'unknown_ids'], sent.text)
  const group = await make.newGroup()
  const kept = await portal.admin.put(`/groups/${group.id}/request-policy`, { requestable: true, approverUserIds: [id] })
  assert.deepEqual([kept.status, kept.body.code], [400, 'unknown_ids'], kept.text)
})

test('nobody can sign in as a service account, and no reset link is made for one', async () => {
  await addService({}, 'robot10')
  const signIn = await portal.stranger().post('/auth/login', { username: 'robot10', password: PASSWORD })
  assert.deepEqual([signIn.status, signIn.body.code], [401, 'invalid_credentials'])
  await assert.rejects(
    portal.meddle('user', 1, `update users set password_hash = 'x' where username = 'robot10'`),
    /violates check constraint/,
  )
  const { status } = await portal.stranger().post('/auth/forgot-password', { identifier: 'robot10' })
  assert.equal(status, 200)
  assert.deepEqual(await portal.sql('select from password_resets join users on users.id = user_id where username = $1', ['robot10']), [])
})

test('no service account is created with the role admin', async () => {
  await assert.rejects(addService({ roles: ['admin'] }, 'robot11'), { code: 'grants_admin' })
  assert.deepEqual(await portal.sql(`select from users where username = 'robot11'`), [])
})

const endedOf = async (ids: number[]) =>
  (
    await portal.sql<{ isEnded: boolean }>('select ended_at is not null as "isEnded" from sessions where id = any($1) order by id', [ids])
  ).map(({ isEnded }) => isEnded)
const sessionsOf = async (who: Client, path = '/auth/me/sessions') => ((await who.get(path)).body as { id: number }[]).map(({ id }) => id)

test('a token is in no list of sessions, and neither sign-ins nor a change of the password end it', async () => {
  const person = await portal.person('tokened')
  const { sessionId } = await giveToken(portal, person.id)
  assert.ok(!(await sessionsOf(person)).includes(sessionId))
  assert.ok(!(await sessionsOf(portal.admin, `/users/${person.id}/sessions`)).includes(sessionId))
  assert.equal((await person.send('DELETE', `/auth/me/sessions/${sessionId}`)).status, 404)
  for (let n = 0; n < 51; n++) await portal.stranger().signIn('tokened')
  const again = await portal.stranger().signIn('tokened')
  const changing = await again.post('/auth/me/password', { currentPassword: PASSWORD, newPassword: 'another staple' })
  assert.equal(changing.status, 200, changing.text)
  assert.deepEqual(await endedOf([sessionId]), [false])
  assert.equal((await sessionsOf(again)).length, 1)
})

for (const [what, end] of [
  ['an administrator ends all sessions', (id: number) => portal.admin.send('DELETE', `/users/${id}/sessions`)],
  ['the person is deactivated', (id: number) => portal.admin.patch(`/users/${id}`, { isActive: false })],
  [
    'the password is reset',
    async (id: number) => {
      const { resetUrl } = (await portal.admin.post(`/auth/admin/users/${id}/issue-reset-link`)).body
      return portal.stranger().post('/auth/reset-password', { token: new URL(resetUrl).searchParams.get('token'), newPassword: PASSWORD })
    },
  ],
] as const)
  test(`a token ends when ${what}`, async () => {
    const person = await portal.person(`ended${what.length}`)
    const { sessionId } = await giveToken(portal, person.id)
    assert.ok((await end(person.id)).status < 300)
    assert.deepEqual(await endedOf([sessionId]), [true])
  })

test('the text of a token in the session cookie is refused, and does not end the token', async () => {
  const person = await portal.person('cookieless')
  const { sessionId, text } = await giveToken(portal, person.id)
  const stranger = portal.stranger()
  stranger.cookie = `portal_session=${text}`
  assert.equal((await stranger.get('/auth/me')).status, 401)
  assert.deepEqual(await endedOf([sessionId]), [false])
})

test('a token that was never used does not mark its account as seen', async () => {
  const id = await addService({}, 'robot12')
  await giveToken(portal, id, { kind: 'service' })
  assert.deepEqual(await portal.sql('select from last_seen where user_id = $1', [id]), [])
})

test('a service account can be added to groups and removed, and previews count only the people in them', async () => {
  const id = await addService({}, 'robot13')
  const [person, role] = [await make.newPerson(), await make.newRole(['orders.receive'])]
  const app = await make.newApp({ permissionIds: await make.idsOfPermissions('orders.receive') })
  const group = await make.newGroup({ roleIds: [role.id] })
  const path = `/groups/${group.id}`
  for (const userId of [id, person.id]) assert.equal((await portal.admin.post(`${path}/users`, { userId })).status, 201)
  assert.deepEqual((await portal.admin.get(path)).body.userIds, [person.id])
  const change = { kind: 'group', id: group.id, set: { userIds: [] } }
  const { status, body } = await portal.admin.post('/admin/impact', { changes: [change] })
  assert.equal(status, 200)
  const [lost] = body.loses
  assert.deepEqual([body.losesCount, lost.user.id, lost.apps[0].id], [1, person.id, app.id])
  const isMember = async () =>
    (await portal.sql('select from group_users where group_id = $1 and user_id = $2', [group.id, id])).length === 1
  for (const userIds of [[], [person.id], [id]]) {
    assert.equal((await portal.admin.patch(path, { userIds })).status, 200)
    assert.ok(await isMember(), 'a set of people leaves it where it is')
  }
  for (const change of [{ add: [id] }, { remove: [id] }, { add: [id] }])
    assert.equal((await portal.admin.patch(path, { members: change })).status, 200)
  assert.ok(await isMember())
  assert.equal((await portal.admin.send('DELETE', `${path}/users/${id}`)).status, 204)
  assert.ok(!(await isMember()))
})
