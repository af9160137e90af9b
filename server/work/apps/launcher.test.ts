import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ascending, idsIn, makers, meChangedFor, silence } from '../../../test/makers.ts'
import { type Client, testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const { newApp, newPerson, idsOfPermissions } = makers(portal)

test('only administrators get counts on their launcher and in the full list', async () => {
  const { id } = await newApp({ isActive: false })
  const shown = await newApp()
  const person = await newPerson()
  await person.post(`/apps/${shown.id}/open`)
  const counts = (app: Record<string, unknown>) => [app.groupCount, app.restrictionCount, app.openCount]
  const find = (answer: { body: { id: number }[] }, id: number) => answer.body.find((app) => app.id === id) as never
  const [full, own, theirs] = [await portal.admin.get('/admin/apps'), await portal.admin.get('/apps'), await person.get('/apps')]
  assert.deepEqual([counts(find(full, id)), find(own, id)], [[0, 0, 0], undefined])
  assert.deepEqual(
    [counts(find(full, shown.id)), counts(find(own, shown.id))],
    [
      [0, 0, 1],
      [0, 0, 1],
    ],
  )
  assert.deepEqual(counts(find(theirs, shown.id)), [undefined, undefined, undefined])
  await person.post(`/apps/${shown.id}/open`)
  assert.deepEqual(counts(find(await portal.admin.get('/apps'), shown.id)), [0, 0, 2])
  assert.equal((await person.get('/admin/apps')).status, 403)
})

test('people can order their own launcher, and apps that they leave out follow', async () => {
  const person = await newPerson()
  for (let n = 0; n < 3; n++) await newApp()
  const visible = idsIn(await person.get('/apps'))
  const [last, first] = [visible.at(-1)!, visible[0]!]
  const expected = [last, first, ...visible.filter((id) => id !== last && id !== first)]
  const traces = await portal.traces(async () => {
    const answer = await person.put('/me/app-order', { order: [last, first] })
    assert.equal(answer.status, 200)
    assert.deepEqual(idsIn(answer), expected)
  })
  assert.deepEqual(traces, { ...silence, events: [meChangedFor(person.id)] })
  assert.deepEqual(idsIn(await person.get('/apps')), expected)
  const newest = await newApp({ sortOrder: 1000 })
  assert.deepEqual(idsIn(await person.get('/apps')), [...expected, newest.id])
  await person.put('/me/app-order', { order: [] })
  assert.deepEqual(idsIn(await person.get('/apps')), [...visible, newest.id])
})

test('administrators can order their own launcher, too', async () => {
  await newApp()
  const [first, second] = idsIn(await portal.admin.get('/apps'))
  const answer = await portal.admin.put('/me/app-order', { order: [second] })
  assert.deepEqual([idsIn(answer)[0], answer.body[0].openCount], [second, undefined])
  assert.deepEqual(idsIn(await portal.admin.get('/apps')).slice(0, 2), [second, first])
})

test('an order may name only apps that the caller sees, each once', async () => {
  const person = await newPerson()
  const [shown] = idsIn(await person.get('/apps'))
  const hidden = await newApp({ permissionIds: await idsOfPermissions('portal.it') })
  for (const order of [[hidden.id], [2147483647], [shown, shown], [0], ['1'], [1.5], null, undefined, {}]) {
    const answer = await person.put('/me/app-order', { order })
    assert.deepEqual([answer.status, answer.body.code], [400, 'validation_failed'], JSON.stringify(order))
  }
})

test('simultaneous app opens are each counted once', async () => {
  const { id } = await newApp()
  const people = await Promise.all([newPerson(), newPerson(), newPerson()])
  const answers = await Promise.all(Array.from({ length: 90 }, (_, n) => people[n % 3]!.post(`/apps/${id}/open`)))
  assert.ok(answers.every(({ status, text }) => status === 204 && text === ''))
  const rows = await portal.sql('select user_id, count(*)::int as count from app_opens where app_id = $1 group by 1 order by 1', [id])
  assert.deepEqual(
    rows,
    ascending(people.map(({ id }) => id)).map((id) => ({ user_id: id, count: 30 })),
  )
  assert.equal((await portal.admin.get('/admin/apps')).body.find((app: { id: number }) => app.id === id).openCount, 90)
})

test('an app that is inactive, unknown or not visible to the caller cannot be opened', async () => {
  const [inactive, hidden, person] = [
    await newApp({ isActive: false }),
    await newApp({ permissionIds: await idsOfPermissions('portal.it') }),
    await newPerson(),
  ]
  const open = async (who: Client, id: number | string) => (await who.post(`/apps/${id}/open`)).status
  assert.deepEqual([await open(portal.admin, inactive.id), await open(person, inactive.id)], [404, 404])
  assert.deepEqual([await open(portal.admin, hidden.id), await open(person, hidden.id)], [204, 404])
  assert.deepEqual([await open(person, 2147483647), await open(person, 'x'), await open(portal.stranger(), inactive.id)], [404, 400, 401])
})

test('deleting apps and people never makes the opening of another app fail', async () => {
  const keep = await newApp()
  const staying = await newPerson()
  for (let round = 0; round < 5; round++) {
    const [gone, leaving] = [await newApp(), await newPerson()]
    await leaving.post(`/apps/${keep.id}/open`)
    await leaving.post(`/apps/${gone.id}/open`)
    const opens = Array.from({ length: 40 }, (_, n) => {
      const [who, app] = [n % 2 ? staying : leaving, n % 3 ? keep : gone]
      return who.post(`/apps/${app.id}/open`).then(({ status }) => ({ status, isSafe: who === staying && app === keep }))
    })
    const removals = [portal.admin.delete(`/apps/${gone.id}?force=true`), portal.admin.delete(`/users/${leaving.id}?force=true`)]
    for (const { status, isSafe } of await Promise.all(opens))
      assert.ok(isSafe ? status === 204 : [204, 401, 404].includes(status), `${status}`)
    for (const { status } of await Promise.all(removals)) assert.equal(status, 204)
  }
  const [counted] = await portal.sql<{ opens: number; days: number }>(
    'select (select count(*)::int from app_opens where app_id = $1) as opens, (select sum(count - forgotten)::int from app_open_days where app_id = $1) as days',
    [keep.id],
  )
  assert.equal(counted!.opens, counted!.days)
})
