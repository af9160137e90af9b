/** The pages of the demo, without a portal. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { apps } from '../organisation/organisation.ts'
import { pages } from './pages.ts'
import { type Language, readerOf } from './reader.ts'
import { writePage } from './render.ts'
import { servePages } from './serve.ts'

let served: Awaited<ReturnType<typeof servePages>>
before(async () => {
  served = await servePages({ portal: 'http://127.0.0.1:1', host: '127.0.0.1', port: 0 })
})
after(() => served?.close())
const ask = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${served.port}${path}`, init)

test('every app that opens no room has a page, and every page has an app', () => {
  assert.deepEqual(
    apps
      .filter(({ route }) => !route)
      .map(({ slug }) => slug)
      .toSorted(),
    [...pages.keys()].toSorted(),
  )
})

test('every page shows only the requested language', () => {
  const foreign: Record<Language, RegExp> = { ar: /[a-z]{4}/, en: /[\u0621-\u064A]/ }
  for (const [slug, page] of pages)
    for (const language of ['ar', 'en'] as const) {
      const text = writePage(slug, page, readerOf(language, ''))
        // Leaves out the link to the other language, and texts that are the same in both.
        .replace(/<a [^>]*lang=.*?<\/a>|<bdi>.*?<\/bdi>|Excel/gs, '')
        .replace(/<[^>]+>/g, ' ')
      assert.doesNotMatch(text, foreign[language], `${slug} in ${language}`)
    }
})

test('a search finds names in either language, and its term is escaped', async () => {
  for (const query of ['نوره السالم', 'noura', '4117']) {
    const text = await (await ask(`/directory?lang=ar&q=${encodeURIComponent(query)}`)).text()
    assert.match(text, /النتائج: 1</)
    assert.match(text, /نورة السالم/)
  }
  const text = await (await ask(`/directory?lang=en&q=${encodeURIComponent('"><script>x</script>')}`)).text()
  assert.match(text, /value="&quot;&gt;&lt;script&gt;x&lt;\/script&gt;"/)
  assert.doesNotMatch(text, /<script/)
})

test('a page may be framed by any site, runs no scripts and loads nothing from elsewhere', async () => {
  const { headers } = await ask('/news')
  assert.equal(headers.get('x-frame-options'), null)
  const policy = headers.get('content-security-policy')!
  assert.match(policy, /^default-src 'none';/)
  assert.doesNotMatch(policy, /frame-ancestors|script-src|http/)
})

test('the style and the fonts are served, and nothing else', async () => {
  for (const path of ['/style.css', '/fonts/sans-400-ar.woff2']) assert.equal((await ask(path)).status, 200, path)
  for (const path of ['/', '/constructor', '/nowhere', '/fonts/make.ts', '/../serve.ts']) assert.equal((await ask(path)).status, 404, path)
  assert.equal((await ask('/news', { method: 'POST' })).status, 405)
})

test('if the port is taken, the next free one is used', async () => {
  const next = await servePages({ portal: 'http://127.0.0.1:1', host: '127.0.0.1', port: served.port })
  assert.ok(next.port > served.port)
  next.close()
})
