/** The frame of the executive's meetings: who gets none of it, and what is not there. */
import '../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { both as noPage } from '../frame/no-page-texts.ts'
import { browser, journeys, portalWithPages } from '../testing/browser.ts'
import { builtFrom } from '../testing/built.ts'
import { both } from './texts.ts'

const portal = portalWithPages()

journeys(() => {
  const { visitAs } = browser(portal)

  test('who has no executive role loads nothing of the meetings, and is told that they are not theirs', async () => {
    await portal.person('outsider')
    const { page } = await visitAs('outsider', { language: 'en', serviceWorkers: 'block' })
    const loaded: string[] = []
    page.on('request', (request) => void loaded.push(request.url()))
    await page.goto('/meetings')
    await page.getByRole('heading', { name: noPage.en.notAllowed }).waitFor()
    const desk = builtFrom('meetings/desk.tsx')
    assert.deepEqual(
      loaded.filter((url) => desk.some((file) => url.endsWith(file))),
      [],
    )
  })

  test('who reads has the tab of the day, and an address that there is none of says so', async () => {
    await portal.person('reader', { roles: ['executive_viewer'] })
    const { page } = await visitAs('reader', { language: 'en' })
    await page.goto('/meetings')
    await page.getByRole('navigation', { name: both.en.places }).getByRole('link', { name: both.en.names.today, exact: true }).waitFor()
    await page.goto('/meetings/nothing')
    await page.getByRole('heading', { name: noPage.en.notFound }).waitFor()
  })
})
