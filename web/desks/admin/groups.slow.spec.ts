/** The pages of groups: saving sets, two administrators at once, deletions. */
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/client.ts'
import { makers } from '../../../test/makers.ts'
import { both as forms } from '../../parts/forms/form/texts.ts'
import { both as editors } from '../../parts/lists/set-editor/texts.ts'
import { both as consequences } from '../../parts/overlay/consequences/texts.ts'
import { both as ofHistory } from '../../parts/show/history/texts.ts'
import { both as parts } from '../../parts/texts.ts'
import { browser, findings, foreignTexts, foundOption, journeys, pairs, portalWithPages, tooWide } from '../../testing/browser.ts'
import { both as ofGroup } from './group/texts.ts'
import { both as ofGroups } from './groups/texts.ts'
import { both as ofSets } from './shared/group/texts.ts'
import { both as ofShared } from './shared/texts.ts'
import { both as ofAdmin } from './texts.ts'

const portal = portalWithPages()
const { idsOfPermissions, newApp, newGroup, newPerson, newService } = makers(portal)
const known = /[@\w.-]*\d+|Everyone|admin|@\w+|Ctrl|Z\b/

journeys(() => {
  const { visitAs } = browser(portal)
  let admins = 0

  for (const pair of pairs) {
    const { language, size } = pair
    const [t, words, sets, shared, past, c, f] = [
      ofGroup[language],
      ofGroups[language],
      ofSets[language],
      ofShared[language],
      ofHistory[language],
      consequences[language],
      forms[language],
    ]
    const titled = (title: string) => `${title} (${language}, ${size})`
    /** Opens an address of the administration as a new administrator. */
    async function at(path: string) {
      const { username } = await portal.person(`keeper-${admins++}`, { roles: ['admin'], displayNameAr: 'سلمى', displayNameEn: 'Salma' })
      const opened = await visitAs(username, pair)
      await opened.page.goto(path)
      await opened.page.getByRole('heading', { level: 1 }).first().waitFor()
      return opened
    }
    /** A group that opens an app to its members. */
    async function opening(fields: { userIds?: number[] } = {}) {
      const permissionIds = await idsOfPermissions('portal.finance')
      const app = await newApp({ nameAr: 'الميزانية', nameEn: 'Budget', permissionIds })
      return newGroup({ ...fields, appIds: [app.id], descriptionAr: 'المالية', descriptionEn: 'Finance' })
    }
    const read = async (id: number) => (await portal.admin.get(`/groups/${id}`)).body
    const member = (name: string) => newPerson({ displayNameAr: name, displayNameEn: name })
    const saving = (...parts: string[]) => c.outcome(c.save, parts)

    test(titled('one save adds and removes members after a preview of who gains and loses, and is undone'), async () => {
      const [stays, goes, comes] = [await member('Sami'), await member('Majed'), await member('Lina')]
      const group = await opening({ userIds: [stays.id, goes.id] })
      const { page } = await at(`/admin/groups/${group.id}`)
      await page.getByRole('row', { name: 'Majed' }).waitFor()
      assert.deepEqual(await findings(page), [])
      await page.getByRole('combobox', { name: sets.addMembers }).fill(comes.username)
      await foundOption(page, { name: 'Lina' }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: saving(c.gain(1)) }).waitFor()
      await page.getByRole('row', { name: 'Majed' }).focus()
      await page.keyboard.press('Delete')
      await page.getByRole('button', { name: saving(c.lose(1), c.gain(1)) }).waitFor()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, /Majed|Lina|Sami|Budget|Finance|Salma|[@\w.-]*\d+|Ctrl Z/), [])
      await page.keyboard.press('Control+s')
      await page.getByText(t.saved).waitFor()
      assert.deepEqual(
        (await read(group.id)).userIds,
        [stays.id, comes.id].toSorted((one, other) => one - other),
      )
      await page.getByRole('heading', { level: 1 }).first().focus()
      await page.keyboard.press('Control+z')
      await page.getByText(f.takenBack).waitFor()
      assert.deepEqual(
        (await read(group.id)).userIds,
        [stays.id, goes.id].toSorted((one, other) => one - other),
      )
    })

    test(titled('a pasted list of people joins in one save, and the change is reverted from the history'), async () => {
      const [one, other] = [await member('Amal'), await member('Badr')]
      const group = await opening()
      const { page } = await at(`/admin/groups/${group.id}`)
      await page.getByRole('combobox', { name: sets.addMembers }).focus()
      await page.evaluate((text) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/plain', text)
        document.activeElement!.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      }, `${one.username}@example.org\n${other.username}\nnobody-at-all`)
      const e = editors[language]
      await page.getByText([e.foundCount('2'), e.missingCount('1')].join(e.comma)).waitFor()
      await page.getByRole('button', { name: saving(c.gain(2)) }).click()
      await page.getByText(t.saved).waitFor()
      assert.equal((await read(group.id)).userIds.length, 2)
      await page.getByRole('tab', { name: t.tabs.history }).click()
      const putBack = page.getByRole('button', { name: past.putBack })
      await putBack.first().waitFor()
      const entries = await page.locator('.history-entry').count()
      await putBack.first().click()
      await page.getByRole('button', { name: c.outcome(past.putBack, [c.lose(2)]) }).click()
      await page.getByText(past.done, { exact: true }).waitFor()
      await page.locator('.history-entry').nth(entries).waitFor()
      assert.deepEqual((await read(group.id)).userIds, [])
      assert.deepEqual(await findings(page), [])
    })

    test(titled('concurrent changes of two administrators are merged, and both versions of the same text are shown'), async () => {
      const group = await opening()
      const { page } = await at(`/admin/groups/${group.id}?tab=texts`)
      const theirs = { descriptionAr: language === 'ar' ? 'المالية' : 'الشؤون المالية', descriptionEn: 'Theirs' }
      await page.getByLabel(sets.nameEn).fill('Mine')
      await portal.admin.patch(`/groups/${group.id}`, { descriptionAr: 'الشؤون المالية' })
      await page.keyboard.press('Control+s')
      await page
        .getByText(f.savedTogether('admin'))
        .or(page.getByText(f.savedTogether('')))
        .or(page.getByText(t.saved))
        .first()
        .waitFor()
      const merged = await read(group.id)
      assert.deepEqual([merged.descriptionAr, merged.descriptionEn], ['الشؤون المالية', 'Mine'])
      await page.getByLabel(sets.nameEn).fill('Mine again')
      // Wait until the page shows this change before saving: a save that is already running would continue by itself after the choice.
      await portal.admin.patch(`/groups/${group.id}`, { descriptionEn: theirs.descriptionEn })
      await page.getByRole('button', { name: f.takeMine }).click()
      assert.deepEqual(await findings(page), [])
      await page.getByRole('button', { name: c.save, exact: true }).click()
      // Do not wait for the toast, because that of the first save may still be shown.
      await until('the second text is saved', async () => (await read(group.id)).descriptionEn === 'Mine again')
    })

    test(titled('a group is created with members, found in the list, and deleted with its members in it'), async () => {
      const person = await member('Huda')
      const { page } = await at('/admin/groups?new=1')
      const dialog = page.getByRole('dialog', { name: words.newGroup })
      const key = `made-${admins}`
      await dialog.getByLabel(sets.key).fill(key)
      await dialog.getByRole('combobox', { name: sets.addMembers }).fill(person.username)
      await foundOption(page, { name: 'Huda' }).click()
      assert.deepEqual(await findings(page), [])
      await dialog.getByRole('button', { name: words.make }).click()
      await page.waitForURL(/\/admin\/groups\/\d+$/)
      await page.getByRole('row', { name: 'Huda' }).waitFor()
      const id = Number(new URL(page.url()).pathname.split('/').at(-1))
      assert.deepEqual((await read(id)).userIds, [person.id])

      await page.goto(`/admin/groups?q=${key}`)
      await page.getByRole('link', { name: key }).waitFor()
      assert.deepEqual(await findings(page), [])
      await page.getByRole('link', { name: key }).click()
      await page.getByRole('button', { name: shared.acts }).click()
      await page.getByRole('menuitem', { name: t.delete }).click()
      await page.getByRole('dialog').getByText('Huda').waitFor()
      assert.deepEqual(await findings(page), [])
      await page.getByRole('button', { name: t.deleteWith(1) }).click()
      await page.waitForURL('**/admin/groups')
      await page.goto(`/admin/groups/${id}`)
      await page.getByRole('heading', { name: t.gone }).waitFor()
    })

    test(titled('a group is not deleted with more members than the dialog showed'), async () => {
      const [person, other] = [await member('Huda'), await member('Nora')]
      const group = await newGroup({ userIds: [person.id] })
      const { page } = await at(`/admin/groups/${group.id}`)
      await page.getByRole('button', { name: shared.acts }).click()
      await page.getByRole('menuitem', { name: t.delete }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('Huda').waitFor()
      await portal.admin.post(`/groups/${group.id}/users`, { userId: other.id })
      await dialog.getByRole('button', { name: t.deleteWith(1) }).click()
      await dialog.locator('.error').filter({ hasText: /\S/ }).waitFor()
      assert.equal((await read(group.id)).userIds.length, 2)
      await dialog.getByRole('button', { name: t.deleteWith(2) }).click()
      await page.waitForURL('**/admin/groups')
      assert.equal((await portal.admin.get(`/groups/${group.id}`)).status, 404)
    })

    test(titled('an empty group is deleted at once, and undo restores it'), async () => {
      const group = await newGroup()
      const { page } = await at(`/admin/groups/${group.id}`)
      await page.getByRole('button', { name: shared.acts }).click()
      await page.getByRole('menuitem', { name: t.delete }).click()
      await page.waitForURL('**/admin/groups')
      await page.getByRole('button', { name: parts[language].undo }).click()
      await page.waitForURL(`**/admin/groups/${group.id}`)
      await page.getByRole('heading', { name: group.name }).waitFor()
      assert.equal((await read(group.id)).name, group.name)
    })

    test(titled('deleting an empty group shows first which teams and services name it, and undo restores it'), async () => {
      const group = await newGroup()
      const service = await newService({ nameAr: 'قهوة', nameEn: 'Coffee' })
      await portal.admin.put(`/services/${service.id}/handling`, { audience: 'groups', audienceGroupIds: [group.id] })
      const { page } = await at(`/admin/groups/${group.id}`)
      await page.getByRole('button', { name: shared.acts }).click()
      await page.getByRole('menuitem', { name: t.delete }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('link', { name: language === 'ar' ? 'قهوة' : 'Coffee' }).waitFor()
      await dialog.getByText(t.lastNames.audience).waitFor()
      await page.keyboard.press('Escape')
      const other = await newGroup()
      await portal.admin.put(`/services/${service.id}/handling`, { audience: 'groups', audienceGroupIds: [group.id, other.id] })
      await page.getByRole('button', { name: shared.acts }).click()
      await page.getByRole('menuitem', { name: t.delete }).click()
      await dialog.getByText(t.names.audience, { exact: true }).waitFor()
      assert.equal(await dialog.getByText(shared.final).count(), 0)
      assert.deepEqual([...(await findings(page)), ...(await foreignTexts(page, language, known)), ...(await tooWide(page))], [])
      await dialog.getByRole('button', { name: t.deleteWith(0) }).click()
      await page.waitForURL('**/admin/groups')
      await page.getByRole('button', { name: parts[language].undo }).click()
      await page.waitForURL(`**/admin/groups/${group.id}`)
      const { body } = await portal.admin.get(`/services/${service.id}/handling`)
      assert.deepEqual(body.audienceGroupIds, [group.id, other.id])
    })

    test(titled('if somebody else deletes a group being edited, the page says so and shows the typed text for copying'), async () => {
      const group = await opening()
      const { page } = await at(`/admin/groups/${group.id}?tab=texts`)
      await page.getByLabel(sets.nameEn).fill('Typed here')
      await portal.admin.delete(`/groups/${group.id}?force=true`)
      await page.getByRole('heading', { name: t.gone }).waitFor()
      assert.equal(await page.getByLabel(ofAdmin[language].typed).inputValue(), 'Typed here')
      assert.equal(await page.getByText(f.unsavedKept).count(), 0)
      assert.deepEqual(await findings(page), [])
    })

    test(titled('the pages of groups fit into 320 pixels and are translated, and Everyone has no field for members'), async () => {
      const { page } = await at('/admin/groups')
      await page.getByRole('row').nth(1).waitFor()
      assert.deepEqual(await foreignTexts(page, language, known), [])
      assert.deepEqual(await tooWide(page), [])
      const everyone = (await portal.admin.get('/groups?q=Everyone')).body[0].id
      const { page: other } = await at(`/admin/groups/${everyone}`)
      await other.getByText(sets.everyone).waitFor()
      assert.equal(await other.getByRole('combobox', { name: sets.addMembers }).count(), 0)
      assert.deepEqual(await tooWide(other), [])
      const { page: lost } = await at('/admin/groups/999999')
      await lost.getByRole('heading', { name: ofAdmin[language].never }).waitFor()
      assert.deepEqual(await findings(lost), [])
      await lost.getByRole('link', { name: ofAdmin[language].toList }).click()
      await lost.waitForURL('**/admin/groups')
      await lost.goBack()
      await lost.waitForFunction((title) => document.title.startsWith(title), ofAdmin[language].never)
    })
  }
})
