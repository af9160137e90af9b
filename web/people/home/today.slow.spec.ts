/** Today's meetings on the home page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MEETINGS } from '../../../test/meetings.ts'
import { browser, findings, foreignTexts, journeys, pairs, portalWithPages, tooWide } from '../../testing/browser.ts'
import { setPortalClock } from '../../testing/clock.ts'
import { both } from './today-texts.ts'

const portal = portalWithPages()

journeys(() => {
  const { visitAs } = browser(portal)

  for (const [n, pair] of pairs.entries()) {
    const { language, size } = pair
    const t = both[language]
    const date = `2030-05-0${n + 1}`
    const title = (titleAr: string, titleEn: string) => ({ titleAr, titleEn })
    const meet = async (fields: object) => (await portal.admin.post(MEETINGS, { date, ...fields })).body.id as number
    /** Opens the home page while the portal's clock says ten in the morning. */
    async function atTen(name: string, roles: string[]) {
      const person = await portal.person(`${name}-${language}-${size}`, { displayNameAr: 'مها', displayNameEn: 'Maha', roles })
      const { page } = await visitAs(person.username, pair)
      await setPortalClock(page, `${date}T10:00:00Z`)
      await page.goto('/')
      return { page, person }
    }

    test(`the home page shows today's meetings that are not over, and follows their changes (${language}, ${size})`, async () => {
      await meet({ ...title('الأمس', 'Earlier'), startTime: '08:00', endTime: '09:00' })
      const now = await meet({
        ...title('الميزانية', 'Budget'),
        startTime: '09:30',
        endTime: '10:30',
        locationAr: 'القاعة',
        locationEn: 'Hall',
      })
      await meet({ ...title('زيارة', 'Visit'), startTime: '14:00' })
      await meet({ ...title('ملغى', 'Cancelled'), startTime: '15:00', status: 'cancelled' })
      const { page, person } = await atTen('maha', ['executive_viewer'])
      const today = page.getByRole('region', { name: t.meetings(3) })
      const cards = today.getByRole('listitem')
      await cards.nth(1).waitFor()
      assert.equal(await cards.count(), 2)
      const budget = cards.first().getByRole('link')
      await budget.getByText(t.now).waitFor()
      await budget.getByText(t.until('10:30')).waitFor()
      assert.equal(await budget.getAttribute('href'), `/meetings/${date}?open=${now}`)
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, /Bawaba/), [])
      assert.deepEqual(await tooWide(page), [])
      await portal.admin.patch(`${MEETINGS}/${now}`, { startTime: '16:00', endTime: '17:00' })
      await cards.getByText(t.until('17:00')).waitFor()
      await portal.admin.patch(`${MEETINGS}/${now}`, { status: 'cancelled' })
      await page.getByRole('heading', { name: t.meetings(2) }).waitFor()
      assert.equal(
        await page
          .getByRole('region', { name: t.meetings(2) })
          .getByRole('listitem')
          .count(),
        1,
      )
      await portal.admin.delete(`/users/${person.id}/roles/executive_viewer`)
      await page.getByRole('heading', { name: t.meetings(2) }).waitFor({ state: 'detached' })
    })

    test(`the home page shows no meetings to people who may not open them (${language}, ${size})`, async () => {
      await meet({ ...title('الميزانية', 'Budget'), startTime: '14:00' })
      const { page } = await atTen('staff', [])
      // Tiles are rendered only once everything above them is loaded.
      await page.locator('.home-tile, .empty').first().waitFor()
      assert.equal(await page.locator('.home-time').count(), 0)
    })
  }
})
