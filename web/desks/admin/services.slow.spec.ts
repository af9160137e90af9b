/** Categories and approval steps of services, when answers are late or refuse something. */
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { both as ofSaving } from '../../parts/forms/saving-texts.ts'
import { both as ofParts } from '../../parts/texts.ts'
import { browser, findings, holdCalls, journeys, pairs, portalWithPages } from '../../testing/browser.ts'
import { both as ofApprovals } from './services/approvals-texts.ts'
import { both } from './services/texts.ts'

const portal = portalWithPages()

journeys(() => {
  const { visitAs } = browser(portal)
  let made = 0

  for (const pair of pairs) {
    const { language, size } = pair
    const titled = (title: string) => `${title} (${language}, ${size})`
    const [s, a] = [both[language], ofApprovals[language]]
    async function at(path: string) {
      const { username } = await portal.person(`admin-${made++}`, { roles: ['admin'] })
      const { page } = await visitAs(username, pair)
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      return page
    }

    test(titled('undoing the rename of a category leaves another open dialog and its text'), async () => {
      const names = { nameAr: `تصنيف ${made}`, nameEn: `Category ${made}` }
      const { id } = (await portal.admin.post('/service-categories', names)).body
      const page = await at(`/admin/services?category=${id}`)
      await page.getByRole('button', { name: s.renameCategory }).click()
      await page.getByLabel(s.nameEn).fill('Other')
      await page.keyboard.press('Control+s')
      await page.getByText(s.categorySaved).waitFor()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: s.newCategory }).first().click()
      await page.getByLabel(s.nameEn).fill('A new one')
      const undone = page.waitForResponse((response) => response.request().method() === 'PATCH')
      await page.locator('dialog .toast').getByRole('button', { name: ofParts[language].undo }).click()
      await undone
      await page.locator('dialog .toast').filter({ hasNotText: s.categorySaved }).waitFor()
      assert.equal(await page.getByLabel(s.nameEn).inputValue(), 'A new one')
      const all = (await portal.admin.get('/service-categories')).body as { id: number; nameEn: string }[]
      assert.equal(all.find((one) => one.id === id)!.nameEn, names.nameEn)
    })

    test(titled('undo of a rename leaves the name that somebody else has saved since'), async () => {
      const { id } = (await portal.admin.post('/service-categories', { nameAr: `تصنيف ${made}`, nameEn: `Category ${made}` })).body
      const address = `/service-categories/${id}`
      const page = await at(`/admin/services?category=${id}`)
      await page.getByRole('button', { name: s.renameCategory }).click()
      await page.getByLabel(s.nameEn).fill('Mine')
      let isSaved = false
      await page.route(`**/api${address}`, async (route) => {
        if (isSaved || route.request().method() !== 'PATCH') return route.fallback()
        isSaved = true
        const response = await route.fetch()
        await portal.admin.patch(address, { nameEn: 'Theirs' })
        await route.fulfill({ response })
      })
      await page.keyboard.press('Control+s')
      await page.getByText(s.categorySaved).waitFor()
      const undone = page.waitForResponse((response) => response.request().method() === 'PATCH')
      await page.getByRole('button', { name: ofParts[language].undo }).click()
      assert.equal((await undone).status(), 412)
      assert.equal((await portal.admin.get(address)).body.nameEn, 'Theirs')
    })

    test(titled('a category whose deletion is answered late leaves the deletion of another one open'), async () => {
      const [one, other] = [`First ${made}`, `Second ${made}`]
      const add = async (nameEn: string) => (await portal.admin.post('/service-categories', { nameAr: nameEn, nameEn })).body.id as number
      const [first, second] = [await add(one), await add(other)]
      const page = await at(`/admin/services?category=${first}`)
      const dialog = page.getByRole('dialog')
      const open = () => page.getByRole('button', { name: s.removeCategory }).click()
      await open()
      const deletion = await holdCalls(page, `**/api/service-categories/${first}`)
      await dialog.getByRole('button', { name: s.removeCategory }).click()
      await deletion.began
      await dialog.getByRole('button', { name: s.cancel }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: new RegExp(`^${other}`) }).click()
      await open()
      await dialog.getByRole('heading', { name: s.removeCategoryTitle(other) }).waitFor()
      deletion.release()
      await dialog.locator('.toast').waitFor()
      await dialog.getByRole('button', { name: s.removeCategory }).waitFor()
      assert.match(page.url(), new RegExp(`category=${second}&category-delete=${second}`))
    })

    test(titled('a step of approval shows that its name is missing, and its error stays with it'), async () => {
      const { id } = (await portal.admin.post('/services', { nameAr: `خدمة ${made}`, nameEn: `Service ${made}` })).body
      const page = await at(`/admin/services/${id}`)
      const add = page.getByRole('button', { name: a.addStep })
      await add.click()
      await page.keyboard.press('Control+s')
      await page.getByText(ofSaving[language].missing).first().waitFor()
      assert.equal(await page.locator('.desk-services-step [aria-invalid=true]').count(), 2)
      assert.deepEqual(await findings(page), [])
      await add.click()
      for (const [n, name] of ['First', 'Second'].entries()) {
        const step = page.locator('.desk-services-step').nth(n)
        await step.getByLabel(a.nameAr).fill(`${name} ع`)
        await step.getByLabel(a.nameEn).fill(name)
      }
      const detail = { path: 'steps/1/nameEn', rule: 'pattern', params: {}, messageAr: 'مرفوض هنا', messageEn: 'Refused here' }
      const body = { code: 'validation_failed', messageAr: 'مرفوض', messageEn: 'Refused', details: [detail] }
      await page.route(`**/api/services/${id}/handling`, (route) =>
        route.request().method() === 'PUT' ? route.fulfill({ status: 400, json: body }) : route.fallback(),
      )
      await page.keyboard.press('Control+s')
      const wrong = page.locator('.desk-services-step [aria-invalid=true]')
      await wrong.waitFor()
      assert.equal(await wrong.inputValue(), 'Second')
      await page
        .locator('.desk-services-step')
        .first()
        .getByRole('button', { name: a.removeStep('').trim() })
        .click()
      assert.equal(await wrong.inputValue(), 'Second')
    })
  }
})
