/** Administrators see which apps a person sees and why, and change their profile, groups, roles and access. */
import '../../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../../test/client.ts'
import { both as forms } from '../../../parts/forms/form/texts.ts'
import { both as editing } from '../../../parts/lists/set-editor/texts.ts'
import { both as consequences } from '../../../parts/overlay/consequences/texts.ts'
import { both as sharing } from '../../../parts/show/history/texts.ts'
import { isolated } from '../../../platform/language.ts'
import { browser, findings, foreignTexts, journeys, pairs, portalWithPages, takeFirst, tooWide } from '../../../testing/browser.ts'
import { both as acting } from '../shared/person-acts/texts.ts'
import { both as ofDesk } from '../texts.ts'
import { both } from './texts.ts'

const portal = portalWithPages()

journeys(() => {
  const { visitAs } = browser(portal)
  let made = 0

  /** Creates a person and a group that shows an app, and opens the person's page as an administrator. */
  async function setUp({ language, size }: (typeof pairs)[number], tab = '') {
    const n = ++made
    const boss = await portal.person(`boss${n}`, { displayNameAr: 'عمر', displayNameEn: 'Omar', roles: ['admin'] })
    const dana = await portal.person(`dana${n}`, { displayNameAr: 'دانة', displayNameEn: 'Dana' })
    const make = async (path: string, sent: object) => {
      const { status, body } = await portal.admin.post(path, sent)
      assert.ok(status < 300, `${path} ${status}`)
      return body
    }
    const group = await make('/groups', { name: `finance${n}`, descriptionAr: 'المالية', descriptionEn: 'Finance' })
    const look = { nameAr: 'الميزانية', nameEn: 'Budget', iconName: 'wallet', color: '#276749' }
    const app = await make('/apps', { slug: `budget${n}`, route: `/budget${n}`, ...look })
    const permission = await make('/permissions', { name: `budget${n}.read` })
    await make(`/apps/${app.id}/permissions`, { permissionId: permission.id })
    await make(`/groups/${group.id}/apps`, { appId: app.id })
    const { page } = await visitAs(`boss${n}`, { language, size })
    await page.goto(`/admin/users/${dana.id}${tab && `?tab=${tab}`}`)
    const name = language === 'ar' ? 'دانة' : 'Dana'
    await page.getByRole('heading', { level: 1, name }).waitFor()
    const profile = async () => (await portal.admin.get(`/users/${dana.id}`)).body
    return { page, t: both[language], n, boss, dana, group, name, profile }
  }
  const foreign = /Bawaba|admin|Ctrl|Dana|Budget|(dana|boss|finance)\d+\S*/

  for (const pair of pairs) {
    const { language, size } = pair
    const titled = (title: string) => `${title} (${language}, ${size})`

    test(titled('joining a group shows the previewed app, and is undone by keyboard and from the history'), async () => {
      const { page, t, n, name, dana, group, profile } = await setUp(pair)
      const words = consequences[language]
      await page
        .locator('.user-withheld')
        .getByText(language === 'ar' ? 'الميزانية' : 'Budget')
        .first()
        .waitFor()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, foreign), [])
      await page.getByRole('button', { name: `${t.change}: ${t.groups}` }).click()
      const dialog = page.getByRole('dialog')
      await takeFirst(dialog.getByRole('combobox'), `finance${n}`)
      const save = dialog.getByRole('button', { name: words.outcome(words.save, [words.gain(1)]), exact: true })
      await save.waitFor()
      assert.deepEqual(await findings(page), [])
      assert.equal((await profile()).groups.length, 1)
      await save.click()
      await page.locator('.user-source').getByText(t.byGroup).waitFor()
      await page.keyboard.press('Control+z')
      await page.getByText(forms[language].takenBack, { exact: true }).waitFor()
      assert.equal((await profile()).groups.length, 1)
      await portal.admin.post(`/groups/${group.id}/users`, { userId: dana.id })
      await page.locator('.user-source').getByText(t.byGroup).waitFor()
      await page.getByRole('tab', { name: t.tabs.history }).click()
      const entry = page.locator('.history-entry').first()
      await entry.getByRole('button', { name: sharing[language].putBack, exact: true }).click()
      await entry.getByRole('button', { name: words.outcome(sharing[language].putBack, [words.lose(1)]), exact: true }).click()
      await until('the change is reverted', async () => (await profile()).groups.length === 1)
      assert.deepEqual(await findings(page), [])
      await page.goto(`/admin/users/${dana.id}`)
      await page.getByRole('heading', { level: 1, name }).waitFor()
      assert.deepEqual(await tooWide(page), [])
    })

    test(titled('concurrent edits of a profile are merged, and the person chooses if both changed the same field'), async () => {
      const { page, t, dana, profile } = await setUp(pair, 'profile')
      const words = forms[language]
      await page.getByLabel(t.nameEn).fill('Dana Mine')
      await portal.admin.patch(`/users/${dana.id}`, { displayNameAr: 'دانة أخرى' })
      await page.waitForFunction((text) => [...document.querySelectorAll('input')].some(({ value }) => value === text), 'دانة أخرى')
      await page.getByRole('button', { name: words.save, exact: true }).click()
      await until('both edits are saved', async () => (await profile()).displayNameEn === 'Dana Mine')
      assert.equal((await profile()).displayNameAr, 'دانة أخرى')
      await page.getByLabel(t.nameEn).fill('Dana Again')
      await portal.admin.patch(`/users/${dana.id}`, { displayNameEn: 'Dana Theirs' })
      await page.locator('.changed').waitFor()
      assert.deepEqual(await findings(page), [])
      await page.getByRole('button', { name: words.takeMine }).click()
      await page.getByRole('button', { name: words.save, exact: true }).click()
      await until('the second edit is saved', async () => (await profile()).displayNameEn === 'Dana Again')
    })

    test(titled('a person is signed out of their devices, deactivated after a preview, and deleted while their page is open'), async () => {
      const { page, t, dana, name, profile } = await setUp(pair, 'devices')
      const words = acting[language]
      await page.getByRole('button', { name: t.endAll(1) }).click()
      assert.deepEqual(await findings(page), [])
      await page
        .getByRole('dialog')
        .getByRole('button', { name: t.endAll(1) })
        .click()
      await page.getByText(t.noDevices).waitFor()
      assert.equal((await dana.get('/auth/me')).status, 401)
      await page.getByRole('button', { name: t.acts(name) }).click()
      await page.getByRole('menuitem', { name: t.deactivate }).click()
      await page.getByRole('dialog').getByText(words.deactivate.stays, { exact: true }).waitFor()
      assert.deepEqual(await findings(page), [])
      await page.getByRole('dialog').getByRole('button', { name: words.deactivate.yes, exact: true }).click()
      await page.locator('.user-top').getByText(t.disabled, { exact: true }).waitFor()
      assert.equal((await profile()).isActive, false)
      await page.keyboard.press('Control+z')
      await page.locator('.user-top').getByText(t.disabled, { exact: true }).waitFor({ state: 'detached' })
      await portal.admin.delete(`/users/${dana.id}`)
      await page.getByRole('heading', { level: 1, name: t.goneTitle }).waitFor()
      assert.deepEqual(await findings(page), [])
      await page.goto('/admin/users/999999999')
      await page.getByRole('heading', { level: 1, name: ofDesk[language].never }).waitFor()
    })

    test(titled('administrators cannot deactivate themselves, and the last administrator cannot lose the role'), async () => {
      const { page, t, boss } = await setUp(pair)
      const { body: admins } = await portal.admin.get('/users?role=admin&status=active')
      const admin = (await portal.admin.get('/roles')).body.find(({ name }: { name: string }) => name === 'admin')
      const titleOf = (role: { descriptionAr: string; descriptionEn: string }) =>
        role[language === 'ar' ? 'descriptionAr' : 'descriptionEn']
      const others = admins.map(({ id }: { id: number }) => id).filter((id: number) => id !== boss.id)
      await boss.post('/users/bulk-change', { ids: others, set: { removeRoleNames: ['admin'] } })
      await page.goto(`/admin/users/${boss.id}`)
      await page.getByText(t.own).waitFor()
      assert.equal(await page.locator('.user-acts').getByRole('button').count(), 1)
      await page.getByRole('button', { name: `${t.change}: ${t.roles}` }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: editing[language].remove(isolated(titleOf(admin))) }).click()
      await dialog.getByText(consequences[language].lastAdmin).waitFor()
      assert.deepEqual(await findings(page), [])
      await boss.post('/users/bulk-change', { ids: others, set: { addRoleNames: ['admin'] } })
    })
  }

  test('the page of a person marks the notices about them as read, but not their request for a link', async () => {
    const { page, boss, dana } = await setUp({ language: 'en', size: 'desktop' })
    const unread = async () =>
      ((await boss.get('/notifications?unread=true')).body as { relatedId: number }[]).map(({ relatedId }) => relatedId)
    await portal.sql(`insert into notifications (user_id, type, title_ar, title_en, related_type, related_id)
      values (${boss.id}, 'system', 'خبر', 'News', 'user', ${dana.id})`)
    await page.reload()
    await until('the notice is read', async () => (await unread()).length === 0)
    await portal.stranger().post('/auth/forgot-password', { identifier: dana.username })
    await until('the request has come', async () => (await unread()).length === 1)
    const loaded = page.waitForResponse((answer) => /notifications\?.*unread=true/.test(answer.url()))
    await page.reload()
    await loaded
    await page.getByRole('heading', { level: 1, name: 'Dana' }).waitFor()
    assert.deepEqual(await unread(), [dana.id])
  })

  test('Ctrl S saves groups only once their preview is shown, and sends nothing without a change', async () => {
    const { page, t, n, profile } = await setUp({ language: 'en', size: 'desktop' })
    const words = consequences.en
    const gate = Promise.withResolvers<void>()
    await page.route('**/api/admin/impact', async (route) => {
      await gate.promise
      await route.continue()
    })
    await page.getByRole('button', { name: `${t.change}: ${t.groups}` }).click()
    const dialog = page.getByRole('dialog')
    await page.keyboard.press('Control+s')
    const asked = page.waitForRequest('**/api/admin/impact')
    await takeFirst(dialog.getByRole('combobox'), `finance${n}`)
    await page.keyboard.press('Control+s')
    await asked
    await page.keyboard.press('Control+s')
    gate.resolve()
    await dialog.getByRole('button', { name: words.outcome(words.save, [words.gain(1)]), exact: true }).waitFor()
    assert.equal((await profile()).groups.length, 1)
    await page.keyboard.press('Control+s')
    await dialog.waitFor({ state: 'detached' })
    assert.equal((await profile()).groups.length, 2)
  })
})
