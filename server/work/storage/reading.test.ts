import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { objectStore, storeNames } from '../../../test/object-stores.ts'
import { testPortal } from '../../../test/portal.ts'
import { text, uploads } from '../../../test/uploads.ts'

const BYTES = Buffer.from('0123456789')

for (const name of storeNames)
  describe(`from a ${name}`, () => {
    const portal = testPortal(objectStore(name))
    const { placeFor, stored, read } = uploads(portal)
    let path: string
    let etag: string
    let stamp: string
    before(async () => {
      path = (await stored(BYTES)).path
      const { headers } = await read(path)
      etag = headers['etag'] as string
      stamp = headers['last-modified'] as string
    })

    test('an object is served with its type, size, name and ETag', async () => {
      const { status, headers, bytes } = await read(path)
      assert.deepEqual([status, bytes], [200, BYTES])
      assert.equal(headers['content-length'], '10')
      assert.equal(headers['content-type'], 'text/plain')
      assert.match(etag, /^"[\w-]{43}"$/)
      assert.ok(Math.abs(Date.parse(stamp) - Date.now()) < 60_000)
      assert.equal(headers['accept-ranges'], 'bytes')
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.equal(headers['content-security-policy'], "sandbox; default-src 'none'; frame-ancestors 'self'")
      assert.equal(headers['cache-control'], 'private, max-age=31536000, immutable')
    })

    test('HEAD returns the headers of GET, without the bytes', async () => {
      const [whole, head] = [await read(path), await read(path, { range: 'bytes=0-1' }, 'HEAD')]
      const telling = (headers: Record<string, unknown>) => ({ ...headers, date: '', 'x-request-id': '', connection: '', 'keep-alive': '' })
      assert.deepEqual([head.status, head.bytes.length, telling(head.headers)], [200, 0, telling(whole.headers)])
    })

    const ranges: [range: string, status: number, bytes: string, contentRange?: string][] = [
      ['bytes=0-0', 206, '0', 'bytes 0-0/10'],
      ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
      ['bytes=7-', 206, '789', 'bytes 7-9/10'],
      ['bytes=-3', 206, '789', 'bytes 7-9/10'],
      ['bytes=-10', 206, '0123456789', 'bytes 0-9/10'],
      ['bytes=-100', 206, '0123456789', 'bytes 0-9/10'],
      ['bytes=0-999999999999999999999', 206, '0123456789', 'bytes 0-9/10'],
      ['Bytes=9-9', 206, '9', 'bytes 9-9/10'],
      ['bytes=10-', 416, '', 'bytes */10'],
      ['bytes=999999999999999999999-', 416, '', 'bytes */10'],
      ['bytes=-0', 416, '', 'bytes */10'],
      ['bytes=4-2', 200, '0123456789'],
      ['bytes=10-4', 200, '0123456789'],
      ['bytes=0-1,3-4', 200, '0123456789'],
      ['bytes=0-1,30-40', 200, '0123456789'],
      ['bytes=-', 200, '0123456789'],
      ['bytes=a-b', 200, '0123456789'],
      ['lines=0-1', 200, '0123456789'],
    ]
    for (const [range, status, wanted, contentRange] of ranges)
      test(`the range ${range} gets ${status} ${contentRange ?? ''}`, async () => {
        const { headers, bytes, ...answer } = await read(path, { range })
        assert.equal(answer.status, status)
        assert.equal(headers['content-range'], contentRange)
        if (status === 416) {
          assert.equal(JSON.parse(String(bytes)).code, 'range_not_satisfiable')
          assert.equal(headers['cache-control'], 'no-store')
        } else assert.deepEqual([String(bytes), headers['content-length']], [wanted, String(wanted.length)])
      })

    const conditions: [what: string, headers: () => Record<string, string>, status: number][] = [
      ['the same tag', () => ({ 'if-none-match': etag }), 304],
      ['the same tag, weak', () => ({ 'if-none-match': `W/${etag}` }), 304],
      ['the same tag as a proxy marks it', () => ({ 'if-none-match': `W/${etag.replace(/"$/, '-gzip"')}` }), 304],
      ['the same tag among others', () => ({ 'if-none-match': `"x", ${etag}` }), 304],
      ['any tag', () => ({ 'if-none-match': '*' }), 304],
      ['the same tag with no-cache', () => ({ 'if-none-match': etag, 'cache-control': 'no-cache' }), 304],
      ['another tag', () => ({ 'if-none-match': '"x"' }), 200],
      ['another tag, but its time', () => ({ 'if-none-match': '"x"', 'if-modified-since': stamp }), 200],
      ['its time', () => ({ 'if-modified-since': stamp }), 304],
      ['a later time', () => ({ 'if-modified-since': new Date(Date.now() + 86_400_000).toUTCString() }), 304],
      ['an earlier time', () => ({ 'if-modified-since': new Date(Date.parse(stamp) - 1000).toUTCString() }), 200],
      ['no time at all', () => ({ 'if-modified-since': 'yesterday' }), 200],
      ['a part of these bytes', () => ({ range: 'bytes=0-1', 'if-range': etag }), 206],
      ['a part of those of its time', () => ({ range: 'bytes=0-1', 'if-range': stamp }), 206],
      ['a part of the same tag, weak', () => ({ range: 'bytes=0-1', 'if-range': `W/${etag}` }), 200],
      ['a part of other bytes', () => ({ range: 'bytes=0-1', 'if-range': '"x"' }), 200],
      ['a part of older bytes', () => ({ range: 'bytes=0-1', 'if-range': 'Mon, 01 Jan 2001 00:00:00 GMT' }), 200],
    ]
    for (const [what, headers, status] of conditions)
      test(`a request for ${what} gets ${status}`, async () => {
        const answer = await read(path, headers())
        assert.equal(answer.status, status)
        assert.equal(answer.headers['etag'], etag)
        if (status === 304) assert.equal(answer.bytes.length, 0)
      })

    test('reading an object without a session is 401, and unknown or unfilled objects are 404', async () => {
      assert.equal((await portal.stranger().get(path)).status, 401)
      const unknown = `/storage/objects/uploads/${crypto.randomUUID()}`
      for (const one of [unknown, (await placeFor(5)).path]) {
        const { status, bytes } = await read(one)
        assert.deepEqual([status, JSON.parse(String(bytes)).code], [404, 'not_found'])
      }
    })

    test('an object whose bytes are lost is 404', async () => {
      const lost = await stored(text(5))
      const [{ key }] = (await portal.sql<{ key: string }>('select key from objects where uuid = $1', [lost.uuid])) as [{ key: string }]
      await portal.instance.objects.remove(key)
      assert.equal((await read(lost.path)).status, 404)
    })
  })

describe('the disposition of an object', () => {
  const portal = testPortal(objectStore('folder'))
  const { stored, read } = uploads(portal)
  const dispositionOf = async (options: { name?: string; contentType?: string }) =>
    (await read((await stored(BYTES, options)).path)).headers['content-disposition'] as string

  const types: [contentType: string, shown: string][] = [
    ['image/png', 'inline'],
    ['image/jpeg', 'inline'],
    ['image/gif', 'inline'],
    ['image/webp', 'inline'],
    ['image/avif', 'inline'],
    ['IMAGE/BMP', 'inline'],
    ['image/svg+xml', 'attachment'],
    ['image/png; x=y', 'attachment'],
    ['image/tiff', 'attachment'],
    ['text/html', 'attachment'],
    ['application/pdf', 'attachment'],
    ['application/xhtml+xml', 'attachment'],
    ['text/javascript', 'attachment'],
  ]
  test('an object whose stored type is not a valid header is served as bytes without a type', async () => {
    const { path, uuid } = await stored(BYTES)
    const [{ id }] = (await portal.sql<{ id: number }>('select id from objects where uuid = $1', [uuid])) as [{ id: number }]
    await portal.meddle('object', id, `update objects set content_type = 'image/png; a="Ÿ"' where id = ${id}`)
    const { status, headers, bytes } = await read(path)
    assert.deepEqual([status, headers['content-type'], bytes], [200, 'application/octet-stream', BYTES])
  })
  for (const [contentType, shown] of types)
    test(`an object of type ${contentType} is served as ${shown}`, async () =>
      assert.equal((await dispositionOf({ contentType })).split(';')[0], shown))

  const names: [name: string, ascii: string, exact?: string][] = [
    ['photo one.png', 'photo one.png'],
    ['تقرير سنوي.pdf', '_____ ____.pdf', encodeURIComponent('تقرير سنوي.pdf')],
    ['a"b.txt', 'a_b.txt', 'a%22b.txt'],
    ['a\\"; filename=evil.exe', 'a__; filename=evil.exe', 'a_%22%3B%20filename%3Devil.exe'],
    ['../../etc/passwd', '.._.._etc_passwd'],
    ["it's (1)*.txt", "it's (1)*.txt"],
    ["it's (é)*.txt", "it's (_)*.txt", 'it%27s%20%28%C3%A9%29%2A.txt'],
    ['100%41.txt', '100_41.txt', '100%2541.txt'],
    ['👩‍👧.png', '_____.png', encodeURIComponent('👩‍👧.png')],
    ['a\r\nset-cookie: x', 'a set-cookie: x'],
  ]
  for (const [name, ascii, exact] of names)
    test(`the name ${JSON.stringify(name)} arrives intact`, async () =>
      assert.equal(await dispositionOf({ name }), `attachment; filename="${ascii}"${exact ? `; filename*=UTF-8''${exact}` : ''}`))
})
