/** A lead follows the orders of a team, gives them to others, and pauses a service. */
import assert from 'node:assert/strict'
import '../testing/document.ts'
import { test } from 'node:test'
import { until } from '../../test/client.ts'
import { makers } from '../../test/makers.ts'
import { both as ofCancelling } from '../parts/cancel-dialog-texts.ts'
import { both as noticeTexts } from '../parts/service-notice/texts.ts'
import { browser, findings, foundOption, journeys, pairs, portalWithPages, tooWide } from '../testing/browser.ts'
import { both } from './texts.ts'

const portal = portalWithPages()
const { newGroup, newService } = makers(portal)

journeys(() => {
  const { visitAs } = browser(portal)
  let count = 0

  for (const pair of pairs) {
    const { language, size } = pair
    const t = both[language]
    const titled = (title: string) => `${title} (${language}, ${size})`
    const pick = (ar: string, en: string) => (language === 'ar' ? ar : en)

    async function openWorld() {
      await portal.ready
      const n = ++count
      const receives = { roles: ['order_receiver'] }
      const [lead, worker, other, placer] = [
        await portal.person(`lead${n}`),
        await portal.person(`worker${n}`, receives),
        await portal.person(`other${n}`, receives),
        await portal.person(`placer${n}`),
      ]
      const team = async (ar: string, en: string, fields: { userIds: number[]; leadUserIds: number[] }) => {
        const names = { nameAr: `${ar} ${n}`, nameEn: `${en} ${n}` }
        const group = await newGroup({ userIds: fields.userIds })
        const { body } = await portal.admin.post('/service-teams', { ...names, groupIds: [group.id], leadUserIds: fields.leadUserIds })
        return { ...names, id: body.id as number }
      }
      const ours = await team('التقنية', 'IT support', { userIds: [worker.id], leadUserIds: [lead.id] })
      const others = await team('الصيانة', 'Maintenance', { userIds: [other.id], leadUserIds: [] })
      const service = await newService({ nameAr: 'مصباح', nameEn: 'Lamp' })
      await portal.admin.put(`/services/${service.id}/handling`, { teamId: ours.id })
      const place = async (notes: string) => (await placer.post('/orders', { serviceId: service.id, notes })).body.id as number
      const { page } = await visitAs(lead.username, pair)
      const card = (notes: string) => page.locator('.team-card').filter({ hasText: notes })
      const menuOf = (notes: string) => card(notes).getByRole('button', { name: t.more(pick('مصباح', 'Lamp')) })
      return { page, card, menuOf, lead, worker, placer, others, service, place }
    }

    test(titled('a lead assigns an order, takes it back, hands one over and cancels one'), async () => {
      const { page, card, menuOf, lead, worker, others, place } = await openWorld()
      const [first, second, third] = [await place('first'), await place('second'), await place('third')]
      await page.goto('/team')
      await card('first')
        .getByRole('button', { name: t.assignOf(pick('مصباح', 'Lamp'), '') })
        .click()
      await foundOption(page, { name: worker.username }).waitFor()
      assert.deepEqual([await findings(page), await tooWide(page)], [[], []])
      await foundOption(page, { name: worker.username }).click()
      await page.getByRole('region', { name: t.inWork }).getByText('first').waitFor()
      assert.deepEqual([await findings(page), await tooWide(page)], [[], []])
      await menuOf('first').click()
      await page.getByRole('menuitem', { name: t.release }).click()
      await page.getByRole('region', { name: t.unclaimed }).getByText('first').waitFor()
      assert.equal((await lead.get(`/orders/${first}`)).body.assignedTo, null)
      await menuOf('second').click()
      await page.getByRole('menuitem', { name: t.handOver }).click()
      await foundOption(page, { name: pick(others.nameAr, others.nameEn) }).click()
      await card('second').waitFor({ state: 'detached' })
      assert.equal((await lead.get(`/orders/${second}`)).status, 404)
      await menuOf('third').click()
      await page.getByRole('menuitem', { name: t.cancel }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(ofCancelling[language].reason).fill('Sold out')
      await dialog.getByRole('button', { name: ofCancelling[language].yes }).click()
      await card('third').waitFor({ state: 'detached' })
      assert.equal((await lead.get(`/orders/${third}`)).body.status, 'cancelled')
    })

    test(titled('a lead pauses a service with two presses'), async () => {
      const { page, placer, service } = await openWorld()
      await page.goto('/team')
      await page.getByRole('button', { name: t.stopOf(pick('مصباح', 'Lamp')) }).click()
      const paused = page.getByRole('switch', { name: noticeTexts[language].paused })
      await paused.waitFor()
      assert.deepEqual([await findings(page), await tooWide(page)], [[], []])
      await page.getByRole('dialog').locator('button[type=submit]').click()
      await until('the service is paused', async () => {
        const { body } = await placer.get(`/service-catalogue/${service.id}`)
        return body.isPaused === true
      })
      await page.locator('.team-card .chip').getByText(t.isPaused).waitFor()
    })

    test(titled('the navigation leads to the room of those who lead a team, and others find it empty'), async () => {
      const { page, placer } = await openWorld()
      await page.goto('/')
      await page.goto('/team')
      await page.getByRole('navigation').locator('[aria-current=page], .more-here').first().waitFor()
      const { page: empty } = await visitAs(placer.username, pair)
      await empty.goto('/team')
      await empty.getByRole('heading', { level: 1, name: t.none }).waitFor()
      assert.deepEqual([await findings(empty), await tooWide(empty)], [[], []])
      assert.equal(await empty.getByRole('navigation').locator('[aria-current=page]').count(), 0)
    })
  }
})
