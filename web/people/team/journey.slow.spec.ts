/** A lead follows the orders of a team, passes them on, and pauses a service. */
import assert from 'node:assert/strict'
import '../../testing/document.ts'
import { test } from 'node:test'
import { until } from '../../../test/client.ts'
import { elapse } from '../../../test/clock.ts'
import { makers } from '../../../test/makers.ts'
import { both as ofCancelling } from '../../parts/overlay/cancel-dialog-texts.ts'
import { both as markTexts } from '../../parts/show/due/marks-texts.ts'
import { both as noticeTexts } from '../../parts/show/service-notice/texts.ts'
import { browser, findings, foundOption, hasLoaded, journeys, pairs, portalWithPages, tooWide } from '../../testing/browser.ts'
import { both as ofOrders } from '../orders/texts.ts'
import { both } from './texts.ts'

const portal = portalWithPages()
const { newCalendar, newGroup, newService } = makers(portal)
/** A calendar by which the teams always work. */
let calendar: ReturnType<typeof newCalendar> | undefined

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
      calendar ??= newCalendar()
      const calendarId = (await calendar).id
      const team = async (ar: string, en: string, { userIds, leadUserIds }: { userIds: number[]; leadUserIds: number[] }) => {
        const names = { nameAr: `${ar} ${n}`, nameEn: `${en} ${n}` }
        const group = await newGroup({ userIds })
        const { body } = await portal.admin.post('/service-teams', { ...names, groupIds: [group.id], leadUserIds, calendarId })
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
      return { page, card, menuOf, lead, worker, placer, ours, others, service, place, calendarId }
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
      await page.getByRole('region', { name: t.parts.work }).getByText('first').waitFor()
      assert.deepEqual([await findings(page), await tooWide(page)], [[], []])
      await menuOf('first').click()
      await page.getByRole('menuitem', { name: t.release }).click()
      await page.getByRole('region', { name: t.parts.unclaimed }).getByText('first').waitFor()
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

    test(titled('what is late comes first, then what is unclaimed, what waits and what is in work'), async () => {
      const { page, card, worker, ours, service, place, calendarId } = await openWorld()
      const headings = () => page.locator('.team-part > h2').allTextContents()
      const notesIn = (part: keyof typeof t.parts) =>
        page.getByRole('region', { name: t.parts[part], exact: true }).locator('.team-notes').allTextContents()
      await page.goto('/team')
      await page.getByText(t.noneUnclaimed).waitFor()
      assert.deepEqual(await headings(), [t.parts.unclaimed, t.services])
      await portal.admin.put(`/services/${service.id}/handling`, { teamId: ours.id, receiveMinutes: 60 })
      await place('late')
      await elapse(portal, calendarId, 61)
      await place('open')
      const [waits, works] = [await place('waits'), await place('works')]
      for (const id of [waits, works]) await worker.patch(`/orders/${id}/confirm-receipt`)
      assert.equal((await worker.post(`/orders/${waits}/wait`, { for: 'requester', text: 'Which room?' })).status, 200)
      await page.goto('/team')
      const { late, unclaimed, waiting, work } = t.parts
      // The device's copy may be older than the claims and the wait.
      for (const [part, notes] of [
        [waiting, 'waits'],
        [work, 'works'],
      ] as const)
        await page.getByRole('region', { name: part, exact: true }).getByText(notes).waitFor()
      assert.deepEqual(await headings(), [late, unclaimed, waiting, work, t.services])
      const found = await Promise.all((['late', 'unclaimed', 'waiting', 'work'] as const).map(notesIn))
      assert.deepEqual(found, [['late'], ['open'], ['waits'], ['works']])
      await card('late').locator('.chip[data-kind=danger]').waitFor()
      await card('open').locator('.chip').waitFor()
      await card('waits').getByText(markTexts[language].waiting).waitFor()
      assert.deepEqual([await findings(page), await tooWide(page)], [[], []])
    })

    test(titled('R assigns and T hands over, arrows walk the cards, and the focus stays among them'), async () => {
      const { page, card, lead, worker, others, place } = await openWorld()
      const [first, , third] = [await place('first'), await place('second'), await place('third')]
      const isOn = (notes: string) =>
        page.waitForFunction((text) => document.activeElement?.closest('.team-card')?.textContent?.includes(text), notes)
      const [onward, back] = language === 'ar' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft']
      await page.goto('/team')
      await card('third').waitFor()
      await hasLoaded(page, 'frame/later.ts')
      await page.keyboard.press('r')
      await foundOption(page, { name: worker.username }).click()
      await page.getByRole('region', { name: t.parts.work }).getByText('first').waitFor()
      assert.equal((await lead.get(`/orders/${first}`)).body.assignedTo, worker.id)
      await isOn('second')
      for (const [key, notes] of [
        [onward, 'first'],
        [back, 'second'],
        ['ArrowDown', 'third'],
      ] as const) {
        await page.keyboard.press(key)
        await isOn(notes)
      }
      await page.keyboard.press('t')
      await foundOption(page, { name: pick(others.nameAr, others.nameEn) }).click()
      await card('third').waitFor({ state: 'detached' })
      await isOn('second')
      assert.equal((await lead.get(`/orders/${third}`)).status, 404)
      assert.deepEqual([await findings(page), await tooWide(page)], [[], []])
    })

    test(titled('an order that is wanted in three weeks is folded under “Later”, where R and T leave it alone'), async () => {
      const { page, card, placer, service, lead } = await openWorld()
      const wanted = { key: 'wanted', kind: 'wanted_at', labelEn: 'When?' }
      assert.equal((await portal.admin.put(`/services/${service.id}/form`, { fields: [wanted] })).status, 200)
      const inThreeWeeks = new Date(Date.now() + 21 * 24 * 3600_000).toISOString()
      const order = { serviceId: service.id, notes: 'in three weeks', answers: { wanted: inThreeWeeks } }
      const { id } = (await placer.post('/orders', order)).body
      await page.goto('/team')
      const fold = page.locator('.team-part > summary').filter({ hasText: t.parts.later })
      await fold.waitFor()
      await page.getByText(t.noneUnclaimed).waitFor()
      await hasLoaded(page, 'frame/later.ts')
      for (const key of ['r', 't']) await page.keyboard.press(key)
      await fold.click()
      await card('in three weeks').waitFor()
      assert.deepEqual([(await lead.get(`/orders/${id}`)).body.status, await page.getByRole('dialog').count()], ['pending', 0])
      assert.deepEqual([await findings(page), await tooWide(page)], [[], []])
    })

    test(titled('the page of an order lets a lead assign it, take it back and hand it over'), async () => {
      const { page, lead, worker, others, place } = await openWorld()
      const o = ofOrders[language]
      const id = await place('first')
      const assigned = async () => (await lead.get(`/orders/${id}`)).body.assignedTo
      await page.goto(`/orders/${id}`)
      await page.getByRole('button', { name: o.assign }).click()
      await foundOption(page, { name: worker.username }).waitFor()
      assert.deepEqual([await findings(page), await tooWide(page)], [[], []])
      await foundOption(page, { name: worker.username }).click()
      await page.getByRole('button', { name: o.release }).waitFor()
      assert.equal(await assigned(), worker.id)
      await page.getByRole('button', { name: o.release }).click()
      await page.getByRole('button', { name: o.release }).waitFor({ state: 'detached' })
      await until('the order waits again', async () => (await assigned()) === null)
      await page.getByRole('button', { name: o.handOver }).click()
      await foundOption(page, { name: pick(others.nameAr, others.nameEn) }).click()
      await until('the order has left the team', async () => (await lead.get(`/orders/${id}`)).status === 404)
    })

    test(titled('a lead pauses a service with two presses and resumes it with two'), async () => {
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
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      // A service whose form has no options has nothing that may be sold out.
      assert.equal(await page.getByRole('button', { name: t.soldOutOf(pick('مصباح', 'Lamp')) }).count(), 0)
      await page.getByRole('button', { name: t.resumeOf(pick('مصباح', 'Lamp')) }).click()
      await page.getByRole('dialog').locator('button[type=submit]').click()
      await page.getByRole('button', { name: t.stopOf(pick('مصباح', 'Lamp')) }).waitFor()
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
