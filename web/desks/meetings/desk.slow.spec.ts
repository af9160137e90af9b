/** The frame of the executive's meetings: its tabs, unknown addresses, and the palette. */
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/client.ts'
import { both as noPage } from '../../frame/no-page-texts.ts'
import { browser, journeys, portalWithPages } from '../../testing/browser.ts'
import { builtFrom } from '../../testing/built.ts'
import { both } from './texts.ts'

const portal = portalWithPages()

journeys(() => {
  const { visitAs } = browser(portal)

  test('people without an executive role load no code of the meetings and see that they have no access', async () => {
    await portal.person('outsider')
    const { page } = await visitAs('outsider', { language: 'en', serviceWorkers: 'block' })
    const loaded: string[] = []
    page.on('request', (request) => void loaded.push(request.url()))
    await page.goto('/meetings')
    await page.getByRole('heading', { name: noPage.en.notAllowed }).waitFor()
    const desk = builtFrom('meetings/desk.tsx')
    assert.deepEqual(
      loaded.filter((url) => desk.some((file) => url.endsWith(file))),
      [],
    )
  })

  test('a reader has the tab of the day, and an unknown address shows the page “not found”', async () => {
    await portal.person('reader', { roles: ['executive_viewer'] })
    const { page } = await visitAs('reader', { language: 'en' })
    await page.goto('/meetings')
    await page.getByRole('navigation', { name: both.en.places }).getByRole('link', { name: both.en.names.today, exact: true }).waitFor()
    await page.goto('/meetings/nothing')
    await page.getByRole('heading', { name: noPage.en.notFound }).waitFor()
  })

  test('the palette finds meetings, requests and tasks by name, and offers the actions that the person may take', async () => {
    const author = await portal.person('author', { roles: ['executive_coordinator'] })
    const date = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    const meeting = (await author.post('/executive-meetings', { date, titleEn: 'Budget', titleAr: 'الميزانية' })).body.id
    const request = (await author.post(`/executive-meetings/${meeting}/requests`, { type: 'cancel', details: {} })).body.id
    const task = (await author.post('/executive-meetings/tasks', { titleEn: 'Book the guest room' })).body.id
    const { page } = await visitAs('author', { language: 'en' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    const palette = page.locator('.palette')
    const choose = async (typed: string, name: RegExp) => {
      await page.keyboard.press('Control+k')
      await palette.getByRole('combobox').fill(typed)
      await palette.getByRole('option', { name }).click()
    }
    await choose('الميزانية', /^Budget/)
    await page.waitForURL(`**/meetings/${date}?open=${meeting}`)
    await choose('budget', new RegExp(both.en.kinds.request))
    await page.waitForURL(`**/meetings/requests/${request}`)
    await choose('guest room', new RegExp(both.en.kinds.task))
    await page.waitForURL(`**/meetings/tasks?open=${task}`)
    await choose(both.ar.acts.task, new RegExp(both.en.acts.task))
    await page.waitForURL('**/meetings/tasks?new=1')
    await choose(both.ar.acts.print, new RegExp(both.en.acts.print))
    await page.waitForURL(/\/meetings\/archives\?date=\d{4}-\d\d-\d\d$/)
    await choose(both.ar.acts.meeting, new RegExp(both.en.acts.meeting))
    await page.waitForURL('**/meetings/new')
    await page.locator('.meeting-form input:focus').first().waitFor()
    // The badges count the items that wait for the person.
    await author.patch(`/executive-meetings/tasks/${task}`, { assigneeId: author.id })
    await page.getByRole('link', { name: `${both.en.names.tasks} 1 ${both.en.counts.open}` }).waitFor()
  })

  test('opening a meeting, a request or a task marks its notifications as read', async () => {
    const asker = await portal.person('asker', { roles: ['executive_coordinator'] })
    const boss = await portal.person('boss', { roles: ['executive_office_manager'] })
    const attendees = [{ name: 'Boss', userId: boss.id }]
    const meeting = (await asker.post('/executive-meetings', { date: '2030-05-01', titleEn: 'Budget', attendees })).body.id
    const request = (await asker.post(`/executive-meetings/${meeting}/requests`, { type: 'cancel', details: {} })).body.id
    const task = (await asker.post('/executive-meetings/tasks', { titleEn: 'Slides', assigneeId: boss.id })).body.id
    const unread = async () => (await boss.get('/notifications?unread=true')).body.map((one: { relatedType: string }) => one.relatedType)
    assert.deepEqual(await unread(), ['meeting_task', 'meeting_request', 'meeting'])
    const { page } = await visitAs('boss', { language: 'en' })
    for (const [path, left] of [
      [`/meetings/tasks?open=${task}`, ['meeting_request', 'meeting']],
      [`/meetings/requests/${request}`, ['meeting']],
      [`/meetings/2030-05-01?open=${meeting}`, []],
    ] as const) {
      await page.goto(path)
      await until('the notification is read', async () => (await unread()).join() === left.join())
    }
  })

  test('the palette offers readers no actions', async () => {
    await portal.person('onlooker', { roles: ['executive_viewer'] })
    const { page } = await visitAs('onlooker', { language: 'en' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    const palette = page.locator('.palette')
    await palette.getByRole('combobox').fill(both.en.names.printed)
    await palette.getByRole('option', { name: both.en.names.printed }).waitFor()
    await palette.getByRole('combobox').fill(both.en.acts.print)
    await palette.getByRole('option', { name: both.en.names.printed }).waitFor({ state: 'detached' })
    assert.equal(await palette.getByRole('option', { name: both.en.acts.print }).count(), 0)
  })
})
