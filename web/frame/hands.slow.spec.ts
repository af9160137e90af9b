/** One person uses the browser after another. However their sessions change, no data of the first person reach the second. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { type Client, PASSWORD, until } from '../../test/client.ts'
import { browser, journeys, portalWithPages } from '../testing/browser.ts'
import { both as frame } from './texts.ts'

const portal = portalWithPages()

/** A word in the first person's name, note and draft, and nowhere else. */
const MARK = 'Firstborn'

/** Everything that the browser stores for the portal, by key. Runs in the page. */
const keptHere = async () => {
  const found: [key: string, value: string][] = []
  for (const store of [localStorage, sessionStorage]) for (const key of Object.keys(store)) found.push([key, store.getItem(key)!])
  const opened = await new Promise<IDBDatabase>((resolve) => {
    const request = indexedDB.open('bawaba')
    request.onsuccess = () => resolve(request.result)
  })
  const store = opened.transaction('kept').objectStore('kept')
  const keys = store.getAllKeys()
  const all = store.getAll()
  await new Promise((resolve) => {
    all.onsuccess = resolve
  })
  opened.close()
  keys.result.forEach((key, index) => void found.push([String(key), JSON.stringify(all.result[index])]))
  if ('caches' in window)
    for (const name of await caches.keys()) for (const { url } of await (await caches.open(name)).keys()) found.push([name, url])
  return found
}

/** Every text in the memory of the page. */
async function memoryOf(page: Page) {
  const session = await page.context().newCDPSession(page)
  let snapshot = ''
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => {
    snapshot += chunk
  })
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  await session.detach()
  return (JSON.parse(snapshot) as { strings: string[] }).strings
}

interface Setup {
  page: Page
  context: BrowserContext
  first: Client & { id: number }
  /** The problems that `browser` has collected. */
  problems: string[]
}
const signOut = async (page: Page) => {
  await page.getByRole('button', { name: frame.en.account('') }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}
/** Makes the page look for changes about which it got no event. */
const wake = (page: Page) =>
  page.evaluate(() => {
    const { now } = Date
    Date.now = () => now() + 120_000
    dispatchEvent(new Event('focus'))
  })

const ways: [way: string, change: (setup: Setup) => Promise<unknown>][] = [
  ['a sign-out', ({ page }) => signOut(page)],
  [
    'a sign-out in another tab',
    async ({ context }) => {
      const other = await context.newPage()
      await other.goto('/')
      await signOut(other)
    },
  ],
  ['deactivation', ({ first }) => portal.admin.patch(`/users/${first.id}`, { isActive: false })],
  [
    'expiry',
    async ({ page, first }) => {
      await portal.sql(`update sessions set expires_at = now() where user_id = ${first.id}`)
      await wake(page)
    },
  ],
  ['revocation', ({ first }) => portal.admin.delete(`/users/${first.id}/sessions`)],
  [
    'a sign-out in a framed app',
    async ({ page, problems }) => {
      await page.goto('/apps/framed')
      await signOut(page)
      await page.waitForURL('**/sign-in?local=1')
      // The frame shows an address of the portal, which refuses to be framed, and the browser reports that.
      assert.ok(problems.splice(0).every((problem) => problem.includes('frame-ancestors')))
    },
  ],
  [
    'a sign-out without a connection',
    async ({ page, context, first }) => {
      await page.evaluate(() => navigator.serviceWorker.ready)
      await context.setOffline(true)
      await signOut(page)
      await page.getByText(/^You’re signed out on this device/).waitFor()
      await context.setOffline(false)
      const living = `select from sessions where user_id = ${first.id} and ended_at is null and user_agent like '%Chrome%'`
      await until('the session has ended', async () => (await portal.sql(living)).length === 0)
    },
  ],
  [
    'a step back',
    async ({ page }) => {
      await signOut(page)
      await page.waitForURL('**/sign-in?local=1')
      await page.goBack()
    },
  ],
  ['a sign-out over plain http', ({ page }) => signOut(page)],
  [
    'four hundred addresses and a sign-out',
    async ({ page }) => {
      for (let index = 0; index < 400; index++)
        await page.evaluate((index) => {
          history.replaceState(history.state, '', `/notes?q=nothing${index}`)
          dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
        }, index)
      await signOut(page)
    },
  ],
]

/** Simulates a connection without TLS: no worker, no locks, and no `Clear-Site-Data`. */
async function makePlain(context: BrowserContext) {
  await context.addInitScript(() => {
    for (const name of ['serviceWorker', 'locks', 'clipboard'])
      Object.defineProperty(Object.getPrototypeOf(navigator), name, { value: undefined, configurable: true })
  })
  await context.route('**/api/auth/logout', async (route) => {
    const response = await route.fetch()
    const { 'clear-site-data': _, ...headers } = response.headers()
    await route.fulfill({ response, headers })
  })
}

journeys(() => {
  const { visit, problems } = browser(portal)

  async function signIn(page: Page, username: string) {
    await page.locator('input[name=username]').fill(username)
    await page.locator('input[name=password]').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: frame.en.account('') }).waitFor()
  }

  for (const [index, [way, change]] of ways.entries())
    test(`after ${way} no data of the first person are on the screen, in any storage or in the memory of the page`, async () => {
      const first = await portal.person(`one-${index}`, { displayNameEn: `${MARK} ${index}` })
      await portal.person(`two-${index}`, { displayNameEn: 'Second' })
      for (const name of [`one-${index}`, `two-${index}`])
        await (await portal.stranger().signIn(name)).patch('/auth/me/language', { language: 'en' })
      await first.post('/notes', { title: `${MARK} note` })
      if (way.includes('framed'))
        await portal.admin.post('/apps', {
          ...{ slug: 'framed', nameAr: 'إطار', nameEn: 'Framed', iconName: 'globe', route: '/framed', color: '#0a7' },
          ...{ openMode: 'external_iframe', externalUrl: `${portal.base}/api/healthz` },
        })
      const { page, context } = await visit({ language: 'en' })
      if (way.includes('plain')) await makePlain(context)
      await page.goto('/sign-in')
      await signIn(page, `one-${index}`)
      await page.getByRole('link', { name: 'Notes' }).first().click()
      await page.getByRole('link', { name: `${MARK} note` }).waitFor()
      await page.getByRole('textbox', { name: 'Write a note' }).fill(`${MARK} draft`)
      await until('the device keeps note and draft', async () => {
        const kept = JSON.stringify(await page.evaluate(keptHere))
        return kept.includes(`${MARK} note`) && kept.includes(`${MARK} draft`)
      })

      await change({ page, context, first, problems })
      await page.waitForURL('**/sign-in*')
      await signIn(page, `two-${index}`)
      await page.getByRole('heading', { level: 1, name: /Second/ }).waitFor()

      assert.doesNotMatch(`${await page.title()} ${page.url()} ${await page.locator('body').innerText()}`, new RegExp(`${MARK}|next=`))
      // After a session expires, unsent text is kept for its author until somebody else signs in.
      await until('the device keeps nothing of the first person', async () => {
        const isKept = await page.evaluate(keptHere)
        return !isKept.some(([key, value]) => value.includes(MARK) || key.startsWith(`draft:${first.id}:`))
      })
      const inMemory = (await memoryOf(page)).filter((text) => text.includes(MARK))
      assert.deepEqual(inMemory, [])
    })
})
