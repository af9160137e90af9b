/** Every list that can grow is answered whole, or the part of it that is asked for. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { partOf, sliceOf } from '../server/platform/http/page.ts'
import { house, until } from './house.ts'
import { makers } from './makers.ts'
import { MEETINGS } from './meetings.ts'
import { send, writeNote } from './notes.ts'

const portal = house()
const { newApp, newCategory, newGroup, newPerson, newRole, newService } = makers(portal)

before(async () => {
  await until('the house is open', () => portal.admin)
  const [person, service] = [await newPerson(), await newService()]
  for (let n = 0; n < 3; n++) {
    await Promise.all([newApp(), newGroup(), newRole(), newService(), newCategory(), newPerson()])
    await portal.admin.post('/orders', { serviceId: service.id })
    await portal.admin.post(`${MEETINGS}/tasks`, { titleEn: `Task ${n}` })
    await send(portal.admin, await writeNote(portal.admin), person)
    await send(person, await writeNote(person), portal.admin)
  }
})

const lists = [
  '/users',
  '/groups',
  '/roles',
  '/permissions',
  '/admin/apps',
  '/services',
  '/service-categories',
  '/orders/my',
  '/orders/incoming',
  `${MEETINGS}/tasks`,
  '/notes',
  '/notes/sent',
  '/notes/received',
]
for (const path of lists)
  test(`GET ${path} answers the part that is asked for, and without a question the whole`, async () => {
    const read = async (query = '') => {
      const { status, body, text } = await portal.admin.get(`${path}${query}`)
      assert.equal(status, 200, text)
      return body as object[]
    }
    const whole = await read()
    assert.ok(whole.length >= 3)
    assert.deepEqual(await read('?limit=2'), whole.slice(0, 2))
    assert.deepEqual(await read('?limit=1&offset=1'), whole.slice(1, 2))
    assert.deepEqual(await read('?offset=2'), whole.slice(2))
    assert.deepEqual(await read('?limit=500'), whole)
    assert.deepEqual(await read('?offset=1000'), [])
    for (const wrong of ['limit=0', 'limit=501', 'offset=-1', 'limit=all'])
      assert.equal((await portal.admin.get(`${path}?${wrong}`)).body.code, 'validation_failed', wrong)
  })

test('a part of a list in batches is that of the whole, and nothing is read beyond it', async () => {
  const all = Array.from({ length: 10 }, (_, n) => n)
  for (const page of [{}, { limit: 3 }, { offset: 4 }, { limit: 3, offset: 2 }, { limit: 4, offset: 8 }, { offset: 20 }, { limit: 20 }]) {
    let read = 0
    async function* batches() {
      for (let n = 0; n < all.length; n += 3) {
        read++
        yield all.slice(n, n + 3)
      }
    }
    const given = (await Array.fromAsync(partOf(batches(), page))).flat()
    assert.deepEqual(given, sliceOf(all, page), JSON.stringify(page))
    const { limit, offset = 0 } = page as { limit?: number; offset?: number }
    if (limit && limit + offset < all.length) assert.equal(read, Math.ceil((limit + offset) / 3))
  }
})
