/** The pages of working calendars: hours, periods, days off with their preview, the default one, and deletion. */
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers } from '../../../test/makers.ts'
import { both as forms } from '../../parts/forms/form/texts.ts'
import { both as times } from '../../parts/forms/time/texts.ts'
import { browser, findings, foreignTexts, journeys, pairs, portalWithPages, tooWide } from '../../testing/browser.ts'
import { inDays } from '../../testing/reviews.ts'
import { both } from './calendars/texts.ts'
import { both as ofShared } from './shared/texts.ts'

const portal = portalWithPages()
const { newCalendar, newService, newTeam } = makers(portal)
const known = /calendar-\d+|team-\d+|admin-\d+|Bawaba|Escape|Page Up|Page Down|Shift|\bT\b|En\b/

journeys(() => {
  const { visitAs } = browser(portal)
  let admins = 0

  for (const pair of pairs) {
    const { language, size } = pair
    const [t, shared, f] = [both[language], ofShared[language], forms[language]]
    const onward = language === 'ar' ? 'ArrowLeft' : 'ArrowRight'
    const titled = (title: string) => `${title} (${language}, ${size})`
    const weekday = (day: number) =>
      new Intl.DateTimeFormat(language === 'ar' ? 'ar-SA-u-ca-gregory-nu-latn' : 'en-GB', { weekday: 'long', timeZone: 'UTC' }).format(
        Date.UTC(2026, 10, 22 + day),
      )
    /** Opens an address of the administration as a new administrator. */
    async function at(path: string) {
      const { username } = await portal.person(`admin-${admins++}`, { roles: ['admin'] })
      const opened = await visitAs(username, pair)
      await opened.page.goto(path)
      await opened.page.getByRole('heading', { level: 1 }).first().waitFor()
      return opened
    }
    const read = async (id: number) => (await portal.admin.get(`/working-calendars/${id}`)).body
    /** Creates a calendar without time off that a team works by, and an order of that team that is due in three days. */
    async function inUse() {
      const calendar = await newCalendar()
      const team = await newTeam({ calendarId: calendar.id })
      const service = await newService()
      await portal.admin.put(`/services/${service.id}/handling`, { teamId: team.id, completeMinutes: 3 * 24 * 60 })
      assert.equal((await portal.admin.post('/orders', { serviceId: service.id })).status, 201)
      return calendar
    }

    test(titled('a calendar is created like the default one, and its hours are typed in Arabic digits and copied'), async () => {
      const { page } = await at('/admin/calendars')
      await page.getByText(t.isDefault, { exact: true }).waitFor()
      assert.deepEqual(await findings(page), [])
      await page.getByRole('button', { name: t.create }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(t.nameAr).fill(`دوام ${language}`)
      await dialog.getByLabel(t.nameEn).fill(`Hours ${language}`)
      assert.deepEqual(await findings(page), [])
      await dialog.getByRole('button', { name: t.make }).click()
      await page.waitForURL(/\/admin\/calendars\/\d+$/)
      const id = Number(page.url().split('/').at(-1))
      const from = page.getByLabel(t.from(weekday(0)), { exact: true })
      await from.fill('soon')
      await from.press('Enter')
      await page.getByText(times[language].unknown('13:30')).waitFor()
      assert.equal(await from.evaluate((field) => field === document.activeElement), true)
      await from.fill('١٧:٣٠')
      await from.press('Control+s')
      // The portal's error message appears beside the field.
      const to = page.getByLabel(t.to(weekday(0)), { exact: true })
      await page.waitForFunction((field) => field!.getAttribute('aria-invalid') === 'true', await to.elementHandle())
      assert.deepEqual(await findings(page), [])
      await from.fill('٩')
      await page.getByRole('button', { name: t.copy(weekday(0)) }).click()
      await page.getByRole('button', { name: t.addHoursOn(weekday(6)) }).click()
      await page.keyboard.press('Control+s')
      await page.getByText(t.saved).waitFor()
      const hours = [{ from: '09:00', to: '16:00' }]
      const long = [{ from: '08:00', to: '16:00' }]
      assert.deepEqual((await read(id)).weekly, [hours, hours, hours, hours, hours, [], long])
      assert.deepEqual(await foreignTexts(page, language, known), [])
      assert.deepEqual(await tooWide(page), [])
    })

    test(titled('a period has names, days and hours of its own, and an overlapping period is refused beside its fields'), async () => {
      const { id } = await newCalendar()
      const { page } = await at(`/admin/calendars/${id}`)
      await page.getByRole('button', { name: t.addPeriod }).click()
      const first = page.getByRole('region', { name: t.unnamedPeriod })
      await first.getByLabel(t.nameAr).fill('رمضان')
      await first.waitFor({ state: 'detached' })
      const period = page.getByRole('region', { name: 'رمضان' })
      await period.getByLabel(t.nameEn).fill('Ramadan')
      const named = page.getByRole('region', { name: language === 'ar' ? 'رمضان' : 'Ramadan' })
      await named.getByRole('button', { name: /00:00/ }).first().click()
      await page.getByRole('button', { name: t.addPeriod }).click()
      const second = page.getByRole('region', { name: t.unnamedPeriod })
      await second.getByRole('textbox', { name: t.firstDay }).fill('today')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Control+s')
      await second.getByRole('alert').filter({ hasText: /\S/ }).first().waitFor()
      assert.deepEqual(await findings(page), [])
      await second.getByRole('button', { name: new RegExp(t.unnamedPeriod) }).click()
      await page.keyboard.press('Control+s')
      await page.getByText(t.saved).waitFor()
      const { periods } = await read(id)
      assert.deepEqual([periods.length, periods[0].nameEn, periods[0].weekly[0]], [1, 'Ramadan', []])
    })

    test(titled('a press adds a day off, the page says which due times it moves, and the change is undone'), async () => {
      const { id } = await inUse()
      const { page } = await at(`/admin/calendars/${id}`)
      const day = inDays(2)
      await page.locator('.calendars-off [data-day][tabindex="0"]').focus()
      for (const key of [onward, onward]) await page.keyboard.press(key)
      // The other month is drawn first; the next key must reach the day.
      await page.locator(`[data-day="${day}"]:focus`).press('Enter')
      await page
        .getByRole('status')
        .filter({ hasText: t.moves(0, 1) })
        .waitFor()
      await page.getByLabel(new RegExp(`^${t.nameEn}, |^${t.nameEn}، `)).fill('Founding Day')
      assert.deepEqual(await findings(page), [])
      await page.keyboard.press('Control+s')
      await page.getByText(t.saved).waitFor()
      assert.deepEqual((await read(id)).daysOff, [{ date: day, nameAr: null, nameEn: 'Founding Day' }])
      // Leave the field, because there the keys would undo the typed text.
      await page.locator('h1').click()
      await page.keyboard.press('Control+z')
      await page.getByText(f.takenBack).waitFor()
      assert.deepEqual((await read(id)).daysOff, [])
    })

    if (size === 'desktop')
      test(titled('a wide page shows the year by months, and a press in any month adds a day off'), async () => {
        const year = Number(inDays(0).slice(0, 4))
        const { id } = await newCalendar({ daysOff: [{ date: `${year}-02-22`, nameAr: 'يوم التأسيس', nameEn: 'Founding Day' }] })
        const { page } = await at(`/admin/calendars/${id}`)
        const months = page.getByRole('group', { name: t.daysOff }).getByRole('grid')
        await months.nth(11).waitFor()
        assert.equal(await months.count(), 12)
        assert.deepEqual(
          await page.locator('.calendar-months [data-marked]:visible').evaluateAll((all) => all.map((one) => one.dataset['day'])),
          [`${year}-02-22`],
        )
        await months.nth(8).locator(`[data-day="${year}-09-23"]`).click()
        assert.deepEqual([await findings(page), await tooWide(page)], [[], []])
        await page.keyboard.press('Control+s')
        await page.getByText(t.saved).waitFor()
        const days = (await read(id)).daysOff.map(({ date }: { date: string }) => date)
        assert.deepEqual(days, [`${year}-02-22`, `${year}-09-23`])
      })

    test(titled('a calendar that a team and an order use becomes the default, and a deletion is refused with the reason'), async () => {
      const { id } = await inUse()
      const former = (await portal.admin.get('/working-calendars')).body.find(({ isDefault }: { isDefault: boolean }) => isDefault)
      const { page } = await at(`/admin/calendars/${id}`)
      const act = async (name: string) => {
        await page.getByRole('button', { name: shared.acts }).click()
        await page.getByRole('menuitem', { name }).click()
      }
      await act(t.remove)
      await page.getByRole('button', { name: t.removeYes }).click()
      await page.getByText(t.usedByTeams(1)).waitFor()
      await page.getByText(t.usedByOrders(1)).waitFor()
      assert.deepEqual(await findings(page), [])
      await page.getByRole('button', { name: t.close, exact: true }).click()
      await act(t.makeDefault)
      await page.getByText(t.defaultHint, { exact: true }).waitFor()
      assert.deepEqual([(await read(id)).isDefault, (await read(former.id)).isDefault], [true, false])
      await portal.admin.patch(`/working-calendars/${former.id}`, { isDefault: true })
      await page.getByText(t.defaultHint, { exact: true }).waitFor({ state: 'detached' })
    })

    test(titled('if two administrators change the same hours, the page shows both versions before one is saved'), async () => {
      const { id } = await newCalendar()
      const { page } = await at(`/admin/calendars/${id}`)
      await page.getByRole('button', { name: t.addPeriod }).waitFor()
      await page.getByLabel(t.from(weekday(1))).fill('10')
      await page.keyboard.press('Tab')
      const all = [{ from: '06:00', to: '20:00' }]
      const theirs = { nameEn: `Theirs ${language}`, weekly: [all, all, all, all, all, [], []] }
      assert.equal((await portal.admin.patch(`/working-calendars/${id}`, theirs)).status, 200)
      await page.keyboard.press('Control+s')
      await page.getByRole('group', { name: t.hours }).waitFor()
      assert.deepEqual(await findings(page), [])
      await page.getByRole('button', { name: f.keepMine }).click()
      await page.keyboard.press('Control+s')
      await page.getByText(t.saved).waitFor()
      const { nameEn, weekly } = await read(id)
      assert.deepEqual([nameEn, weekly[1]], [theirs.nameEn, [{ from: '10:00', to: '24:00' }]])
    })
  }
})
