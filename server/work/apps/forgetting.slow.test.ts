/** Apps and people with very many app opens are deleted at once; the opens follow, and all counts stay right. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers } from '../../../test/makers.ts'
import { testPortal, until } from '../../../test/portal.ts'
import { dayAfter } from '../../../test/statistics.ts'
import { recount } from '../stats/recount.ts'

const portal = testPortal()
const { newApp, newPerson } = makers(portal)

const day = new Date().toISOString().slice(0, 10)
/** Inserts `count` app opens, spread over the hundred days up to `day`. */
const open = (appId: number, userId: number, count: number) =>
  portal.sql(
    `insert into app_opens (app_id, user_id, created_at)
     select $1, $2, least($4::timestamptz - make_interval(days => n % 100) + interval '12 hours', now()) from generate_series(1, $3::int) as n`,
    [appId, userId, count, day],
  )
const left = async () => (await portal.sql<{ count: number }>('select count(*)::int as count from app_opens'))[0]!.count
const untilForgotten = () =>
  until('app opens are forgotten', async () => {
    const jobs = await portal.sql(`select from graphile_worker.jobs where task_identifier = 'forget_app_opens'`)
    return jobs.length === 0
  })
const differences = () => recount(portal.instance.db.reads)

for (const owner of ['app', 'user'] as const)
  test(`one ${owner} with more app opens than a transaction takes is deleted at once, and the app opens are deleted later`, async () => {
    const before = await left()
    const [app, other] = [await newApp(), await newApp()]
    const [person, colleague] = [await newPerson(), await newPerson()]
    await open(app.id, person.id, 17_000)
    await open(owner === 'app' ? app.id : other.id, owner === 'app' ? colleague.id : person.id, 3001)
    await open(other.id, colleague.id, 70)
    const removal = `/${owner}s/${owner === 'app' ? app.id : person.id}?force=true`
    assert.equal((await portal.admin.delete(removal)).status, 204)
    assert.equal((await portal.admin.delete(removal)).status, 404)
    assert.deepEqual(await differences(), [])
    await untilForgotten()
    assert.equal(await left(), before + 70)
    assert.deepEqual(await differences(), [])
    const { body } = await portal.admin.get(`/stats/admin?range=custom&from=${dayAfter(day, -89)}&to=${day}`)
    // The daily counts of an app outlive the people who opened it.
    assert.equal(body.topApps.find(({ appId }: { appId: number }) => appId === app.id)?.count, owner === 'app' ? undefined : 15_300)
  })

test('deleting apps and people with many opens, at two instances during more opens, always succeeds and counts stay right', async () => {
  const other = await portal.another()
  const [apps, people] = await Promise.all([
    Promise.all([newApp(), newApp(), newApp()]),
    Promise.all([newPerson(), newPerson(), newPerson()]),
  ])
  for (const app of apps) for (const person of people) await open(app.id, person.id, 2000)
  const ask = (n: number, method: string, path: string, { cookie }: { cookie: string }) =>
    fetch(`${[portal, other][n % 2]!.base}/api${path}`, { method, headers: { cookie } }).then(({ status }) => status)
  const [stored, ...going] = apps
  const [staying, ...leaving] = people
  const statuses = await Promise.all([
    ...Array.from({ length: 90 }, (_, n) => ask(n, 'POST', `/apps/${apps[n % 3]!.id}/open`, people[(n >> 2) % 3]!)),
    ...going.map(({ id }, n) => ask(n, 'DELETE', `/apps/${id}?force=true`, portal.admin)),
    ...leaving.map(({ id }, n) => ask(n, 'DELETE', `/users/${id}?force=true`, portal.admin)),
  ])
  assert.deepEqual(statuses.slice(90), [204, 204, 204, 204])
  assert.ok(statuses.every((status) => [204, 401, 404].includes(status)))
  assert.deepEqual(await differences(), [])
  await untilForgotten()
  assert.deepEqual(await differences(), [])
  const stray = await portal.sql('select from app_opens where app_id = any($1) or user_id = any($2)', [
    going.map(({ id }) => id),
    leaving.map(({ id }) => id),
  ])
  assert.equal(stray.length, 0)
  assert.equal(await ask(0, 'POST', `/apps/${stored!.id}/open`, staying!), 204)
})
