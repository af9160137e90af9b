import '../testing/outside.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effect } from '@preact/signals'
import { answers } from '../testing/outside.ts'
import { changeAll, clearCache, invalidate, keepFor, resource, restore } from './cache.ts'
import { ifMatch, isReached, type Schemas } from './client.ts'
import { readCopy } from './copy.ts'
import { eventsToCache } from './events-to-cache.ts'

const MANY = 400
const noteOf = (id: number) => resource('/notes/{id}', { path: { id } })
const loadMany = async (first: number) => {
  for (let id = first; id < first + MANY; id++) await noteOf(id).load()
}

test('a resource can still be changed and cleared after four hundred other addresses were loaded', async () => {
  const [apps, note] = [resource('/apps'), noteOf(1)]
  for (const one of [apps, note]) await one.load()
  await loadMany(2)
  assert.equal(resource('/apps'), apps)
  assert.equal(noteOf(1), note)
  changeAll('/apps', () => [{ id: 5 } as Schemas['App']])
  assert.deepEqual(apps.peek(), [{ id: 5 }])
  await clearCache()
  assert.deepEqual([apps.peek(), note.peek(), noteOf(MANY).peek()], [undefined, undefined, undefined])
})

test('beyond a limit, the addresses that were opened first lose their data', async () => {
  const apps = resource('/apps')
  await apps.load()
  await loadMany(1000)
  const kept = Array.from({ length: MANY }, (_, index) => noteOf(1000 + index).peek()).filter((one) => one !== undefined)
  assert.ok(kept.length < MANY && noteOf(1000).peek() === undefined && noteOf(1000 + MANY - 1).peek() !== undefined)
  assert.notEqual(apps.peek(), undefined)
})

test('a form keeps the version that it was opened with when the page reads a newer one', async () => {
  answers.set('/groups/7', { body: { name: 'before' }, version: '"1"' })
  const group = resource('/groups/{id}', { path: { id: 7 } })
  await group.load()
  const { version } = group
  answers.set('/groups/7', { body: { name: 'after' }, version: '"2"' })
  await group.refresh()
  assert.deepEqual([ifMatch(version), ifMatch(group.version)], [{ 'If-Match': '"1"' }, { 'If-Match': '"2"' }])
})

test('an optimistic change removes the version, and undoing it restores the version', async () => {
  answers.set('/groups/8', { body: { name: 'before' }, version: '"1"' })
  const group = resource('/groups/{id}', { path: { id: 8 } })
  await group.load()
  const takeBack = group.change((now) => ({ ...now, name: 'expected' }))
  assert.deepEqual(ifMatch(group.version), {})
  takeBack()
  assert.deepEqual(ifMatch(group.version), { 'If-Match': '"1"' })
})

test('a page that gets the focus while it loads fetches nothing twice', async () => {
  const reads = { loading: 0, marker: 0 }
  const counted = (name: keyof typeof reads) => ({
    get body() {
      return [reads[name]++]
    },
  })
  answers.set('/apps', counted('loading')).set('/services', counted('marker'))
  await clearCache()
  const [loading, marker] = [resource('/apps'), resource('/services')]
  const stop = effect(() => void [loading.data, marker.data])
  const asked = [loading.load(), marker.load()]
  dispatchEvent(new Event('focus'))
  await Promise.all(asked)
  // This read comes after all reads that the focus has caused.
  invalidate('/services')
  while (reads.marker < 2) await new Promise((resolve) => setTimeout(resolve))
  assert.equal(reads.loading, 1)
  stop()
})

test('a refresh during a fetch fetches again after it, and refreshes at the same time share one fetch', async () => {
  let reads = 0
  answers.set('/apps', {
    get body() {
      return [{ id: reads++ }]
    },
  })
  await clearCache()
  const apps = resource('/apps')
  apps.load()
  await apps.refresh()
  assert.deepEqual(apps.peek(), [{ id: 1 }])
  await Promise.all([apps.refresh(), apps.refresh(), apps.refresh()])
  assert.deepEqual([apps.peek(), reads], [[{ id: 3 }], 4])
})

test('after a change on one day, only the data that contain that day are fetched again', async () => {
  const query = { from: '2026-11-22', to: '2026-11-28' }
  const meetings = (query: { date: string } | { from: string; to: string }) => resource('/executive-meetings', { query })
  const all = [meetings({ date: '2026-11-24' }), meetings(query), meetings({ date: '2026-11-25' })]
  const addresses = ['date=2026-11-24', 'from=2026-11-22&to=2026-11-28', 'date=2026-11-25']
  const say = (id: number) => {
    for (const address of addresses) answers.set(`/executive-meetings?${address}`, { body: [{ id }] })
  }
  const shown = () => all.map((one) => one.peek()?.[0]?.id)
  say(1)
  for (const one of all) await one.load()
  const stop = effect(() => void all.map((one) => one.data))
  say(2)
  eventsToCache.meetings_changed({ date: '2026-11-24' })
  while (shown()[0] === 1 || shown()[1] === 1) await new Promise((resolve) => setTimeout(resolve))
  assert.deepEqual(shown(), [2, 2, 1])
  stop()
})

test('a deleted order disappears from the pages of its approvers and of the person for whom it was, and from the reports', async () => {
  const reads = new Map<string, number>()
  const counted = (address: string) =>
    answers.set(address, {
      get body() {
        reads.set(address, (reads.get(address) ?? 0) + 1)
        return []
      },
    })
  for (const address of ['/orders/5/details', '/orders/details?view=approve', '/orders/details', '/service-reports?from=1&to=2'])
    counted(address)
  const shown = [
    resource('/orders/{id}/details', { path: { id: 5 } }),
    resource('/orders/details', { query: { view: 'approve' } }),
    resource('/orders/details'),
    resource('/service-reports', { query: { from: '1', to: '2' } }),
  ]
  const stop = effect(() => void shown.map((one) => one.data))
  await Promise.all(shown.map((one) => one.load()))
  eventsToCache.order_deleted({ orderId: 5 })
  while (![...reads.values()].every((count) => count > 1)) await new Promise((resolve) => setTimeout(resolve))
  assert.equal(reads.size, shown.length)
  stop()
})

test('loading after a change returns the new data, or the older data if the portal does not answer', async () => {
  answers.set('/roles', { body: [{ id: 1 }] })
  const roles = resource('/roles')
  assert.deepEqual(await roles.load(), [{ id: 1 }])
  answers.set('/roles', { body: [{ id: 2 }] })
  invalidate('/roles')
  assert.deepEqual(await roles.load(), [{ id: 2 }])
  answers.set('/roles', {
    get body(): unknown {
      throw new Error('no connection')
    },
  })
  invalidate('/roles')
  assert.deepEqual(await roles.load(), [{ id: 2 }])
})

test('data that change during every fetch are fetched again only after a pause', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let reads = 0
  answers.set('/groups', {
    get body() {
      groups.change((now) => [...now])
      return [{ id: reads++ }]
    },
  })
  const groups = resource('/groups')
  const stop = effect(() => void groups.data)
  await groups.load()
  const before = reads
  invalidate('/groups')
  for (let pauses = 0; pauses < 4; pauses++) {
    await new Promise(setImmediate)
    t.mock.timers.tick(50)
  }
  await new Promise(setImmediate)
  stop()
  assert.equal(reads - before, 4)
})

test('a read that fails after the data were changed here is repeated once the portal answers', async () => {
  const apps = resource('/apps')
  answers.set('/apps', { body: [{ id: 1 }] })
  await apps.refresh()
  const { fetch } = globalThis
  globalThis.fetch = () => {
    apps.change((now) => [...now])
    return Promise.reject(new TypeError('lost'))
  }
  await apps.refresh()
  globalThis.fetch = fetch
  answers.set('/apps', { body: [{ id: 2 }] })
  assert.equal(apps.error?.name, 'Unreached')
  const stop = effect(() => void apps.data)
  isReached.value = true
  while (apps.peek()?.[0]?.id !== 2) await new Promise((resolve) => setTimeout(resolve))
  assert.equal(apps.error, undefined)
  stop()
})

test('a page that lost an answer reads again every ten seconds until the portal answers', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const roles = resource('/roles')
  const stop = effect(() => void roles.data)
  answers.set('/roles', { body: [{ id: 1 }] })
  await roles.refresh()
  const { fetch } = globalThis
  globalThis.fetch = () => Promise.reject(new TypeError('lost'))
  await roles.refresh()
  globalThis.fetch = fetch
  answers.set('/roles', { body: [{ id: 2 }] })
  assert.deepEqual([isReached.peek(), roles.error?.name, roles.peek()], [false, 'Unreached', [{ id: 1 }]])
  t.mock.timers.tick(10_000)
  for (let turns = 0; turns < 10; turns++) await new Promise(setImmediate)
  stop()
  assert.deepEqual([isReached.peek(), roles.error, roles.peek()], [true, undefined, [{ id: 2 }]])
})

/** Fakes the device's database. */
function newDatabase() {
  const stored = new Map<string, unknown>()
  const done = (result: unknown) => {
    const request = { result, onsuccess: () => {} }
    queueMicrotask(() => request.onsuccess())
    return request
  }
  const store = {
    put: (value: unknown, key: string) => done(void stored.set(key, value)),
    getAll: () => done([...stored.values()]),
    delete: () => done(undefined),
  }
  const open = () => done({ transaction: () => ({ objectStore: () => store }) })
  Object.assign(globalThis, { indexedDB: { open }, IDBKeyRange: { bound: () => undefined } })
  return stored
}

test('data from the device’s copy have their version, also after an expected change was undone', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const stored = newDatabase()
  const requestOf = (id: number) => resource('/access-requests/{id}', { path: { id } })
  for (const id of [8, 9]) answers.set(`/access-requests/${id}`, { body: { id }, version: `"${id}"` })
  keepFor(7)
  await Promise.all([requestOf(8).load(), requestOf(9).load()])
  const written = async () => {
    t.mock.timers.tick(1000)
    // The fake answers by microtasks.
    await new Promise(setImmediate)
  }
  const takeBack = requestOf(9).change((now) => ({ ...now, status: 'approved' }))
  await written()
  stored.clear()
  takeBack()
  requestOf(8).change((now) => now)
  await written()
  const copy = await readCopy()
  await clearCache()
  restore(copy!)
  assert.deepEqual([requestOf(8).version, requestOf(9).version], ['"8"', '"9"'])
})
