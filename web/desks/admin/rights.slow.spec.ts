/** The pages of roles, permissions and access. */
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers } from '../../../test/makers.ts'
import { both as filters } from '../../parts/lists/filters/texts.ts'
import { both as consequences } from '../../parts/overlay/consequences/texts.ts'
import { both as ofHistory } from '../../parts/show/history/texts.ts'
import { both as parts } from '../../parts/texts.ts'
import {
  browser,
  findings,
  foreignTexts,
  foundOption,
  holdCalls,
  journeys,
  pairs,
  portalWithPages,
  tooWide,
} from '../../testing/browser.ts'
import { both as ofAccess } from './access/texts.ts'
import { both as ofPermission } from './permission/texts.ts'
import { both as ofPermissions } from './permissions/texts.ts'
import { both as ofRole } from './role/texts.ts'
import { both as ofRoles } from './roles/texts.ts'
import { both as newRoles } from './shared/role/texts.ts'
import { both as ofShared } from './shared/texts.ts'

const portal = portalWithPages()
const { idsOfPermissions, newApp, newGroup, newPerson, newPermission, newRole } = makers(portal)
const known = /[@\w.-]*\d+|Everyone|@?admin|[a-z_]+\.[a-z_.]+|\w+_\w+|CSV|Z\b/

journeys(() => {
  const { visitAs } = browser(portal)
  let admins = 0

  for (const pair of pairs) {
    const { language, size } = pair
    const [shared, past, c] = [ofShared[language], ofHistory[language], consequences[language]]
    const titled = (title: string) => `${title} (${language}, ${size})`
    /** Opens an address of the administration as a new administrator. */
    async function at(path: string) {
      const { username } = await portal.person(`steward-${admins++}`, { roles: ['admin'] })
      const opened = await visitAs(username, pair)
      await opened.page.goto(path)
      await opened.page.getByRole('heading', { level: 1 }).first().waitFor()
      return opened
    }
    const named = (name: string) => newPerson({ displayNameAr: name, displayNameEn: name })
    const saving = (...outcome: string[]) => c.outcome(c.save, outcome)
    const permissionsOf = async (id: number) =>
      ((await portal.admin.get(`/roles/${id}/permissions`)).body as { name: string }[]).map(({ name }) => name)
    /** Creates an app that requires a permission, and a person with a role that does not give it. */
    async function restricted(permission: string) {
      const app = await newApp({ nameAr: 'الميزانية', nameEn: 'Budget', permissionIds: await idsOfPermissions(permission) })
      const role = await newRole()
      const person = await named('Dana')
      await portal.admin.post(`/users/${person.id}/roles`, { roleName: role.name })
      return { app, role, person }
    }
    const words = { page: ofRole[language], list: ofRoles[language] }

    test(titled('a role gains a permission after a preview of who gains what, and the change is reverted from the history'), async () => {
      const permission = await newPermission()
      const { role } = await restricted(permission.name)
      const { page } = await at(`/admin/roles/${role.id}`)
      await page.getByRole('combobox', { name: words.page.addPermissions }).fill(permission.name)
      await foundOption(page, { name: permission.name }).click()
      await page.getByRole('button', { name: saving(c.gain(1)) }).click()
      await page.getByText(words.page.saved).waitFor()
      assert.deepEqual(await permissionsOf(role.id), [permission.name])
      await page.getByRole('tab', { name: words.page.tabs.holders }).click()
      await page.getByRole('link', { name: 'Dana' }).waitFor()
      assert.deepEqual(await findings(page), [])
      await page.getByRole('tab', { name: words.page.tabs.apps }).click()
      await page.getByRole('link', { name: language === 'ar' ? 'الميزانية' : 'Budget' }).waitFor()
      await page.goto(`/admin/roles/${role.id}?tab=history&on=2026-99-99`)
      await page.getByText(filters[language].wrong).waitFor()
      await page.getByRole('button', { name: past.putBack }).click()
      assert.deepEqual(await findings(page), [])
      await page.getByRole('button', { name: c.outcome(past.putBack, [c.lose(1)]) }).click()
      await page.getByText(past.done, { exact: true }).waitFor()
      assert.deepEqual(await permissionsOf(role.id), [])
      assert.deepEqual(await foreignTexts(page, language, known), [])
      assert.deepEqual(await tooWide(page), [])
    })

    test(titled('permissions of a former day are not restored over a change that the preview did not show'), async () => {
      const role = await newRole(['portal.hr'])
      const later = await newPermission()
      const { page } = await at(`/admin/roles/${role.id}?tab=history&on=2026-01-01`)
      await page.locator('.role-day').getByText(filters[language].utc).waitFor()
      await page.getByRole('button', { name: words.page.restoreDay }).click()
      const restore = page.locator('.previewed').getByRole('button', { name: new RegExp(`^${past.putBack}`) })
      await restore.waitFor()
      const permissionIds = await idsOfPermissions('portal.hr', later.name)
      await portal.admin.put(`/roles/${role.id}/permissions`, { permissionIds })
      await page.locator('.role-now').getByText(later.name).waitFor()
      await restore.click()
      await page.locator('.previewed .error').filter({ hasText: /\S/ }).waitFor()
      assert.deepEqual((await permissionsOf(role.id)).toSorted(), [later.name, 'portal.hr'].toSorted())
    })

    test(titled('a day chosen while another day is restored stays chosen'), async () => {
      const role = await newRole(['portal.hr'])
      const { page } = await at(`/admin/roles/${role.id}?tab=history&on=2026-01-01`)
      await page.getByRole('button', { name: words.page.restoreDay }).click()
      const restoring = await holdCalls(page, `**/api/roles/${role.id}/permissions`)
      await page
        .locator('.previewed')
        .getByRole('button', { name: new RegExp(`^${past.putBack}`) })
        .click()
      await restoring.began
      await page.locator('.pick-on').click()
      await page.locator('[data-day="2026-01-08"]').click()
      await page.waitForURL(/on=2026-01-08/)
      restoring.release()
      await page.getByText(past.done, { exact: true }).waitFor()
      assert.match(page.url(), /on=2026-01-08/)
      assert.deepEqual(await permissionsOf(role.id), [])
    })

    test(titled('a role with holders is deleted after they are moved to another role, and undo restores it'), async () => {
      const { role, person } = await restricted('portal.hr')
      const other = await newRole(['portal.hr'])
      const group = await newGroup()
      await portal.admin.post(`/groups/${group.id}/roles`, { roleId: role.id })
      const { page } = await at(`/admin/roles/${role.id}`)
      await page.getByRole('button', { name: shared.acts }).click()
      await page.getByRole('menuitem', { name: words.page.delete }).click()
      await page.getByRole('dialog').getByRole('combobox', { name: words.page.choose }).fill(other.name)
      await foundOption(page, { name: other.name, exact: true }).click()
      await page.getByRole('button', { name: words.page.move, disabled: false }).waitFor()
      assert.deepEqual(await findings(page), [])
      await page.getByRole('button', { name: words.page.move }).click()
      await page.waitForURL('**/admin/roles')
      const { roles } = (await portal.admin.get(`/users/${person.id}`)).body
      assert.ok(roles.includes(other.name) && !roles.includes(role.name))
      assert.ok((await portal.admin.get(`/groups/${group.id}`)).body.roleIds.includes(other.id))
      await page.getByRole('button', { name: parts[language].undo }).click()
      await page.waitForURL(`**/admin/roles/${role.id}`)
      assert.equal((await portal.admin.get(`/roles/${role.id}`)).status, 200)
    })

    test(titled('the portal’s own roles are listed with their permissions, are read-only, and can be copied'), async () => {
      const { page } = await at('/admin/roles')
      await page.getByText(words.list.system.admin).waitFor()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, known), [])
      await page.getByRole('link', { name: /order_receiver/ }).click()
      await page.getByText(words.page.fixed).waitFor()
      await page.getByRole('button', { name: words.page.copy }).click()
      const key = `copy-${admins}`
      await page.getByLabel(newRoles[language].key).fill(key)
      await page.getByRole('button', { name: newRoles[language].create }).click()
      await page.getByRole('row', { name: 'orders.receive' }).waitFor()
      const { id } = ((await portal.admin.get('/roles')).body as { id: number; name: string }[]).find(({ name }) => name === key)!
      assert.deepEqual(await permissionsOf(id), ['orders.receive'])
      await page.goto('/admin/roles')
      await page.getByRole('row').nth(1).waitFor()
      assert.deepEqual(await tooWide(page), [])
    })

    test(titled('an unused permission is created with a proposed key, renamed and deleted, and undo restores it'), async () => {
      const [t, list] = [ofPermission[language], ofPermissions[language]]
      const { page } = await at('/admin/permissions')
      await page.getByRole('button', { name: list.create }).click()
      await page.getByLabel(list.nameEn).fill(`Archive keeper ${admins}`)
      const key = `portal.archive_keeper_${admins}`
      assert.equal(await page.getByLabel(list.key).inputValue(), key)
      assert.deepEqual(await findings(page), [])
      await page.getByRole('button', { name: list.make }).click()
      await page.getByText(t.unused).waitFor()
      await page.getByLabel(t.nameAr).fill('أمين الأرشيف')
      await page.keyboard.press('Control+s')
      await page.getByText(t.saved).waitFor()
      assert.deepEqual(await findings(page), [])
      await page.goto('/admin/permissions?used=0')
      await page.getByRole('link', { name: key }).click()
      await page.getByRole('button', { name: shared.acts }).click()
      await page.getByRole('menuitem', { name: t.delete }).click()
      await page.waitForURL('**/admin/permissions')
      await page.getByRole('button', { name: parts[language].undo }).click()
      await page.getByText(t.unused).waitFor()
      assert.deepEqual(await foreignTexts(page, language, known), [])
      assert.deepEqual(await tooWide(page), [])
    })

    test(titled('the page explains why a person does not see an app, and a remedy chosen there shows it to them at once'), async () => {
      const t = ofAccess[language]
      const permission = await newPermission()
      const { app, person } = await restricted(permission.name)
      await newRole([permission.name])
      const theirs = await visitAs(person.username, { language })
      const tile = theirs.page.getByRole('link', { name: language === 'ar' ? 'الميزانية' : 'Budget' })
      await theirs.page.locator('.home-tile, .empty').first().waitFor()
      assert.equal(await tile.count(), 0)
      const { page } = await at(`/admin/access?user=${person.id}&app=${app.id}`)
      await page.getByText(t.noPermission).waitFor()
      await page.getByText(t.nothingElse).first().waitFor()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, known), [])
      await page.getByRole('button', { name: t.previews['role.add'] }).first().click()
      await page.getByRole('button', { name: c.outcome(t.verbs['role.add'], [c.gain(1)]) }).click()
      await page.getByText(t.waysFrom).waitFor()
      await tile.first().waitFor()
      await page.getByRole('button', { name: parts[language].undo }).click()
      await page.getByText(t.waysTo).waitFor()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await tooWide(page), [])
    })

    test(titled('the page begins with examples, and lists who sees an app and what a person sees, with the reasons'), async () => {
      const t = ofAccess[language]
      const { app, person } = await restricted('portal.it')
      const { page } = await at('/admin/access')
      await page.getByRole('heading', { name: t.examples }).waitFor()
      assert.deepEqual(await findings(page), [])
      await page.goto(`/admin/access?app=${app.id}`)
      await page
        .getByRole('link', { name: new RegExp(t.reasons.admin) })
        .first()
        .waitFor()
      assert.deepEqual(await findings(page), [])
      await page.getByRole('searchbox', { name: t.find }).fill('dana')
      await page.getByText(t.nobody).waitFor()
      await page.goto(`/admin/access?user=${person.id}`)
      await page.getByRole('link', { name: t.toUser }).waitFor()
      assert.deepEqual(await findings(page), [])
      await portal.admin.patch(`/users/${person.id}`, { isActive: false })
      await page.goto(`/admin/access?user=${person.id}&app=${app.id}`)
      await page.getByRole('heading', { name: t.userOff('\u2068Dana\u2069').replace(/[\u2068\u2069]/g, '') }).waitFor()
      assert.deepEqual(await tooWide(page), [])
    })
  }
})
