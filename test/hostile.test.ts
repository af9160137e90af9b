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
import { type Attack, attacksOn, knownAttacksOn, type Who } from './attacks.ts'
import { deep } from './depth.ts'
import { ADMIN_PASSWORD, house, PASSWORD, type Visitor } from './house.ts'
import { type Route, routes } from './running.ts'
import { watch } from './watch.ts'

/** How many random requests are sent to each endpoint. */
const RUNS = Number(process.env['FC_RUNS'] ?? Math.round(deep(4000) / routes.length))
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

const cast = {} as Record<Who, Visitor>
let people = 0

const isSignedIn = async (visitor: Visitor | undefined) => (await visitor?.get('/auth/me'))?.status === 200

/** Replaces callers who were signed out, deactivated or deleted by a request. Nothing can remove the one administrator. */
async function fillCast() {
  cast.stranger ??= portal.stranger()
  if (!(await isSignedIn(cast.admin))) cast.admin = await portal.stranger().signIn('admin', ADMIN_PASSWORD)
  const others = await portal.sql<{ path: string }>(
    `select '/groups/' || group_id || '/roles/1' as path from group_roles where role_id = 1
     union all select '/users/' || user_id || '/roles/admin' from user_roles where role_id = 1 and user_id <> 1`,
  )
  for (const { path } of others) await cast.admin.delete(path)
  if (!(await isSignedIn(cast.person))) cast.person = await newPerson()
}
async function newPerson() {
  const username = `person${people++}`
  await cast.admin.post('/users', { username, email: `${username}@example.org`, password: PASSWORD })
  return portal.stranger().signIn(username)
}

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
    headers: { ...(type !== undefined && { 'content-type': type }), ...(cast[as].cookie && { cookie: cast[as].cookie }) },
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

async function strike(route: Route, attack: Attack) {
  const heard = await send(route, attack)
  try {
    assert.match(String(heard.headers['x-request-id']), /^[0-9a-f-]{36}$/)
    if (heard.status < 400) checkReply(route, heard)
    else checkRefusal(route, heard)
    tally.set(heard.status, (tally.get(heard.status) ?? 0) + 1)
    if (heard.status < 400 && route.endpoint.does !== 'query') {
      await fillCast()
      state = await watcher.settle()
    } else {
      const seen = await watcher.look()
      assert.deepEqual(seen, state, 'left something behind')
    }
  } catch (error) {
    const { as, path, type, body } = attack
    const shown = `${as}: ${route.method} ${path.slice(0, 300)} ${type ?? ''}\n${String(body ?? '').slice(0, 500)}`
    throw new Error(`${(error as Error).message}\n${shown}\n${heard.status} ${heard.text.slice(0, 500)}`)
  }
}

// Deletions come last, so that the others find something.
for (const route of routes.toSorted((one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE')))
  test(`nothing hostile breaks ${route.at}`, async () => {
    if (!watcher) await furnish()
    await fillCast()
    state = await watcher.settle()
    for (const attack of knownAttacksOn(route)) await strike(route, attack)
    await fc.assert(
      fc.asyncProperty(attacksOn(route), (attack) => strike(route, attack)),
      { numRuns: RUNS, seed, endOnFailure: true, asyncReporter: report },
    )
  })

/** The first failure only, without its counterexample, which may be a megabyte long. */
async function report(run: fc.RunDetails<[Attack]>) {
  if (run.failed) throw run.errorInstance ?? new Error('the property failed')
}

test('among them were answers of every kind', (t) => {
  t.diagnostic(JSON.stringify(Object.fromEntries([...tally].sort())))
  for (const status of [200, 201, 204, 400, 401, 403, 404, 409, 413, 415]) assert.ok(tally.get(status), `no ${status}`)
})
