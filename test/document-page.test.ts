/** The page that shows the OpenAPI document. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { testPortal } from './portal.ts'

const portal = testPortal()

/** The values of a content security policy, by directive. */
const policyOf = (headers: Headers): Record<string, string[]> =>
  Object.fromEntries(
    headers
      .get('content-security-policy')!
      .split(';')
      .map((part) => part.trim())
      .filter(Boolean)
      .map((part) => {
        const [directive, ...sources] = part.split(/\s+/)
        return [directive, sources]
      }),
  )

test('the page of the document needs no other server, and its policy allows none', async () => {
  const client = portal.stranger()
  const { status, headers } = await client.get('/docs')
  assert.deepEqual([status, headers.get('location')], [302, 'docs/'])
  const page = await client.get('/docs/')
  assert.equal(page.status, 200)
  assert.match(page.text, /<title>Bawaba · بوابة<\/title>/)
  assert.match(page.headers.get('content-type')!, /^text\/html/)
  const assets = [...page.text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => new URL(address!, `${portal.base}/api/docs/`))
  for (const own of ['portal.css', 'portal.js', 'portal.svg'])
    assert.ok(
      assets.some(({ pathname }) => pathname.endsWith(`/${own}`)),
      own,
    )
  for (const { origin, pathname } of assets) {
    assert.equal(origin, portal.base)
    const { status, text, headers } = await client.get(pathname.replace(/^\/api/, ''))
    assert.deepEqual([status, headers.get('x-content-type-options')], [200, 'nosniff'], pathname)
    if (pathname.endsWith('.css')) assert.doesNotMatch(text, /(url\(|@import)\s*["']?(https?:)?\/\//, pathname)
  }
  const { 'default-src': fallback, 'img-src': images, ...policy } = policyOf(page.headers)
  assert.deepEqual(fallback, ["'self'"])
  assert.deepEqual(images, ["'self'", 'data:'])
  for (const [directive, sources] of Object.entries(policy)) assert.match(sources!.join(' '), /^'(self|none)'$/, directive)
  assert.doesNotMatch(page.text, /<script>|<style>| style=| on\w+=|favicon/)
})

test('HEAD answers like GET for the page and its assets, and a matching ETag gets 304', async () => {
  const client = portal.stranger()
  for (const path of ['/docs/', '/docs/?from=link', '/docs/portal.css', '/openapi.json']) {
    const [whole, head] = [await client.get(path), await client.send('HEAD', path)]
    assert.deepEqual([head.status, head.text, head.headers.get('content-length')], [200, '', String(Buffer.byteLength(whole.text))], path)
    assert.equal(head.headers.get('content-security-policy'), whole.headers.get('content-security-policy'))
  }
  const { headers, text } = await client.get('/docs/portal.css')
  const has = { 'if-none-match': headers.get('etag')!, 'cache-control': 'max-age=0' }
  const [again, another] = [await client.get('/docs/portal.css', has), await client.get('/docs/swagger-ui.css', has)]
  assert.deepEqual([again.status, again.text, another.status], [304, '', 200])
  // The server may ignore both headers, and does: the tag does not match, and the range begins beyond the end of the file.
  const asked = await client.get('/docs/portal.css', { 'if-match': '"another"', range: 'bytes=99999-' })
  assert.deepEqual([asked.status, asked.text], [200, text])
})

test('no other path below the page exists', async () => {
  for (const path of ['nothing', 'nothing.js', 'json', 'index.html', '%00', 'portal%2Ecss', '/portal.css', 'docs-page/portal.css'])
    assert.deepEqual((await portal.stranger().get(`/docs/${path}`)).body.code, 'route_not_found', path)
})

const BEHIND = testPortal({ PUBLIC_URL: 'http://portal.example.org/in/house' })

/** A proxy that strips a path prefix, as one does in front of a portal with a path in PUBLIC_URL. */
async function openProxy(path: string, target: string) {
  const server = createServer((incoming, outgoing) => {
    if (!incoming.url!.startsWith(`${path}/`)) return outgoing.writeHead(404).end()
    const options = { method: incoming.method, headers: incoming.headers }
    const passOn = (answer: IncomingMessage) => answer.pipe(outgoing.writeHead(answer.statusCode!, answer.headers))
    return incoming.pipe(request(target + incoming.url!.slice(path.length), options, passOn))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

test('with a path in PUBLIC_URL, the page, its assets, its title and its document are served below it', async (t) => {
  const { origin, close } = await openProxy('/in/house', BEHIND.base)
  t.after(close)
  const page = await fetch(`${origin}/in/house/api/docs`)
  assert.deepEqual([page.status, page.url], [200, `${origin}/in/house/api/docs/`])
  const assets = [...(await page.text()).matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => new URL(address!, page.url))
  assert.ok(assets.length > 3)
  const script = await (await fetch(assets.find(({ pathname }) => pathname.endsWith('portal.js'))!)).text()
  const [, document] = /url: '([^']+)'/.exec(script)!
  const [, settings] = /fetch\('([^']+)'\)/.exec(script)!
  for (const address of [...assets, new URL(settings!, page.url)]) assert.equal((await fetch(address)).status, 200, address.pathname)
  const { servers } = (await (await fetch(new URL(document!, page.url))).json()) as { servers: { url: string }[] }
  assert.deepEqual(servers, [{ url: '/in/house/api' }])
})
