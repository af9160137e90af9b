/** Memberships and roles that end: given, changed, shown and put back. */
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { inDays, passDays } from '../../../test/grants.ts'
import { runJob } from '../../../test/jobs.ts'
import { makers } from '../../../test/makers.ts'
import { both as forms } from '../../parts/forms/form/texts.ts'
import { both as editors } from '../../parts/lists/set-editor/texts.ts'
import { both as consequences } from '../../parts/overlay/consequences/texts.ts'
import { both as ends } from '../../parts/show/ends/texts.ts'
import { both as ofHistory } from '../../parts/show/history/texts.ts'
import { isolated } from '../../platform/language.ts'
import { browser, findings, foreignTexts, foundOption, journeys, pairs, portalWithPages, tooWide } from '../../testing/browser.ts'
import { both as ofGroup } from './group/texts.ts'
import { both as said } from './shared/ends/texts.ts'
import { both as ofSets } from './shared/group/texts.ts'
import { both as ofUser } from './user/texts.ts'

const portal = portalWithPages()
const { newGroup, newPerson } = makers(portal)
const known = /[@\w.-]*\d+|Everyone|admin|@\w+|Ctrl|Z\b|Lina|Majed|Finance/

journeys(() => {
  const { visitAs } = browser(portal)
  let admins = 0
  const read = async (path: string) => (await portal.admin.get(path)).body
  const member = (name: string) => newPerson({ displayNameAr: name, displayNameEn: name })
  const join = (group: number, userId: number, expiresAt: string | null) =>
    portal.admin.post(`/groups/${group}/users`, { userId, expiresAt })
  /** The rounded number of days until a membership ends. */
  const daysLeft = async (group: number, userId: number) => {
    const end = (await read(`/groups/${group}`)).memberEnds.find((one: { userId: number }) => one.userId === userId)
    return end && Math.round((Date.parse(end.expiresAt) - Date.now()) / 86_400_000)
  }

  const endOf = (name: string, words: string, language: 'ar' | 'en' = 'en') => editors[language].endOf(isolated(name), words)

  const refuseEnds = (page: Page) =>
    page.route('**/api/groups/*/users', (route) =>
      route.fulfill({ status: 409, json: { statusCode: 409, code: 'last_admin', messageAr: '', messageEn: '', message: '' } }),
    )

  for (const pair of pairs) {
    const { language, size } = pair
    const [t, e, c, f, past] = [ofGroup[language], ends[language], consequences[language], forms[language], ofHistory[language]]
    const titled = (title: string) => `${title} (${language}, ${size})`
    async function at(path: string) {
      const { username } = await portal.person(`warden-${admins++}`, { roles: ['admin'], displayNameAr: 'سلمى', displayNameEn: 'Salma' })
      const opened = await visitAs(username, pair)
      await opened.page.goto(path)
      await opened.page.getByRole('heading', { level: 1 }).first().waitFor()
      return opened
    }
    test(titled('one save gives ends to a new and to an existing membership, and is undone'), async () => {
      const [stays, comes] = [await member('Majed'), await member('Lina')]
      const group = await newGroup({ userIds: [stays.id] })
      const { page } = await at(`/admin/groups/${group.id}`)
      await page.getByRole('combobox', { name: ofSets[language].addMembers }).fill(comes.username)
      await foundOption(page, { name: 'Lina' }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: endOf('Lina', e.none, language) }).click()
      await page.getByRole('button', { name: e.after(30) }).waitFor()
      // Wait for the new preview: until it comes, the previous one is faded.
      await page.locator('.consequences-details[aria-busy]').waitFor({ state: 'detached' })
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, known), [])
      await page.getByRole('button', { name: e.after(30) }).click()
      await page.getByRole('button', { name: endOf('Lina', e.inDays(30), language) }).waitFor()
      // With the keyboard, go from the row to the end of its membership, and into the choices.
      await page.getByRole('row', { name: 'Majed' }).focus()
      await page.keyboard.press(language === 'ar' ? 'ArrowLeft' : 'ArrowRight')
      await page.keyboard.press('Enter')
      await page.waitForFunction(() => document.activeElement?.matches('.end-choice'))
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: endOf('Majed', e.inDays(7), language) }).waitFor()
      assert.deepEqual(await findings(page), [])
      await page.keyboard.press('Control+s')
      await page.getByText(t.saved).waitFor()
      assert.deepEqual(
        [await daysLeft(group.id, comes.id), await daysLeft(group.id, stays.id)].map((days) => [7, 8, 30, 31].includes(days)),
        [true, true],
      )
      await page.getByRole('heading', { level: 1 }).first().focus()
      await page.keyboard.press('Control+z')
      await page.getByText(f.takenBack).waitFor()
      const { userIds, memberEnds } = await read(`/groups/${group.id}`)
      assert.deepEqual([userIds, memberEnds], [[stays.id], []])
      assert.deepEqual(await tooWide(page), [])
    })

    test(titled('the history lists given, changed and ended memberships, and a change of an end is reverted'), async () => {
      const person = await member('Lina')
      const group = await newGroup({ descriptionAr: 'المالية', descriptionEn: 'Finance' })
      const [first, second] = [inDays(20), inDays(40)]
      await join(group.id, person.id, first)
      await join(group.id, person.id, second)
      const { page } = await at(`/admin/groups/${group.id}?tab=history`)
      const entries = page.locator('.history-entry')
      await entries.nth(1).waitFor()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, known), [])
      await entries.first().getByRole('button', { name: past.putBack }).click()
      await page.locator('.previewed').getByRole('button', { name: past.putBack }).click()
      await page.getByText(past.done, { exact: true }).waitFor()
      assert.deepEqual((await read(`/groups/${group.id}`)).memberEnds, [{ userId: person.id, expiresAt: first }])

      await page.goto(`/admin/users/${person.id}`)
      await page.locator('.user-aside .end-chip').waitFor()
      await page.goto(`/admin/users/${person.id}?tab=history`)
      await entries.nth(1).waitFor()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, known), [])
    })

    test(titled('a direct role gets an end on the page of its holder, and the list of holders shows the end'), async () => {
      const person = await newPerson()
      const role = (await read('/roles')).find(({ name }: { name: string }) => name === 'order_receiver')
      await portal.admin.post(`/users/${person.id}/roles`, { roleName: 'order_receiver' })
      const { page } = await at(`/admin/users/${person.id}`)
      const u = ofUser[language]
      await page.getByRole('button', { name: `${u.change}: ${u.roles}` }).click()
      const dialog = page.getByRole('dialog')
      await dialog.locator('.end-pick').first().click()
      await page.getByRole('button', { name: e.after(90) }).click()
      assert.deepEqual(await findings(page), [])
      await dialog.getByRole('button', { name: c.save, exact: true }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.locator('.user-aside .end-chip').waitFor()
      await page.goto(`/admin/roles/${role.id}?tab=holders&q=${person.username}`)
      await page.locator('.role-ways .end-chip').waitFor()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await tooWide(page), [])
    })
  }

  test('a refused end for the last administrator is reported beside the button, and the typed end is not lost', async () => {
    const person = await member('Lina')
    const group = await newGroup({ userIds: [person.id] })
    const { username } = await portal.person(`warden-${admins++}`, { roles: ['admin'] })
    const { page } = await visitAs(username, { language: 'en', size: 'desktop' })
    await refuseEnds(page)
    await page.goto(`/admin/groups/${group.id}`)
    await page.locator('.end-pick').first().click()
    await page.getByRole('button', { name: ends.en.after(7) }).click()
    await page.getByRole('button', { name: consequences.en.save, exact: true }).click()
    await page.getByText(said.en.refused.last_admin).waitFor()
    await page.getByRole('button', { name: endOf('Lina', ends.en.inDays(7)) }).waitFor()
    assert.deepEqual(await findings(page), [])
  })

  test('after a refused end, a person whom the save has added is shown once, and the person with the refused end can be saved again', async () => {
    const [comes, late] = [await member('Lina'), await member('Majed')]
    const group = await newGroup()
    const { username } = await portal.person(`warden-${admins++}`, { roles: ['admin'] })
    const { page } = await visitAs(username, { language: 'en', size: 'desktop' })
    const save = page.getByRole('button', { name: consequences.en.save, exact: true })
    await refuseEnds(page)
    await page.goto(`/admin/groups/${group.id}`)
    for (const [name, person] of [
      ['Lina', comes],
      ['Majed', late],
    ] as const) {
      await page.getByRole('combobox', { name: ofSets.en.addMembers }).fill(person.username)
      await foundOption(page, { name }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('row', { name }).waitFor()
    }
    await page.getByRole('button', { name: endOf('Majed', ends.en.none) }).click()
    await page.getByRole('button', { name: ends.en.after(30) }).click()
    await save.click()
    await page.getByText(said.en.refused.last_admin).waitFor()
    await page.locator('[role=row]:not([data-state])', { hasText: 'Lina' }).waitFor()
    assert.equal(await page.getByRole('row', { name: 'Lina' }).count(), 1)
    await page.locator('[role=row][data-state=joins]', { hasText: 'Majed' }).waitFor()
    await page.unroute('**/api/groups/*/users')
    await save.click()
    await page.getByText(ofGroup.en.saved).waitFor()
    assert.deepEqual(
      (await read(`/groups/${group.id}`)).userIds.toSorted((one: number, other: number) => one - other),
      [comes.id, late.id].toSorted((one, other) => one - other),
    )
    assert.deepEqual(await findings(page), [])
  })

  test('after a refused end, a group that the save has given a person is shown once, and the group with the refused end stays pending', async () => {
    const person = await member('Lina')
    const [comes, late] = [await newGroup(), await newGroup()]
    const { username } = await portal.person(`warden-${admins++}`, { roles: ['admin'] })
    const { page } = await visitAs(username, { language: 'en', size: 'desktop' })
    await refuseEnds(page)
    await page.goto(`/admin/users/${person.id}`)
    await page.getByRole('button', { name: `${ofUser.en.change}: ${ofUser.en.groups}` }).click()
    const dialog = page.getByRole('dialog')
    for (const { name } of [comes, late]) {
      await dialog.getByRole('combobox', { name: ofUser.en.add.groups }).fill(name)
      await foundOption(page, { name }).waitFor()
      await page.keyboard.press('Enter')
      await dialog.getByRole('row', { name }).waitFor()
    }
    await dialog.getByRole('button', { name: endOf(late.name, ends.en.none) }).click()
    await page.getByRole('button', { name: ends.en.after(30) }).click()
    await dialog.getByRole('button', { name: consequences.en.save, exact: true }).click()
    await page.getByText(said.en.refused.last_admin).waitFor()
    await dialog.locator('[role=row]:not([data-state])', { hasText: comes.name }).waitFor()
    assert.equal(await dialog.getByRole('row', { name: comes.name }).count(), 1)
    await dialog.locator('[role=row][data-state=joins]', { hasText: late.name }).waitFor()
  })

  test('a membership that ends in an hour and a half is said to end within two hours', async () => {
    const person = await member('Lina')
    const group = await newGroup()
    await join(group.id, person.id, new Date(Date.now() + 90 * 60_000).toISOString())
    const { username } = await portal.person(`warden-${admins++}`, { roles: ['admin'] })
    const { page } = await visitAs(username, { language: 'en', size: 'desktop' })
    await page.goto(`/admin/groups/${group.id}`)
    await page.getByRole('button', { name: endOf('Lina', ends.en.withinHours(2)) }).waitFor()
  })

  test('the history says that a membership ended by time, and does not offer to revert that', async () => {
    const person = await member('Lina')
    const group = await newGroup()
    await join(group.id, person.id, inDays(1))
    await passDays(portal, 2)
    await runJob(portal, 'expire_grants')
    const { username } = await portal.person(`warden-${admins++}`, { roles: ['admin'] })
    const { page } = await visitAs(username, { language: 'en', size: 'desktop' })
    await page.goto(`/admin/groups/${group.id}?tab=history`)
    await page.getByText(/whose time was over/).waitFor()
    assert.equal(await page.locator('.history-entry').first().getByRole('button', { name: ofHistory.en.putBack }).count(), 0)
    await page.goto(`/admin/users/${person.id}?tab=history`)
    await page.getByText(/whose time was over/).waitFor()
    assert.deepEqual(await findings(page), [])
  })
})
