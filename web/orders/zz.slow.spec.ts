import '../testing/document.ts'
import { test } from 'node:test'
import { makers } from '../../test/makers.ts'
import { browser, journeys, portalWithPages } from '../testing/browser.ts'
const portal = portalWithPages()
const make = makers(portal)
journeys(() => {
  const { visitAs } = browser(portal)
  test('x', async () => {
    await portal.ready
    const worker = await portal.person('worker', { roles: ['order_receiver'], displayNameAr: 'نورة', displayNameEn: 'Noura' })
    const lead = await portal.person('lead', { displayNameAr: 'عمر', displayNameEn: 'Omar' })
    const asker = await portal.person('asker', { displayNameAr: 'دانة', displayNameEn: 'Dana' })
    const group = await make.newGroup({ userIds: [worker.id] })
    const team = await make.newTeam({ nameAr: 'الدعم الفني', nameEn: 'IT support', groupIds: [group.id], leadUserIds: [lead.id] })
    const names = [['إصلاح طابعة', 'Printer repair'], ['حاسب محمول', 'Laptop'], ['طباعة وتجليد', 'Printing and binding']]
    let last = 0
    for (const [nameAr, nameEn] of names) {
      const service = await make.newService({ nameAr, nameEn })
      await portal.admin.put(`/services/${service.id}/handling`, { teamId: team.id, receiveMinutes: 30, completeMinutes: 240, reopenDays: 7 })
      for (let n = 0; n < 4; n++) {
        const id = (await asker.post('/orders', { serviceId: service.id, notes: 'الطابق الثاني' })).body.id
        await worker.patch(`/orders/${id}/confirm-receipt`)
        if (n < 3) await worker.patch(`/orders/${id}/status`, { status: 'completed' })
        last = n === 2 ? id : last
      }
    }
    await portal.meddle?.('order', last, `update order_figures set day = day - (order_id % 20), complete_time = order_id * 600000000::bigint, receive_time = order_id * 60000000::bigint`)
    const cancelled = (await asker.post('/orders', { serviceId: 1 })).body.id
    await portal.admin.patch(`/orders/${cancelled}/status`, { status: 'cancelled', reason: 'نفدت القطع، وتصل الأسبوع القادم' })
    for (const [language, size, theme] of [['ar', 'phone', 'light'], ['en', 'desktop', 'dark'], ['ar', 'desktop', 'light'], ['en','phone','dark']] as const)
      for (const [who, path, press] of [['lead', '/team', ''], ['admin', '/admin/service-reports', ''], ['asker', `/orders/${last}`, ''], ['asker', `/orders/${cancelled}`, ''], ['asker', `/orders/${last}`, 'reopen'], ['lead', `/orders/4`, 'cancel']] as const) {
        const { page } = await visitAs(who, { language, size, colorScheme: theme } as never)
        page.setDefaultTimeout(8000)
        try {
        await page.goto(path)
        await page.waitForTimeout(1500)
        if (press === 'reopen') await page.getByRole('button', { name: /It was not solved|لم يُنجز كما ينبغي/ }).click()
        if (press === 'cancel') await page.getByRole('button', { name: /Cancel order|إلغاء الطلب/ }).click()
        if (press) await page.waitForTimeout(500)
        } catch (e) { console.log(path, press, String(e).slice(0, 200)) }
        await page.screenshot({ path: `/tmp/shot-${language}-${size}-${path.replaceAll('/', '_')}${press}.png`, fullPage: !press })
        await page.context().close()
      }
  })
})
