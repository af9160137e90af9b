/** Orders for somebody else and their approvals: placed by a secretary, decided on phones, and decided too late. */
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/client.ts'
import { makers } from '../../../test/makers.ts'
import { both as ofApproval } from '../../parts/show/approval/texts.ts'
import { both as words } from '../../parts/show/approval/words-texts.ts'
import { isolated } from '../../testing/access.ts'
import { browser, findings, foundOption, hasLoaded, journeys, portalWithPages, tooWide } from '../../testing/browser.ts'
import { both as ofOrders } from '../orders/texts.ts'
import { both as ofWhom } from '../services/for-whom-texts.ts'
import { both as ofServices } from '../services/texts.ts'
import { both } from './texts.ts'

const portal = portalWithPages()
const { newGroup } = makers(portal)

journeys(() => {
  const { visitAs } = browser(portal)
  let count = 0

  /** Creates a service whose orders the manager approves; if the answer `cost` is at least 5000, Huda or Sami must approve as well. */
  async function openWorld() {
    await portal.ready
    const n = ++count
    const person = (name: string, ar: string, en: string, roles: string[] = []) =>
      portal.person(`${name}${n}`, { displayNameAr: ar, displayNameEn: en, roles })
    const [secretary, director, manager, huda, sami, receiver] = [
      await person('maha', 'مها', 'Maha'),
      await person('sara', 'سارة', 'Sara'),
      await person('sultan', 'سلطان', 'Sultan'),
      await person('huda', 'هدى', 'Huda'),
      await person('sami', 'سامي', 'Sami'),
      await person('noura', 'نورة', 'Noura', ['order_receiver']),
    ]
    const names = { nameAr: `رحلة ${n}`, nameEn: `Trip ${n}` }
    const service = (await portal.admin.post('/services', names)).body.id as number
    const cost = { key: 'cost', kind: 'number', labelAr: 'الكلفة', labelEn: 'Cost', required: true }
    await portal.admin.put(`/services/${service}/form`, { fields: [cost] })
    const secretaries = await newGroup({ userIds: [secretary.id] })
    const handling = await portal.admin.put(`/services/${service}/handling`, {
      ...{ onBehalf: 'groups', onBehalfGroupIds: [secretaries.id] },
      steps: [
        { key: 'manager', nameAr: 'المدير', nameEn: 'Manager', manager: true },
        {
          ...{ key: 'budget', nameAr: 'الميزانية', nameEn: 'Budget', userIds: [huda.id, sami.id] },
          when: [{ field: 'cost', op: 'atLeast', value: 5000 }],
        },
      ],
    })
    assert.equal(handling.status, 200, handling.text)
    await portal.admin.put(`/users/${director.id}/manager`, { userId: manager.id })
    const place = async (value: number) =>
      (await secretary.post('/orders', { serviceId: service, forUserId: director.id, answers: { cost: value } })).body.id as number
    return { names, service, secretary, director, manager, huda, sami, receiver, place }
  }

  test('a secretary orders for a director, two people approve on phones in seconds, and the team sees the order only then', async () => {
    const { names, service, secretary, director, manager, huda, receiver } = await openWorld()
    const [whom, services] = [ofWhom.en, ofServices.en]
    const { page } = await visitAs(secretary.username, { language: 'en' })
    await page.goto(`/services?order=${service}`)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: whom.forOther }).click()
    await dialog.getByLabel('Cost').fill('6200')
    await dialog.getByRole('button', { name: services.send }).click()
    await dialog.getByText(whom.wrong.missing).waitFor()
    assert.deepEqual(await findings(page), [])
    await dialog.getByRole('combobox', { name: whom.person }).fill('sar')
    await foundOption(dialog, { name: director.username }).click()
    await dialog.getByRole('button', { name: services.send }).click()
    await dialog.waitFor({ state: 'detached' })
    const [order] = (await secretary.get('/orders/my')).body
    await page.goto(`/orders/${order.id}`)
    await page.getByText(words.en.states.waiting).waitFor()
    await page.getByText('Sara', { exact: true }).waitFor()

    const ar = { language: 'ar', size: 'phone' } as const
    const { page: first } = await visitAs(manager.username, ar)
    await first.locator('.home-wait').filter({ hasText: names.nameAr }).click()
    await first.getByText(isolated('سارة')).waitFor()
    await first.getByText('6,200').waitFor()
    assert.deepEqual(await findings(first), [])
    await first.locator('[data-decision=approve]').click()
    await first.getByText(both.ar.none).waitFor()
    assert.deepEqual((await receiver.get('/orders/incoming')).body, [])

    const { page: second } = await visitAs(huda.username, { language: 'en', size: 'phone' })
    await second.goto('/approvals')
    await second.getByText(ofApproval.en.approvedBy(isolated('Sultan'))).waitFor()
    await second.waitForFunction((title) => document.title.startsWith(title), `${names.nameEn} · Maha`)
    await second.getByLabel(ofApproval.en.note).fill('Within the budget')
    await second.locator('[data-decision=approve]').click()
    await second.getByText(both.en.none).waitFor()
    await page.getByText('Within the budget').waitFor()
    await page.getByText(words.en.states.waiting).waitFor({ state: 'detached' })
    assert.equal((await receiver.get('/orders/incoming')).body.length, 1)

    const { page: theirs } = await visitAs(director.username, { language: 'en', size: 'phone' })
    await theirs.goto('/orders')
    await theirs.getByText(ofOrders.en.placedBy(isolated('Maha'))).waitFor()
    await theirs.getByRole('button', { name: ofOrders.en.cancel }).click()
    await until('it is cancelled without a question', async () => (await director.get(`/orders/${order.id}`)).body.status === 'cancelled')
    assert.deepEqual([await findings(theirs), await tooWide(theirs)], [[], []])
  })

  test('the home page still counts the orders that wait for an approver who has approved the first twenty', async () => {
    const { huda, sami, secretary } = await openWorld()
    const service = (await portal.admin.post('/services', { nameAr: 'حفل', nameEn: 'Party' })).body.id as number
    const step = { key: 'both', nameAr: 'كلاهما', nameEn: 'Both', userIds: [huda.id, sami.id], needed: 2 }
    assert.equal((await portal.admin.put(`/services/${service}/handling`, { steps: [step] })).status, 200)
    for (let n = 0; n <= 20; n++) {
      const { id } = (await secretary.post('/orders', { serviceId: service })).body
      if (n < 20) assert.equal((await huda.post(`/orders/${id}/approve`, {})).status, 200)
    }
    const { page } = await visitAs(huda.username, { language: 'en', size: 'phone' })
    await page.locator('.home-wait[href$="/approvals"]').filter({ hasText: '1 order is waiting' }).press('Enter')
    await page.waitForURL(/\/approvals/)
  })

  test('an order for a deactivated person is refused with an error beside the field, and the same answers can be sent for somebody else', async () => {
    const { service, secretary, director, sami } = await openWorld()
    const [whom, services] = [ofWhom.ar, ofServices.ar]
    const { page } = await visitAs(secretary.username, { language: 'ar', size: 'phone' })
    await page.goto(`/services?order=${service}`)
    const dialog = page.getByRole('dialog')
    const choose = async (name: string, { username }: { username: string }) => {
      await dialog.getByRole('combobox', { name: whom.person }).fill(name)
      await foundOption(dialog, { name: username }).click()
    }
    await dialog.getByRole('button', { name: whom.forOther }).click()
    await choose('سارة', director)
    await dialog.getByLabel('الكلفة').fill('20')
    await portal.admin.patch(`/users/${director.id}`, { isActive: false })
    await dialog.getByRole('button', { name: services.send }).click()
    await dialog.getByText(whom.wrong.beneficiary).waitFor()
    assert.deepEqual([await findings(page), (await secretary.get('/orders/my')).body], [[], []])
    await page.reload()
    await dialog.locator('.services-whom').getByText('سارة').waitFor()
    await dialog.locator('.services-whom').getByRole('button', { name: /سارة/ }).click()
    await choose('سامي', sami)
    await dialog.getByRole('button', { name: services.send }).click()
    await dialog.waitFor({ state: 'detached' })
    const [order] = (await secretary.get('/orders/my')).body
    const { beneficiary, answers } = (await sami.get(`/orders/${order.id}/details`)).body
    assert.deepEqual([beneficiary.id, answers.cost], [sami.id, 20])
  })

  test('a denial needs a note, and an approver who comes too late sees who decided and how', async () => {
    const { manager, huda, sami, director, place } = await openWorld()
    const id = await place(9000)
    await manager.post(`/orders/${id}/approve`, {})
    const t = ofApproval.en
    const { page: late } = await visitAs(sami.username, { language: 'en', size: 'phone' })
    await late.goto('/approvals')
    await late.getByLabel(t.note).fill('My own word')
    const { page } = await visitAs(huda.username, { language: 'en', size: 'phone' })
    await page.goto('/approvals')
    await page.locator('[data-decision=deny]').click()
    await page.getByText(t.noteMissing).waitFor()
    const note = page.getByLabel(t.note)
    const isSeen = () =>
      note.evaluate((field) => {
        const { x, y, width, height } = field.getBoundingClientRect()
        return document.activeElement === field && document.elementFromPoint(x + width / 2, y + height / 2) === field
      })
    await until('nothing covers the note', isSeen)
    assert.deepEqual(await findings(page), [])
    await note.fill('No money this quarter')
    await page.locator('[data-decision=deny]').click()
    await page.getByText(both.en.none).waitFor()

    await late.getByText(t.decidedBy(isolated('Huda'))).waitFor()
    await late.getByText(t.outcomes.denied).waitFor()
    assert.equal(await late.getByLabel(t.typed).inputValue(), 'My own word')
    assert.equal(await late.locator('[data-decision]').count(), 0)
    assert.deepEqual([await findings(late), await tooWide(late)], [[], []])
    assert.equal((await director.get(`/orders/${id}/details`)).body.cancelReason, 'No money this quarter')
  })

  test('the page of an order tells a late approver who decided and how, and keeps the note that they typed', async () => {
    const { manager, huda, sami, place } = await openWorld()
    const t = ofApproval.en
    const id = await place(9000)
    await manager.post(`/orders/${id}/approve`, {})
    const { page, context } = await visitAs(sami.username, { language: 'en', size: 'phone' })
    // Without events, the page learns of the decision only when the button is pressed.
    await context.route('**/api/events*', (route) => route.abort())
    await page.goto(`/orders/${id}`)
    await page.getByLabel(t.note).fill('My own word')
    assert.equal((await huda.post(`/orders/${id}/deny`, { note: 'No money this quarter' })).status, 200)
    await page.locator('[data-decision=approve]').click()
    await page.getByText(t.decidedBy(isolated('Huda'))).waitFor()
    await page.getByText(t.outcomes.denied).waitFor()
    assert.equal(await page.getByLabel(t.typed).inputValue(), 'My own word')
    assert.deepEqual([await findings(page), await tooWide(page)], [[], []])
    const { page: later } = await visitAs(sami.username, { language: 'ar', size: 'phone' })
    await later.goto(`/orders/${id}`)
    await later.getByText(ofApproval.ar.decidedBy(isolated('هدى'))).waitFor()
    assert.equal(await later.getByLabel(ofApproval.ar.typed).count(), 0)
  })

  test('on a wide page the list stands beside the order, and keys decide', async () => {
    const { names, manager, place } = await openWorld()
    const ids = [await place(10), await place(20)]
    const { page } = await visitAs(manager.username, { language: 'en' })
    await page.goto('/approvals')
    await page.waitForURL(`**/approvals/${ids[0]}`)
    assert.equal(await page.locator('.approvals-row').filter({ hasText: names.nameEn }).count(), 2)
    await page.locator('[data-decision=approve]').waitFor()
    await hasLoaded(page, 'frame/later.ts')
    await page.keyboard.press('j')
    await page.waitForURL(`**/approvals/${ids[1]}`)
    await page.locator('[data-decision=approve]').waitFor()
    assert.deepEqual(await findings(page), [])
    await page.keyboard.press('a')
    await page.waitForFunction(() => document.activeElement?.matches('[data-decision=approve]'))
    await page.keyboard.press('a')
    await page.waitForURL(`**/approvals/${ids[0]}`)
    await page.locator('.approvals-row').nth(1).waitFor({ state: 'detached' })
  })
})
