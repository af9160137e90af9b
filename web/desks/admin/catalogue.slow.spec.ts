/** The pages of administrators for apps, services and categories. */
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { until } from '../../../test/client.ts'
import { both as ofOrder } from '../../parts/lists/ordered/texts.ts'
import { both as ofHistory } from '../../parts/show/history/texts.ts'
import { browser, findings, foreignTexts, journeys, pairs, portalWithPages, takeFirst, tooWide } from '../../testing/browser.ts'
import { both as ofApps } from './apps/texts.ts'
import { both as ofServices } from './services/texts.ts'
import { both as ofDesk } from './texts.ts'

const portal = portalWithPages()
const names = /En|Bawaba|admin-\d+/

journeys(() => {
  const { visitAs } = browser(portal)
  let admins = 0

  /** Deletes all apps and services: every language and size creates them anew under the same names. */
  beforeEach(async () => {
    for (const list of ['/services', '/service-categories', '/apps'])
      for (const { id } of (await portal.admin.get(list)).body) await portal.admin.delete(`${list}/${id}?force=true`)
  })

  for (const pair of pairs) {
    const { language, size } = pair
    const titled = (title: string) => `${title} (${language}, ${size})`
    const nameOf = ({ nameAr, nameEn }: { nameAr: string; nameEn: string }) => (language === 'ar' ? nameAr : nameEn)
    const [d, o] = [ofDesk[language], ofOrder[language]]
    const s = ofServices[language]
    /** Opens an address of the administration as a new administrator. */
    async function at(path: string) {
      const { username } = await portal.person(`admin-${admins++}`, { roles: ['admin'] })
      const opened = await visitAs(username, pair)
      await opened.page.goto(path)
      return opened
    }
    const addService = async (nameAr: string, nameEn: string, more = {}) =>
      (await portal.admin.post('/services', { nameAr, nameEn, ...more })).body as { id: number; nameAr: string; nameEn: string }
    const readService = async (id: number) => (await portal.admin.get(`/services/${id}`)).body

    test(titled('a category and a service are created, and the service is edited beside its card'), async () => {
      const { page } = await at('/admin/services')
      await page.getByRole('button', { name: s.newCategory }).first().click()
      await page.getByLabel(s.nameAr).fill('الضيافة')
      await page.getByLabel(s.nameEn).fill('Hospitality')
      await page.getByRole('button', { name: s.createCategory }).click()
      await page.getByText(s.categoryCreated).waitFor()
      await page
        .getByRole('button', { name: nameOf({ nameAr: 'الضيافة', nameEn: 'Hospitality' }) })
        .first()
        .click()
      await page.getByRole('button', { name: s.newService }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(s.nameAr).fill('قهوة عربية')
      await dialog.getByLabel(s.nameEn).fill('Arabic coffee')
      assert.deepEqual(await findings(page), [])
      await dialog.getByRole('button', { name: s.create }).click()
      await page.waitForURL(/\/admin\/services\/\d+$/)
      const id = Number(page.url().split('/').at(-1))
      const { nameAr, nameEn, categoryId } = await readService(id)
      assert.deepEqual({ nameAr, nameEn, isFiled: categoryId !== null }, { nameAr: 'قهوة عربية', nameEn: 'Arabic coffee', isFiled: true })
      await page.getByLabel(s.price).fill('5')
      await page.locator('.desk-service').getByText('5').waitFor()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, names), [])
      await page.keyboard.press('Control+s')
      await page.getByText(s.saved).waitFor()
      assert.equal((await readService(id)).price, '5')
      assert.deepEqual(await tooWide(page), [])
    })

    test(titled('a service is turned off and on and moved by keyboard, with undo'), async () => {
      const [first, second] = [await addService('شاي', 'Tea'), await addService('ماء', 'Water')]
      const { page } = await at('/admin/services')
      await page.getByRole('switch', { name: s.orderableOf(nameOf(first)) }).click()
      await page.getByText(s.off(nameOf(first), 0)).waitFor()
      assert.equal((await readService(first.id)).isAvailable, false)
      await page.keyboard.press('Control+z')
      await page.getByText(s.on(nameOf(first))).waitFor()
      assert.equal((await readService(first.id)).isAvailable, true)
      const order = async () => {
        const all: { id: number }[] = (await portal.admin.get('/services')).body
        return all.map(({ id }) => id).filter((id) => id === first.id || id === second.id)
      }
      await page.getByRole('button', { name: o.move(nameOf(second)) }).focus()
      await page.keyboard.press('Alt+ArrowUp')
      await page.getByText(s.servicesOrdered).waitFor()
      assert.deepEqual(await order(), [second.id, first.id])
      await page
        .getByRole('button', { name: o.move(nameOf(second)) })
        .and(page.locator(':focus'))
        .waitFor()
      await page.keyboard.press('Control+z')
      await until('the former order is saved', async () => (await order())[0] === first.id)
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await tooWide(page), [])
    })

    test(titled('undo restores a deleted service; a service with orders is deleted only with those that were shown'), async () => {
      const [idle, ordered] = [await addService('طباعة', 'Printing'), await addService('سيارة', 'Car')]
      await portal.admin.post('/orders', { serviceId: ordered.id })
      const { page } = await at(`/admin/services/${idle.id}`)
      await page.getByRole('button', { name: s.remove }).click()
      await page.getByText(s.removed(nameOf(idle))).waitFor()
      await page.waitForURL('**/admin/services')
      assert.equal((await portal.admin.get(`/services/${idle.id}`)).status, 404)
      await page.keyboard.press('Control+z')
      await page.getByText(d.isBack).waitFor()
      assert.equal((await readService(idle.id)).nameEn, 'Printing')
      await page.goto(`/admin/services/${ordered.id}`)
      await page.getByRole('button', { name: s.remove }).click()
      await page.getByText(s.removeOrders(1)).waitFor()
      assert.deepEqual(await findings(page), [])
      await portal.admin.post('/orders', { serviceId: ordered.id })
      await page.getByRole('button', { name: s.removeWith(1) }).click()
      await page.getByRole('button', { name: s.removeWith(2) }).waitFor()
      assert.equal((await readService(ordered.id)).nameEn, 'Car')
      await page.getByRole('button', { name: s.removeWith(2) }).click()
      await page.waitForURL('**/admin/services')
      await page.goto(`/admin/services/${ordered.id}`)
      await page.getByRole('heading', { name: s.gone }).waitFor()
      await page.getByRole('link', { name: d.whatHappened }).waitFor()
      assert.deepEqual(await findings(page), [])
    })

    const a = ofApps[language]
    test(titled('an app is created, its tile is previewed, and it is hidden and shown again'), async () => {
      const { page } = await at('/admin/apps?new=1')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(a.nameAr).fill('الميزانية')
      await dialog.getByLabel(a.nameEn).fill(`Budget ${size} ${language}`)
      await dialog.getByLabel(a.externalUrl).fill('https://budget.example.org/')
      assert.deepEqual(await findings(page), [])
      await dialog.getByRole('button', { name: a.create }).click()
      await page.waitForURL(/\/admin\/apps\/\d+$/)
      const id = Number(page.url().split('/').at(-1))
      const read = async () => (await portal.admin.get(`/apps/${id}`)).body
      assert.equal((await read()).slug, `budget-${size}-${language}`)
      await page.getByRole('radio', { name: a.colorNames[3]! }).check()
      await page.getByLabel(a.nameEn).fill('Spending')
      await page.locator('.desk-app-live').getByText('Spending').first().waitFor()
      assert.deepEqual(await findings(page), [])
      await page.keyboard.press('Control+s')
      await page.getByText(a.saved).waitFor()
      const { color, nameEn } = await read()
      assert.deepEqual({ color, nameEn }, { color: '#744210', nameEn: 'Spending' })
      await page.getByRole('switch', { name: a.active }).click()
      await page.getByText(a.isHidden(nameOf({ nameAr: 'الميزانية', nameEn: 'Spending' }))).waitFor()
      assert.equal((await read()).isActive, false)
      await page.keyboard.press('Control+z')
      await page.getByText(a.shown(nameOf({ nameAr: 'الميزانية', nameEn: 'Spending' }))).waitFor()
      assert.equal((await read()).isActive, true)
      assert.deepEqual(await foreignTexts(page, language, /En|Bawaba|admin-\d+|Spending/), [])
      assert.deepEqual(await tooWide(page), [])
    })

    test(titled('a change of who sees an app is previewed, its people are listed with reasons, and it is reverted'), async () => {
      const person = await portal.person(`viewer-${language}-${size}`, { displayNameAr: 'لينا صباغ', displayNameEn: 'Lina Sabbagh' })
      await portal.person(`onlooker-${language}-${size}`)
      const slug = `payroll-${language}-${size}`
      const more = { slug, route: `/${slug}`, iconName: 'wallet', color: '#276749' }
      const app = (await portal.admin.post('/apps', { nameAr: 'الرواتب', nameEn: 'Payroll', ...more })).body
      const group = (await portal.admin.post('/groups', { name: slug, descriptionAr: 'الشؤون المالية', descriptionEn: 'Finance' })).body
      await portal.admin.post(`/groups/${group.id}/users`, { userId: person.id })
      const { page } = await at(`/admin/apps/${app.id}?tab=who`)
      await page.getByText(a.seenByAll).waitFor()
      await takeFirst(page.getByRole('combobox', { name: a.addPermission }), 'orders.receive')
      await takeFirst(page.getByRole('combobox', { name: a.addGroup }), slug)
      const save = page.locator('.consequences-acts [data-kind=main]:not([aria-busy=true])').filter({ hasText: ':' })
      await save.waitFor()
      assert.deepEqual(await findings(page), [])
      await save.click()
      await page.getByText(a.accessSaved).waitFor()
      assert.equal((await person.get(`/apps/${app.id}`)).status, 200)
      await page.goto(`/admin/apps/${app.id}?tab=people&q=viewer`)
      await page
        .locator('.desk-app-list li')
        .filter({ hasText: language === 'ar' ? 'لينا صباغ' : 'Lina Sabbagh' })
        .waitFor()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await tooWide(page), [])

      await page.getByRole('tab', { name: a.tabs.history }).click()
      const { putBack, done } = ofHistory[language]
      await page.locator('.history-entry').getByRole('button', { name: putBack }).click()
      assert.deepEqual(await findings(page), [])
      await page.locator('.previewed').getByRole('button', { name: putBack }).click()
      await page.getByText(done).waitFor()
      assert.deepEqual((await portal.admin.get(`/apps/${app.id}/permissions`)).body, [])
      assert.deepEqual(await tooWide(page), [])

      await page.getByRole('tab', { name: a.tabs.fields }).click()
      await page.getByRole('button', { name: a.remove }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('link', { name: nameOf({ nameAr: 'الشؤون المالية', nameEn: 'Finance' }) }).waitFor()
      assert.deepEqual(await findings(page), [])
      await dialog.getByRole('button', { name: a.hideInstead }).click()
      await page.getByText(a.hidden, { exact: true }).waitFor()
      assert.equal((await portal.admin.get(`/apps/${app.id}`)).body.isActive, false)
    })

    test(titled('apps are reordered by keyboard, and a table shows their figures'), async () => {
      const add = async (nameEn: string) => {
        const slug = `${nameEn.toLowerCase()}-${language}-${size}`
        return (await portal.admin.post('/apps', { slug, route: `/${slug}`, nameAr: nameEn, nameEn, iconName: 'mail', color: '#1d4ed8' }))
          .body.id
      }
      const [first, second] = [await add('Alpha'), await add('Beta')]
      const { page } = await at('/admin/apps')
      await page.getByRole('button', { name: o.move('Beta') }).focus()
      await page.keyboard.press('Alt+ArrowUp')
      await page.getByText(a.ordered).waitFor()
      const all: { id: number }[] = (await portal.admin.get('/admin/apps')).body
      assert.deepEqual(
        all.map(({ id }) => id).filter((id) => id === first || id === second),
        [second, first],
      )
      assert.deepEqual(await findings(page), [])
      await page.getByRole('button', { name: a.table }).click()
      await page.getByRole('columnheader', { name: a.opens }).waitFor()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await tooWide(page), [])
    })
  }
})
