/** Data on the device when people sign out or follow each other, and the page while the portal is unreachable. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { PASSWORD, until } from '../../test/client.ts'
import { browser, journeys, portalWithPages } from '../testing/browser.ts'
import { builtFrom } from '../testing/built.ts'

const portal = portalWithPages()

/** `readKept` reads the stored cache, and `writeKept` restores it. Both run in the page. */
const readKept = () =>
  new Promise<unknown>((resolve) => {
    const request = indexedDB.open('bawaba')
    request.onsuccess = () => {
      const store = request.result.transaction('kept').objectStore('kept')
      const keys = store.getAllKeys()
      const values = store.getAll()
      values.onsuccess = () => resolve(keys.result.map((key, index) => [key, values.result[index]]))
    }
  })
const writeKept = (all: unknown) =>
  new Promise<void>((resolve) => {
    const request = indexedDB.open('bawaba')
    request.onsuccess = () => {
      const writing = request.result.transaction('kept', 'readwrite')
      for (const [key, value] of all as [IDBValidKey, unknown][]) writing.objectStore('kept').put(value, key)
      writing.oncomplete = () => resolve()
    }
  })

/** Everything that the device stores for the portal, as text. */
const keptOn = (page: Page) =>
  page.evaluate(async () => {
    const opened = await new Promise<IDBDatabase | undefined>((resolve) => {
      const request = indexedDB.open('bawaba')
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => resolve(undefined)
    })
    if (!opened?.objectStoreNames.contains('kept')) return ''
    const all = await new Promise<unknown[]>((resolve) => {
      const request = opened.transaction('kept').objectStore('kept').getAll()
      request.onsuccess = () => resolve(request.result)
    })
    opened.close()
    return JSON.stringify(all)
  })

/** Waits until the device stores nothing with a text. Tries again if the page is just reloading. */
const forgets = (page: Page, text: string) =>
  until(`nothing of ${text} is stored`, () =>
    keptOn(page).then(
      (all) => !all.includes(text),
      () => false,
    ),
  )

/** Opens the page and holds back the answer about who is signed in. Returns a function that releases it. */
async function openUnanswered(page: Page) {
  const { promise: held, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/api/auth/me', (route) => held.then(() => route.continue()))
  const requested = page.waitForRequest('**/api/auth/me')
  await page.goto('/')
  await requested
  return answer
}

journeys(() => {
  const { visitAs } = browser(portal)

  test('a sign-out leaves nothing of the person on the device', async () => {
    await portal.person('secretive')
    const { page } = await visitAs('secretive', { language: 'en' })
    await until('the device keeps the cache', async () => (await keptOn(page)).includes('secretive'))
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL('**/sign-in?local=1')
    assert.doesNotMatch(await keptOn(page), /secretive/)
  })

  test('a sign-out that did not reach the portal is sent by the next page before it asks who is signed in', async () => {
    await portal.person('absent')
    const { page } = await visitAs('absent', { language: 'en', serviceWorkers: 'block' })
    await page.route('**/api/auth/logout', (route) => route.abort())
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL('**/sign-in?local=1')
    await page.unroute('**/api/auth/logout')
    const calls: string[] = []
    page.on('request', (request) => {
      if (/\/api\/auth\/(me|logout)$/.test(request.url())) calls.push(request.method())
    })
    await page.goto('/orders')
    await page.waitForURL('**/sign-in?next=*')
    assert.equal(calls[0], 'POST')
    assert.equal((await page.request.get('/api/auth/me')).status(), 401)
  })

  /** Holds back the scripts of a page until `release`, and counts its questions who is signed in. */
  async function holdScripts(page: Page) {
    const held = Promise.withResolvers<void>()
    await page.route('**/assets/*.js', (route) => held.promise.then(() => route.continue()))
    const counted = { calls: 0 }
    page.on('request', (request) => {
      if (request.url().endsWith('/api/auth/me')) counted.calls++
    })
    return { counted, asked: page.waitForResponse('**/api/auth/me'), release: held.resolve }
  }

  test('a page asks who is signed in before its scripts have arrived, and only once', async () => {
    await portal.person('early')
    const { page, context } = await visitAs('early', { language: 'en', serviceWorkers: 'block' })
    for (const [isSignedIn, shown] of [
      [true, page.getByRole('navigation').getByText('Services')],
      [false, page.getByLabel('Username or email')],
    ] as const) {
      if (!isSignedIn) await context.clearCookies()
      const { counted, asked, release } = await holdScripts(page)
      await page.goto('/', { waitUntil: 'commit' })
      await asked
      release()
      await shown.waitFor()
      assert.equal(counted.calls, 1)
      await page.unrouteAll()
    }
  })

  test('an answer about the former person is not used once the next one has signed in in another tab', async () => {
    await portal.person('outgoing')
    const { username } = await portal.person('incoming')
    const { page, context } = await visitAs('outgoing', { language: 'en', serviceWorkers: 'block' })
    const { asked, release } = await holdScripts(page)
    await page.goto('/account', { waitUntil: 'commit' })
    await asked
    await page.evaluate(() => Object.assign(window, { sameDocument: true }))
    await context.request.post('/api/auth/login', { data: { username, password: PASSWORD }, headers: { origin: portal.base } })
    const other = await context.newPage()
    await other.goto('/')
    await other.getByRole('heading', { level: 1, name: /incoming/ }).waitFor()
    release()
    await page.getByRole('button', { name: /incoming/ }).waitFor()
    // A page that had begun as the former person would have been loaded again.
    assert.ok(await page.evaluate(() => 'sameDocument' in window))
  })

  test('when the next person signs in on a device, their data replace the previous person’s, which are never shown', async () => {
    await portal.person('former')
    await portal.person('latter')
    const { page, context } = await visitAs('former', { language: 'en' })
    await until('the device keeps the cache', async () => (await keptOn(page)).includes('former'))
    // No open page of the first person may notice the end of the session.
    await page.goto('about:blank')
    await context.request.post('/api/auth/login', { data: { username: 'latter', password: PASSWORD }, headers: { origin: portal.base } })

    // Every frame of the next page is checked, including those before the portal has answered.
    const next = await context.newPage()
    await next.addInitScript(() => {
      const seen: string[] = []
      const look = () => {
        seen.push(document.documentElement.outerHTML)
        requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
      Object.assign(window, { seen })
    })
    const answer = await openUnanswered(next)
    // The room is loaded and the stored data have been read, so they would be visible by now.
    await next.waitForFunction(
      (file) => performance.getEntriesByType('resource').some(({ name }) => name.endsWith(file)),
      builtFrom('home/page.tsx')[0]!,
    )
    await next.evaluate(readKept)
    await next.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    answer()
    await next.getByRole('heading', { level: 1, name: /latter/ }).waitFor()
    assert.doesNotMatch(await next.evaluate(() => (window as unknown as { seen: string[] }).seen.join()), /former/)
    await forgets(next, 'former')
  })

  test('a page without events shows the newly signed-in person as soon as it is used again', async () => {
    await portal.person('elder')
    await portal.person('younger')
    const { page, context } = await visitAs('elder', { language: 'en' })
    await page.route('**/api/events*', (route) => route.abort())
    await page.reload()
    await page.getByRole('heading', { level: 1, name: /elder/ }).waitFor()
    await context.request.post('/api/auth/login', { data: { username: 'younger', password: PASSWORD }, headers: { origin: portal.base } })
    await page.evaluate(() => {
      const { now } = Date
      Date.now = () => now() + 120_000
      dispatchEvent(new Event('focus'))
    })
    await page.getByRole('heading', { level: 1, name: /younger/ }).waitFor()
    await forgets(page, 'elder')
  })

  test('a page whose call is refused because its session has ended shows the newly signed-in person', async () => {
    await portal.person('first')
    await (await portal.person('second')).patch('/auth/me/language', { language: 'en' })
    const { page, context } = await visitAs('first', { language: 'en' })
    await page.route('**/api/events*', (route) => route.abort())
    await page.reload()
    await page.getByRole('button', { name: 'Account menu, first' }).waitFor()
    await context.request.post('/api/auth/login', { data: { username: 'second', password: PASSWORD }, headers: { origin: portal.base } })
    // Simulates a call that was sent with the first person's cookie before the second person signed in.
    const json = { code: 'unauthorized', error: 'Sign in first.' }
    await page.route('**/api/notes?*q=*', (route) => route.fulfill({ status: 401, json }), { times: 1 })
    await page.getByRole('link', { name: 'Notes' }).first().click()
    await page.getByRole('searchbox').fill('anything')
    await page.getByRole('button', { name: 'Account menu, second' }).waitFor()
    await forgets(page, '"first"')
  })

  test('stored data of one person are not shown to the next, even before the portal has answered', async () => {
    await portal.person('earlier')
    await portal.person('later')
    const { page, context } = await visitAs('earlier', { language: 'en' })
    await until('the device keeps the cache', async () => (await keptOn(page)).includes('earlier'))
    const former = await page.evaluate(readKept)
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.locator('input[name=username]').fill('later')
    await page.locator('input[name=password]').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /later/ }).waitFor()
    await until('the device keeps the cache', async () => (await keptOn(page)).includes('later'))
    // Simulates a frozen page of the first person that stores its data late.
    await page.evaluate(writeKept, former)

    const next = await context.newPage()
    const answer = await openUnanswered(next)
    assert.doesNotMatch(`${await next.title()} ${await next.locator('body').innerText()}`, /earlier/)
    answer()
    await next.getByRole('heading', { level: 1, name: /later/ }).waitFor()
    await forgets(next, 'earlier')
  })

  test('a tab without events ends its session when the person signs out elsewhere, and stores no data', async () => {
    await portal.person('preceding')
    const { page, context } = await visitAs('preceding', { language: 'en' })
    await context.route('**/api/events*', (route) => route.abort())
    const deaf = await context.newPage()
    for (const tab of [page, deaf]) {
      await tab.goto('/')
      await tab.getByRole('heading', { level: 1, name: /preceding/ }).waitFor()
    }
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await deaf.waitForURL('**/sign-in*')
    assert.doesNotMatch(await keptOn(deaf), /preceding/)
  })

  test('the device stores the beginning of a long list, not its later parts', async () => {
    const person = await portal.person('hoarder')
    for (let index = 0; index < 60; index++) await person.post('/notes', { title: `Note ${index}` })
    const { page } = await visitAs('hoarder', { language: 'en' })
    await page.goto('/notes')
    await page.locator('.notes-card').first().waitFor()
    await until('the oldest note is shown', async () => {
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
      return (await page.getByRole('link', { name: 'Note 0', exact: true }).count()) === 1
    })
    await person.post('/notes/folders', { name: 'The latest' })
    await until('the device keeps the cache', async () => (await keptOn(page)).includes('The latest'))
    assert.match(await keptOn(page), /Note 59/)
    assert.doesNotMatch(await keptOn(page), /"Note 0"/)
  })

  test('if a part of an older page is missing, the page says that it is outdated, and a press reloads it', async () => {
    await portal.person('latecomer')
    const { page } = await visitAs('latecomer', { language: 'en', serviceWorkers: 'block' })
    await page.getByRole('heading', { level: 1, name: /latecomer/ }).waitFor()
    const part = builtFrom('sign-in/page.tsx')
    const isPart = (url: URL) => part.some((file) => url.pathname.endsWith(file))
    await page.route(isPart, (route) => route.fulfill({ status: 404, body: '' }))
    await page.route(/\/$/, (route) =>
      route.request().method() === 'HEAD' ? route.fulfill({ headers: { 'x-pages': 'newer' } }) : route.continue(),
    )
    await page.evaluate(() => {
      history.pushState({}, '', '/apps')
      history.pushState({}, '', '/forgot-password')
      dispatchEvent(new PopStateEvent('popstate', { state: {} }))
    })
    await page.getByRole('heading', { name: 'A new version is available' }).waitFor()
    await page.unroute(isPart)
    await page.getByRole('button', { name: 'Update now' }).first().click()
    await page.locator('input[name=identifier]').waitFor()
  })

  test('without a connection the page shows the last state, says so, and recovers by itself', async () => {
    await portal.person('traveller')
    const { page, context } = await visitAs('traveller', { language: 'en' })
    await page.getByRole('heading', { level: 1, name: /traveller/ }).waitFor()
    await context.setOffline(true)
    await page.getByText('You’re offline.').waitFor()
    await page.getByRole('heading', { level: 1, name: /traveller/ }).waitFor()
    await context.setOffline(false)
    await page.getByText('You’re offline.').waitFor({ state: 'detached' })
  })
})
