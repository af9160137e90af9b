/** Sources of accounts, as administrators connect and watch them. */
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../../../test/client.ts'
import { newSource, SCIM } from '../../../test/scim.ts'
import { withToken } from '../../../test/tokens.ts'
import { both as ofTokens } from '../../parts/show/tokens/texts.ts'
import { browser, findings, foreignTexts, journeys, pairs, portalWithPages, tooWide } from '../../testing/browser.ts'
import { both as ofGroups } from './groups/texts.ts'
import { both } from './provisioning/texts.ts'
import { both as ofLists } from './shared/texts.ts'
import { both as ofPeople } from './user/provisioned-texts.ts'

const portal = portalWithPages()
const known =
  /[@\w.-]*\d+|(stray|gone|kept)-[\w-]+|Test|SCIM(?: 2\.0)?|(?:Microsoft )?Entra ID|Okta|authentik|directory-[\w-]+|source-[\w-]+|[\w.-]+@[\w.-]+|keeper|bwi_\w+|(GET|POST|PATCH|PUT|DELETE) \S+|Authorization: Bearer|Night run|scim-[\w-]+/

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

journeys(() => {
  const { visitAs } = browser(portal)
  let admins = 0
  for (const pair of pairs) {
    const { language, size } = pair
    const [t, k, p, s, g] = [both[language], ofTokens[language], ofPeople[language], ofLists[language], ofGroups[language]]
    const titled = (title: string) => `${title} (${language}, ${size})`
    const own = `${language}-${size}`
    async function at(path: string) {
      const { username } = await portal.person(`keeper-${admins++}`, { roles: ['admin'], displayNameAr: 'سلمى', displayNameEn: 'Salma' })
      const opened = await visitAs(username, pair)
      await opened.page.goto(path)
      await opened.page.getByRole('heading', { level: 1 }).first().waitFor()
      return opened
    }
    async function isSound(page: Page) {
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, known), [])
      assert.deepEqual(await tooWide(page), [])
    }

    test(titled('a source is added, gets a token that is shown once, and is turned on'), async () => {
      const { page } = await at('/admin/provisioning')
      await button(page, t.create).first().click()
      await page.getByLabel(t.name).fill(`directory-${own}`)
      await isSound(page)
      await button(page, t.make).click()
      await page.waitForURL(/provisioning\/\d+$/)
      await page.getByText(t.noTokens).waitFor()
      await isSound(page)
      await button(page, t.addToken).click()
      await page.getByLabel(k.name, { exact: true }).fill('Night run')
      await isSound(page)
      await button(page, k.make).click()
      const token = await page.getByLabel(k.token, { exact: true }).inputValue()
      await button(page, k.done).click()
      await page.getByText('Night run').first().waitFor()
      const directory = withToken(portal, token)
      assert.equal((await directory.get(`${SCIM}/Users`)).status, 403)
      await page.getByRole('switch', { name: t.active }).click()
      await until('the source is on', async () => (await directory.get(`${SCIM}/Users`)).status === 200)
    })

    test(titled('held deactivations are shown beside the refusals, and an administrator releases them'), async () => {
      const source = await newSource(portal, { name: `source-${own}` })
      await source.person(`kept-${own}@example.org`)
      const { id } = await source.person(`gone-${own}@example.org`)
      await portal.sql(`insert into source_deactivations (source_id, active_before) select ${source.id}, 20 from generate_series(1, 19)`)
      const off = () => source.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })
      assert.equal((await off()).status, 429)
      const { page } = await at(`/admin/provisioning/${source.id}`)
      await page.getByRole('heading', { name: t.heldTitle(1) }).waitFor()
      await page.getByText(t.codes.rate_limited).waitFor()
      await page.locator(`.provisioning-refusals a[href$="/admin/users/${id}"]`).waitFor()
      await isSound(page)
      await page.getByRole('link', { name: t.people(2) }).click()
      await page.waitForURL(/users\?source=\d+$/)
      await page.getByRole('link', { name: new RegExp(`kept-${own}`) }).waitFor()
      const whole = button(page, `${s.source} source-${own}`)
      await isSound(page)
      await whole.click()
      await page.waitForURL(/users$/)
      await page.goto(`/admin/groups?source=${source.id}`)
      await page.getByText(g.nothing).waitFor()
      await isSound(page)
      await page.goto(`/admin/provisioning/${source.id}`)
      await button(page, t.release).click()
      await page.getByText(t.released(1)).waitFor()
      assert.equal((await off()).status, 200)
      await page.goto(`/admin/users/${id}?tab=profile`)
      await page.getByText(p.managedBy).waitFor()
      await isSound(page)
      await page.goto(`/admin/provisioning/${source.id}`)
      await button(page, t.remove).click()
      await page.getByRole('dialog').getByRole('button', { name: t.remove, exact: true }).click()
      await page.waitForURL(/provisioning$/)
    })

    test(titled('switches pressed in quick succession are all saved, and the number to release does not change by itself'), async () => {
      const source = await newSource(portal, { name: `source-with-${own}` })
      const { page } = await at(`/admin/provisioning/${source.id}`)
      let held = 12
      const pressed = Promise.withResolvers<void>()
      await page.route(`**/api/admin/provisioning/sources/${source.id}`, async (route) => {
        if (route.request().method() === 'PATCH') {
          await pressed.promise
          return route.fallback()
        }
        const response = await route.fetch()
        return route.fulfill({ response, json: { ...(await response.json()), heldCount: held, heldAt: new Date().toISOString() } })
      })
      await page.reload()
      await page.getByRole('heading', { name: t.heldTitle(12) }).waitFor()
      held = 500
      await page.getByRole('switch', { name: t.settings.adoptPeople }).click()
      await page.getByRole('switch', { name: t.settings.adoptGroups }).click()
      pressed.resolve()
      await page.getByRole('heading', { name: t.heldTitle(500) }).waitFor()
      assert.equal(await page.getByLabel(t.allow).inputValue(), '12')
      await until('both are saved', async () => {
        const { adoptPeople, adoptGroups } = (await portal.admin.get(`/admin/provisioning/sources/${source.id}`)).body
        return !adoptPeople && !adoptGroups
      })
      for (const name of [t.settings.adoptPeople, t.settings.adoptGroups])
        await page.getByRole('switch', { name, checked: false }).waitFor()
    })

    test(titled('an account that is not proven is handed over, after which the source can adopt it'), async () => {
      const source = await newSource(portal, { name: `source-of-${own}` })
      const email = `stray-${own}@example.org`
      const stranger = portal.stranger()
      await stranger.post('/auth/register', { username: `stray-${own}`, email, password: 'a long password' })
      const { id } = (await stranger.get('/auth/me')).body
      assert.equal((await source.call('POST', '/Users', { userName: email })).status, 409)
      const { page } = await at(`/admin/users/${id}?tab=profile`)
      await button(page, p.handOver).click()
      await isSound(page)
      await page.getByRole('dialog').getByRole('button', { name: p.handOver, exact: true }).click()
      await page.getByText(p.handedOver).waitFor()
      assert.equal((await source.call('POST', '/Users', { userName: email })).status, 201)
    })
  }
})
