/** The bell: notifications grouped by subject, answered in place, also with the keyboard. */
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../../../test/client.ts'
import { accessScenes } from '../../testing/access.ts'
import { browser, findings, journeys, pairs, portalWithPages } from '../../testing/browser.ts'
import { both as ofDeciding } from './deciding-texts.ts'
import { both } from './texts.ts'

const portal = portalWithPages()

journeys(() => {
  const { visitAs } = browser(portal)
  const { scene } = accessScenes(portal, visitAs)
  const panel = (page: Page) => page.locator('.notifications-bell')
  const rows = (page: Page) => panel(page).locator('.notification')
  const focused = (page: Page, selector: string) => page.waitForFunction((sought) => document.activeElement?.matches(sought), selector)

  for (const { language, size } of pairs) {
    const t = both[language]
    const named = (name: string) => `${name}-${language}-${size}`
    const share = async (title: string, reader: { id: number }) => {
      const { id } = (await portal.admin.post('/notes', { title })).body as { id: number }
      await portal.admin.post(`/notes/${id}/send`, { recipientUserIds: [reader.id] })
      return id
    }

    test(`new notifications are grouped by subject, arrive live, and are marked as read together (${language}, ${size})`, async () => {
      const reader = await portal.person(named('reader'))
      const first = await share('first', reader)
      const { page } = await visitAs(named('reader'), { language, size })
      await page.locator('.bell').focus()
      await page.keyboard.press('Enter')
      await rows(page).first().waitFor()
      await focused(page, '.notifications-bell h2')
      await portal.admin.post(`/notes/${first}/replies`, { content: 'and one more thing', recipientUserId: reader.id })
      await panel(page).getByText(t.earlier(1)).waitFor()
      assert.equal(await rows(page).count(), 1)
      assert.deepEqual(await findings(page), [])
      await panel(page).getByRole('button', { name: t.readAll }).click()
      await page.locator('.bell .count').waitFor({ state: 'detached' })
      assert.equal(await panel(page).locator('[data-unread]').count(), 0)
      await page.keyboard.press('Escape')
      await panel(page).waitFor({ state: 'detached' })
      await focused(page, '.bell')
      await page.keyboard.press('Enter')
      await focused(page, '.notifications-bell h2')
      await rows(page).first().getByRole('link').press('Enter')
      await page.waitForURL(`**/notes/${first}`)
      await panel(page).waitFor({ state: 'detached' })
    })

    test(`a note is answered and an order claimed without leaving the page (${language}, ${size})`, async () => {
      const receiver = await portal.person(named('receiver'), { roles: ['order_receiver'] })
      const note = await share('a question', receiver)
      const { id: serviceId } = (await portal.admin.post('/services', { nameAr: 'شاي', nameEn: 'Tea' })).body
      const requester = await portal.person(named('requester'))
      const order = (await requester.post('/orders', { serviceId })).body as { id: number }
      const { page } = await visitAs(named('receiver'), { language, size })
      await page.locator('.bell').click()
      await panel(page).getByRole('button', { name: t.claim, exact: true }).click()
      await until('the receiver has it', async () => (await requester.get(`/orders/${order.id}`)).body['assignedTo'] === receiver.id)
      await panel(page).getByRole('button', { name: t.prepare, exact: true }).waitFor()
      await panel(page).getByRole('button', { name: t.reply, exact: true }).click()
      await focused(page, '.notifications-reply textarea')
      await page.keyboard.type('an answer')
      assert.deepEqual(await findings(page), [])
      await page.keyboard.press('Control+Enter')
      await page.getByText(t.replied).waitFor()
      const { body } = await portal.admin.get(`/notes/${note}/thread`)
      assert.equal(body.replies.at(-1).content, 'an answer')
      await page.locator('.bell .count').waitFor({ state: 'detached' })
      await page.locator('h1').click({ force: true, position: { x: 1, y: 1 } })
      await panel(page).waitFor({ state: 'detached' })
    })

    test(`a reply goes to the recipient that the form named while it was typed, even if somebody else has replied since (${language}, ${size})`, async () => {
      const owner = await portal.person(named('owner'))
      const [first, second] = [await portal.person(named('first')), await portal.person(named('second'))]
      const { id } = (await owner.post('/notes', { title: 'two readers' })).body
      await owner.post(`/notes/${id}/send`, { recipientUserIds: [first.id, second.id] })
      await first.post(`/notes/${id}/replies`, { content: 'the first asks' })
      const { page } = await visitAs(owner.username, { language, size })
      await page.locator('.bell').click()
      await panel(page).getByRole('button', { name: t.reply, exact: true }).click()
      await focused(page, '.notifications-reply textarea')
      await page.keyboard.type('to the first')
      const reread = page.waitForResponse(`**/api/notes/${id}/thread`)
      await second.post(`/notes/${id}/replies`, { content: 'the second asks' })
      await reread
      await panel(page).getByText(t.earlier(1)).waitFor()
      await panel(page)
        .getByRole('button', { name: t.sendReply(named('first')) })
        .click()
      await page.getByText(t.replied).waitFor()
      await panel(page).getByRole('button', { name: t.reply, exact: true }).click()
      await panel(page)
        .getByRole('button', { name: t.sendReply(named('second')) })
        .waitFor()
      const { replies } = (await owner.get(`/notes/${id}/thread`)).body
      assert.deepEqual([replies.at(-1).content, replies.at(-1).recipientUserId], ['to the first', first.id])
    })

    test(`the reason for a denial stays when a press beside the panel closes it, and is sent by another press (${language}, ${size})`, async () => {
      const d = ofDeciding[language]
      const { dana, sami, group, open, title, nameOf } = await scene(language, size)
      const { id } = (await dana.post('/access-requests', { groupId: group.id, days: 30 })).body
      const page = await open(sami, '/')
      const reason = panel(page).getByLabel(d.denyWhy)
      const reach = async () => {
        await page.locator('.bell').click()
        await panel(page).getByRole('button', { name: t.decide, exact: true }).click()
        await panel(page).getByRole('button', { name: d.deny, exact: true }).click()
        await reason.waitFor()
      }
      await reach()
      await reason.fill('Not this year')
      await page.locator('h1').click({ force: true, position: { x: 1, y: 1 } })
      await panel(page).waitFor({ state: 'detached' })
      await reach()
      assert.equal((await dana.get(`/access-requests/${id}`)).body.status, 'pending')
      await page.waitForFunction(
        () => document.querySelector<HTMLTextAreaElement>('.notifications-decide textarea')?.value === 'Not this year',
      )
      await panel(page).getByRole('button', { name: d.deny, exact: true }).click()
      await page.getByText(d.denied(nameOf.dana, title)).waitFor()
      assert.equal((await dana.get(`/access-requests/${id}`)).body.status, 'denied')
    })
  }
})
