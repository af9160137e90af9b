/** Handing an order over to another team, the board of one team among several, and the sorting of orders by when they are due. */
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../../../test/client.ts'
import { makers } from '../../../test/makers.ts'
import { both as passing } from '../../parts/overlay/passing-on/texts.ts'
import { browser, findings, foundOption, hasLoaded, journeys, pairs, portalWithPages, tooWide } from '../../testing/browser.ts'
import { both as orderTexts } from '../orders/texts.ts'
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
    const card = (page: Page, notes: string) => page.locator('.receiving-card').filter({ hasText: notes })
    const openBoard = async (username: string) => {
      const { page } = await visitAs(username, pair)
      await page.goto('/incoming')
      await page.getByRole('heading', { level: 1 }).waitFor()
      return page
    }

    /** Two teams: `ours` has the service and the receivers `mine` and `colleague`, `others` has the receiver `theirs`. */
    let world: Awaited<ReturnType<typeof openWorld>>
    async function openWorld() {
      await portal.ready
      const n = ++count
      const person = (role: string) => portal.person(`${role}${n}`, { roles: role === 'placer' ? [] : ['order_receiver'] })
      const [placer, mine, colleague, theirs] = await Promise.all(['placer', 'mine', 'colleague', 'theirs'].map(person))
      const team = async (ar: string, en: string, userIds: number[]) => {
        const group = await newGroup({ userIds })
        const fields = { nameAr: `${ar} ${n}`, nameEn: `${en} ${n}`, groupIds: [group.id], leadUserIds: [] }
        return { ...fields, id: (await portal.admin.post('/service-teams', fields)).body.id as number, group: group.id }
      }
      const ours = await team('التقنية', 'IT support', [mine!.id, colleague!.id])
      const others = await team('الصيانة', 'Maintenance', [theirs!.id])
      const service = await newService({ nameAr: 'مصباح', nameEn: 'Lamp' })
      await portal.admin.put(`/services/${service.id}/handling`, { teamId: ours.id })
      const place = async (notes: string) => (await placer!.post('/orders', { serviceId: service.id, notes })).body.id as number
      return { placer: placer!, mine: mine!, colleague: colleague!, theirs: theirs!, ours, others, place, serviceId: service.id }
    }
    beforeEach(async () => {
      world = await openWorld()
    })

    test(titled('an order that is wanted in three weeks waits under “Later”, where R and T leave it alone'), async () => {
      const { placer, mine, serviceId } = world
      const wanted = { key: 'wanted', kind: 'wanted_at', labelEn: 'When?' }
      assert.equal((await portal.admin.put(`/services/${serviceId}/form`, { fields: [wanted] })).status, 200)
      const inDays = (days: number) => new Date(Date.now() + days * 24 * 3600_000).toISOString()
      const place = async (notes: string, answers: object) =>
        (await placer.post('/orders', { serviceId, notes, answers })).body.id as number
      const later = await place('in three weeks', { wanted: inDays(21) })
      const now = await place('at once', {})
      const page = await openBoard(mine.username)
      await card(page, 'at once').waitFor()
      await page.getByText(t.later).waitFor()
      assert.equal(await card(page, 'in three weeks').count(), 0)
      assert.deepEqual([await findings(page), await tooWide(page)], [[], []])
      await hasLoaded(page, 'frame/later.ts')
      await page.keyboard.press('r')
      await until('the order for now is claimed', async () => (await mine.get(`/orders/${now}`)).body.status === 'received')
      for (const key of ['r', 't']) await page.keyboard.press(key)
      await page.getByText(t.later).click()
      await card(page, 'in three weeks').waitFor()
      assert.deepEqual([(await mine.get(`/orders/${later}`)).body.status, await page.getByRole('dialog').count()], ['pending', 0])
    })

    if (size === 'desktop')
      test(titled('going back to the board shows the column where it was'), async () => {
        const { mine, place } = world
        for (let n = 0; n < 20; n++) await place(`order ${n}`)
        const page = await openBoard(mine.username)
        await card(page, 'order 15').scrollIntoViewIfNeeded()
        const { y } = (await card(page, 'order 15').boundingBox())!
        await card(page, 'order 15').getByRole('link').press('Enter')
        await page.waitForURL('**/orders/*')
        await page.getByRole('heading', { level: 1, name: pick('مصباح', 'Lamp') }).waitFor()
        await page.goBack()
        await until('the card is where it was', async () => Math.abs(((await card(page, 'order 15').boundingBox())?.y ?? 0) - y) < 2)
      })

    test(titled('what is due first stands at the top of the board, and R claims it'), async () => {
      const { placer, mine, ours, place, serviceId } = world
      const urgent = (await newService({ nameAr: 'شاحن', nameEn: 'Charger' })).id
      for (const [id, receiveMinutes] of [
        [serviceId, 480],
        [urgent, 30],
      ])
        assert.equal((await portal.admin.put(`/services/${id}/handling`, { teamId: ours.id, receiveMinutes })).status, 200)
      await place('has time')
      const { id } = (await placer.post('/orders', { serviceId: urgent, notes: 'urgent' })).body
      const page = await openBoard(mine.username)
      await page.waitForFunction(() => document.querySelector('.receiving-notes')?.textContent === 'urgent')
      assert.deepEqual(await page.locator('.receiving-notes').allTextContents(), ['urgent', 'has time'])
      await hasLoaded(page, 'frame/later.ts')
      await page.keyboard.press('r')
      await until('the urgent order is claimed', async () => (await mine.get(`/orders/${id}`)).body.status === 'received')
    })

    test(titled('R and T act on the first order that the chosen team and the search leave'), async () => {
      const { mine, colleague, others, place } = world
      await portal.admin.post(`/groups/${others.group}/users`, { userId: mine.id })
      const [hidden, sought, theirs] = [await place('hidden'), await place('sought'), await place('theirs')]
      await colleague.post(`/orders/${theirs}/transfer`, { teamId: others.id })
      const page = await openBoard(mine.username)
      const press = async (query: string, notes: string, key: string) => {
        await page.goto(`/incoming?${query}`)
        await card(page, notes).waitFor()
        await hasLoaded(page, 'frame/later.ts')
        await page.keyboard.press(key)
      }
      const isClaimed = async (id: number) => (await mine.get(`/orders/${id}`)).body.status === 'received'
      await press(`team=${others.id}`, 'theirs', 't')
      await page.waitForURL(({ searchParams }) => searchParams.get('handover') === String(theirs))
      await press(`team=${others.id}`, 'theirs', 'r')
      await until('the order of the chosen team is claimed', () => isClaimed(theirs))
      await press('q=sought', 'sought', 'r')
      await until('the order that was searched for is claimed', () => isClaimed(sought))
      assert.equal((await mine.get(`/orders/${hidden}`)).body.status, 'pending')
    })

    test(titled('T hands the focused order over, which leaves the team and waits for the other one'), async () => {
      const { mine, colleague, theirs, others, place } = world
      const id = await place('first')
      await place('second')
      const [page, beside, there] = [await openBoard(mine.username), await openBoard(colleague.username), await openBoard(theirs.username)]
      await card(beside, 'first').waitFor()
      await hasLoaded(page, 'frame/later.ts')
      await card(page, 'first').getByRole('button', { name: t.claim }).focus()
      await page.keyboard.press('t')
      await page.getByRole('dialog').getByText(passing[language].handOverHint).waitFor()
      await page.locator('input[role=combobox]:focus').waitFor()
      await page.keyboard.type(pick(others.nameAr, others.nameEn))
      await foundOption(page, { name: pick(others.nameAr, others.nameEn) }).waitFor()
      assert.deepEqual([await findings(page), await tooWide(page)], [[], []])
      await page.keyboard.press('Enter')
      const said = orderTexts[language].said.handedOver(pick('مصباح', 'Lamp'), pick(others.nameAr, others.nameEn))
      await page.locator('.toast').getByText(said).waitFor()
      for (const board of [page, beside]) await card(board, 'first').waitFor({ state: 'detached' })
      await page.waitForFunction(() => document.activeElement?.closest('.receiving-card')?.textContent?.includes('second'))
      await card(there, 'first').waitFor()
      assert.equal((await theirs.get(`/orders/${id}`)).body.assignedTo, null)
    })

    test(titled('the menu of a card hands it over, and the focus stays on the page'), async () => {
      const { mine, others, place } = world
      await place('only')
      const page = await openBoard(mine.username)
      await card(page, 'only')
        .getByRole('button', { name: t.more(pick('مصباح', 'Lamp')) })
        .click()
      await page.getByRole('menuitem', { name: t.handOver }).click()
      await foundOption(page, { name: pick(others.nameAr, others.nameEn) }).click()
      await card(page, 'only').waitFor({ state: 'detached' })
      await page.waitForFunction(() => document.activeElement?.matches('h1, h2'))
    })

    test(titled('who receives for two teams sees the orders of one, also as they are handed over'), async () => {
      const { mine, ours, others, place } = world
      await portal.admin.post(`/groups/${others.group}/users`, { userId: mine.id })
      await place('stays')
      const id = await place('goes')
      const page = await openBoard(mine.username)
      await card(page, 'goes').waitFor()
      await page.getByRole('button', { name: `${t.team}: ${t.allTeams}` }).click()
      await page.getByRole('menuitemradio', { name: pick(ours.nameAr, ours.nameEn) }).click()
      for (const notes of ['stays', 'goes']) await card(page, notes).waitFor()
      await world.colleague.post(`/orders/${id}/transfer`, { teamId: others.id })
      await card(page, 'goes').waitFor({ state: 'detached' })
      await card(page, 'stays').waitFor()
      await place('new')
      await card(page, 'new').waitFor()
      assert.deepEqual([await findings(page), await tooWide(page)], [[], []])
      await page.goto(`/incoming?team=${others.id}`)
      await card(page, 'goes').waitFor()
      assert.equal(await card(page, 'stays').count(), 0)
    })
  }
})
