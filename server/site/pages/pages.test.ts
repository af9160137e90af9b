/** The pages over HTTP: addresses, encodings, caching and policies. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { portalWithPages } from '../../../web/testing/portal.ts'

const portal = portalWithPages()

/** Returns the response as it is on the wire, because `fetch` would decode it. */
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<{ status: number; headers: Record<string, string>; body: Buffer }>((resolve, reject) => {
    request(portal.base + path, { method, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.on('end', () =>
        resolve({ status: answer.statusCode!, headers: answer.headers as Record<string, string>, body: Buffer.concat(chunks) }),
      )
    })
      .on('error', reject)
      .end()
  })

const addresses = [
  '/',
  '/sign-in',
  '/reset-password?token=x',
  '/orders/5',
  '/notes/received',
  '/apps/news',
  '/access/offers',
  '/access/groups/3',
  '/meetings/2026-11-22',
  '/admin/users/3',
]

test('every address of the portal serves the one page, which browsers must revalidate', async () => {
  for (const address of addresses) {
    const { status, headers, body } = await ask(address)
    assert.deepEqual([status, headers['cache-control'], headers['content-type']], [200, 'no-cache', 'text/html; charset=utf-8'], address)
    assert.match(body.toString(), /<div id="root">/)
    const again = await ask(address, { 'if-none-match': headers['etag']! })
    assert.deepEqual([again.status, again.body.length], [304, 0], address)
  }
})

test('an unknown address serves the page with 404; an unknown call is refused', async () => {
  const page = await ask('/nowhere')
  assert.deepEqual([page.status, page.headers['content-type']], [404, 'text/html; charset=utf-8'])
  for (const path of ['/api/nowhere', '/api', '/objects/uploads/x']) {
    const { status, body } = await ask(path)
    assert.deepEqual([status, JSON.parse(body.toString()).code], [404, 'route_not_found'], path)
  }
  assert.equal((await ask('/', {}, 'POST')).status, 404)
  assert.equal((await ask('/api/auth/login')).status, 405)
  assert.equal((await ask('/', {}, 'HEAD')).body.length, 0)
})

test('a malformed address serves the page; a malformed call is refused', async () => {
  const page = await ask('/apps/%ff')
  assert.deepEqual([page.status, page.headers['content-type']], [404, 'text/html; charset=utf-8'])
  assert.match(page.body.toString(), /<div id="root">/)
  assert.deepEqual(JSON.parse((await ask('/api/apps/%ff')).body.toString()).error !== undefined, true)
})

test('files are sent in an encoding that the browser accepts, and may be cached for a year', async () => {
  const plain = await ask('/')
  const [, script] = /<script type="module"[^>]* src="\.\/([^"]+)"/.exec(plain.body.toString())!
  const whole = await ask(`/${script}`)
  assert.deepEqual([whole.status, whole.headers['cache-control']], [200, 'public, max-age=31536000, immutable'])
  const br = await ask(`/${script}`, { 'accept-encoding': 'gzip, deflate, br' })
  assert.deepEqual([br.headers['content-encoding'], br.headers['vary']], ['br', 'accept-encoding'])
  assert.deepEqual(brotliDecompressSync(br.body), whole.body)
  const gzip = await ask(`/${script}`, { 'accept-encoding': 'gzip, br;q=0' })
  assert.equal(gzip.headers['content-encoding'], 'gzip')
  assert.deepEqual(gunzipSync(gzip.body), whole.body)
})

test('the policy allows only the page’s own files, and only the framed view may frame another site', async () => {
  for (const address of addresses) {
    const policy = (await ask(address)).headers['content-security-policy']!
    assert.doesNotMatch(policy, /unsafe/)
    assert.match(policy, /img-src 'self' data: blob:;/)
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /require-trusted-types-for 'script'/)
    assert.match(policy, /script-src 'self' 'sha256-[^']+';/)
    assert.equal(/frame-src https: http:/.test(policy), address === '/apps/news', address)
  }
})

test('the service worker is revalidated each time, may call only the portal, and lists the hash of every file it caches', async () => {
  const { status, headers, body } = await ask('/worker.js')
  assert.deepEqual([status, headers['cache-control'], headers['content-type']], [200, 'no-cache', 'text/javascript; charset=utf-8'])
  assert.equal(headers['content-security-policy'], "default-src 'none';connect-src 'self';frame-ancestors 'none'")
  const files = Array.from(body.toString().matchAll(/"([^"]+)":`sha256-([^`]+)`/g))
  assert.ok(files.length > 20)
  for (const [, file, hash] of files)
    assert.equal(
      createHash('sha256')
        .update((await ask(`/${file}`)).body)
        .digest('base64'),
      hash,
      file,
    )
})

test('the files of a page are not told its address, which may have a token', async () => {
  const { headers } = await ask('/reset-password?token=secret')
  assert.equal(headers['referrer-policy'], 'strict-origin')
})

const below = portalWithPages({ PUBLIC_URL: 'http://portal.example.org/in/house' })

test('with a base path, the page’s URLs start there', async () => {
  const page = await fetch(`${below.base}/orders`)
  assert.match(await page.text(), /<base href="\/in\/house\/">/)
})
