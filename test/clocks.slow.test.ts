/** A portal whose clock is an hour off from its database’s: work begun under one clock continues under the other. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import webpush from 'web-push'
import { borrowPostgres } from '../server/platform/postgres/server.ts'
import { type Client, PASSWORD, until } from './portal.ts'
import { portals, type Running } from './process.ts'
import { PUSH_HOST, type PushService, startPushService } from './push-service.ts'

const { makeUsedFolder, startPortal } = portals()

const HOUR_MS = 3600_000
const module = import.meta.resolve('./shifted-clock.ts')
const shifted = (ms: number) => ({
  NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${module}`,
  CLOCK_SHIFT_MS: String(ms),
})
/** The milliseconds from now to a time, by the machine’s clock, which the database uses. */
const fromNow = (time: string) => Date.parse(time) - Date.now()

/** Sends a statement to the database without the portal. */
async function sql<T>(folder: string, text: string, values: unknown[] = []) {
  const { connection, release } = await borrowPostgres(folder)
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query(text, values)).rows as T[]
  } finally {
    await client.end()
    await release()
  }
}

interface Site {
  portal: Running
  folder: string
  service: PushService
  serviceId: number
}
const again = ({ portal }: Site, { cookie, device, id }: Client) => Object.assign(portal.stranger(), { cookie, device, id })

async function newPerson({ portal }: Site, admin: Client, username: string) {
  const { body } = await admin.post('/users', { username, email: `${username}@example.org`, password: PASSWORD })
  return Object.assign(await portal.stranger().signIn(username), { id: body.id })
}

/** Asserts that a cancelled order can be restored within its time, and not later. */
async function cancelAndUndo({ folder, serviceId }: Site, who: Client) {
  const { id } = (await who.post('/orders', { serviceId })).body
  const move = (status: string) => who.patch(`/orders/${id}/status`, { status })
  const left = fromNow((await move('cancelled')).body.undoUntil)
  assert.ok(left > 0 && left <= 15_000, `${left} ms`)
  assert.equal((await move('pending')).status, 200)
  await move('cancelled')
  await sql(
    folder,
    `with noted as (insert into ledger (kind, target_type, target_id, facts) values ('test.meddled', 'order', ${id}, '{}'))
     update orders set cancelled_at = cancelled_at - interval '16 seconds' where id = ${id}`,
  )
  const late = await move('pending')
  assert.deepEqual([late.status, late.body.code], [400, 'undo_window_expired'])
}

/** Asserts that a notification is pushed with a signature that the push service accepts. */
async function beNotified({ service }: Site, admin: Client, who: Client) {
  const browser = service.newBrowser()
  assert.equal((await who.post('/push/subscribe', browser.subscription)).status, 200)
  await admin.post(`/users/${who.id}/roles`, { roleName: 'order_receiver' })
  const { id } = (await admin.post('/services', { nameAr: 'شاي', nameEn: 'Tea' })).body
  await admin.post('/orders', { serviceId: id })
  await browser.next()
  assert.deepEqual(service.complaints, [])
}

/** Asserts that a role lasts until its end by the database's clock. */
async function viewForAWhile(admin: Client, who: Client) {
  const expiresAt = new Date(Date.now() + 5000).toISOString()
  assert.equal((await admin.post(`/users/${who.id}/roles`, { roleName: 'executive_viewer', expiresAt })).status, 200)
  const reads = async () => (await who.get('/executive-meetings/dates')).status
  assert.equal(await reads(), 200)
  await until('the role has ended', async () => (await reads()) === 403)
  assert.ok(fromNow(expiresAt) <= 0, expiresAt)
}

async function print(admin: Client) {
  const { id } = (await admin.post('/executive-meetings/pdf-archives', { date: '2030-05-01', language: 'ar' })).body
  const file = await until('the PDF is made', async () => {
    const answer = await admin.get(`/executive-meetings/pdf-archives/${id}/file`)
    return answer.status === 200 ? answer.text : null
  })
  assert.match(file, /^%PDF-/)
}

/** Tries wrong passwords until further tries are refused in this known browser; returns the seconds to wait. */
async function failToSignIn(who: Client, username: string) {
  let answer = await who.post('/auth/login', { username, password: 'wrong password' })
  while (answer.status === 401) answer = await who.post('/auth/login', { username, password: 'wrong password' })
  assert.deepEqual([answer.status, answer.body.code], [429, 'rate_limited'])
  return Number(answer.headers.get('retry-after'))
}

const place = (site: Site, who: Client, key: string) =>
  again(site, who).send('POST', '/orders', { serviceId: site.serviceId }, { 'idempotency-key': key })

/** Runs everything that depends on time; returns the state to continue from. */
async function begin(site: Site, tag: string) {
  const { portal } = site
  const admin = await portal.stranger().signIn('admin')
  const huda = await newPerson(site, admin, `huda-${tag}`)
  const salem = await newPerson(site, admin, `salem-${tag}`)
  await cancelAndUndo(site, huda)
  await beNotified(site, admin, huda)
  await viewForAWhile(admin, salem)
  await print(admin)

  const link = await admin.post(`/auth/admin/users/${salem.id}/issue-reset-link`)
  assert.ok(Math.abs(fromNow(link.body.expiresAt) - 24 * HOUR_MS) < 60_000, link.body.expiresAt)
  const token = new URL(link.body.resetUrl).searchParams.get('token')
  const upload = (await huda.post('/storage/uploads/request-url', { name: 'a.txt', size: 4, contentType: 'text/plain' })).body
  const { pathname, search } = new URL(upload.uploadURL)
  const stream = await huda.listen()
  const order = await place(site, huda, tag)
  await stream.next('order_updated')
  const { lastId } = stream
  stream.close()
  await huda.post('/orders', { serviceId: site.serviceId, notes: `missed ${tag}` })
  const waitSeconds = await failToSignIn(Object.assign(portal.stranger(), { device: salem.device }), `salem-${tag}`)
  assert.ok(waitSeconds > 0 && waitSeconds <= 3600, `${waitSeconds} s`)
  return { tag, admin, huda, salem, token, upload: pathname + search, path: upload.objectPath, lastId, order, waitSeconds }
}

/** Continues under another clock from the state that `begin` left. */
async function goOn(site: Site, begun: Awaited<ReturnType<typeof begin>>) {
  const { portal } = site
  const { tag, token, order } = begun
  const [admin, huda, salem] = [begun.admin, begun.huda, begun.salem].map((who) => again(site, who)) as [Client, Client, Client]
  for (const who of [admin, huda, salem]) assert.equal((await who.get('/auth/me')).status, 200)
  assert.equal((await place(site, huda, tag)).text, order.text)

  const stream = await huda.listen(begun.lastId)
  await stream.next('order_updated', ({ order }) => order.notes === `missed ${tag}`)
  assert.deepEqual([stream.seen('resync'), stream.seen('order_updated').length], [[], 1])
  stream.close()

  const put = await fetch(portal.base + begun.upload, { method: 'PUT', body: 'text', headers: { 'content-type': 'text/plain' } })
  assert.equal(put.status, 204)
  assert.equal((await huda.get(`/storage${begun.path}`)).text, 'text')

  const waitSeconds = await failToSignIn(Object.assign(portal.stranger(), { device: salem.device }), `salem-${tag}`)
  assert.ok(waitSeconds > 0 && waitSeconds <= begun.waitSeconds, `${waitSeconds} s, were ${begun.waitSeconds}`)
  assert.equal((await portal.stranger().post('/auth/reset-password/verify', { token })).body.valid, true)
  assert.equal((await portal.stranger().post('/auth/reset-password', { token, newPassword: 'another one' })).status, 200)
  await portal.stranger().signIn(`salem-${tag}`, 'another one')
  assert.equal((await admin.get('/admin/audit-logs/verify')).body.valid, true)
}

/** Moves the last run of the sealing job back by an hour, so that the job runs again at once. */
const forgetSealing = (folder: string) => sql(folder, `update regular_jobs set last_at = now() - interval '1 hour'`)
const untilSealed = (folder: string) =>
  until('regular jobs are done', async () => {
    const [known] = await sql<{ isNow: boolean }>(
      folder,
      `select last_at between now() - interval '2 minutes' and now() and not exists (
         select from graphile_worker.jobs where task_identifier = 'seal_ledger') as "isNow"
       from regular_jobs where name = 'seal_ledger'`,
    )
    return known?.isNow
  })

for (const [direction, ms] of [
  ['ahead of', HOUR_MS],
  ['behind', -HOUR_MS],
] as const)
  test(`a portal whose clock is an hour ${direction} the database’s does all timed work, also after the correction`, async (t) => {
    const service = await startPushService()
    t.after(() => service.close())
    const { publicKey, privateKey } = webpush.generateVAPIDKeys()
    const vapid = { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, VAPID_SUBJECT: 'mailto:desk@example.org' }
    const folder = await makeUsedFolder()
    const env = { DATA_DIR: folder, ...vapid, NODE_EXTRA_CA_CERTS: service.caFile, PUSH_INTERNAL_HOSTS: PUSH_HOST, RATE_LIMITS: 'on' }
    const site: Site = { portal: await startPortal(env), folder, service, serviceId: 0 }
    const restart = async (clock: object) => {
      await forgetSealing(folder)
      assert.equal((await site.portal.stop()).code, 0)
      site.portal = await startPortal({ ...env, ...clock })
      await untilSealed(folder)
    }
    const admin = await site.portal.stranger().signIn('admin')
    site.serviceId = (await admin.post('/services', { nameAr: 'قهوة', nameEn: 'Coffee' })).body.id

    const before = await begin(site, 'before')
    await restart(shifted(ms))
    const logged = () => site.portal.logged().map(({ time }) => fromNow(new Date(time as number | string).toISOString()))
    await goOn(site, before)
    const meanwhile = await begin(site, 'meanwhile')
    assert.ok(
      logged().every((time) => Math.abs(time - ms) < HOUR_MS / 2),
      'the clock is shifted',
    )
    await restart({})
    await goOn(site, meanwhile)
    await goOn(site, await begin(site, 'after'))
  })
