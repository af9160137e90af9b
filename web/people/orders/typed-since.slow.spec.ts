/** Text that is typed while an earlier one is being sent is kept, and its dialog stays open. */
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { makers } from '../../../test/makers.ts'
import { both as ofApproval } from '../../parts/show/approval/texts.ts'
import { both as ofParts } from '../../parts/texts.ts'
import { accessScenes, isolated } from '../../testing/access.ts'
import { browser, holdCalls, journeys, keepsText, languages, portalWithPages } from '../../testing/browser.ts'
import { both as ofServices } from '../services/texts.ts'
import { both as ofTalk } from './talk-texts.ts'

const portal = portalWithPages()
const make = makers(portal)
const [first, later] = ['Printer 3', 'Printer 3, on the second floor']

/** Sends a text, and types more before the portal answers. Waits until the page has the answer. */
async function typeDuring(page: Page, { field, send, address }: { field: Locator; send: Locator; address: string }) {
  const { began, release } = await holdCalls(page, address)
  await field.fill(first)
  await send.click()
  await began
  await field.fill(later)
  release()
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
  await page.unroute(address)
}

journeys(() => {
  const { visitAs } = browser(portal)
  const { scene } = accessScenes(portal, visitAs)
  let count = 0

  for (const language of languages) {
    const [talk, services] = [ofTalk[language], ofServices[language]]
    const titled = (title: string) => `${title} (${language})`

    let world: Awaited<ReturnType<typeof openWorld>>
    async function openWorld() {
      await portal.ready
      const n = ++count
      const [worker, asker] = [await portal.person(`worker${n}`, { roles: ['order_receiver'] }), await portal.person(`asker${n}`)]
      const group = await make.newGroup({ userIds: [worker.id] })
      const team = await make.newTeam({ groupIds: [group.id] })
      const names = { nameAr: `إصلاح ${n}`, nameEn: `Repair ${n}` }
      const service = await make.newService(names)
      await portal.admin.put(`/services/${service.id}/handling`, { teamId: team.id, completeMinutes: 240, reopenDays: 7 })
      const place = async () => {
        const id = (await asker.post('/orders', { serviceId: service.id })).body.id as number
        await worker.patch(`/orders/${id}/confirm-receipt`)
        return id
      }
      return { worker, asker, service, name: language === 'ar' ? names.nameAr : names.nameEn, place }
    }
    beforeEach(async () => {
      world = await openWorld()
    })
    const open = async ({ username }: { username: string }, path: string) => {
      const { page } = await visitAs(username, { language })
      await page.goto(path)
      return page
    }

    test(titled('notes typed during an order stay in its dialog, and are ordered by another press'), async () => {
      const { asker, service, name } = world
      const page = await open(asker, `/services?order=${service.id}`)
      const dialog = page.getByRole('dialog')
      const [field, send] = [dialog.getByRole('textbox'), dialog.getByRole('button', { name: services.send })]
      await typeDuring(page, { field, send, address: '**/api/orders' })
      await page.getByText(services.sentBefore(name)).waitFor()
      assert.equal(await field.inputValue(), later)
      await send.click()
      await dialog.waitFor({ state: 'detached' })
      const { body } = await asker.get('/orders/my')
      assert.deepEqual(
        body.map(({ notes }: { notes: string }) => notes),
        [later, first],
      )
    })

    test(titled('text typed while an order begins to wait stays in the dialog'), async () => {
      const { worker, place } = world
      const id = await place()
      const page = await open(worker, `/orders/${id}`)
      await page.locator('.orders-panel').getByRole('button', { name: talk.wait }).click()
      const dialog = page.getByRole('dialog')
      const [field, send] = [dialog.getByLabel(talk.waitText), dialog.getByRole('button', { name: talk.wait })]
      await typeDuring(page, { field, send, address: `**/api/orders/${id}/wait` })
      await page.getByText(talk.waiting.requester).waitFor()
      assert.deepEqual([await dialog.count(), await page.locator('.orders-waiting').getByText(first, { exact: true }).count()], [1, 1])
      assert.equal(await field.inputValue(), later)
    })

    test(titled('text typed while an order is reopened stays in the dialog'), async () => {
      const { worker, asker, place } = world
      const id = await place()
      await worker.patch(`/orders/${id}/status`, { status: 'completed' })
      const page = await open(asker, `/orders/${id}`)
      await page.getByRole('button', { name: talk.notSolved }).click()
      const dialog = page.getByRole('dialog')
      const [field, send] = [dialog.getByLabel(talk.reopenText), dialog.getByRole('button', { name: talk.reopen })]
      await typeDuring(page, { field, send, address: `**/api/orders/${id}/reopen` })
      assert.equal((await asker.get(`/orders/${id}`)).body.status, 'received')
      assert.equal(await dialog.count(), 1)
      assert.equal(await field.inputValue(), later)
    })

    test(titled('a reason typed while access is asked for is there again once the request is withdrawn'), async () => {
      const { t, dana, group, title, open } = await scene(language)
      const page = await open(dana, `/access/offers?ask=${group.id}`)
      const dialog = page.getByRole('dialog')
      const field = dialog.getByRole('textbox').first()
      await typeDuring(page, { field, send: dialog.getByRole('button', { name: t.send }), address: '**/api/access-requests' })
      await page.getByText(t.sent(title)).waitFor()
      await dialog.getByRole('button', { name: ofParts[language].undo }).click()
      await page.waitForFunction((text) => document.querySelector<HTMLTextAreaElement>('dialog textarea')?.value === text, later)
    })

    test(titled('a note typed while a decision on access is sent is kept'), async () => {
      const { dana, sami, group, open, d, nameOf, title } = await scene(language)
      const { id } = (await dana.post('/access-requests', { groupId: group.id, days: 30 })).body
      const page = await open(sami, `/access/requests/${id}`)
      const field = page.getByLabel(d.note(nameOf.dana))
      await typeDuring(page, { field, send: page.locator('[data-decision=deny]'), address: `**/api/access-requests/${id}/deny` })
      await page.getByText(d.said.denied(nameOf.dana, title)).waitFor()
      await keepsText(page, later)
      assert.equal(new URL(page.url()).pathname, `/access/requests/${id}`)
    })

    test(titled('a note typed while a decision on an order is sent is kept'), async () => {
      const { worker, asker, service, name } = world
      const steps = [{ key: 'first', nameAr: 'أولى', nameEn: 'First', userIds: [worker.id] }]
      assert.equal((await portal.admin.put(`/services/${service.id}/handling`, { steps })).status, 200)
      const { id } = (await asker.post('/orders', { serviceId: service.id })).body
      const page = await open(worker, `/approvals/${id}`)
      const field = page.getByLabel(ofApproval[language].note)
      await typeDuring(page, { field, send: page.locator('[data-decision=deny]'), address: `**/api/orders/${id}/deny` })
      await page.getByText(ofApproval[language].said.denied(isolated(name))).waitFor()
      await keepsText(page, later)
    })
  }
})
