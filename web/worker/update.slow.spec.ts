/** A portal is restarted or upgraded under open pages: they notice, lose nothing, and update when the person asks for it. */
import '../testing/document.ts'
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { type BuiltPages, readBuiltPages } from '../../server/site/pages/built.ts'
import { buildPages } from '../build/pages.ts'
import { both } from '../frame/texts.ts'
import { both as notes } from '../people/notes/texts.ts'
import { browser, journeys, pairs, portalWithPages } from '../testing/browser.ts'
import { builtFrom } from '../testing/built.ts'

const portal = portalWithPages()

/** Waits until the worker has cached all files and serves the page. */
const kept = (page: Page) => page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')

/** Builds pages of a newer version, as an upgrade brings them. */
async function buildNewer() {
  const folder = await mkdtemp(join(tmpdir(), 'bawaba-pages-'))
  try {
    await buildPages('newer', `${folder}/`)
    return { pages: readBuiltPages(folder)!, palette: builtFrom('/palette-dialog.tsx', folder) }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Makes the portal serve different pages while `act` runs. */
async function upgraded(pages: BuiltPages, act: () => Promise<void>) {
  await portal.stop()
  await portal.startAgain(pages)
  try {
    await act()
  } finally {
    await portal.stop()
    await portal.startAgain(readBuiltPages())
  }
}

let newer: ReturnType<typeof buildNewer> | undefined
const newerPages = () => {
  newer ??= buildNewer()
  return newer
}

journeys(() => {
  const { visitAs } = browser(portal)

  for (const pair of pairs) {
    const { language, size } = pair
    const t = both[language]
    const titled = (title: string) => `${title} (${language}, ${size})`
    const greeted = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
    const update = (page: Page) => page.getByRole('status').getByRole('button', { name: t.reload })

    test(titled('an open page survives a restart of the portal, keeps its text and gets new events again'), async () => {
      const person = await portal.person(`keeper-${language}-${size}`)
      const { page } = await visitAs(person.username, pair)
      await page.goto('/notes')
      await kept(page)
      const field = page.getByRole('textbox', { name: notes[language].write })
      await field.fill('Half a thought')
      await page.evaluate(() => Object.assign(window, { sameDocument: true }))
      await portal.stop()
      await page
        .getByText(t.offline)
        .waitFor()
        .finally(() => portal.startAgain(readBuiltPages()))
      await page.getByText(t.offline).waitFor({ state: 'detached' })
      await field.press('Control+Enter')
      await page.getByRole('link', { name: 'Half a thought' }).waitFor()
      assert.equal(await page.evaluate(() => 'sameDocument' in window), true)
      await person.post('/notes', { title: 'From elsewhere' })
      await page.getByRole('link', { name: 'From elsewhere' }).waitFor()
      assert.equal(await update(page).count(), 0)
    })

    test(titled('newer pages are offered in each tab once they are cached, and updating keeps typed text'), async () => {
      const person = await portal.person(`patient-${language}-${size}`)
      const { page, context } = await visitAs(person.username, pair)
      await greeted(page, person.username)
      await kept(page)
      const other = await context.newPage()
      await other.goto('/notes')
      const { pages } = await newerPages()
      await upgraded(pages, async () => {
        for (const tab of [page, other]) await update(tab).waitFor()
        const versions = await page.evaluate(() => caches.keys())
        assert.ok(versions.some((name) => name.endsWith(' newer')))
        // Loads a part of the former version, which the portal no longer has.
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox').waitFor()
        await page.keyboard.press('Escape')

        const field = other.getByRole('textbox', { name: notes[language].write })
        await field.fill('Typed before the update')
        await update(other).click()
        await update(other).waitFor({ state: 'detached' })
        await other.waitForFunction(() => document.querySelector('textarea')?.value === 'Typed before the update')
        await update(page).click()
        await update(page).waitFor({ state: 'detached' })
        await greeted(page, person.username)
      })
    })

    test(titled('newer pages of which a file is missing leave the cached version in use'), async () => {
      const person = await portal.person(`unlucky-${language}-${size}`)
      const { page, context } = await visitAs(person.username, pair)
      await greeted(page, person.username)
      await kept(page)
      const { pages, palette } = await newerPages()
      const files = new Map(pages.files)
      for (const name of palette) assert.ok(files.delete(name))
      await upgraded({ ...pages, files }, async () => {
        await update(page).waitFor()
        await context.setOffline(true)
        await page.reload()
        await greeted(page, person.username)
        await context.setOffline(false)
      })
    })
  }
})
