import assert from 'node:assert/strict'
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, mock, test } from 'node:test'
import pg from 'pg'
import { makers } from '../../../test/makers.ts'
import { objectStore, storeNames } from '../../../test/object-stores.ts'
import { testPortal, until } from '../../../test/portal.ts'
import { scale } from '../../../test/suite.ts'
import { type Place, text, uploads } from '../../../test/uploads.ts'
import { beginBackup } from '../../platform/backup/under-way.ts'
import { fieldError } from '../../platform/errors/field-errors.ts'

for (const name of storeNames.slice(0, scale(1, storeNames.length)))
  describe(`objects in a ${name}`, () => {
    const env = objectStore(name)
    const portal = testPortal(env)
    const make = makers(portal)
    const { placeFor, put, stored, read, contents } = uploads(portal)

    const idOf = async ({ uuid }: Place) => (await portal.sql<{ id: number }>('select id from objects where uuid = $1', [uuid]))[0]!.id
    const keyOf = async ({ uuid }: Place) => (await portal.sql<{ key: string }>('select key from objects where uuid = $1', [uuid]))[0]!.key
    const age = async (place: Place, hours: number) => {
      const id = await idOf(place)
      const older = `interval '${hours} hours'`
      await portal.meddle(
        'object',
        id,
        `update objects set uploaded_at = uploaded_at - ${older}, expires_at = expires_at - ${older} where id = ${id}`,
      )
    }
    const picture = { name: 'portrait.png', contentType: 'image/png' }
    const aged = async (hours = 25) => {
      const place = await stored(text(10), picture)
      await age(place, hours)
      return place
    }
    const sweep = async () => {
      const [{ id }] = (await portal.sql<{ id: string }>(`select id from graphile_worker.add_job('sweep_objects')`)) as [{ id: string }]
      await until('it is swept', async () => (await portal.sql('select from graphile_worker.jobs where id = $1', [id])).length === 0)
    }
    const isThere = async ({ path }: Place) => (await read(path)).status === 200

    test('an unused object is deleted with its bytes 24 hours after its upload', async () => {
      const [old, fresh] = [await aged(24), await aged(23)]
      const key = await keyOf(old)
      assert.deepEqual(await portal.traces(sweep), { audit: [], histories: [], notices: [], events: [] })
      assert.deepEqual([await isThere(old), await isThere(fresh)], [false, true])
      assert.ok(!(await contents()).includes(key))
    })

    test('an unfilled slot is deleted 24 hours after it expired', async () => {
      const [old, fresh] = [await placeFor(10), await placeFor(10)]
      await age(old, 25)
      await sweep()
      assert.deepEqual(await portal.sql('select uuid from objects where uuid = any($1)', [[old.uuid, fresh.uuid]]), [{ uuid: fresh.uuid }])
    })

    const references: [what: string, refer: (imageUrl: string | null) => Promise<() => Promise<unknown>>][] = [
      [
        'a person',
        async (avatarUrl) => {
          await portal.admin.patch('/auth/me/profile', { avatarUrl })
          return () => portal.admin.patch('/auth/me/profile', { avatarUrl: null })
        },
      ],
      [
        'an app',
        async (imageUrl) => {
          const { id } = await make.newApp({ imageUrl })
          return () => portal.admin.patch(`/apps/${id}`, { imageUrl: null })
        },
      ],
      [
        'a service',
        async (imageUrl) => {
          const { id } = await make.newService({ imageUrl })
          return () => portal.admin.patch(`/services/${id}`, { imageUrl: null })
        },
      ],
      [
        'a deleted service that can be restored',
        async (imageUrl) => {
          const { id } = await make.newService({ imageUrl })
          await portal.admin.delete(`/services/${id}`)
          return () => portal.sql('delete from deletions')
        },
      ],
    ]
    for (const [what, refer] of references)
      test(`an object that ${what} refers to stays until the reference is removed`, async () => {
        const place = await aged()
        const release = await refer(place.objectPath)
        await sweep()
        assert.equal(await isThere(place), true)
        await release()
        await sweep()
        assert.equal(await isThere(place), false)
      })

    test('an object outlives the person who uploaded it', async () => {
      const huda = await make.newPerson()
      const place = await stored(text(10), { who: huda, ...picture })
      await make.newService({ imageUrl: place.objectPath })
      assert.equal((await portal.admin.delete(`/users/${huda.id}`)).status, 204)
      await age(place, 25)
      await sweep()
      assert.equal(await isThere(place), true)
    })

    test('no bytes are removed during a backup', async () => {
      const [place, key] = [await aged(24), await portal.instance.objects.put(halves(), 10)]
      const itsKey = await keyOf(place)
      const client = new pg.Client(portal.connection)
      await client.connect()
      await beginBackup(client)
      await sweep()
      assert.equal(await isThere(place), false)
      for (const one of [itsKey, key]) assert.ok((await contents()).includes(one))
      await client.end()
    })

    test('an uncommitted reference protects an object from the sweep', async () => {
      const place = await aged()
      const client = new pg.Client(portal.connection)
      await client.connect()
      await client.query('begin')
      await client.query(`insert into ledger (kind, target_type, target_id, facts) values ('test.meddled', 'user', 1, '{}')`)
      await client.query('update users set avatar_url = $1 where id = 1', [place.objectPath])
      await sweep()
      await client.query('commit')
      await client.end()
      await sweep()
      assert.equal(await isThere(place), true)
      await portal.admin.patch('/auth/me/profile', { avatarUrl: null })
    })

    test('an object that is being deleted can no longer be referred to', async () => {
      const place = await aged()
      const id = await idOf(place)
      const client = new pg.Client(portal.connection)
      await client.connect()
      await client.query('begin')
      await client.query(`insert into ledger (kind, target_type, target_id, facts) values ('test.meddled', 'object', $1, '{}')`, [id])
      await client.query('delete from objects where id = $1', [id])
      const answer = portal.admin.patch('/auth/me/profile', { avatarUrl: place.objectPath })
      await until(
        'it waits',
        async () =>
          (await portal.sql(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)).length > 0,
      )
      await client.query('commit')
      await client.end()
      const { status, body } = await answer
      assert.deepEqual([status, body.details], [400, [fieldError('avatarUrl', 'exists')]])
    })

    test('sweeping and referring simultaneously leave no reference to a deleted object', async () => {
      // Fifteen, because a person has twenty slots, of which earlier tests may have left some open.
      const places = await Promise.all(Array.from({ length: 15 }, () => aged()))
      const services = await Promise.all(places.map(() => make.newService()))
      const [, ...answers] = await Promise.all([
        sweep(),
        ...places.map(({ objectPath }, n) => portal.admin.patch(`/services/${services[n]!.id}`, { imageUrl: objectPath })),
      ])
      for (const [n, place] of places.entries()) {
        const { status } = answers[n]!
        assert.ok(status === 200 || status === 400)
        assert.equal(await isThere(place), status === 200)
      }
    })

    if (name === 'folder')
      test('bytes older than a day that never became an object are deleted, including partial uploads', async () => {
        const place = await stored(text(10))
        const key = await portal.instance.objects.put(halves(), 10)
        const file = (some: string) => join(env['DATA_DIR']!, 'objects', some)
        const dayAgo = new Date(Date.now() - 25 * 3600_000)
        for (const one of [key, await keyOf(place)]) await utimes(file(one), dayAgo, dayAgo)
        await sweep()
        assert.ok(!(await contents()).includes(key))
        assert.equal(await isThere(place), true)
      })
    test('bytes of a running upload stay when the portal’s clock is days ahead', async (t) => {
      const key = await portal.instance.objects.put(halves(), 10)
      const { now } = Date
      const ahead = mock.method(Date, 'now', () => now() + 72 * 3600_000)
      t.after(() => ahead.mock.restore())
      await sweep()
      assert.ok((await contents()).includes(key))
    })
    async function* halves() {
      yield text(5)
      yield text(5)
    }

    test('many keys are listed, each once', async () => {
      const place = await placeFor(1)
      await put(place, text(1))
      const all = await contents()
      assert.equal(new Set(all).size, all.length)
      assert.ok(all.includes(await keyOf(place)))
    })
  })
