/** The one line that adds a meeting, on a slow network. */
import '../../../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, hasLoaded, journeys, portalWithPages } from '../../../../testing/browser.ts'
import { setClocks } from '../../../../testing/clock.ts'
import { both } from './texts.ts'

const portal = portalWithPages()
const DATE = '2031-05-01'
const t = both.en

journeys(() => {
  const { visitAs } = browser(portal)

  /** Opens the line on the page of a day. Searches for names are answered only once `answer` is called. */
  async function openLine(username: string) {
    await portal.person(username, { roles: ['executive_coordinator'] })
    const { page } = await visitAs(username, { language: 'en' })
    await page.goto(`/meetings/${DATE}`)
    await hasLoaded(page, 'frame/later.ts')
    await page.locator('.day-add').waitFor()
    const gate = Promise.withResolvers<void>()
    await page.route('**/api/notes/recipients?*', async (route) => {
      await gate.promise
      await route.continue()
    })
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog')
    return { page, dialog, line: dialog.getByRole('textbox', { name: t.label }), answer: gate.resolve }
  }
  const attendeesOf = async (title: string) => {
    const meetings = (await portal.admin.get(`/executive-meetings?date=${DATE}`)).body as {
      titleEn: string
      attendees: { userId: number }[]
    }[]
    return meetings.find(({ titleEn }) => titleEn === title)?.attendees.map(({ userId }) => userId)
  }

  test('a colleague whose name is still being searched is added as a colleague', async () => {
    const noura = await portal.person('noura', { displayNameAr: 'نورة', displayNameEn: 'Noura' })
    const { dialog, line, answer } = await openLine('maha')
    await line.fill('Lunch 15:00 with Noura')
    await line.press('Enter')
    await dialog.locator('button[aria-busy=true]').waitFor()
    answer()
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual(await attendeesOf('Lunch'), [noura.id])
  })

  test('a line that is edited while the meeting is being added stays', async () => {
    await portal.person('huda', { displayNameAr: 'هدى', displayNameEn: 'Huda' })
    const { page, dialog, line, answer } = await openLine('muna')
    await line.fill('Walk 16:00 with Huda')
    await line.press('Enter')
    await dialog.locator('button[aria-busy=true]').waitFor()
    await line.fill('Run 17:00')
    answer()
    await page.locator('.day-card').getByText('Walk').waitFor()
    await dialog.locator('button[aria-busy=true]').waitFor({ state: 'detached' })
    assert.equal(await line.inputValue(), 'Run 17:00')
  })

  test('midnight does not move “tomorrow” to another day', async () => {
    await portal.person('rima', { roles: ['executive_coordinator'] })
    const { page } = await visitAs('rima', { language: 'en' })
    await setClocks(page, Date.parse('2031-12-28T23:58:00Z'))
    await page.goto('/meetings')
    await page.locator('.day-add').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: t.label }).fill('Lunch tomorrow 13:00')
    const understood = dialog.getByRole('list', { name: t.understood })
    await understood.getByText('29 December').waitFor()
    await page.clock.fastForward(5 * 60_000)
    await page.clock.runFor(1000)
    assert.match(await understood.innerText(), /29 December/)
  })

  test('a name that several colleagues have leads to a question before the meeting is added', async () => {
    for (const name of ['salem1', 'salem2']) await portal.person(name, { displayNameAr: 'سالم', displayNameEn: 'Salem' })
    const { dialog, line, answer } = await openLine('mona')
    await line.fill('Dinner 20:00 with Salem')
    await line.press('Enter')
    await dialog.locator('button[aria-busy=true]').waitFor()
    answer()
    await dialog.getByRole('button', { name: t.answerFirst }).waitFor()
    assert.equal(await attendeesOf('Dinner'), undefined)
  })
})
