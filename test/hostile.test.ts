/**
 * Whatever anyone sends to the running portal, it never fails, it answers as documented, and what it refuses leaves nothing behind.
 * `FC_SEED` repeats a run.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Ajv, type ValidateFunction } from 'ajv'
import fc from 'fast-check'
import { Agent, request } from 'undici'
import { refusalsOf } from '../server/platform/http/openapi-refusals.ts'
import { type RefusalCode, refusals } from '../server/platform/refusal.ts'
import { type Attack, attacksOn } from './attacks.ts'
import { castOf } from './cast.ts'
import { deep, FULL_DEPTH } from './depth.ts'
import { house } from './house.ts'
import { knownAttacksOn } from './known-attacks.ts'
import { type Route, routes } from './running.ts'
import { watch } from './watch.ts'

/** How many random requests are sent to each endpoint. */
const RUNS = Number(process.env['FC_RUNS'] ?? Math.round(deep(40_000) / routes.length))
/** How many requests are sent at once. */
const TOGETHER = 16
const seed = Number(process.env['FC_SEED'] ?? Date.now() % 2 ** 31)
console.log(`FC_SEED=${seed}`)

const dispatcher = new Agent({ headersTimeout: 240_000, bodyTimeout: 240_000 })
let watcher: Awaited<ReturnType<typeof watch>>
let state: Record<string, string>
// Registered before the house's own hook, which drops the database.
after(async () => {
  await watcher?.close()
  await dispatcher.close()
})
const portal = house()

const cast = castOf(portal)

/** Makes one of everything, so that small ids exist. */
async function furnish() {
  const { admin } = portal
  watcher = await watch(portal.connection)
  for (const n of [1, 2, 3]) {
    await portal.person(`resident${n}`)
    await admin.post('/roles', { name: `role${n}` })
    await admin.post('/permissions', { name: `test.made${n}` })
    await admin.post('/groups', { name: `group${n}`, userIds: [2], roleIds: [2] })
    await admin.post('/apps', { slug: `app-${n}`, nameAr: 'تطبيق', nameEn: 'App', iconName: 'box', route: '/app', color: 'red' })
    await admin.post('/service-categories', { nameAr: 'تصنيف', nameEn: 'Category' })
    await admin.post('/services', { nameAr: 'خدمة', nameEn: 'Service', categoryId: n })
    await admin.post('/orders', { serviceId: n })
    await admin.post('/notes/folders', { name: `folder${n}` })
    await admin.post('/notes/labels', { name: `label${n}` })
    await admin.post('/notes', { title: `note${n}`, folderId: n, labelIds: [n] })
    await admin.post(`/notes/${n}/send`, { recipientUserIds: [2] })
    await admin.post('/executive-meetings', { date: `2030-01-0${n}`, startTime: '09:00', endTime: '10:00', titleEn: 'Meeting' })
    await admin.post(`/executive-meetings/${n}/requests`, { type: 'note', details: { text: 'Note' } })
  }
}

interface Heard {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}
async function send({ method, endpoint }: Route, { as, path, body, type }: Attack): Promise<Heard> {
  const {
    statusCode,
    headers,
    body: answer,
  } = await request(`${portal.base}/api${path}`, {
    method: method as 'GET',
    dispatcher,
    headers: { ...(type !== undefined && { 'content-type': type }), ...(cast.visitors[as].cookie && { cookie: cast.visitors[as].cookie }) },
    body,
  })
  if (endpoint.does === 'stream' && statusCode === 200) {
    answer.on('error', () => {}).destroy()
    return { status: statusCode, headers, text: '' }
  }
  return { status: statusCode, headers, text: await answer.text() }
}

const ajv = new Ajv({ strict: false })
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const shapes = new Map<Route, ValidateFunction>()
const shapeOf = (route: Route) => {
  const known = shapes.get(route) ?? ajv.compile(route.endpoint.reply ?? {})
  shapes.set(route, known)
  return known
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: what no stored text may hold
const UNWANTED = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/

function checkReply(route: Route, { status, headers, text }: Heard) {
  const { does, reply, contentType } = route.endpoint
  assert.equal(status, does === 'batched' ? 204 : (route.endpoint.status ?? 200))
  if (status === 204) return assert.equal(text, '')
  if (does === 'stream') return assert.equal(headers['content-type'], 'text/event-stream')
  if (does === 'file') return assert.ok(text.length > 0 && headers['etag'])
  if (does === 'download') return assert.equal(headers['content-type'], contentType)
  assert.equal(headers['content-type'], 'application/json; charset=utf-8')
  assert.ok(reply)
  const isShaped = shapeOf(route)
  assert.ok(isShaped(JSON.parse(text, checkStored)), JSON.stringify(isShaped.errors))
}
function checkStored(_name: string, value: unknown) {
  if (typeof value === 'string')
    assert.ok(
      value.isWellFormed() && !UNWANTED.test(value) && value === value.normalize(),
      `answers ${JSON.stringify(value.slice(0, 100))}`,
    )
  return value
}

function checkRefusal(route: Route, { status, headers, text }: Heard) {
  const { code, error, messageAr, messageEn } = JSON.parse(text)
  assert.equal(headers['content-type'], 'application/json; charset=utf-8')
  assert.ok(code in refusals && error && messageAr && messageEn, 'is no error body')
  assert.ok(text.isWellFormed() && text.length < 20_000, 'is too long')
  assert.ok(
    refusalsOf(route.endpoint)
      .get(status)
      ?.has(code as RefusalCode),
    `${status} ${code} is not in the document`,
  )
  assert.ok(status < 500 || (status === 503 && code !== 'unavailable'), 'broke')
}

const tally = new Map<number, number>()

const shownOf = (route: Route, { as, path, type, body }: Attack) =>
  `${as}: ${route.method} ${path.slice(0, 300)} ${type ?? ''}\n${String(body ?? '').slice(0, 500)}`

/** Sends a request and holds its answer against the document; returns the status. */
async function strike(route: Route, attack: Attack) {
  const heard = await send(route, attack)
  try {
    assert.match(String(heard.headers['x-request-id']), /^[0-9a-f-]{36}$/)
    if (heard.status < 400) checkReply(route, heard)
    else checkRefusal(route, heard)
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${shownOf(route, attack)}\n${heard.status} ${heard.text.slice(0, 500)}`)
  }
  tally.set(heard.status, (tally.get(heard.status) ?? 0) + 1)
  return heard.status
}

/** Calls whose success may sign out, deactivate, demote or delete one of the cast. */
const changesPeople = ({ path }: Route) => /^.(auth|users|groups|roles)\b/.test(path)
const isReading = ({ endpoint }: Route) => ['query', 'download', 'file', 'stream'].includes(endpoint.does)

/**
 * Sends requests at once. When one of them changed something, those that were refused are sent again without it, until all are
 * refused or only read: then nothing may have been left behind.
 */
async function strikeTogether(route: Route, attacks: Attack[]) {
  const statuses = await Promise.all(attacks.map((attack) => strike(route, attack)))
  const refused = attacks.filter((_, index) => statuses[index]! >= 400)
  if (isReading(route) || refused.length === attacks.length) {
    const shown = attacks.map((attack) => shownOf(route, attack)).join('\n')
    return assert.deepEqual(await watcher.look(), state, `one of these left something behind:\n${shown}`)
  }
  if (changesPeople(route)) await cast.fill()
  state = await watcher.settle()
  if (refused.length) await strikeTogether(route, refused)
}

// Deletions come last, so that the others find something.
for (const [index, route] of routes.toSorted((one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE')).entries())
  test(`nothing hostile breaks ${route.at}`, async () => {
    if (!watcher) await furnish()
    await cast.fill()
    state = await watcher.settle()
    const known = knownAttacksOn(route).filter((_, nth) => (nth + index + seed) % FULL_DEPTH < deep(FULL_DEPTH))
    const attacks = [...known, ...fc.sample(attacksOn(route), { numRuns: RUNS, seed: seed + index })]
    for (let sent = 0; sent < attacks.length; sent += TOGETHER) await strikeTogether(route, attacks.slice(sent, sent + TOGETHER))
  })

test('among them were answers of every kind', (t) => {
  t.diagnostic(JSON.stringify(Object.fromEntries([...tally].sort())))
  for (const status of [200, 201, 204, 400, 401, 403, 404, 409, 413, 415]) assert.ok(tally.get(status), `no ${status}`)
})
