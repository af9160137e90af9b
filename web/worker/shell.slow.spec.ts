/**
 * The files that the service worker caches. With them, the portal opens without a connection, even below a path, and none of them is
 * personal.
 */
import '../testing/document.ts'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { PASSWORD, until } from '../../test/client.ts'
import { both } from '../frame/texts.ts'
import { both as notes } from '../people/notes/texts.ts'
import { browser, journeys, pairs, portalWithPages } from '../testing/browser.ts'

/** The path below which `door` serves a second portal. */
const PATH = '/in/house'
let inside = ''
/** A proxy that passes on requests below the path. It answers all others as a different site of the organisation. */
const door = createServer((asked: IncomingMessage, answer: ServerResponse) => {
  if (!asked.url!.startsWith(`${PATH}/`)) return void answer.end('another site')
  const { method, headers } = asked
  const passed = request(inside + asked.url!.slice(PATH.length), { method, headers }, (said) => {
    answer.writeHead(said.statusCode!, said.headers)
    said.pipe(answer)
  })
  passed.on('error', () => answer.destroy())
  answer.on('close', () => passed.destroy())
  asked.pipe(passed)
}).listen(0, '127.0.0.1')
await once(door, 'listening')
const site = `http://127.0.0.1:${(door.address() as AddressInfo).port}`
const portal = portalWithPages()
const below = portalWithPages({ PUBLIC_URL: site + PATH })

/** Waits until the worker has cached all files and serves the page, and the device has stored the person's data. */
async function kept(page: Page) {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
  const isCopied = () =>
    page.evaluate(async () => {
      // Looks for the database first: opening one that does not exist would create an empty one.
      const [ours] = (await indexedDB.databases()).filter(({ name }) => name!.endsWith('bawaba'))
      if (!ours) return false
      return new Promise<boolean>((resolve, reject) => {
        const opening = indexedDB.open(ours.name!)
        opening.onerror = reject
        opening.onsuccess = () => {
          const reading = opening.result.transaction('kept').objectStore('kept').getAllKeys()
          reading.onerror = reject
          reading.onsuccess = () => {
            opening.result.close()
            resolve(reading.result.length > 0)
          }
        }
      })
    })
  await until('the device keeps a copy', isCopied)
}

journeys(() => {
  const { visitAs } = browser(portal)

  for (const pair of pairs) {
    const { language, size } = pair
    const t = both[language]
    const titled = (title: string) => `${title} (${language}, ${size})`
    const greeted = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

    test(titled('after one visit the portal opens without a connection, shows the last state and says so'), async () => {
      const person = await portal.person(`rover-${language}-${size}`)
      const { page, context } = await visitAs(person.username, pair)
      await greeted(page, person.username)
      await kept(page)
      await context.setOffline(true)
      await page.reload()
      await greeted(page, person.username)
      await page.getByText(t.offline).waitFor()
      // Opens a page that was never visited before.
      const other = await context.newPage()
      await other.goto('/notes')
      await other.getByRole('textbox', { name: notes[language].write }).waitFor()
      assert.equal(await other.evaluate(() => document.fonts.check('1rem "IBM Plex Sans Arabic"')), true)
      await context.setOffline(false)
      await page.getByText(t.offline).waitFor({ state: 'detached' })
    })

    test(titled('after a sign-out, the worker’s cache has no answer of the API and no stored file'), async () => {
      const person = await portal.person(`leaver-${language}-${size}`)
      const { page } = await visitAs(person.username, pair)
      await greeted(page, person.username)
      await kept(page)
      await page.locator('.bar button[aria-haspopup=menu]').last().click()
      await page.getByRole('menuitem', { name: t.signOut }).click()
      await page.waitForURL('**/sign-in?local=1')
      const left = async () => {
        const all = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
        return all.flat().map(({ url }) => url)
      }
      assert.deepEqual(
        (await page.evaluate(left)).filter((url) => /\/(api|objects)\//.test(url)),
        [],
      )
    })
  }
})

journeys(() => {
  const { visit } = browser(Object.create(below, { base: { value: site } }))
  after(() => {
    door.closeAllConnections()
    door.close()
  })

  test('below a path the worker caches the portal, and leaves sites beside it alone', async () => {
    inside = below.base
    const { username } = await below.person('tenant')
    const { page, context } = await visit({ language: 'en' })
    await page.goto(`${PATH}/sign-in`)
    await page.locator('input[name=username]').fill(username)
    await page.locator('input[name=password]').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: username }).waitFor()
    await kept(page)
    assert.equal(await page.evaluate(async () => (await navigator.serviceWorker.ready).scope), `${site}${PATH}/`)
    await context.setOffline(true)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: username }).waitFor()
    await context.setOffline(false)
    await page.goto('/elsewhere')
    assert.deepEqual(await page.evaluate(() => [document.body.innerText, navigator.serviceWorker.controller]), ['another site', null])
  })
})
