/** The pages show which apps a person could open at a moment of the past. */
import '../../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers } from '../../../../test/makers.ts'
import { browser, findings, foreignTexts, journeys, pairs, portalWithPages, tooWide } from '../../../testing/browser.ts'
import { momentOf } from '../shared/past/moment-of.ts'
import { both as ofPast } from '../shared/past/texts.ts'
import { both as ofDesk } from '../texts.ts'
import { both as ofUser } from '../user/texts.ts'
import { both as ofThen } from './past-texts.ts'
import { both as ofAccess } from './texts.ts'

const portal = portalWithPages()
const { newApp, newGroup, newPerson, idsOfPermissions } = makers(portal)
const known = /[@\w.-]*\d+|Everyone|@?admin|[a-z_]+\.[a-z_.]+|\w+_\w+|Z\b/
const plain = (text: string) => text.replace(/[\u2068\u2069]/g, '')

test('a day without a time means the end of that day, and today without a time means now', () => {
  const now = new Date(2026, 2, 1, 12, 30)
  assert.deepEqual(momentOf('2026-02-28', '', now), new Date(2026, 1, 28, 23, 59, 59, 999))
  assert.deepEqual(momentOf('2026-03-01', '', now), now)
  assert.deepEqual(momentOf('2026-03-01', '09:15', now), new Date(2026, 2, 1, 9, 15))
  assert.deepEqual(momentOf('2026-03-01', '13:00', now), new Date(2026, 2, 1, 13))
})

journeys(() => {
  const { visitAs } = browser(portal)
  let admins = 0
  for (const pair of pairs) {
    const { language, size } = pair
    const [t, then, when, user] = [ofAccess[language], ofThen[language], ofPast[language], ofUser[language]]
    const titled = (title: string) => `${title} (${language}, ${size})`
    async function at(path: string) {
      const { username } = await portal.person(`auditor-${admins++}`, { roles: ['admin'] })
      const opened = await visitAs(username, pair)
      await opened.page.goto(path)
      await opened.page.getByRole('heading', { level: 1 }).first().waitFor()
      return opened
    }
    /** Creates Dana, who has left a group that showed her an app. Also returns a moment before she left. */
    async function formerMember() {
      const app = await newApp({ nameAr: 'الميزانية', nameEn: 'Budget', permissionIds: await idsOfPermissions('portal.it') })
      const person = await newPerson({ displayNameAr: 'دانة', displayNameEn: 'Dana' })
      const group = await newGroup({ userIds: [person.id], appIds: [app.id] })
      const [row] = await portal.sql<{ at: Date }>('select clock_timestamp() as at')
      const moment = row!.at.toISOString()
      await portal.admin.delete(`/groups/${group.id}/users/${person.id}`)
      await portal.admin.patch(`/groups/${group.id}`, { name: `${group.name}.later` })
      return { app, person, group, moment }
    }
    const isSound = async (page: Awaited<ReturnType<typeof at>>['page']) => {
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, known), [])
      assert.deepEqual(await tooWide(page), [])
    }

    test(titled('the page explains why a person saw an app on a past day, and returns to now'), async () => {
      const { app, person, group, moment } = await formerMember()
      const { page } = await at(`/admin/access?user=${person.id}&app=${app.id}&at=${moment}`)
      const title = language === 'ar' ? 'الميزانية' : 'Budget'
      await page.getByRole('heading', { name: plain(then.because.group(group.name, title)) }).waitFor()
      await isSound(page)

      await page.getByRole('button', { name: when.when }).click()
      await page.getByLabel(when.day).first().fill('1/3/2020')
      await page.getByLabel(when.time).fill('10:30')
      await page.getByRole('button', { name: when.show }).click()
      await page.getByRole('heading', { name: then.notFound }).waitFor()
      assert.equal(new URL(page.url()).searchParams.get('at'), new Date(2020, 2, 1, 10, 30).toISOString())
      await isSound(page)
      await page.reload()
      await page.getByRole('heading', { name: then.notFound }).waitFor()

      await page.getByRole('button', { name: when.when }).click()
      await page.getByRole('button', { name: when.backToNow }).click()
      await page.getByText(t.noPermission).waitFor()
      assert.equal(new URL(page.url()).searchParams.get('at'), null)
    })

    test(titled('a person’s page shows the apps that they could open on a past day, by source'), async () => {
      const { person, group, moment } = await formerMember()
      const { page } = await at(`/admin/users/${person.id}?at=${moment}`)
      await page.getByRole('heading', { level: 2, name: group.name, exact: true }).waitFor()
      await isSound(page)
      await page.getByRole('button', { name: when.when }).click()
      assert.deepEqual(await findings(page), [])
      await page.getByRole('button', { name: when.backToNow }).click()
      await page.getByRole('heading', { level: 2, name: group.name, exact: true }).waitFor({ state: 'detached' })
      await page.goto(`/admin/users/${person.id}?at=2020-03-01T10:00:00.000Z`)
      await page.getByText(user.notYet).waitFor()
    })

    test(titled('the page of a deleted person leads to the apps that they could open'), async () => {
      const { app, person } = await formerMember()
      const other = await newGroup({ userIds: [person.id], appIds: [app.id] })
      await portal.admin.delete(`/users/${person.id}?force=true`)
      await portal.admin.delete(`/apps/${app.id}?force=true`)
      const { page } = await at(`/admin/users/${person.id}`)
      await page.getByRole('link', { name: ofDesk[language].whatTheyOpened }).click()
      const title = language === 'ar' ? 'الميزانية' : 'Budget'
      await page.getByRole('link', { name: new RegExp(`${title}.*${other.name}`) }).click()
      await page.getByRole('heading', { name: plain(then.because.group(other.name, title)) }).waitFor()
      await isSound(page)
    })
  }
})
