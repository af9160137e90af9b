/** An administrator sets up a provider: adds it, checks it, tries it on themselves, and opens it to people. */
import { slowTest } from '../../../test/suite.ts'
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { until } from '../../../test/client.ts'
import { addTotp, codeOf } from '../../../test/factors.ts'
import { addProvider, CLIENT, openProvider, type TestProvider } from '../../../test/oidc/provider.ts'
import { ADMIN_PASSWORD } from '../../../test/portal.ts'
import { both as toasts } from '../../parts/texts.ts'
import { both as ofSignIn } from '../../people/sign-in/texts.ts'
import { browser, findings, journeys, pairs, portalWithPages, takeFirst } from '../../testing/browser.ts'
import { both as ofProvider } from './provider/texts.ts'
import { both as ofState } from './shared/provider/texts.ts'
import { both as ofList } from './sign-in/texts.ts'
import { both as ofPerson } from './user/security-texts.ts'

const portal = portalWithPages({ SSO_INTERNAL_HOSTS: '127.0.0.1', SECRETS_KEY: Buffer.alloc(32, 'k').toString('base64url') })
let provider: TestProvider
before(async () => {
  await portal.ready
  const slugs = pairs.map(({ language, size }) => `work-${language}-${size}`)
  provider = await openProvider({ portalUrl: portal.base, slugs })
})

journeys(() => {
  const { visit, visitAs } = browser(portal, { others: () => [provider.issuer] })

  async function asAdmin(options: Parameters<typeof visit>[0]) {
    const opened = await visit(options)
    const headers = { origin: portal.base }
    await opened.context.request.post('/api/auth/login', { data: { username: 'admin', password: ADMIN_PASSWORD }, headers })
    await opened.context.request.patch('/api/auth/me/language', { data: { language: options?.language }, headers })
    return opened.page
  }

  for (const { language, size } of pairs) {
    const t = { ...ofList[language], ...ofState[language], ...ofProvider[language] }
    const slug = `work-${language}-${size}`
    const titled = (title: string) => `${title} (${language}, ${size})`

    test(titled('a provider is added, checked, tried on oneself and opened to people'), async () => {
      const page = await asAdmin({ language, size })
      await page.goto('/admin/sign-in')
      await page.getByRole('heading', { name: t.title, level: 1 }).waitFor()
      assert.deepEqual(await findings(page), [])
      await page.getByRole('button', { name: t.add, exact: true }).click()
      const dialog = page.getByRole('dialog')
      await dialog.locator('select').selectOption('other')
      await dialog.locator('input[name=nameAr]').fill('حساب العمل')
      await dialog.locator('input[name=nameEn]').fill('Work')
      await dialog.locator('input[name=issuer]').fill(provider.issuer)
      await dialog.locator('input[name=clientId]').fill(CLIENT.clientId)
      await dialog.locator('input[name=clientSecret]').fill(CLIENT.clientSecret)
      await dialog.locator('input[name=slug]').fill(slug)
      assert.deepEqual(await findings(page), [])
      await dialog.getByRole('button', { name: t.create }).click()
      await page.waitForURL(/\/admin\/sign-in\/\d+$/)
      const { pathname } = new URL(page.url())
      const active = page.getByRole('switch', { name: t.active })
      await active.waitFor()
      assert.equal(await active.isDisabled(), true)
      assert.equal(await page.getByRole('textbox', { name: t.redirectUrl }).inputValue(), `${portal.base}/api/auth/oidc/${slug}/callback`)

      await page.getByRole('button', { name: t.check }).click()
      await page.getByText(t.checked).waitFor()
      const boss = `boss-${slug}`
      const claims = { name: 'The Boss', preferred_username: boss, locale: language, groups: ['it'] }
      provider.accounts.set(boss, { email: `${boss}@example.org`, ...claims })
      provider.as = boss
      await page.getByRole('tab', { name: t.tabs.people }).click()
      await page.getByRole('switch', { name: t.fields.createPeople }).click()
      await page.keyboard.press('Control+s')
      await page.getByText(t.saved, { exact: true }).waitFor()
      await page.getByRole('button', { name: t.try }).click()
      await page.waitForURL(/tried=/)
      await page.getByText(t.outcomes.created).waitFor()
      await page.getByRole('tab', { name: t.tabs.people }).click()
      await page.getByRole('tabpanel').getByText('The Boss').waitFor()
      assert.deepEqual(await findings(page), [])

      await active.click()
      await page.getByText(t.isOn(language === 'ar' ? 'حساب العمل' : 'Work')).waitFor()
      const outside = (await visit({ language, size })).page
      await outside.goto('/sign-in')
      await outside.getByRole('button', { name: ofSignIn[language].through(language === 'ar' ? 'حساب العمل' : 'Work') }).click()
      await outside.waitForURL((url) => url.pathname === '/')
      await page.goto('/admin/sign-in')
      await page.locator(`a[href="${pathname}"]`, { hasText: t.signIns(1) }).waitFor()
      assert.deepEqual(await findings(page), [])

      await page.goto(pathname)
      await page.getByRole('switch', { name: t.active }).click()
      await page.getByRole('button', { name: t.turnOffNow }).click()
      await outside.waitForURL(/sign-in/)
      await outside.getByText(ofSignIn[language].endings.provider).waitFor()
    })

    slowTest(titled('an administrator sees who would be locked out before demanding a second factor'), async () => {
      const person = await portal.person(`lacking-${language}-${size}`)
      const { body: role } = await portal.admin.post('/roles', { name: `guarded-${language}-${size}` })
      await portal.admin.post(`/users/${person.id}/roles`, { roleName: role.name })
      const page = await asAdmin({ language, size })
      await page.goto('/admin/sign-in')
      await page.getByLabel(role.name).check()
      await page.getByText(t.lacking(1)).waitFor()
      await page.getByRole('link', { name: new RegExp(person.username) }).waitFor()
      assert.deepEqual(await findings(page), [])
      await page.goto(`/admin/users/${person.id}?tab=security`)
      await page.getByText(ofPerson[language].noFactor).waitFor()
      await page.getByText(ofPerson[language].noIdentities).waitFor()
      assert.deepEqual(await findings(page), [])
    })

    slowTest(titled('the accepted values of a claim are typed with commas, and a value with a comma stays whole'), async () => {
      const dn = { claim: 'dn', anyOf: ['cn=staff,o=work'] }
      const id = await addProvider(portal, provider, { slug: `claims-${language}-${size}`, isActive: false, require: [dn] })
      const page = await asAdmin({ language, size })
      await page.goto(`/admin/sign-in/${id}?tab=people`)
      await page.getByRole('button', { name: t.addRequirement }).click()
      await page.locator('input[name=require-1]').fill('groups')
      const values = page.locator('input[name=require-values-1]')
      await values.pressSequentially('staff, admins')
      await page.keyboard.press('Control+s')
      await page.getByText(t.saved, { exact: true }).waitFor()
      assert.equal(await values.inputValue(), 'staff, admins')
      const { body } = await portal.admin.get(`/admin/sign-in/providers/${id}`)
      assert.deepEqual(body.require, [dn, { claim: 'groups', anyOf: ['staff', 'admins'] }])
    })

    slowTest(titled('choices and conditions that two administrators changed differently are shown in words'), async () => {
      const id = await addProvider(portal, provider, { slug: `met-${language}-${size}`, isActive: false })
      const page = await asAdmin({ language, size })
      await page.goto(`/admin/sign-in/${id}?tab=people`)
      await page.getByLabel(t.fields.linking).selectOption('never')
      await page.getByRole('button', { name: t.addRequirement }).click()
      await page.locator('input[name=require-0]').fill('groups')
      await page.locator('input[name=require-values-0]').fill('staff')
      const theirs = { linking: 'verified_email', domains: ['example.org'], require: [{ claim: 'groups', anyOf: ['admins', 'hr'] }] }
      assert.equal((await portal.admin.patch(`/admin/sign-in/providers/${id}`, theirs)).status, 200)
      for (const [field, ours, others] of [
        [t.fields.linking, t.linkings.never, t.linkings.verified_email],
        [t.fields.require, 'groups: staff', 'groups: admins, hr'],
      ] as const) {
        // The form has a group of the same name.
        const line = page.locator('.changed').getByRole('group', { name: field, exact: true })
        for (const text of [ours, others]) await line.getByText(text, { exact: true }).waitFor()
        assert.equal(await line.getByRole('button').count(), 2, 'no other text is offered')
      }
      assert.deepEqual(await findings(page), [])
    })

    slowTest(titled('two administrators each add a role that needs a second factor, and both roles stay'), async () => {
      const boss = await portal.person(`factor-${language}-${size}`, { roles: ['admin'] })
      const [mine, theirs] = ['mine', 'theirs'].map((name) => `${name}-${language}-${size}`) as [string, string]
      for (const name of [mine, theirs]) await portal.admin.post('/roles', { name })
      const { page } = await visitAs(boss.username, { language, size })
      const { secret } = await addTotp(boss)
      await page.goto('/admin/sign-in')
      await page.getByLabel(mine).check()
      assert.equal((await boss.patch('/admin/sign-in/settings', { secondFactorRoles: [theirs] })).status, 200)
      await page.getByLabel(theirs).and(page.locator(':checked')).waitFor()
      assert.deepEqual(await findings(page), [])
      await page.getByRole('button', { name: t.save, exact: true }).click()
      await page.getByRole('dialog').locator('input[name=code]').fill(codeOf(secret))
      await page.keyboard.press('Enter')
      await page.getByText(t.secondFactorSaved).waitFor()
      const { body } = await portal.admin.get('/admin/sign-in/settings')
      assert.deepEqual(body.secondFactorRoles, [mine, theirs])
      await portal.admin.patch('/admin/sign-in/settings', { secondFactorRoles: [] })
    })

    slowTest(titled('undo of a setting leaves what a colleague has chosen since'), async () => {
      const page = await asAdmin({ language, size })
      await page.goto('/admin/sign-in')
      const days = page.getByLabel(t.tokenMaxDays)
      await days.fill('30')
      await days.blur()
      const undo = page.getByRole('button', { name: toasts[language].undo })
      await undo.waitFor()
      await portal.admin.patch('/admin/sign-in/settings', { tokenMaxDays: 60 })
      await until('the page shows the newest value', async () => (await days.inputValue()) === '60')
      await undo.click()
      await page.getByText(t.notUndone).waitFor()
      assert.equal((await portal.admin.get('/admin/sign-in/settings')).body.tokenMaxDays, 60)
      await portal.admin.patch('/admin/sign-in/settings', { tokenMaxDays: 365 })
    })

    slowTest(titled('a provider can be required once every condition is met, and the page says which is not'), async () => {
      const chief = await portal.person(`chief-${language}-${size}`, { roles: ['admin'] })
      const page = await asAdmin({ language, size })
      await page.goto('/admin/sign-in')
      const required = page.getByRole('switch', { name: t.requiredSwitch })
      await required.waitFor()
      assert.equal(await required.isDisabled(), true)
      assert.equal(await page.locator('.ways-conditions > li').count(), 4)
      assert.deepEqual(await findings(page), [])
      await takeFirst(page.getByRole('combobox', { name: t.addException }), chief.username)
      const row = page.locator('.ways-people li', { hasText: chief.username })
      await row.getByText(t.noLongPassword).waitFor()
      await row.getByText(t.noFactor).waitFor()
      await page.locator('.ways-conditions > [data-met]', { hasText: t.conditions.exceptions }).waitFor()
      await row.getByRole('button').click()
      await row.waitFor({ state: 'detached' })
    })
  }
})
