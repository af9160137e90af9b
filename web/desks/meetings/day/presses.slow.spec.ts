/** The day shows a press at once and does not revert it, however slowly the portal answers. */
import '../../../testing/document.ts'
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { until } from '../../../../test/client.ts'
import { both as ofOrder } from '../../../parts/lists/ordered/undoing-texts.ts'
import { browser, journeys, portalWithPages } from '../../../testing/browser.ts'
import { both } from './texts.ts'

const portal = portalWithPages()
const MEETINGS = '/executive-meetings'

let held: PromiseWithResolvers<void> | undefined
const holding = () => (held = Promise.withResolvers<void>())
// Must run before the window closes, because closing waits for held requests.
afterEach(() => held?.resolve())

journeys(() => {
  const { visitAs } = browser(portal)
  let made = 0

  /** Opens a new day with two meetings and a task as a coordinator. */
  async function setUp() {
    const n = ++made
    const date = `2031-05-${String(n).padStart(2, '0')}`
    const add = async (fields: object) => (await portal.admin.post(MEETINGS, { date, ...fields })).body.id as number
    const ids = { budget: await add({ titleEn: 'Budget', startTime: '10:00' }), letters: await add({ titleEn: 'Letters' }) }
    await add({ titleEn: 'Projects' })
    await portal.admin.post(`${MEETINGS}/tasks`, { titleEn: 'Slides', dueDate: date })
    await portal.person(`maha${n}`, { roles: ['executive_coordinator'] })
    const { page } = await visitAs(`maha${n}`, { language: 'en' })
    await page.goto(`/meetings/${date}`)
    const card = (title: string) => page.locator('.day-card').filter({ has: page.getByRole('link', { name: title, exact: true }) })
    const order = async () =>
      ((await portal.admin.get(`${MEETINGS}?date=${date}`)).body as { titleEn: string }[]).map(({ titleEn }) => titleEn)
    return { page, date, card, order, ids }
  }

  test('a press stays visible when the day reloads before the portal has answered', async () => {
    const { page, date, card, ids } = await setUp()
    const answer = holding()
    await page.route(/executive-meetings\/(tasks\/)?\d+$/, async (route) => {
      if (route.request().method() === 'PATCH') await answer.promise
      await route.continue()
    })
    await page.getByRole('checkbox', { name: 'Slides' }).check()
    await card('Budget')
      .getByRole('button', { name: both.en.acts('Budget') })
      .click()
    await page.getByRole('menuitem', { name: both.en.highlight }).click()
    const marks = '.day-tasks s, .day-star'
    await page.locator(marks).nth(1).waitFor()
    const least = await page.evaluateHandle((marks) => {
      const seen = { count: 2 }
      const look = () => {
        seen.count = Math.min(seen.count, document.querySelectorAll(marks).length)
      }
      new MutationObserver(look).observe(document.querySelector('main')!, { subtree: true, childList: true })
      return seen
    }, marks)
    const again = ['tasks', ''].map((path) => page.waitForResponse(new RegExp(`executive-meetings/?${path}\\?date=`)))
    await portal.admin.patch(`${MEETINGS}/${ids.letters}`, { titleEn: 'Mail' })
    await Promise.all(again)
    answer.resolve()
    await card('Mail').waitFor()
    assert.equal(await least.evaluate((seen) => seen.count), 2)
    await until('both changes are saved', async () => {
      const [tasks, budget] = [
        await portal.admin.get(`${MEETINGS}/tasks?date=${date}`),
        await portal.admin.get(`${MEETINGS}/${ids.budget}`),
      ]
      return tasks.body[0].status === 'done' && budget.body.isHighlighted
    })
  })

  test('an undo leaves an order that somebody else has saved since, and a copy that somebody has changed', async () => {
    const { page, date, card, order } = await setUp()
    await card('Budget').getByRole('link', { name: 'Budget' }).press('Alt+ArrowDown')
    await page.getByText(both.en.ordered).waitFor()
    const all = (await portal.admin.get(`${MEETINGS}?date=${date}`)).body as { id: number }[]
    await portal.admin.put(`${MEETINGS}/order`, { date, ids: all.map(({ id }) => id).toReversed() })
    await page.locator('.day-run > li:nth-child(1)').getByRole('link', { name: 'Projects' }).waitFor()
    await page.keyboard.press('Control+z')
    await page.getByText(ofOrder.en.notUndone).waitFor()
    assert.deepEqual(await order(), ['Projects', 'Budget', 'Letters'])

    await card('Budget')
      .getByRole('button', { name: both.en.acts('Budget') })
      .click()
    await page.getByRole('menuitem', { name: both.en.copy }).click()
    const target = date.replace(/\d\d$/, '28')
    await page.getByRole('dialog').locator(`[data-day="${target}"]`).click()
    await page.getByRole('dialog').locator('.button[data-kind=main]').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const [copy] = (await portal.admin.get(`${MEETINGS}?date=${target}`)).body
    await portal.admin.patch(`${MEETINGS}/${copy.id}`, { notes: 'Bring the plan' })
    const answered = page.waitForResponse((response) => response.request().method() === 'DELETE')
    await page.keyboard.press('Control+z')
    assert.equal((await answered).status(), 412)
    assert.equal((await portal.admin.get(`${MEETINGS}/${copy.id}`)).status, 200)
  })

  test('presses in quick succession are sent one after the other, and the last one wins', async () => {
    const { page, date, card, order } = await setUp()
    const answer = holding()
    const sent: string[] = []
    await page.route(/executive-meetings\/(tasks\/\d+|order)$/, async (route) => {
      sent.push(route.request().method())
      await answer.promise
      await route.continue()
    })
    const slides = page.getByRole('checkbox', { name: 'Slides' })
    await slides.and(page.locator(':enabled')).waitFor()
    for (let press = 0; press < 2; press++) await slides.press('Space')
    for (let press = 0; press < 2; press++) await card('Budget').getByRole('link', { name: 'Budget' }).press('Alt+ArrowDown')
    await page.locator('.day-run > li:nth-child(3)').getByRole('link', { name: 'Budget' }).waitFor()
    await until('the first calls are sent', () => sent.length >= 2)
    const first = sent.toSorted()
    answer.resolve()
    assert.deepEqual(first, ['PATCH', 'PUT'])
    await until('the last order is saved', async () => String(await order()) === 'Letters,Projects,Budget')
    await until('all calls are sent', () => sent.length === 4)
    const task = async () => (await portal.admin.get(`${MEETINGS}/tasks?date=${date}`)).body[0].status
    await until('the task is open again', async () => (await task()) === 'open')
    assert.equal(await slides.isChecked(), false)
  })
})
