import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { request } from 'undici'
import { objectStore, storeNames } from '../../../test/object-stores.ts'
import { testPortal, until, untilClosed } from '../../../test/portal.ts'
import { scale } from '../../../test/suite.ts'
import { type Place, sendHalf, text, uploads } from '../../../test/uploads.ts'

async function* pieces(...all: Buffer[]) {
  yield* all
}

for (const name of storeNames.slice(0, scale(1, storeNames.length)))
  describe(`into a ${name}`, () => {
    const env = objectStore(name)
    const portal = testPortal(env)
    const { placeFor, put, stored, read, contents } = uploads(portal)
    /** The number of files that the store has on its disk. */
    const files = async () =>
      (await readdir(env['DATA_DIR']!, { recursive: true, withFileTypes: true })).filter((one) => one.isFile()).length

    test('an uploaded object is stored byte for byte', async () => {
      for (const size of [1, 3_000_000]) {
        const { path } = await stored(text(size))
        assert.ok((await read(path)).bytes.equals(text(size)))
      }
    })

    test('an upload is not audited and sends no event', async () => {
      const traces = await portal.traces(() => stored(text(10)))
      assert.deepEqual(traces, { audit: [], histories: [], notices: [], events: [] })
    })

    test('a chunked body without a content length is accepted', async () => {
      const place = await placeFor(9)
      assert.equal((await put(place, pieces(text(4), text(5)))).status, 204)
      assert.equal((await read(place.path)).bytes.length, 9)
    })

    const wrong: [what: string, code: string, body: () => Buffer | AsyncIterable<Buffer>, headers?: Record<string, string>][] = [
      ['too short', 'validation_failed', () => text(9)],
      ['too long', 'validation_failed', () => text(11)],
      ['empty', 'validation_failed', () => Buffer.alloc(0)],
      ['too short, in pieces', 'validation_failed', () => pieces(text(4), text(5))],
      ['too long, in pieces', 'validation_failed', () => pieces(text(10), text(1))],
      ['much too long, in pieces', 'validation_failed', () => pieces(text(5), text(2_000_000), text(2_000_000))],
      ['of another type', 'validation_failed', () => text(10), { 'content-type': 'text/html' }],
      ['of a type with a parameter', 'validation_failed', () => text(10), { 'content-type': 'text/plain; charset=utf-8' }],
      ['of no type', 'validation_failed', () => text(10), { 'content-type': 'nonsense' }],
    ]
    for (const [what, code, body, headers] of wrong)
      test(`a body ${what} is refused and leaves nothing, and the right one can still be sent`, async () => {
        const place = await placeFor(10)
        const before = await contents()
        const answer = await put(place, body(), headers)
        assert.deepEqual([answer.status, answer.body.code], [400, code])
        assert.equal((await read(place.path)).status, 404)
        await until('nothing is left', async () => (await contents()).length === before.length)
        assert.equal((await put(place, text(10), { 'content-type': 'Text/Plain' })).status, 204)
      })

    test('a deactivated person cannot fill a slot, not even by an upload that has begun', async () => {
      const owner = await portal.person('uploader')
      const [whole, half] = [await placeFor(10, { who: owner }), await placeFor(1_000_000, { who: owner })]
      const filesBefore = await files()
      const socket = sendHalf(half, 1_000_000)
      let received = ''
      socket.on('data', (data) => {
        received += data
      })
      await until('the bytes are on their way', async () => (await files()) > filesBefore)
      await portal.admin.patch(`/users/${owner.id}`, { isActive: false })
      assert.deepEqual([(await put(whole, text(10))).body.code, (await read(whole.path)).status], ['invalid_token', 404])
      socket.write(text(500_000))
      await until('the rest is answered', () => received.includes('invalid_token'))
      assert.equal((await read(half.path)).status, 404)
    })

    test('a slot can be filled once', async () => {
      const place = await stored(text(10, 'a'))
      const before = await contents()
      const again = await put(place, text(10, 'b'))
      assert.deepEqual([again.status, again.body.code], [400, 'invalid_token'])
      assert.ok((await read(place.path)).bytes.equals(text(10, 'a')))
      assert.deepEqual(await contents(), before)
    })

    test('of several simultaneous uploads to one slot, one wins, and nothing of the rest is stored', async () => {
      const place = await placeFor(100_000)
      const before = await contents()
      const seeds = [...'abcdef']
      const answers = await Promise.all(seeds.map((seed) => put(place, text(100_000, seed))))
      const won = seeds.filter((_, n) => answers[n]!.status === 204)
      assert.equal(won.length, 1)
      const lost = answers.filter(({ status }) => status !== 204)
      for (const { body } of lost) assert.ok(['upload_under_way', 'invalid_token'].includes(body.code), body.code)
      assert.ok((await read(place.path)).bytes.equals(text(100_000, won[0])))
      assert.equal((await contents()).length, before.length + 1)
    })

    const closed: [what: string, change: (place: Place) => unknown][] = [
      [
        'of another slot',
        async (place) => (place.address = place.address.replace(/token=.*/, new URL((await placeFor(10)).address).search.slice(1))),
      ],
      ['nobody gave', (place) => (place.address = place.address.replace(/token=.*/, `token=${'A'.repeat(43)}`))],
      ['for a place nobody has', (place) => (place.address = place.address.replace(place.uuid, crypto.randomUUID()))],
      ['that has expired', ({ uuid }) => expire(uuid)],
    ]
    const expire = async (uuid: string) => {
      const [{ id }] = (await portal.sql<{ id: number }>('select id from objects where uuid = $1', [uuid])) as [{ id: number }]
      await portal.meddle('object', id, `update objects set expires_at = now() where id = ${id}`)
    }
    for (const [what, change] of closed)
      test(`a token ${what} is refused`, async () => {
        const place = await placeFor(10)
        await change(place)
        const before = await contents()
        const { status, body } = await put(place, text(10))
        assert.deepEqual([status, body.code], [400, 'invalid_token'])
        assert.deepEqual(await contents(), before)
      })

    const astray = ['..%2f..%2fetc%2fpasswd', 'x', '1B0F3981-848F-47C3-98A9-B137D84CE672', '18093bb8-9322-43f9-a4b2-5a6e36b25069.part']
    for (const way of astray)
      test(`an upload to ${way} is refused`, async () => {
        const place = await placeFor(10)
        const { status, body } = await put({ address: place.address.replace(place.uuid, way) }, text(10))
        assert.deepEqual([status, body.code], [400, 'validation_failed'])
        assert.ok([400, 404].includes((await read(`/storage/objects/uploads/${way}`)).status))
      })

    test('a page of another origin cannot upload', async () => {
      const { status } = await put(await placeFor(10), text(10), { origin: 'https://elsewhere.example' })
      assert.equal(status, 403)
    })

    test('an aborted upload leaves nothing', async () => {
      const place = await placeFor(1_000_000)
      const before = await contents()
      const filesBefore = await files()
      const socket = sendHalf(place, 1_000_000)
      await until('the bytes are on their way', async () => (await files()) > filesBefore)
      socket.destroy()
      await until('nothing is left', async () => (await contents()).length === before.length)
      assert.equal((await read(place.path)).status, 404)
      // A bucket may still be deleting what it has received.
      await until('the address takes another upload', async () => (await put(place, text(1_000_000))).status === 204)
    })

    test('an upload that sends nothing for 15 s is answered 408, and leaves nothing', async ({ mock }) => {
      mock.timers.enable({ apis: ['setInterval'] })
      const other = await portal.another()
      const place = await placeFor(1_000_000, { base: other.base })
      const before = await contents()
      const filesBefore = await files()
      const socket = sendHalf(place, 1_000_000)
      let answer = ''
      socket.on('data', (piece) => (answer += piece))
      const isClosed = untilClosed(socket)
      await until('the bytes are on their way', async () => (await files()) > filesBefore)
      mock.timers.tick(14_000)
      assert.equal(socket.destroyed, false)
      await until('it is answered', () => {
        mock.timers.tick(1000)
        return answer.includes('body_too_slow')
      })
      assert.match(answer, /^HTTP\/1\.1 408 /)
      mock.timers.reset()
      await isClosed
      await until('nothing is left', async () => (await contents()).length === before.length)
    })

    test('a stopping server lets an upload finish', async () => {
      const other = await portal.another()
      const place = await placeFor(500_000, { base: other.base })
      const stopped = Promise.withResolvers<void>()
      async function* slowly() {
        yield text(250_000)
        other.close().then(stopped.resolve, stopped.reject)
        await until('it takes no more calls', () =>
          fetch(other.base).then(
            () => false,
            () => true,
          ),
        )
        yield text(250_000)
      }
      assert.equal((await put(place, slowly())).status, 204)
      await stopped.promise
      assert.equal((await read(place.path)).bytes.length, 500_000)
    })

    test('a stopping server does not wait for a slow upload, and nothing of it stays', async () => {
      const other = await portal.another()
      const place = await placeFor(1_000_000, { base: other.base })
      const before = await contents()
      const filesBefore = await files()
      const socket = sendHalf(place, 1_000_000)
      await until('the bytes are on their way', async () => (await files()) > filesBefore)
      await other.close()
      socket.destroy()
      await until('nothing is left', async () => (await contents()).length === before.length)
    })
  })

describe('requesting an upload', () => {
  const portal = testPortal({ UPLOAD_MAX_BYTES: '1000' })
  const ask = (fields: object) =>
    portal.admin.post('/storage/uploads/request-url', { name: 'صورة.png', size: 10, contentType: 'image/png', ...fields })

  test('the reply has the URL, the path and the requested metadata', async () => {
    const { status, body } = await ask({})
    assert.equal(status, 200)
    assert.match(body.objectPath, /^\/objects\/uploads\/[0-9a-f-]{36}$/)
    assert.deepEqual(body.metadata, { name: 'صورة.png', size: 10, contentType: 'image/png' })
    const uuid = body.objectPath.slice(-36)
    assert.match(
      body.uploadURL.replace(portal.instance.config.publicUrl, ''),
      new RegExp(`^/api/storage/uploads/${uuid}\\?token=[\\w-]{43}$`),
    )
  })

  test('the URL comes from the configuration, never from the Host header', async () => {
    const { body } = await request(`${portal.base}/api/storage/uploads/request-url`, {
      method: 'POST',
      headers: {
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
        cookie: portal.admin.cookie,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ name: 'a', size: 1, contentType: 'a/b' }),
    })
    assert.doesNotMatch(await body.text(), /evil/)
  })

  test('only the hash of the token is stored', async () => {
    const token = new URL((await ask({})).body.uploadURL).searchParams.get('token')!
    const rows = await portal.sql<{ line: string }>('select objects::text as line from objects union all select ledger::text from ledger')
    assert.deepEqual(
      rows.filter(({ line }) => line.includes(token)),
      [],
    )
  })

  const good = ['image/png', 'IMAGE/PNG', 'text/plain; charset=utf-8', 'application/vnd.ms-excel.sheet+xml', 'a/b;c="d e"']
  for (const contentType of good)
    test(`the type ${contentType} is accepted`, async () => assert.equal((await ask({ contentType })).status, 200))

  const bad: [object, path: string][] = [
    [{ size: 1001 }, 'size'],
    [{ size: 0 }, 'size'],
    [{ size: -1 }, 'size'],
    [{ size: 1.5 }, 'size'],
    [{ size: '10' }, 'size'],
    [{ size: undefined }, 'size'],
    [{ name: '' }, 'name'],
    [{ name: ' \u202e ' }, 'name'],
    [{ name: 'x'.repeat(256) }, 'name'],
    [{ name: undefined }, 'name'],
    ...['', 'png', 'image/', '/png', 'image/png/x', 'image png', 'a/b; c', 'a/b\r\nx: y', 'صورة/png', 'image/png; a="Ÿ"'].map(
      (contentType): [object, string] => [{ contentType }, 'contentType'],
    ),
    [{ contentType: undefined }, 'contentType'],
  ]
  for (const [fields, path] of bad)
    test(`${JSON.stringify(fields).slice(0, 60)} is refused`, async () => {
      const { status, body } = await ask(fields)
      assert.deepEqual([status, body.details?.map((detail: { path: string }) => detail.path)], [400, [path]])
    })

  test('the largest size is accepted', async () => assert.equal((await ask({ size: 1000 })).status, 200))
})
