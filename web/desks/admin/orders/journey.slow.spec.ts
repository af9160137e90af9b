/** All orders: filtered, assigned, returned, cancelled and deleted, while other people change them too. */
import '../../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../../../../test/client.ts'
import { both as filters } from '../../../parts/lists/filters/texts.ts'
import { both as ofCancelling } from '../../../parts/overlay/cancel-dialog-texts.ts'
import { both as toasts } from '../../../parts/texts.ts'
import { both as words } from '../../../people/orders/texts.ts'
import { browser, findings, foreignTexts, foundOption, journeys, pairs, portalWithPages, tooWide } from '../../../testing/browser.ts'
import { setPortalClock } from '../../../testing/clock.ts'
import { both } from './texts.ts'

const portal = portalWithPages()
const named = (ar: string, en: string) => ({ displayNameAr: ar, displayNameEn: en })

journeys(() => {
  const { visitAs } = browser(portal)
  let made = 0

  /** A new service with three waiting orders, and an administrator who has the list open. */
  async function setUp(language: 'ar' | 'en', size: 'phone' | 'desktop' = 'desktop') {
    const n = ++made
    await portal.person(`boss${n}`, { ...named('عمر', 'Omar'), roles: ['admin'] })
    const tariq = await portal.person(`tariq${n}`, { ...named('طارق', 'Tariq'), roles: ['order_receiver'] })
    await portal.person(`layla${n}`, { ...named(`ليلى ${n}`, `Layla ${n}`), roles: ['order_receiver'] })
    const owner = await portal.person(`noura${n}`, named('نورة', 'Noura'))
    const service = (await portal.admin.post('/services', { nameAr: 'ضيافة', nameEn: 'Hospitality' })).body.id
    const place = async (notes: string) => (await owner.post('/orders', { serviceId: service, notes })).body.id as number
    const ids = [await place('one'), await place('two'), await place('three')]
    const { page } = await visitAs(`boss${n}`, { language, size })
    await page.goto(`/admin/orders?service=${service}`)
    const t = both[language]
    await page.getByRole('heading', { level: 1, name: t.title }).waitFor()
    await rows(page).nth(2).waitFor()
    return { page, t, n, tariq, owner, service, place, ids }
  }
  const rows = (page: Page) => page.locator('[role=rowgroup] [role=row]')
  const row = (page: Page, note: string) => rows(page).filter({ hasText: note })
  /** Waits until a tab shows the count. */
  const counted = (page: Page, tab: string, count: number) => page.getByRole('tab', { name: new RegExp(`^${tab}\\s*${count}$`) }).waitFor()

  for (const { language, size } of pairs) {
    test(`an order is assigned after a preview, and undo returns it (${language}, ${size})`, async () => {
      const { page, t, n } = await setUp(language, size)
      await counted(page, t.tabs.pending, 3)
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, /one|two|three|Bawaba|Ctrl/), [])
      await row(page, 'one')
        .getByRole('button', { name: t.acts(language === 'ar' ? 'ضيافة' : 'Hospitality') })
        .click()
      await page.getByRole('menuitem', { name: t.assign }).click()
      const dialog = page.getByRole('dialog')
      const name = language === 'ar' ? `ليلى ${n}` : `Layla ${n}`
      await dialog.getByRole('combobox').fill(name)
      await foundOption(dialog, { name }).click()
      await dialog
        .getByText(/Layla|ليلى/)
        .first()
        .waitFor()
      assert.deepEqual(await findings(page), [])
      await dialog.getByRole('button', { name }).click()
      await page.getByRole('button', { name: toasts[language].undo }).waitFor()
      const states = async () => (await portal.admin.get('/orders')).body.counts
      await until('an order is assigned', async () => (await states()).received === 1)
      await page.getByRole('button', { name: toasts[language].undo }).click()
      await counted(page, t.tabs.received, 0)
      await counted(page, t.tabs.pending, 3)
      assert.deepEqual(await tooWide(page), [])
    })

    test(`the choice of one day is named by its date in UTC, and the choices say so (${language}, ${size})`, async () => {
      const { page, t, service } = await setUp(language, size)
      const devtools = await page.context().newCDPSession(page)
      await devtools.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Riyadh' })
      await setPortalClock(page, '2031-12-27T22:30:00Z')
      await page.goto(`/admin/orders?service=${service}`)
      await page.getByRole('button', { name: `${t.days}: ${t.allDays}` }).click()
      await page.getByText(filters[language].utc).waitFor()
      assert.deepEqual(await findings(page), [])
      const oneDay = language === 'ar' ? '27 ديسمبر 2031' : '27 Dec 2031'
      const choices = [t.allDays, oneDay, t.lastDays(7), t.lastDays(30)]
      assert.deepEqual(await page.getByRole('menuitemradio').allTextContents(), choices)
      await page.getByRole('menuitemradio', { name: oneDay }).click()
      await page.waitForURL('**from=2031-12-27')
      await page.getByRole('button', { name: `${t.days}: ${oneDay}` }).waitFor()
    })

    test(`a row opens the history of its order, and closing it restores the focus (${language}, ${size})`, async () => {
      const { page, t, ids } = await setUp(language, size)
      const link = row(page, 'two').getByRole('link')
      await link.click()
      await page.waitForURL(`**open=${ids[1]}`)
      const beside = page.getByRole(size === 'phone' ? 'dialog' : 'complementary')
      await beside.getByText(t.lived.pending).waitFor()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, /one|two|three|Bawaba|Ctrl/), [])
      await page.keyboard.press('Escape')
      await beside.waitFor({ state: 'detached' })
      await page.waitForFunction((id) => document.activeElement?.getAttribute('href')?.endsWith(`open=${id}`), ids[1])
    })
  }

  test('an order that waits for an approval can be cancelled or deleted, but neither assigned nor released', async () => {
    const { page, t, owner, service, tariq } = await setUp('en')
    const steps = [{ key: 'budget', nameAr: 'الميزانية', nameEn: 'Budget', userIds: [tariq.id] }]
    assert.equal((await portal.admin.put(`/services/${service}/handling`, { steps })).status, 200)
    assert.ok((await owner.post('/orders', { serviceId: service, notes: 'held' })).body.id)
    await page.reload()
    await row(page, 'held')
      .getByRole('button', { name: t.acts('Hospitality') })
      .press('Enter')
    await page.getByRole('menuitem').first().waitFor()
    assert.deepEqual(await page.getByRole('menuitem').allTextContents(), [t.cancel, t.remove])
    assert.deepEqual(await findings(page), [])
  })

  test('orders are selected by keyboard and deleted, with an outcome for each', async () => {
    const { page, t, ids } = await setUp('en')
    await rows(page).first().focus()
    await page.keyboard.press('x')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('x')
    await page.locator('.chosen').getByRole('button', { name: t.remove }).click()
    await portal.admin.delete(`/orders/${ids[2]}`)
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t.removeYes(2) })
      .click()
    await page.getByText(t.goneBefore).waitFor()
    await page.getByText(t.deleted, { exact: true }).waitFor()
    assert.deepEqual(await findings(page), [])
    await page.getByRole('button', { name: t.done }).click()
    await counted(page, t.tabs.pending, 1)
  })

  test('deleting all orders that a filter finds spares an order placed after the question was asked', async () => {
    const { page, t, place } = await setUp('en')
    await rows(page).first().focus()
    await page.keyboard.press('Control+a')
    await page.locator('.chosen').getByRole('button', { name: t.remove }).click()
    const yes = page.getByRole('dialog').getByRole('button', { name: t.removeYes(3) })
    await yes.waitFor()
    await place('four')
    await counted(page, t.tabs.pending, 4)
    await yes.click()
    await page.getByText(t.deleted, { exact: true }).first().waitFor()
    await page.getByRole('button', { name: t.done }).click()
    await counted(page, t.tabs.pending, 1)
  })

  test('a cancellation is undone, and undoing a return gives the order back to its receiver', async () => {
    const { page, t, tariq, ids } = await setUp('en')
    await tariq.patch(`/orders/${ids[0]}/confirm-receipt`, {})
    await page.getByRole('tab', { name: new RegExp(`^${t.tabs.received}`) }).click()
    await page.waitForURL('**status=received')
    await row(page, 'one').getByText('Tariq').waitFor()
    const act = async (text: string) => {
      await row(page, 'one')
        .getByRole('button', { name: t.acts('Hospitality') })
        .click()
      await page.getByRole('menuitem', { name: text }).click()
    }
    await act(t.cancel)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(ofCancelling.en.reason).fill('Sold out')
    await dialog.getByRole('button', { name: ofCancelling.en.yes }).click()
    await page.getByText(words.en.said.cancelled('Hospitality')).waitFor()
    await page.keyboard.press('Control+z')
    await page.getByText(words.en.said.restored('Hospitality')).waitFor()
    await act(t.release)
    await page.getByText(t.returned('Hospitality')).waitFor()
    await page.keyboard.press('Control+z')
    await until('it is assigned again', async () => (await portal.admin.get(`/orders/${ids[0]}`)).body.assignedTo === tariq.id)
    // With the pointer and the focus elsewhere, the list updates.
    await page.getByRole('heading', { level: 1 }).click()
    await row(page, 'one').getByText('Tariq').waitFor()
  })

  test('while the pointer is on the list, new orders appear only after a press on a button', async () => {
    const { page, t, place, tariq, ids } = await setUp('en')
    await row(page, 'two').hover()
    await place('four')
    await page.getByRole('button', { name: t.news(1) }).waitFor()
    assert.equal(await rows(page).count(), 3)
    await tariq.patch(`/orders/${ids[1]}/confirm-receipt`, {})
    await row(page, 'two').getByText(t.changed).waitFor()
    await page.getByRole('button', { name: t.news(1) }).click()
    await row(page, 'four').waitFor()
    await row(page, 'two').waitFor({ state: 'detached' })
  })

  test('filters are in the address; invalid ones are dropped with a message, and an empty result offers to clear them', async () => {
    const { page, t, service } = await setUp('en')
    await page.getByRole('searchbox').fill('three')
    await row(page, 'one').waitFor({ state: 'detached' })
    await page.waitForURL(`**q=three`)
    await page.getByRole('searchbox').fill('nothing of the kind')
    await page.getByText(t.empty).waitFor()
    await page.locator('.empty').getByRole('button', { name: filters.en.clear }).click()
    await page.waitForURL((url) => !url.search)
    await page.goto(`/admin/orders?service=${service}&receiver=someone&status=lost`)
    await page.getByText(filters.en.wrong).waitFor()
    await page.waitForURL(`**/admin/orders?service=${service}`)
  })

  test('a list that fails to load says so with the request id, and loads on retry', async () => {
    const { page, t } = await setUp('en')
    let isBroken = true
    await page.route('**/api/orders?*', (route) =>
      isBroken
        ? route.fulfill({
            status: 500,
            headers: { 'x-request-id': 'abc-123' },
            json: { code: 'internal', messageEn: 'Broken', messageAr: 'خلل' },
          })
        : route.continue(),
    )
    await page.goto('/admin/orders?status=cancelled')
    await page.getByText(t.failed).waitFor()
    await page.locator('.empty summary').click()
    await page.getByText('abc-123').waitFor()
    assert.deepEqual(await findings(page), [])
    isBroken = false
    await page.getByRole('button', { name: toasts.en.retry }).click()
    await page.getByText(t.none.others).waitFor()
  })
})
