/** An unattended wall display through an hour of changes, a restart of the portal, and midnight. */
import '../../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBuiltPages } from '../../../../server/site/pages/built.ts'
import { until } from '../../../../test/client.ts'
import { browser, journeys, portalWithPages } from '../../../testing/browser.ts'
import { setClocks } from '../../../testing/clock.ts'

const portal = portalWithPages()
const MEETINGS = '/executive-meetings'
const FIVE_MINUTES = 300_000

journeys(() => {
  const { visitAs } = browser(portal)
  const add = async (date: string, fields: object) => (await portal.admin.post(MEETINGS, { date, ...fields })).body.id as number
  const change = (id: number, fields: object) => portal.admin.patch(`${MEETINGS}/${id}`, fields)

  /** Opens a display of a day. The test advances its clock in steps of five minutes. */
  async function wallAt(date: string, begin: string) {
    const username = `screen-${date}`
    await portal.person(username, { roles: ['executive_viewer'] })
    const { page } = await visitAs(username, { language: 'en' })
    let time = Date.parse(`${date}T${begin}:00Z`)
    await setClocks(page, time)
    await page.goto(`/meetings/${date}/wall`)
    await page.locator('.wall-now h1').waitFor()
    /** The clock, the last update if it is shown, the current or next meeting, and the meetings after it. */
    const read = () =>
      page.evaluate(() => {
        const texts = (selector: string) =>
          Array.from(document.querySelectorAll<HTMLElement>(selector), ({ innerText }) =>
            innerText.replaceAll(/[\u2066-\u2069]/g, '').replaceAll(/\s+/g, ' '),
          )
        return [...texts('.wall-clock time, .wall-old, .wall-now > :is(.wall-state, h1, .wall-place)'), ...texts('.wall-next li')]
      })
    return {
      page,
      async passes() {
        time += FIVE_MINUTES
        await page.clock.runFor(FIVE_MINUTES)
      },
      async shows(...wanted: string[]) {
        const isThere = async () => {
          // Stop the clock, so that a slow machine does not change the result.
          await page.clock.setSystemTime(time)
          return JSON.stringify(await read()) === JSON.stringify(wanted)
        }
        await until('the wall shows the day', isThere).catch(async () => assert.deepEqual(await read(), wanted))
      },
      /** The content of the same display after a fresh start. */
      async again() {
        const { page: other } = await visitAs(username, { language: 'en' })
        await setClocks(other, time)
        await other.goto(new URL(page.url()).pathname)
        await other.locator('.wall-now h1').waitFor()
        return other.locator('.wall').innerText()
      },
    }
  }

  test('a wall display follows an hour of changes and a restart of the portal', async () => {
    const date = '2031-09-10'
    const place = { locationEn: 'Hall' }
    const budget = await add(date, { titleEn: 'Budget', startTime: '09:30', endTime: '10:30', ...place })
    const projects = await add(date, { titleEn: 'Projects', startTime: '11:00', endTime: '12:00' })
    const letters = await add(date, { titleEn: 'Letters', startTime: '13:30', endTime: '14:00' })
    const visit = await add(date, { titleEn: 'Visit', startTime: '15:00', endTime: '16:00' })
    await add(date, { titleEn: 'Signing', startTime: '17:00', endTime: '17:30' })
    const { page, passes, shows, again } = await wallAt(date, '10:00')
    const now = (left: string, end = '10:30') => [`Now 09:30 – ${end}, ${left} left`, 'Budget', 'Hall']
    await shows('10:00', ...now('30 minutes'), '11:00 Projects', '13:30 Letters', '15:00 Visit')
    await page.evaluate(() => Object.assign(window, { sameDocument: true }))

    await passes()
    await change(projects, { titleEn: 'Plans' })
    await shows('10:05', ...now('25 minutes'), '11:00 Plans', '13:30 Letters', '15:00 Visit')
    await passes()
    await change(letters, { startTime: '10:45', endTime: '11:00' })
    await shows('10:10', ...now('20 minutes'), '10:45 Letters', '11:00 Plans', '15:00 Visit')
    await passes()
    const lunch = await add(date, { titleEn: 'Lunch', startTime: '12:30', locationEn: 'Garden' })
    await shows('10:15', ...now('15 minutes'), '10:45 Letters', '11:00 Plans', '12:30 Lunch Garden')
    await passes()
    await change(budget, { endTime: '10:40' })
    await shows('10:20', ...now('20 minutes', '10:40'), '10:45 Letters', '11:00 Plans', '12:30 Lunch Garden')
    await passes()
    await portal.admin.delete(`${MEETINGS}/${lunch}`)
    await change(visit, { status: 'cancelled' })
    await shows('10:25', ...now('15 minutes', '10:40'), '10:45 Letters', '11:00 Plans', '17:00 Signing')

    await portal.stop()
    await passes()
    await shows('10:30', 'Last update 10:25', ...now('10 minutes', '10:40'), '10:45 Letters', '11:00 Plans', '17:00 Signing')
    await passes()
    await passes()
    await shows('10:40', 'Last update 10:25', 'Next 10:45 – 11:00, in 5 minutes', 'Letters', '11:00 Plans', '17:00 Signing')
    await portal.startAgain(readBuiltPages())
    await change(letters, { startTime: '10:50', titleEn: 'Mail' })
    await shows('10:40', 'Next 10:50 – 11:00, in 10 minutes', 'Mail', '11:00 Plans', '17:00 Signing')

    await passes()
    await change(visit, { status: 'scheduled', startTime: '16:00', endTime: '16:30' })
    await shows('10:45', 'Next 10:50 – 11:00, in 5 minutes', 'Mail', '11:00 Plans', '16:00 Visit', '17:00 Signing')
    await passes()
    await shows('10:50', 'Now 10:50 – 11:00, 10 minutes left', 'Mail', '11:00 Plans', '16:00 Visit', '17:00 Signing')
    await passes()
    await passes()
    await change(projects, { locationEn: 'Hall' })
    await shows('11:00', 'Now 11:00 – 12:00, 1 hour left', 'Plans', 'Hall', '16:00 Visit', '17:00 Signing')
    assert.equal(await page.locator('.wall').innerText(), await again())
    assert.equal(await page.evaluate(() => 'sameDocument' in window), true)
  })

  test('a wall display turns to the next day at midnight while the portal is down, and follows changes once the portal is back', async () => {
    const [date, next] = ['2031-09-20', '2031-09-21']
    const dinner = await add(date, { titleEn: 'Dinner', startTime: '23:30', endTime: '23:59' })
    const flight = await add(next, { titleEn: 'Flight', startTime: '00:30', endTime: '01:30' })
    const { page, passes, shows, again } = await wallAt(date, '23:50')
    // The display learns of the next day before midnight.
    await change(flight, { startTime: '00:20' })
    await change(dinner, { titleEn: 'Late dinner' })
    await shows('23:50', 'Now 23:30 – 23:59, 9 minutes left', 'Late dinner')
    await portal.stop()
    await passes()
    await shows('23:55', 'Last update 23:50', 'Now 23:30 – 23:59, 4 minutes left', 'Late dinner')
    await passes()
    await page.waitForURL(`**/meetings/${next}/wall`)
    await shows('00:00', 'Last update 23:50', 'Next 00:20 – 01:30, in 20 minutes', 'Flight')
    await portal.startAgain(readBuiltPages())
    await change(flight, { titleEn: 'Night flight' })
    await shows('00:00', 'Next 00:20 – 01:30, in 20 minutes', 'Night flight')
    await passes()
    await add(next, { titleEn: 'Breakfast', startTime: '08:00' })
    await shows('00:05', 'Next 00:20 – 01:30, in 15 minutes', 'Night flight', '08:00 Breakfast')
    assert.equal(await page.locator('.wall').innerText(), await again())
  })
})
