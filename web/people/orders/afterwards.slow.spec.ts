/** After an order: reasons for cancelling, reopening an order that was not done properly, and the figures for leads and administrators. */
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/client.ts'
import { makers } from '../../../test/makers.ts'
import { both as ofCancelling } from '../../parts/overlay/cancel-dialog-texts.ts'
import { both as ofReports } from '../../parts/show/report/texts.ts'
import { both as ofParts } from '../../parts/texts.ts'
import { browser, findings, journeys, pairs, portalWithPages, tooWide } from '../../testing/browser.ts'
import { both as ofTalk } from './talk-texts.ts'
import { both } from './texts.ts'

const portal = portalWithPages()
const make = makers(portal)

journeys(() => {
  const { visitAs } = browser(portal)

  for (const pair of pairs) {
    const { language, size } = pair
    const [t, talk, cancelling, report] = [both[language], ofTalk[language], ofCancelling[language], ofReports[language]]
    const titled = (title: string) => `${title} (${language}, ${size})`
    const name = (word: string) => `${word}-${language}`

    async function openWorld(word: string) {
      await portal.ready
      const [worker, lead, asker] = [
        await portal.person(name(`worker-${word}`), { roles: ['order_receiver'], displayNameAr: 'نورة', displayNameEn: 'Noura' }),
        await portal.person(name(`lead-${word}`), { displayNameAr: 'عمر', displayNameEn: 'Omar' }),
        await portal.person(name(`asker-${word}`), { displayNameAr: 'دانة', displayNameEn: 'Dana' }),
      ]
      const group = await make.newGroup({ userIds: [worker.id] })
      const team = await make.newTeam({ groupIds: [group.id], leadUserIds: [lead.id] })
      const service = await make.newService({ nameAr: 'إصلاح طابعة', nameEn: 'Printer repair' })
      await portal.admin.put(`/services/${service.id}/handling`, { teamId: team.id, completeMinutes: 240, reopenDays: 7 })
      const place = async () => (await asker.post('/orders', { serviceId: service.id })).body.id as number
      return { worker, lead, asker, place }
    }

    test(titled('a lead says why an order is cancelled, and the person who ordered reads it'), async () => {
      const { lead, asker, place } = await openWorld('cancel')
      const id = await place()
      const { page } = await visitAs(lead.username, pair)
      await page.goto(`/orders/${id}`)
      await page.getByRole('button', { name: t.cancel }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: cancelling.yes }).click()
      await dialog.getByText(cancelling.missing).waitFor()
      assert.deepEqual(await findings(page), [])
      await dialog.getByRole('textbox').fill('نفدت القطع')
      await dialog.getByRole('button', { name: cancelling.yes }).click()
      await page.getByText(t.because('\u2068نفدت القطع\u2069')).waitFor()
      const { page: mine } = await visitAs(asker.username, pair)
      await mine.goto(`/orders/${id}`)
      await mine.getByText(t.because('\u2068نفدت القطع\u2069')).waitFor()
      await mine.getByText(talk.because('\u2068نفدت القطع\u2069')).waitFor()
      assert.deepEqual([await findings(mine), await tooWide(mine)], [[], []])
    })

    test(titled('a reason stays in its dialog until the order is cancelled'), async () => {
      const { lead, place } = await openWorld('offline')
      const id = await place()
      const { page, context } = await visitAs(lead.username, pair)
      await page.goto(`/orders/${id}`)
      await page.getByRole('button', { name: t.cancel }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox').fill('نفدت القطع')
      await context.setOffline(true)
      await dialog.getByRole('button', { name: cancelling.yes }).click()
      await dialog.locator('.toast[data-kind=error]').getByText(ofParts[language].unreached).waitFor()
      assert.equal(await dialog.getByRole('textbox').inputValue(), 'نفدت القطع')
      await context.setOffline(false)
      await dialog.getByRole('button', { name: cancelling.yes }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByText(t.because('\u2068نفدت القطع\u2069')).waitFor()
      assert.equal((await lead.get(`/orders/${id}`)).body.status, 'cancelled')
    })

    test(titled('the person who ordered cancels without a reason'), async () => {
      const { asker, place } = await openWorld('own')
      const id = await place()
      const { page } = await visitAs(asker.username, pair)
      await page.goto(`/orders/${id}`)
      await page.getByRole('button', { name: t.cancel }).click()
      await page.getByRole('button', { name: t.undo }).waitFor()
      assert.equal((await asker.get(`/orders/${id}`)).body.status, 'cancelled')
    })

    test(titled('an order that was not done properly is reopened with a text, which the worker reads'), async () => {
      const { worker, asker, place } = await openWorld('reopen')
      const id = await place()
      await worker.patch(`/orders/${id}/confirm-receipt`)
      await worker.patch(`/orders/${id}/status`, { status: 'completed' })
      const { page: theirs } = await visitAs(worker.username, pair)
      await theirs.goto(`/orders/${id}`)
      const { page } = await visitAs(asker.username, pair)
      await page.goto(`/orders/${id}`)
      await page.getByRole('button', { name: talk.notSolved }).click()
      await page.getByLabel(talk.reopenText).fill('ما زالت لا تطبع')
      assert.deepEqual(await findings(page), [])
      await page.getByRole('dialog').getByRole('button', { name: talk.reopen }).click()
      await page.getByRole('button', { name: talk.notSolved }).waitFor({ state: 'detached' })
      await page.getByText('ما زالت لا تطبع').waitFor()
      await theirs.getByText('ما زالت لا تطبع').waitFor()
      await until('the order is the worker’s again', async () => (await worker.get(`/orders/${id}`)).body.status === 'received')
      assert.deepEqual(await tooWide(page), [])
    })

    test(titled('what is typed to reopen an order is kept, and its dialog stays when it can be reopened no more'), async () => {
      const { worker, asker, place } = await openWorld('kept')
      const id = await place()
      await worker.patch(`/orders/${id}/confirm-receipt`)
      await worker.patch(`/orders/${id}/status`, { status: 'completed' })
      const { page } = await visitAs(asker.username, pair)
      await page.goto(`/orders/${id}`)
      const text = page.getByLabel(talk.reopenText)
      await page.getByRole('button', { name: talk.notSolved }).click()
      await text.fill('ما زالت لا تطبع')
      await page.keyboard.press('Escape')
      await text.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: talk.notSolved }).click()
      await text.waitFor()
      assert.equal(await text.inputValue(), 'ما زالت لا تطبع')
      await asker.post(`/orders/${id}/reopen`, { text: 'Elsewhere' })
      await page.locator('.orders-acts').getByText(talk.notSolved).waitFor({ state: 'detached' })
      assert.equal(await text.inputValue(), 'ما زالت لا تطبع')
      await page.getByRole('dialog').getByRole('button', { name: talk.reopen }).click()
      await page.getByRole('dialog').locator('.error').filter({ hasText: /./ }).waitFor()
      assert.deepEqual([await findings(page), await text.inputValue()], [[], 'ما زالت لا تطبع'])
    })

    test(titled('what is typed to let an order wait is kept, and its dialog stays when the order is cancelled'), async () => {
      const { worker, asker, place } = await openWorld('wait')
      const id = await place()
      await worker.patch(`/orders/${id}/confirm-receipt`)
      const { page } = await visitAs(worker.username, pair)
      await page.goto(`/orders/${id}`)
      const text = page.getByLabel(talk.waitText)
      const ask = page.locator('.orders-panel').getByRole('button', { name: talk.wait })
      await ask.click()
      await page.getByRole('dialog').getByRole('button', { name: talk.wait }).click()
      await page.locator('dialog textarea[aria-invalid=true]').waitFor()
      await page.getByRole('button', { name: talk.ofThirdParty }).click()
      await text.fill('قطعة من المورد')
      await page.keyboard.press('Escape')
      await text.waitFor({ state: 'detached' })
      await page.reload()
      await ask.click()
      await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>('dialog textarea')?.value === 'قطعة من المورد')
      await page.getByRole('button', { name: talk.ofThirdParty, pressed: true }).waitFor()
      await asker.patch(`/orders/${id}/status`, { status: 'cancelled' })
      await page.locator('.orders-panel > .button').filter({ hasText: talk.wait }).waitFor({ state: 'detached' })
      assert.equal(await text.inputValue(), 'قطعة من المورد')
    })

    test(titled('leads and administrators read the figures of services, and download the orders of one'), async () => {
      const { worker, lead, place } = await openWorld('report')
      for (const isDone of [true, true, false]) {
        const id = await place()
        await worker.patch(`/orders/${id}/confirm-receipt`)
        if (isDone) await worker.patch(`/orders/${id}/status`, { status: 'completed' })
      }
      const boss = await portal.person(name('boss'), { roles: ['admin'], displayNameAr: 'مها', displayNameEn: 'Maha' })
      const title = language === 'ar' ? 'إصلاح طابعة' : 'Printer repair'
      for (const [username, address] of [
        [lead.username, '/team'],
        [boss.username, '/admin/service-reports'],
      ] as const) {
        const { page } = await visitAs(username, pair)
        await page.goto(address)
        const row = page.getByRole('region', { name: report.table }).getByRole('row').filter({ hasText: title }).first()
        await row.waitFor()
        const [file] = await Promise.all([page.waitForEvent('download'), row.getByRole('link', { name: report.fileOf(title) }).click()])
        assert.match(file.suggestedFilename(), /^orders-\d+-.*\.csv$/)
        assert.deepEqual([await findings(page), await tooWide(page)], [[], []])
      }
    })
  }
})
