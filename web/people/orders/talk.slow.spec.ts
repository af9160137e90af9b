/** The conversation about an order: two people write to each other, and internal notes stay within the team. */
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { until } from '../../../test/client.ts'
import { makers } from '../../../test/makers.ts'
import { both as ofFiles } from '../../parts/forms/files/texts.ts'
import { browser, findings, journeys, pairs, portalWithPages, tooWide } from '../../testing/browser.ts'
import { both } from './talk-texts.ts'

const portal = portalWithPages()
const make = makers(portal)
let serviceId = 0
let prepared: Promise<void> | undefined
async function prepare() {
  const receiver = await portal.person('noura', {
    roles: ['order_receiver'],
    displayNameAr: 'نورة القحطاني',
    displayNameEn: 'Noura Alqahtani',
  })
  const group = await make.newGroup({ userIds: [receiver.id] })
  const team = await make.newTeam({ groupIds: [group.id] })
  serviceId = (await portal.admin.post('/services', { nameAr: 'إصلاح طابعة', nameEn: 'Printer repair' })).body.id
  await portal.admin.put(`/services/${serviceId}/handling`, { teamId: team.id, completeMinutes: 240 })
}

journeys(() => {
  const { visitAs } = browser(portal)
  beforeEach(() => (prepared ??= prepare()))

  for (const pair of pairs) {
    const { language, size } = pair
    const [t, files] = [both[language], ofFiles[language]]
    const titled = (title: string) => `${title} (${language}, ${size})`

    test(titled('a question is asked and answered live, with a file, and the order waits for the answer'), async () => {
      const name = `asker-${language}`
      const asker = await portal.person(name, { displayNameAr: 'دانة العنزي', displayNameEn: 'Dana Alanazi' })
      const { id } = (await asker.post('/orders', { serviceId, notes: 'لا تطبع' })).body
      const { page: theirs } = await visitAs('noura', pair)
      await theirs.goto(`/orders/${id}`)
      const { page: mine } = await visitAs(name, pair)
      await mine.goto(`/orders/${id}`)
      await mine.getByText(t.emptyHint).waitFor()
      assert.equal(await mine.getByRole('tab').count(), 0)

      await (await portal.stranger().signIn('noura', undefined)).patch(`/orders/${id}/confirm-receipt`)
      await theirs.getByRole('button', { name: t.wait }).click()
      await theirs.getByLabel(t.waitText).fill('Which floor?')
      await theirs.getByRole('dialog').getByRole('button', { name: t.wait }).click()
      await mine.getByText(t.waiting.forYou).waitFor()
      await theirs.getByText(t.waiting.requester).waitFor()
      assert.deepEqual(await findings(mine), [])

      await mine.keyboard.press('m')
      await mine.waitForFunction(() => document.activeElement?.matches('textarea'))
      await mine.keyboard.insertText('الطابق الثاني')
      await mine
        .locator('input[type=file]')
        .setInputFiles(['plan.txt', 'map.txt'].map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('here') })))
      await mine.getByRole('button', { name: files.remove('\u2068map.txt\u2069') }).waitFor()
      await mine.getByRole('button', { name: t.send }).click()
      await theirs.getByText('الطابق الثاني').waitFor()
      for (const name of ['plan.txt', 'map.txt']) await theirs.getByRole('link', { name }).waitFor()
      await mine.getByText(t.waiting.forYou).waitFor({ state: 'detached' })
      await mine.waitForFunction(() => document.querySelector('textarea')?.value === '')
      assert.deepEqual([await findings(theirs), await tooWide(mine)], [[], []])
      assert.equal(
        (await asker.get(`/orders/${id}/timeline`)).body.entries.filter(({ kind }: { kind: string }) => kind === 'message').length,
        2,
      )
    })

    test(titled('a message waits for its file, and says so'), async () => {
      const name = `sender-${language}`
      const sender = await portal.person(name)
      const { id } = (await sender.post('/orders', { serviceId })).body
      const { page } = await visitAs(name, pair)
      await page.goto(`/orders/${id}`)
      await page.getByLabel(t.message).fill('الصورة')
      const release = Promise.withResolvers<void>()
      await page.route('**/api/storage/uploads/**', async (route) => {
        await release.promise
        await route.continue()
      })
      await page.locator('input[type=file]').setInputFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('here') })
      await page.getByRole('button', { name: files.stop('\u2068plan.txt\u2069') }).waitFor()
      const messages = async () =>
        (await sender.get(`/orders/${id}/timeline`)).body.entries.filter(({ kind }: { kind: string }) => kind === 'message')
      await page.getByLabel(t.message).press('Control+Enter')
      await page.getByText(files.uploading).waitFor()
      await page.getByRole('button', { name: t.send }).click()
      await page.waitForFunction(() => document.activeElement?.matches('.orders-box .files'))
      assert.deepEqual([await findings(page), await messages()], [[], []])
      release.resolve()
      await page.getByRole('button', { name: files.remove('\u2068plan.txt\u2069') }).waitFor()
      await page.getByRole('button', { name: t.send }).click()
      await page.getByRole('link', { name: 'plan.txt' }).waitFor()
      const [{ text, files: sent }, ...others] = await messages()
      assert.deepEqual([text, sent.length, others], ['الصورة', 1, []])
    })

    test(titled('where nothing more may be written, the page says why'), async () => {
      const name = `late-${language}`
      const late = await portal.person(name)
      const { id } = (await late.post('/orders', { serviceId })).body
      const asOwner = async (table: string, statement: string) => {
        await portal.sql(`alter table ${table} disable trigger user`)
        await portal.sql(statement)
        await portal.sql(`alter table ${table} enable trigger user`)
      }
      await asOwner('order_messages', `insert into order_messages (order_id, text) select ${id}, 'x' from generate_series(1, 200)`)
      const { page } = await visitAs(name, pair)
      await page.goto(`/orders/${id}`)
      await page.getByText(t.full.message('200')).waitFor()
      assert.deepEqual([await page.locator('textarea').count(), await findings(page)], [0, []])
      assert.equal((await late.patch(`/orders/${id}/status`, { status: 'cancelled' })).status, 200)
      // Its event has arrived: delivered after the reload, it would put the time of the cancellation back.
      await page.locator('[data-kind=cancelled]').waitFor()
      await asOwner('orders', `update orders set updated_at = now() - interval '15 days' where id = ${id}`)
      await page.reload()
      await page.getByText(t.closed).waitFor()
      assert.deepEqual([await page.locator('textarea').count(), await findings(page)], [0, []])
    })

    test(titled('a note to the team has a place and a draft of its own, and never reaches the person who ordered'), async () => {
      const name = `reader-${language}`
      const reader = await portal.person(name)
      const { id } = (await reader.post('/orders', { serviceId })).body
      const { page: mine } = await visitAs(name, pair)
      await mine.goto(`/orders/${id}`)
      await mine.getByText(t.emptyHint).waitFor()
      const { page } = await visitAs('noura', pair)
      await page.goto(`/orders/${id}`)
      await page.getByLabel(t.messageToOther).fill('On my way')
      await page.getByRole('tab', { name: t.team }).click()
      await page.getByText(t.teamHint).waitFor()
      assert.equal(await page.getByLabel(t.note).inputValue(), '')
      await page.getByLabel(t.note).fill('Third time this week')
      await page.getByRole('button', { name: t.sendNote }).click()
      await page.locator('[data-kind=internal_note]').getByText('Third time this week').waitFor()
      assert.deepEqual(await findings(page), [])
      await page.getByRole('tab', { name: t.conversation }).click()
      // The draft is read from the device.
      await until('the draft is back', async () => (await page.getByLabel(t.messageToOther).inputValue()) === 'On my way')
      await page.getByRole('button', { name: t.send }).click()
      await mine.getByText('On my way').waitFor()
      assert.equal(await mine.getByText('Third time this week').count(), 0)
      assert.equal(await mine.getByRole('tab').count(), 0)
    })
  }
})
