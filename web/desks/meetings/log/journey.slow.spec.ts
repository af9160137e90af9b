/** The log of the meetings, and reverting its changes. */
import '../../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { archiving, newDay } from '../../../../test/archives.ts'
import { MEETINGS, TASKS } from '../../../../test/meetings.ts'
import { both as ofHistory } from '../../../parts/show/history/texts.ts'
import { both as ofLog } from '../../../parts/show/log/texts.ts'
import { browser, findings, foreignTexts, journeys, pairs, portalWithPages, tooWide } from '../../../testing/browser.ts'
import { both } from './texts.ts'

const portal = portalWithPages()
const { meet, archive } = archiving(portal)

journeys(() => {
  const { visitAs } = browser(portal)
  let visitors = 0

  for (const pair of pairs) {
    const { language, size } = pair
    const [t, log, history] = [both[language], ofLog[language], ofHistory[language]]
    const titled = (title: string) => `${title} (${language}, ${size})`
    async function at(query: string, role = 'executive_office_manager') {
      const name = `office-${visitors++}`
      const { username } = await portal.person(name, { displayNameAr: 'مها الدوسري', displayNameEn: 'Maha', roles: [role] })
      const opened = await visitAs(username, pair)
      await opened.page.goto(`/meetings/log${query}`)
      return opened
    }

    test(titled('the log shows a change of a meeting with its old and new values, and reverts it'), async () => {
      const attendees = [{ name: 'Huda', title: 'Director' }, { name: 'Sami' }]
      const { id } = await meet(newDay(), { titleAr: 'الميزانية', titleEn: 'Budget', attendees })
      await portal.admin.patch(`${MEETINGS}/${id}`, { notes: 'Bring the plan', attendees: [{ name: 'Sami' }, { name: 'Omar' }] })
      const { page } = await at(`?kind=meeting&id=${id}`)
      const entries = page.locator('.log-entry')
      await entries.nth(1).waitFor()
      assert.equal(await entries.count(), 2)
      await entries.first().getByRole('button', { name: log.open }).click()
      const changes = page.locator('.log-changes')
      await changes.getByText('Bring the plan').waitFor()
      assert.deepEqual(
        (await changes.locator('mark').allTextContents()).map((text) => text.replaceAll(/[\u2068\u2069]/g, '')),
        [`Huda${log.comma}Director`, 'Omar'],
      )
      assert.match(page.url(), /open=\d+/)
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, /En|Bawaba|admin|office-\d+|Maha|Budget|JSON|Huda|Director|Sami|Omar/), [])
      await entries.first().getByRole('button', { name: history.putBack }).click()
      const preview = page.getByRole('region', { name: history.putBackTitle })
      await preview.getByText('Omar').waitFor()
      assert.deepEqual(await findings(page), [])
      await preview.getByRole('button', { name: history.putBack }).click()
      await page.getByText(history.done, { exact: true }).waitFor()
      const { notes, attendees: now } = (await portal.admin.get(`${MEETINGS}/${id}`)).body
      assert.equal(notes, null)
      assert.deepEqual(
        now.map(({ name }: { name: string }) => name),
        ['Huda', 'Sami'],
      )
      await page.getByRole('button', { name: log.fresh(1) }).click()
      assert.equal(await entries.count(), 3)
      assert.deepEqual(await tooWide(page), [])
    })

    test(titled('the address narrows the log to kinds, actions and people'), async () => {
      const date = newDay()
      await meet(date)
      await archive(date)
      const { body } = await portal.admin.post(TASKS, { titleAr: 'إعداد العرض', titleEn: 'Prepare the slides' })
      await portal.admin.patch(`${TASKS}/${body.id}`, { status: 'done' })
      const { page } = await at('?kind=pdf_archive')
      const entries = page.locator('.log-entry')
      await entries.first().waitFor()
      await page.getByRole('button', { name: `${t.kind}: ${t.kinds.pdf_archive}` }).click()
      await page.getByRole('menuitemradio', { name: t.kinds.task }).click()
      await entries
        .getByText(language === 'ar' ? 'إعداد العرض' : 'Prepare the slides')
        .first()
        .waitFor()
      assert.match(page.url(), /kind=task/)
      await page.getByRole('button', { name: `${t.action}: ${t.anyAction}` }).click()
      await page.getByRole('menuitemradio', { name: t.actions.update, exact: true }).click()
      await page.getByRole('button', { name: `${t.action}: ${t.actions.update}` }).waitFor()
      await entries.first().getByRole('button', { name: log.open }).click()
      await page.locator('.log-changes').getByText(log.statuses['done']!).waitFor()
      await page.goto('/meetings/log?from=2020-01-01&to=2020-01-02')
      await page.getByText(t.nothing).waitFor()
    })

    test(titled('an entry names people who have left the office'), async () => {
      const name = `leaver-${visitors++}`
      const leaver = await portal.person(name, { displayNameAr: 'ريم', displayNameEn: 'Reem', roles: ['executive_coordinator'] })
      const { id } = (await leaver.post(TASKS, { titleEn: 'Draft', assigneeId: leaver.id })).body
      await portal.admin.delete(`/users/${leaver.id}/roles/executive_coordinator`)
      const { page } = await at(`?kind=task&id=${id}&actor=${leaver.id}`)
      const reem = language === 'ar' ? 'ريم' : 'Reem'
      await page.getByRole('button', { name: `${t.actor}: ${reem}` }).waitFor()
      await page.locator('.log-entry').getByRole('button', { name: log.open }).click()
      await page.locator('.log-changes').getByText(reem).waitFor()
    })

    test(titled('people without the right to review changes see that they may not read the log'), async () => {
      const { page } = await at('', 'executive_viewer')
      await page.getByText(t.notYours).waitFor()
      assert.deepEqual(await findings(page), [])
    })
  }
})
