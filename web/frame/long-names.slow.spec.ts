import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, journeys, portalWithPages } from '../testing/browser.ts'

const portal = portalWithPages()
const long = (letter: string) => letter.repeat(90)
const names = { nameAr: long('م'), nameEn: long('m') }

journeys(() => {
  const { visitAs } = browser(portal)

  test('names of ninety letters fit on a screen of 320 pixels', async () => {
    const named = { displayNameAr: long('ن'), displayNameEn: long('n'), roles: ['order_receiver'] }
    const [person, other] = [await portal.person('longest', named), await portal.person('longer', named)]
    await portal.admin.post('/apps', { ...names, slug: 'long', iconName: 'folder', color: '#1f5f8b', route: '/services' })
    const service = (await portal.admin.post('/services', { ...names, descriptionAr: long('و'), descriptionEn: long('d') })).body
    const order = (await person.post('/orders', { serviceId: service.id, notes: long('o') })).body
    const note = (await other.post('/notes', { title: long('t'), content: long('c') })).body
    await other.post(`/notes/${note.id}/send`, { recipientUserIds: [person.id] })
    const group = (await portal.admin.post('/groups', { name: long('g'), descriptionAr: long('ج'), descriptionEn: long('e') })).body
    await portal.admin.put(`/groups/${group.id}/request-policy`, {
      ...{ requestable: true, approverUserIds: [person.id], noteAr: long('ع'), noteEn: long('n') },
    })
    const asked = (await other.post('/access-requests', { groupId: group.id, reason: long('r') })).body
    const { page } = await visitAs('longest', { language: 'en', viewport: { width: 320, height: 640 } })
    const wide: string[] = []
    for (const address of [
      '/',
      '/services',
      `/services?order=${service.id}`,
      '/orders',
      `/orders/${order.id}`,
      '/incoming',
      '/notes/received',
      `/notes/${note.id}`,
      '/notifications',
      '/account',
      '/account/security',
      '/access',
      '/access/offers',
      '/access/review',
      `/access/requests/${asked.id}`,
    ]) {
      await page.goto(address)
      await page.locator('main :is(.home-tile, .card, .notes-row, .notes-paper, .notification, .my-access-row)').first().waitFor()
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      if (over > 0) wide.push(`${address}: ${over} px`)
    }
    assert.deepEqual(wide, [])
  })
})
