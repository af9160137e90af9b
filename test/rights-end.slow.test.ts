/** A long answer is aborted when its reader loses the right to it. */
import assert from 'node:assert/strict'
import { get, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { lazily } from '../server/platform/lazily.ts'
import { inDays } from './grants.ts'
import { makers } from './makers.ts'
import { type Client, testPortal } from './portal.ts'
import { uploads } from './uploads.ts'

const portal = testPortal()
const make = makers(portal)

/** `ROWS` rows of this many letters make an answer longer than the sockets of this machine buffer. */
const LETTERS = 20_000
const ROWS = 1200
const WHOLE = LETTERS * ROWS
const long = `repeat('x', ${LETTERS})`

let object = ''
let orderFile = ''
let threadId = 0
let serviceId = 0
let groupId = 0
async function fill() {
  const [owner, reader] = [await make.newPerson(), await make.newPerson()]
  serviceId = (await make.newService()).id
  groupId = (await make.newGroup()).id
  threadId = (await owner.post('/notes', { title: 'Long' })).body.id
  await owner.post(`/notes/${threadId}/send`, { recipientUserIds: [reader.id] })
  const rows = `from generate_series(1, ${ROWS}) as n`
  const recorded = (target: string, id: string | number) =>
    `insert into ledger (kind, target_type, target_id, facts) select 'test.meddled', '${target}', ${id}, '{}'`
  await portal.sql(`
    with added as (insert into roles (name, description_en) select 'long' || n, ${long} ${rows} returning id) ${recorded('role', 'id')} from added`)
  await portal.sql(`
    with added as (insert into apps (slug, name_ar, name_en, icon_name, route, color, description_en)
      select 'a' || n, 'ت', 'A', 'box', '/a', '#0af', ${long} ${rows} returning id) ${recorded('app', 'id')} from added`)
  await portal.sql(`
    with added as (insert into note_replies (note_id, recipient_id, is_from_owner, content)
      select ${threadId}, ${reader.id}, true, ${long} ${rows}) ${recorded('note', threadId)}`)
  await portal.sql(`
    insert into ledger (kind, target_type, target_id, action, facts)
    select 'test.long', 'user', 1, 'test.long', jsonb_build_object('text', repeat(${long}, 4)) from generate_series(1, ${ROWS / 4})`)
  await portal.sql(`
    with added as (insert into orders (service_id, user_id) select ${serviceId}, ${owner.id} from generate_series(1, ${ROWS / 16}) returning id),
      detailed as (insert into order_details (order_id, cancel_reason) select id, repeat(${long}, 16) from added returning order_id)
    ${recorded('order', 'order_id')} from detailed`)
  await portal.sql(`
    with added as (insert into access_requests (group_id, requester_id, requester_username, reason, status, needed_approvals, decided_at)
      select ${groupId}, ${owner.id}, 'owner', repeat(${long}, 4), 'withdrawn', 1, now() from generate_series(1, ${ROWS / 4}) returning id)
    ${recorded('access_request', 'id')} from added`)
  const { stored, put } = uploads(portal)
  object = (await stored(Buffer.alloc(WHOLE, 'x'))).path
  const { uploadURL, fileId } = (await owner.post('/order-files/request-url', { name: 'a.txt', size: WHOLE, contentType: 'text/plain' }))
    .body
  const { pathname, search } = new URL(uploadURL)
  assert.equal((await put({ address: portal.base + pathname + search }, Buffer.alloc(WHOLE, 'x'))).status, 204)
  const { id } = (await owner.post('/orders', { serviceId })).body
  assert.equal((await owner.post(`/orders/${id}/messages`, { fileIds: [fileId] })).status, 201)
  orderFile = `/orders/${id}/files/${fileId}`
  // Each order of the service has the name.
  await portal.meddle('service', serviceId, `update services set name_en = repeat(${long}, 16) where id = ${serviceId}`)
}
const filled = lazily(fill)

/** Sends a request and reads only the head of the answer. */
async function begin(who: Client, path: () => string) {
  await filled.get()
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${portal.base}/api${path()}`, { headers: { cookie: who.cookie }, agent: false }, resolve).on('error', reject)
  })
  assert.equal(answer.statusCode, 200)
  const rest = async () => {
    let bytes = 0
    answer.on('data', (some: Buffer) => {
      bytes += some.length
    })
    await new Promise((resolve) => answer.once('close', resolve).on('error', () => {}))
    return { bytes, isWhole: answer.complete }
  }
  return { rest }
}
const demote = ({ id }: Client) => portal.admin.delete(`/users/${id}/roles/admin`)
const days = (from: number, to: number) => `from=${inDays(from).slice(0, 10)}&to=${inDays(to).slice(0, 10)}`
const deactivate = ({ id }: Client) => portal.admin.patch(`/users/${id}`, { isActive: false })
const signOut = (who: Client) => who.post('/auth/logout')

const answers: [what: string, path: () => string, lost: (who: Client) => Promise<unknown>][] = [
  ['a list', () => '/roles', demote],
  ['a list', () => '/roles', deactivate],
  ['an export', () => '/admin/audit-logs/export?action=test.long', demote],
  ['a page', () => '/admin/audit-logs?action=test.long&limit=200', demote],
  ['somebody else’s thread', () => `/notes/${threadId}/thread`, demote],
  ['a launcher with counts', () => '/apps', demote],
  ['a stored file', () => object, deactivate],
  ['a stored file', () => object, signOut],
  ['a page of everybody’s requests', () => '/access-requests?view=all&limit=200', demote],
  ['an export of orders', () => `/service-reports/orders.csv?serviceId=${serviceId}&${days(-1, 1)}`, demote],
  ['somebody else’s order file', () => orderFile, demote],
]
for (const [what, path, lost] of answers)
  test(`${what} ends when its reader is ${lost === demote ? 'demoted' : lost === deactivate ? 'deactivated' : 'signed out'}`, async () => {
    const who = await make.newPerson({ roles: ['admin'] })
    const { rest } = await begin(who, path)
    await lost(who)
    const { bytes, isWhole } = await rest()
    assert.deepEqual([isWhole, bytes < WHOLE / 2], [false, true], `${bytes} bytes`)
  })

test('an answer is complete if its reader loses a right that it does not depend on', async () => {
  const who = await make.newPerson({ roles: ['admin', 'executive_ceo'] })
  const begun = await Promise.all([answers[0]!, answers[3]!, answers[6]!].map(([, path]) => begin(who, path)))
  await portal.admin.delete(`/users/${who.id}/roles/executive_ceo`)
  for (const { rest } of begun) {
    const { bytes, isWhole } = await rest()
    assert.deepEqual([isWhole, bytes > WHOLE / 8], [true, true], `${bytes} bytes`)
  }
})

test('a list of incoming orders ends when its reader leaves a team, but not when they leave another group', async () => {
  await filled.get()
  const other = (await make.newGroup()).id
  const teamId = (await make.newTeam({ groupIds: [groupId] })).id
  await portal.admin.put(`/services/${serviceId}/handling`, { teamId })
  const leave = async (group: number) => {
    const who = await make.newPerson({ roles: ['order_receiver'] })
    for (const id of [groupId, other]) assert.equal((await portal.admin.post(`/groups/${id}/users`, { userId: who.id })).status, 201)
    const { rest } = await begin(who, () => '/orders/incoming')
    await portal.admin.delete(`/groups/${group}/users/${who.id}`)
    return rest()
  }
  const [left, stayed] = [await leave(groupId), await leave(other)]
  assert.deepEqual([left.isWhole, left.bytes < WHOLE / 2], [false, true], `${left.bytes} bytes`)
  assert.deepEqual([stayed.isWhole, stayed.bytes > WHOLE], [true, true], `${stayed.bytes} bytes`)
})

test('a launcher is aborted when one of its apps is withdrawn from its reader', async () => {
  const who = await make.newPerson()
  const [{ id: permissionId }] = (await portal.admin.get('/permissions')).body
  const { rest } = await begin(who, () => '/apps')
  const [{ id: appId }] = (await portal.admin.get('/admin/apps?limit=1')).body
  await portal.admin.post(`/apps/${appId}/permissions`, { permissionId })
  assert.equal((await rest()).isWhole, false)
})
