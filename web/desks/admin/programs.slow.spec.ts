/** Service accounts and API tokens, as administrators manage them. */
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { makers } from '../../../test/makers.ts'
import { addProgram } from '../../../test/service-accounts.ts'
import { giveToken, withToken } from '../../../test/tokens.ts'
import { both as forms } from '../../parts/forms/form/texts.ts'
import { both as filters } from '../../parts/lists/filters/texts.ts'
import { both as ofTokens } from '../../parts/show/tokens/texts.ts'
import { browser, findings, foreignTexts, foundOption, journeys, pairs, portalWithPages, tooWide } from '../../testing/browser.ts'
import { both as ofAccounts } from './service-accounts/texts.ts'
import { both as ofList } from './tokens/texts.ts'

const portal = portalWithPages()
const { newGroup, newPerson, newRole } = makers(portal)
const known = /[@\w.-]*\d+|Everyone|admin|@\w+|Lina|Test|Stock report|Night run|bw[ps]_\w+|Authorization: Bearer|Robot|stock-[\w-]+/

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

journeys(() => {
  const { visitAs } = browser(portal)
  let admins = 0
  const read = async (path: string) => (await portal.admin.get(path)).body

  for (const pair of pairs) {
    const { language, size } = pair
    const [t, k, l, f] = [ofAccounts[language], ofTokens[language], ofList[language], forms[language]]
    const titled = (title: string) => `${title} (${language}, ${size})`
    const own = `${language}-${size}`
    async function at(path: string) {
      const { username } = await portal.person(`keeper-${admins++}`, { roles: ['admin'], displayNameAr: 'سلمى', displayNameEn: 'Salma' })
      const opened = await visitAs(username, pair)
      await opened.page.goto(path)
      await opened.page.getByRole('heading', { level: 1 }).first().waitFor()
      return opened
    }

    test(titled('a program gets an account with a role and a contact, and a token that is shown once'), async () => {
      const [role, contact] = [await newRole(['directory.read']), await newPerson({ displayNameAr: 'لينا', displayNameEn: 'Lina' })]
      const { page } = await at('/admin/service-accounts')
      await button(page, t.create).first().click()
      await page.getByLabel(t.username).fill(`stock-${own}`)
      await page.getByLabel(t.nameAr).fill('تقرير المخزون')
      await page.getByLabel(t.nameEn).fill('Stock report')
      await page.getByRole('combobox', { name: `${t.roles}: ${t.addRole}` }).fill(role.name)
      await foundOption(page, { name: role.name }).click()
      await page.getByRole('combobox', { name: `${t.contact}: ${t.addContact}` }).fill(contact.username)
      await foundOption(page, { name: contact.username }).click()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, known), [])
      assert.deepEqual(await tooWide(page), [])
      await button(page, t.make).click()
      await page.waitForURL(/service-accounts\/\d+$/)
      await page.getByText(t.noTokens).waitFor()
      const account = (await read('/service-accounts')).find(({ username }: { username: string }) => username === `stock-${own}`)
      assert.deepEqual([account.roleNames, account.contactUserId], [[role.name], contact.id])

      await button(page, t.addToken).click()
      await button(page, k.make).click()
      await page.getByText(k.chooseOne).waitFor()
      await page.getByLabel(k.name, { exact: true }).fill('Night run')
      assert.equal(await page.getByLabel(k.scopes['admin:write']).count(), 0)
      await page.getByLabel(k.scopes['audit:read']).check()
      await page.getByLabel(k.scopes['profile:read']).check()
      await button(page, k.make).click()
      await page.locator('.token-scopes .error:not(:empty)').waitFor()
      await page.getByLabel(k.scopes['audit:read']).uncheck()
      await page.getByLabel(k.scopes['people:read']).check()
      await page.getByLabel(k.lasts).selectOption('1095')
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, known), [])
      assert.deepEqual(await tooWide(page), [])
      await button(page, k.make).click()
      const field = page.getByLabel(k.token, { exact: true })
      const token = await field.inputValue()
      assert.match(token, /^bws_/)
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await tooWide(page), [])
      await button(page, k.done).click()
      await page.getByText(k.scopes['people:read']).waitFor()
      assert.equal(await page.getByText(token).count(), 0)
      assert.equal((await withToken(portal, token).get('/users')).status, 200)

      await button(page, k.revokeNamed('Night run')).click()
      await page.getByRole('dialog').getByRole('button', { name: k.revoke, exact: true }).click()
      await page.getByText(t.noTokens).waitFor()
      assert.equal((await withToken(portal, token).get('/users')).status, 401)
    })

    test(titled('an account is renamed, deactivated, activated and deleted'), async () => {
      const group = await newGroup()
      const { id } = await addProgram(portal, `robot-${own}`, { groupIds: [group.id] })
      await giveToken(portal, id, { kind: 'service' })
      const { page } = await at(`/admin/service-accounts/${id}`)
      await page.getByRole('link', { name: group.name }).waitFor()
      await page.getByLabel(t.nameAr).fill('روبوت')
      await page.getByLabel(t.nameEn).fill('Robot')
      await button(page, f.save).click()
      await page.getByText(t.saved).waitFor()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, known), [])
      await button(page, t.disable).click()
      await page.getByText(t.disableHint).waitFor()
      await page.getByRole('dialog').getByRole('button', { name: t.disable, exact: true }).click()
      await page.getByText(t.noTokens).waitFor()
      await button(page, t.enable).click()
      await button(page, t.disable).waitFor()
      // A toast usually lets presses through. This one is made to catch them, and the pointer on it keeps it open. Even so, the last button
      // can be scrolled above it.
      const toast = page.locator('.toast').last()
      await toast.evaluate((element) => {
        element.style.pointerEvents = 'auto'
      })
      await toast.hover()
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
      const remove = button(page, t.remove)
      assert.ok(
        await remove.evaluate((element) => {
          const { x, y, width, height } = element.getBoundingClientRect()
          return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
        }),
      )
      await remove.click()
      await page.getByRole('dialog').getByRole('button', { name: t.remove, exact: true }).click()
      await page.waitForURL(/service-accounts$/)
      assert.equal((await portal.admin.get(`/service-accounts/${id}`)).status, 404)
      await page.goto(`/admin/service-accounts/${id}`)
      await page.getByRole('heading', { name: t.gone }).waitFor()
      assert.deepEqual(await findings(page), [])
    })

    test(titled('all tokens are listed and can be filtered by owner and end, and one is revoked by keyboard alone'), async () => {
      const lina = await portal.person(`lina-${own}`, { displayNameAr: 'لينا', displayNameEn: 'Lina' })
      const program = await addProgram(portal, `lister-${own}`)
      await giveToken(portal, program.id, { kind: 'service', days: 400, scopes: ['people:read', 'audit:read'] })
      const soon = await giveToken(portal, lina.id, { days: 3, scopes: ['orders:read', 'orders:write', 'profile:read'] })
      const { page } = await at(`/admin/tokens`)
      const rows = page.getByRole('row').filter({ has: page.getByRole('link') })
      await rows.first().waitFor()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, known), [])
      assert.deepEqual(await tooWide(page), [])
      await page.goto(`/admin/tokens?user=${lina.id}`)
      await rows.first().getByText(k.scopes['orders:read']).waitFor()
      await page.goto(`/admin/tokens?user=${lina.id}&ends=7`)
      await rows.first().waitFor()
      await page.getByRole('button', { name: l.acts('\u2068Test\u2069') }).focus()
      await page.keyboard.press('Enter')
      // The menu is visible before its first item has the focus.
      await page.locator('[role=menuitem]:focus').getByText(k.revoke).waitFor()
      await page.keyboard.press('Enter')
      const act = page.getByRole('dialog').getByRole('button', { name: k.revoke, exact: true })
      await act.focus()
      assert.deepEqual(await findings(page), [])
      await page.keyboard.press('Enter')
      await page.getByText(l.nothing).waitFor()
      assert.equal((await withToken(portal, soon.text).get('/auth/me')).status, 401)
      await page.getByRole('button', { name: filters[language].clear }).first().click()
      await rows.first().waitFor()
    })
  }
})
