/** The details that the board shows of an order: its team or none, messages, waiting, and due times. */
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { makers } from '../../../test/makers.ts'
import { both as markTexts } from '../../parts/show/due/marks-texts.ts'
import { browser, findings, journeys, pairs, portalWithPages, tooWide } from '../../testing/browser.ts'
import { both as orderTexts } from '../orders/texts.ts'
import { both } from './texts.ts'

const portal = portalWithPages()
const { newGroup, newService, newTeam } = makers(portal)

journeys(() => {
  const { visitAs } = browser(portal)
  let count = 0
  const placed: number[] = []
  // Deletes the orders, because every receiver would see those without a team.
  afterEach(async () => {
    for (const id of placed.splice(0)) await portal.admin.delete(`/orders/${id}`)
  })

  for (const pair of pairs) {
    const { language, size } = pair
    const [t, marks] = [both[language], markTexts[language]]
    const titled = (title: string) => `${title} (${language}, ${size})`
    const card = (page: Page, notes: string) => page.locator('.receiving-card').filter({ hasText: notes })
    const newPeople = async (...roles: string[]) => {
      await portal.ready
      const n = ++count
      const names = { displayNameAr: 'دانة العنزي', displayNameEn: 'Dana Alanazi' }
      const rolesOf = (role: string) => (role === 'receiver' ? ['order_receiver'] : [])
      return Promise.all(roles.map((role) => portal.person(`${role}${n}`, { ...names, roles: rolesOf(role) })))
    }
    const placeAs = async (who: Awaited<ReturnType<typeof newPeople>>[number], body: object) => {
      const { body: order, text } = await who.post('/orders', body)
      assert.ok(order.id, text)
      placed.push(order.id)
      return order.id as number
    }
    const openBoard = async (username: string) => {
      const { page } = await visitAs(username, pair)
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      await page.goto('/incoming')
      await page.getByRole('heading', { level: 1 }).waitFor()
      return { page, asked }
    }

    test(titled('an order of no team tells when it is due, its answers, messages and beneficiary; one for later is folded'), async () => {
      const [receiver, placer, friend] = await newPeople('receiver', 'placer', 'friend')
      const [service, plain] = [await newService(), await newService({ nameAr: 'شاي', nameEn: 'Tea' })]
      await portal.admin.put(`/services/${service.id}/handling`, { receiveMinutes: 60, onBehalf: 'everyone' })
      const fields = [
        { key: 'room', kind: 'text', labelEn: 'Room' },
        { key: 'wanted', kind: 'wanted_at', labelEn: 'When?' },
      ]
      assert.equal((await portal.admin.put(`/services/${service.id}/form`, { fields })).status, 200)
      const inThreeWeeks = new Date(Date.now() + 21 * 24 * 3600_000).toISOString()
      const answered = { serviceId: service.id, notes: 'told', answers: { room: 'Hall 12' }, forUserId: friend!.id }
      const told = await placeAs(placer!, answered)
      await placeAs(placer!, { serviceId: service.id, notes: 'in three weeks', answers: { wanted: inThreeWeeks } })
      const bare = await placeAs(placer!, { serviceId: plain.id, notes: 'bare' })
      assert.equal((await placer!.post(`/orders/${bare}/messages`, { text: 'With sugar' })).status, 201)
      const { page, asked } = await openBoard(receiver!.username)
      await card(page, 'told').locator('.receiving-due .chip').waitFor()
      await card(page, 'told').locator('.answers-folded').waitFor()
      const name = language === 'ar' ? 'دانة العنزي' : 'Dana Alanazi'
      await card(page, 'told')
        .getByText(orderTexts[language].forPerson(`\u2068${name}\u2069`))
        .waitFor()
      await page.getByText(t.later).waitFor()
      assert.equal(await card(page, 'in three weeks').count(), 0)
      await card(page, 'bare').getByText(marks.message, { exact: true }).waitFor()
      const details = (id: number) => asked.includes(`/api/orders/${id}/details`)
      assert.deepEqual([details(told), details(bare)], [false, false], 'no call for each card')
      assert.deepEqual([await findings(page), await tooWide(page)], [[], []])
    })

    test(titled('a message to an unclaimed order, a wait, and a message that its receiver has not read are marked'), async () => {
      const [receiver, placer, lead] = await newPeople('receiver', 'placer', 'lead')
      const team = await newTeam({ groupIds: [(await newGroup({ userIds: [receiver!.id] })).id], leadUserIds: [lead!.id] })
      const service = await newService()
      await portal.admin.put(`/services/${service.id}/handling`, { teamId: team.id })
      const id = await placeAs(placer!, { serviceId: service.id, notes: 'lamp' })
      const write = async (text: string) => assert.equal((await placer!.post(`/orders/${id}/messages`, { text })).status, 201)
      const { page } = await openBoard(receiver!.username)
      await card(page, 'lamp').waitFor()
      const { page: leads } = await visitAs(lead!.username, pair)
      const seenByLead = async (mark: string) => {
        await leads.goto('/team')
        await leads.locator('.team-card').filter({ hasText: 'lamp' }).getByText(mark, { exact: true }).waitFor()
      }
      await write('It is the one at the door')
      await card(page, 'lamp').getByText(marks.message, { exact: true }).waitFor()
      await seenByLead(marks.message)
      assert.deepEqual([await findings(page), await findings(leads)], [[], []])

      await receiver!.patch(`/orders/${id}/confirm-receipt`)
      if (size === 'phone') await page.getByRole('tab', { name: t.shortColumns.received }).click()
      await card(page, 'lamp').getByRole('button', { name: t.prepare }).waitFor()
      await card(page, 'lamp').getByText(marks.message, { exact: true }).waitFor({ state: 'detached' })
      assert.equal((await receiver!.post(`/orders/${id}/wait`, { for: 'requester', text: 'Which door?' })).status, 200)
      await card(page, 'lamp').getByText(marks.waiting).waitFor()
      await seenByLead(marks.waiting)
      await write('The one in the hall')
      await card(page, 'lamp').getByText(marks.unread).waitFor()
      await card(page, 'lamp').getByText(marks.waiting).waitFor({ state: 'detached' })
      assert.deepEqual([await findings(page), await tooWide(page)], [[], []])
    })

    test(titled('an empty board speaks of the team to those who are in one'), async () => {
      const [[receiver], [alone]] = [await newPeople('receiver'), await newPeople('receiver')]
      await newTeam({ groupIds: [(await newGroup({ userIds: [receiver!.id] })).id] })
      const [{ page }, { page: other }] = [await openBoard(receiver!.username), await openBoard(alone!.username)]
      await page.getByText(t.emptyColumns.ofTeam).waitFor()
      await other.getByText(t.emptyColumns.waiting).waitFor()
    })
  }
})
