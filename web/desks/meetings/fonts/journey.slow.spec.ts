/** The font of printed sheets: chosen beside a preview, for the office or for oneself. */
import '../../../testing/document.ts'
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { archiving } from '../../../../test/archives.ts'
import { MEETINGS } from '../../../../test/meetings.ts'
import { language as inForce } from '../../../platform/language.ts'
import { browser, findings, foreignTexts, journeys, pairs, portalWithPages, tooWide } from '../../../testing/browser.ts'
import { t } from './texts.ts'

const portal = portalWithPages()
const { meet } = archiving(portal)
const SETTINGS = `${MEETINGS}/font-settings`
const names = /En|Bawaba|office-\d+|PDF|My Face|Amiri/

journeys(() => {
  const { visitAs } = browser(portal)
  let visitors = 0
  afterEach(() => portal.admin.delete(`${SETTINGS}?scope=global`))

  for (const pair of pairs) {
    const { language, size } = pair
    const titled = (title: string) => `${title} (${language}, ${size})`
    async function at(role = 'executive_coordinator', own: object | undefined = undefined) {
      inForce.value = language
      const client = await portal.person(`office-${visitors++}`, { roles: [role] })
      if (own) await client.put(SETTINGS, own)
      const opened = await visitAs(client.username, pair)
      await opened.page.goto('/meetings/archives/fonts')
      await opened.page.locator('.fonts-desk > img').waitFor()
      return { ...opened, client }
    }
    const picture = (page: Page) => page.locator('.fonts-desk > img').getAttribute('src')
    /** Waits until the preview shows a picture other than `former`. */
    const changes = (page: Page, former: string | null) =>
      page.waitForFunction((src) => {
        const shown = document.querySelector('.fonts-desk:not([aria-busy=true]) > img')
        return shown !== null && shown.getAttribute('src') !== src
      }, former)

    test(titled('a family is chosen beside the preview, saved for the office, and undone'), async () => {
      await meet(new Date(Date.now() + 86_400_000).toISOString().slice(0, 10), { notes: 'x '.repeat(300) })
      const { page } = await at()
      assert.equal(await page.getByRole('radio', { name: 'Amiri' }).isChecked(), true)
      assert.deepEqual(await page.getByRole('group', { name: t.weight }).getByRole('button').allTextContents(), [
        t.weights[400]!,
        t.weights[700]!,
      ])
      const first = await picture(page)
      await page.getByRole('radio', { name: 'Cairo' }).check()
      await changes(page, first)
      assert.equal(await page.getByRole('group', { name: t.weight }).getByRole('button').count(), 5)
      const second = await picture(page)
      await page.getByRole('textbox', { name: t.size }).fill('20')
      await changes(page, second)
      assert.equal(await page.getByRole('slider', { name: t.size }).inputValue(), '20')
      await page.getByRole('button', { name: t.alignments.center }).click()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, names), [])
      await page.getByRole('button', { name: t.save.global }).click()
      await page.getByText(t.saved.global).waitFor()
      const { global } = (await portal.admin.get(SETTINGS)).body
      assert.deepEqual(global, { fontFamily: 'Cairo', fontSize: 20, fontWeight: 400, alignment: 'center' })
      await page.keyboard.press('Control+z')
      await page.getByRole('radio', { name: 'Amiri', checked: true }).waitFor()
      assert.equal((await portal.admin.get(SETTINGS)).body.global, null)
      assert.deepEqual(await tooWide(page), [])

      await page.getByRole('radio', { name: 'Cairo' }).check()
      await page.getByRole('button', { name: t.save.global }).click()
      await page.getByText(t.saved.global).waitFor()
      await portal.admin.put(SETTINGS, { scope: 'global', fontSize: 30 })
      await page.keyboard.press('Control+z')
      await page.getByText(t.notUndone).waitFor()
      assert.equal((await portal.admin.get(SETTINGS)).body.global.fontSize, 30)
    })

    test(titled('a size that no sheet can have shows an error and is neither previewed nor saved'), async () => {
      const { page } = await at()
      await page.getByRole('textbox', { name: t.size }).fill('50')
      await page.getByText(t.sizeBounds).waitFor()
      assert.equal(await page.getByRole('button', { name: t.save.global }).count(), 0)
      await page.getByRole('textbox', { name: t.size }).press('ArrowUp')
      await page.getByRole('slider', { name: t.size }).press('Home')
      await page.getByText(t.sizeBounds).waitFor({ state: 'detached' })
      assert.equal(await page.getByRole('textbox', { name: t.size }).inputValue(), '8')
    })

    test(titled("people who may not change meetings choose a font for themselves only, and can return to the office's"), async () => {
      const { page, client } = await at('executive_viewer', { fontFamily: 'My Face', fontSize: 18 })
      await page.getByText('My Face').waitFor()
      assert.equal(await page.getByRole('group', { name: t.scope }).count(), 0)
      assert.deepEqual(await findings(page), [])
      await page.getByRole('button', { name: t.giveUp.user }).click()
      await page.getByText(t.givenUp.user).waitFor()
      assert.equal((await client.get(SETTINGS)).body.own, null)
    })

    test(titled('people who set the office’s font see how many people have a font of their own'), async () => {
      const { page, client } = await at('executive_office_manager', { fontSize: 18 })
      const { ownCount } = (await client.get(SETTINGS)).body
      await page.getByText(t.reach.global(ownCount)).waitFor()
      await page.getByText(t.youToo).waitFor()
      await page.getByRole('button', { name: t.scopes.user }).click()
      await page.getByText(t.isInForce.user).waitFor()
      assert.match(page.url(), /scope=user/)
      assert.equal(await page.getByRole('textbox', { name: t.size }).inputValue(), '18')
    })
  }
})
