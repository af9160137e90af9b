/** What was opened most, and whoever opened most, goes at once; their openings follow, and no count is ever wrong. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { house } from '../../test/house.ts'
import { makers } from '../../test/makers.ts'
import { recount } from '../stats/recount.ts'

const portal = house()
const { newApp, newPerson } = makers(portal)

/** So many openings, spread over a hundred days. */
const open = (appId: number, userId: number, count: number) =>
  portal.sql(
    `insert into app_opens (app_id, user_id, created_at)
     select $1, $2, now() - make_interval(days => n % 100) from generate_series(1, $3::int) as n`,
    [appId, userId, count],
  )
const left = async () => (await portal.sql<{ count: number }>('select count(*)::int as count from app_opens'))[0]!.count
const differences = () => recount(portal.instance.db.reads)

for (const owner of ['app', 'user'] as const)
  test(`more openings of one ${owner} than a transaction takes: it goes at once, and they follow`, async () => {
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
    await portal.untilForgotten()
    assert.equal(await left(), before + 70)
    assert.deepEqual(await differences(), [])
    const { body } = await portal.admin.get('/stats/admin?range=90d')
    assert.equal(
      body.topApps.find(({ appId }: { appId: number }) => appId === app.id),
      undefined,
    )
  })
