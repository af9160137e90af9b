/** Frequent statements never read a growing table from end to end, however large the tables are now and were when the plan was made. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { before, mock, test } from 'node:test'
import pg from 'pg'
import { makers } from '../../../test/makers.ts'
import { enlarge, fillTables, growing, readsOf, type Statement, sampledStatements } from '../../../test/plans.ts'
import { type Client, cloneDatabase, PASSWORD, testPortal } from '../../../test/portal.ts'
import { openDb } from './db.ts'

/** The statements that may read whole tables, with the reason. None of them runs when people sign in, order or read their own lists. */
const MAY_READ_ALL: Record<string, string> = {
  'access: findWays': 'an administrator compares all ways to an app',
  'access: pageHolders': 'an administrator pages all who hold a role, by name',
  'access: pageViewers': 'an administrator pages all who see an app, by name, and counts them',
  'apps: previewPermissions': 'an administrator counts all who would lose an app',
  'roles: previewPermissions': 'an administrator counts all who would lose a permission',
  'access-reviews: closeSome': 'a job closes a review in parts',
  'access-reviews: openReview': 'copies the grants of all people of a review',
  'audit: verifySeals': 'reads the whole ledger by intent, in parts',
  'executive-meetings/requests: pageRequests, without a filter': 'counts all requests',
  'executive-meetings/schedules: listArchives': 'a page of the office, of all days or of some',
  'grants: noteDue': 'a job',
  'grants: removeSomeEnded': 'a job',
  'imports: insertMissing': 'an administrator asks whom a file leaves out',
  'impact: readProfiles': 'an administrator previews a change for everyone',
  'orders: findReturned': 'an administrator previews a change of who receives orders',
  'orders: orderReminders': 'a job',
  'orders: pageOrderDetails, with all filters': 'looks at the answers of all orders of the view, which few search',
  'orders: pageOrders, without a filter': 'counts all orders, for an administrator',
  'identity/providers: findStranded': 'an administrator asks who could no longer sign in',
  'platform: forgetExcessKeys': 'a job',
  'push: handOver': 'reads a queue that it empties, a thousand rows at a time',
  'identity/scim: listGroups, by members': 'a directory asks which groups have members',
  'identity/settings: noteDue': 'a job',
  'identity/settings: pageWithoutFactor': 'an administrator pages all people without a factor',
  'stats: recount': 'a job counts everything',
  'system: readLedger': 'an administrator asks for the state of all seals',
  'identity/tokens: noteDue': 'a job',
  'identity/tokens: pageTokens': 'an administrator pages and counts all tokens',
  'users: countPeople, without a filter': 'counts all people',
  'users: findPeople, by name': 'pages all people by name',
  'users: listPeople': 'a list of all people',
  'users: resolvePeople': 'an administrator pastes a list of names',
  'webhooks: listWebhooks': 'an administrator lists all webhooks, with their makers',
}
const mayReadAll = ({ name }: Statement) => Object.keys(MAY_READ_ALL).some((one) => name === one || name.startsWith(`${one},`))

const portal = testPortal()
const { newPerson, newService, newApp } = makers(portal)

/** The calls that people make all day, and the jobs that follow from them. */
async function work(person: Client, receiver: Client) {
  const service = await newService()
  const app = await newApp()
  const stranger = portal.stranger()
  await stranger.post('/auth/login', { username: person.username, password: PASSWORD })
  await stranger.post('/auth/login', { username: person.username, password: 'wrong' })
  await stranger.post('/auth/register', { username: 'newcomer', email: 'newcomer@example.org', password: PASSWORD })
  await stranger.post('/auth/forgot-password', { email: 'newcomer@example.org' })
  const place = async () => (await person.post('/orders', { serviceId: service.id, notes: 'Black' })).body.id as number
  const [claimed, cancelled] = [await place(), await place()]
  await receiver.patch(`/orders/${claimed}/confirm-receipt`)
  for (const status of ['preparing', 'completed']) await receiver.patch(`/orders/${claimed}/status`, { status })
  await person.patch(`/orders/${cancelled}/status`, { status: 'cancelled' })
  await person.patch(`/orders/${cancelled}/status`, { status: 'pending' })
  const note = (await person.post('/notes', { title: 'Plan', content: 'First draft' })).body.id as number
  const label = (await person.post('/notes/labels', { name: 'urgent' })).body.id as number
  await person.patch(`/notes/${note}`, { content: 'Second draft', labelIds: [label] })
  await person.post(`/notes/${note}/send`, { recipientUserIds: [receiver.id] })
  await receiver.post(`/notes/${note}/replies`, { content: 'Fine' })
  await person.post(`/apps/${app.id}/open`)
  const [notification] = (await receiver.get('/notifications?limit=1')).body
  await receiver.patch(`/notifications/${notification.id}/read`)
  await receiver.post('/notifications/read-about', { relatedType: 'order', relatedId: cancelled })
  await receiver.post('/notifications/read-all')
  for (const path of `/auth/me /auth/me/sessions /auth/me/grants /auth/me/security /auth/me/passkeys /auth/me/identities /auth/me/tokens /apps
    /services /service-categories /settings /stats/home /orders/my /orders/incoming /orders/${claimed} /notes /notes?q=draft /notes/labels
    /notes/folders /notes/sent /notes/received /notes/recipients?q=a /notes/${note} /notes/${note}/thread /notifications
    /notifications?unread=true /notifications/${notification.id} /access-requests /access-requests/offers`.split(/\s+/))
    for (const who of [person, receiver]) assert.ok((await who.get(path)).status < 500, path)
  await portal.admin.get('/admin/audit-stream')
  await person.post('/auth/me/password', { currentPassword: PASSWORD, newPassword: `${PASSWORD} 2` })
  await stranger.post('/auth/logout')
}

/** The statements that the portal sends during `act`. Their texts serve as their names. */
async function statementsOf(act: () => Promise<unknown>): Promise<Statement[]> {
  const sent = new Set<string>()
  const send = pg.Client.prototype.query as (...parts: unknown[]) => unknown
  const watching = mock.method(
    pg.Client.prototype,
    'query',
    function (this: { connectionParameters: Record<string, unknown> }, ...parts: unknown[]) {
      const { text } = typeof parts[0] === 'string' ? { text: parts[0] } : (parts[0] as { text: string })
      if (this.connectionParameters['application_name'] === 'bawaba' && /^\s*(with|select|insert|update|delete)\b/i.test(text))
        sent.add(text)
      return send.apply(this, parts)
    },
  )
  await act()
  watching.mock.restore()
  return Array.from(sent, (text) => ({ text, name: text.replace(/\s+/g, ' ').trim() }))
}

const FILLED = 50_000
const SIZES = [0, 1000, 50_000, 200_000, 1_000_000].filter((size) => size === 0 || size >= FILLED)

/** The folder of the database's files, if they are on this machine. */
const { host: folder } = JSON.parse(process.env['TEST_POSTGRES']!) as { host: string }
const skip = !existsSync(join(folder, 'PG_VERSION')) && 'the database is elsewhere'

const found: Record<string, string[]> = {}
let statements: Statement[] = []
let sampled: Statement[] = []
before(async () => {
  if (skip) return
  await portal.ready
  const [person, receiver] = [await newPerson(), await newPerson({ roles: ['order_receiver'] })]
  sampled = await sampledStatements()
  const known = new Set(sampled.map(({ text }) => text))
  const sent = await statementsOf(() => work(person, receiver))
  statements = [...sampled.filter((one) => !mayReadAll(one)), ...sent.filter(({ text }) => !known.has(text))]

  const { connection, drop } = await cloneDatabase()
  const db = openDb(connection, { patience: 20 })
  // A connection of the portal's pool has the settings with which the portal's statements run.
  const client = await db.pools.write.connect()
  const look = async (size: number) => {
    const names = await growing(client, size > 0)
    for (const one of statements) {
      const reads = await readsOf(client, one, names).catch((error) => [`${error}`])
      if (reads.length) found[size] = [...(found[size] ?? []), `${one.name} reads ${reads.join(', ')}`]
    }
  }
  await look(0)
  await fillTables(client, FILLED)
  let filled = FILLED
  for (const size of SIZES.slice(1)) {
    await enlarge(client, folder, size / filled)
    filled = size
    await look(size)
  }
  client.release()
  await db.close()
  await drop()
})

for (const size of SIZES)
  test(`with ${size} rows in each growing table, no frequent statement reads a whole table`, { skip }, (t) => {
    t.diagnostic(`${statements.length} statements`)
    assert.deepEqual(found[size] ?? [], [])
  })

test('every statement that may read a whole table has a sample', { skip }, () => {
  const unknown = Object.keys(MAY_READ_ALL).filter((one) => !sampled.some(({ name }) => name === one || name.startsWith(`${one},`)))
  assert.deepEqual(unknown, [])
})
