/** A person protects their account: passkeys, an authenticator app, recovery codes. */
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { PASSWORD, until } from '../../../test/client.ts'
import { codeOf, wrongCode } from '../../../test/factors.ts'
import { slowTest } from '../../../test/suite.ts'
import { both as ofConfirming } from '../../frame/confirm-texts.ts'
import { both as ofDuty } from '../../frame/duty-texts.ts'
import { both as ofCodes } from '../../parts/show/code-texts.ts'
import { browser, findings, holdCalls, journeys, pairs, pressBack } from '../../testing/browser.ts'
import { addDevice } from '../../testing/passkeys.ts'
import { namedPortalWithPages } from '../../testing/portal.ts'
import { both as ofSignIn } from '../sign-in/texts.ts'
import { both as ofEnrolling } from './enrol-texts.ts'
import { both } from './texts.ts'

const { portal, site } = namedPortalWithPages({ SECRETS_KEY: Buffer.alloc(32, 'k').toString('base64url') })

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Returns the recovery codes on the page, after confirming that they are stored. */
async function keepCodes(page: Page, language: 'ar' | 'en') {
  const t = both[language]
  await page.locator('.security-codes').waitFor()
  const codes = await page.locator('.security-codes code').allTextContents()
  assert.equal(codes.length, 10)
  await page.getByLabel(t.keptCodes).check()
  return codes
}

async function signInByPassword(page: Page, username: string) {
  await page.goto('/sign-in')
  await page.locator('input[name=username]').fill(username)
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.keyboard.press('Enter')
}
const isHome = (page: Page) => page.waitForURL((url) => url.pathname === '/')

journeys(() => {
  const { visit, visitAs } = browser(site)

  for (const { language, size } of pairs) {
    const t = both[language]
    const titled = (title: string) => `${title} (${language}, ${size})`
    const someone = (name: string) => portal.person(`${name}-${language}-${size}`)

    slowTest(titled('a person makes a passkey, stores the codes, signs in with it as the field offers, and removes it'), async () => {
      const { username } = await someone('keyed')
      const { page } = await visitAs(username, { language, size })
      const device = await addDevice(page)
      await page.goto('/enrol')
      await page.getByRole('heading', { name: ofEnrolling[language].enrolTitle }).waitFor()
      assert.deepEqual(await findings(page), [])
      await page.locator('input[name=name]').fill('Laptop')
      await button(page, ofEnrolling[language].makePasskey).click()
      await page.getByRole('heading', { name: t.newCodes }).waitFor()
      assert.deepEqual(await findings(page), [])
      await page.locator('.brand').click()
      await page.getByText(t.keepFirst).waitFor()
      await button(page, t.goOn).click()
      await keepCodes(page, language)
      await button(page, t.goOn).click()
      await page.getByRole('heading', { name: ofEnrolling[language].enrolled }).waitFor()
      await button(page, t.goOn).click()
      await isHome(page)
      assert.equal(await device.count(), 1)

      // Leaves the page, so that it does not notice the end of its session.
      await page.goto('about:blank')
      await page.context().clearCookies()
      await page.goto('/sign-in')
      // The browser offers the passkey in the field, and the device confirms it.
      await isHome(page)

      await page.goto('/account/security')
      const row = page.locator('#passkeys li', { hasText: 'Laptop' })
      await row.waitFor()
      assert.deepEqual(await findings(page), [])
      await row.getByRole('button', { name: t.renameNamed('Laptop') }).click()
      await page.getByRole('textbox', { name: t.passkeyName }).fill('Old laptop')
      await button(page, t.save).click()
      await page.getByRole('button', { name: t.removeNamed('Old laptop') }).click()
      await page.getByRole('dialog').getByRole('button', { name: t.remove, exact: true }).click()
      await page.getByText(t.passkeyRemoved('Old laptop')).waitFor()
      await page.locator('#passkeys li').waitFor({ state: 'detached' })
      await page.getByText(t.codesLater).waitFor()
      await until('the browser has forgotten it', async () => (await device.count()) === 0)
    })

    test(titled('a person connects an app, signs in with its code and with a recovery code, and asks for new ones'), async () => {
      const { username } = await someone('coded')
      const { page } = await visitAs(username, { language, size })
      await page.goto('/account/security')
      await button(page, t.addAuthenticator).click()
      await page.locator('.qr').waitFor()
      assert.deepEqual(await findings(page), [])
      await page.locator('summary').click()
      const secret = (await page.locator('.security-secret').textContent())!.replaceAll(' ', '')
      const code = page.locator('input[name=code]')
      await code.fill(wrongCode(secret))
      await page.keyboard.press('Enter')
      await page.locator('input[name=code][aria-invalid=true]').waitFor()
      await code.fill(codeOf(secret))
      await page.keyboard.press('Enter')
      await page.locator('.security-codes').waitFor()
      const saved = page.waitForEvent('download')
      await button(page, t.saveCodes).click()
      const codes = await keepCodes(page, language)
      assert.match(await readFile((await (await saved).path())!, 'utf8'), new RegExp(codes.join('\\n')))
      await button(page, t.done).click()

      const s = ofSignIn[language]
      const elsewhere = await visit({ language, size })
      await signInByPassword(elsewhere.page, username)
      await elsewhere.page.getByRole('heading', { name: s.secondTitle }).waitFor()
      assert.deepEqual(await findings(elsewhere.page), [])
      await elsewhere.page.locator('input[name=code]').fill('12')
      await elsewhere.page.keyboard.press('Enter')
      await elsewhere.page.getByText(ofCodes[language].neither).waitFor()
      await elsewhere.page.locator('input[name=code]').fill(codeOf(secret, 1))
      await elsewhere.page.keyboard.press('Enter')
      await isHome(elsewhere.page)

      await elsewhere.page.goto('about:blank')
      await elsewhere.context.clearCookies()
      await signInByPassword(elsewhere.page, username)
      await elsewhere.page.locator('input[name=code]').fill(codes[0]!.toLowerCase().replaceAll('-', ' '))
      await elsewhere.page.keyboard.press('Enter')
      await isHome(elsewhere.page)
      await elsewhere.page.goto('/account/security')
      await elsewhere.page.getByText(t.codesLeft(9)).waitFor()
      await button(elsewhere.page, t.renewCodes).click()
      await elsewhere.page.getByRole('dialog').getByRole('button', { name: t.renewCodes, exact: true }).click()
      await elsewhere.page.locator('.security-codes').waitFor()
      const fresh = await keepCodes(elsewhere.page, language)
      assert.ok(!fresh.includes(codes[1]!))
    })

    slowTest(
      titled('recovery codes show even if their dialog was closed before they arrived, and Back does not take them away'),
      async () => {
        const enter: Record<string, (page: Page) => Promise<void>> = {
          passkeys: async (page) => {
            await addDevice(page)
            await button(page, t.addPasskey).click()
            await button(page, t.goOn).click()
          },
          'totp/confirm': async (page) => {
            await button(page, t.addAuthenticator).click()
            await page.locator('summary').click()
            const secret = (await page.locator('.security-secret').textContent())!.replaceAll(' ', '')
            await page.locator('input[name=code]').fill(codeOf(secret))
            await page.keyboard.press('Enter')
          },
        }
        for (const [call, add] of Object.entries(enter)) {
          const { username } = await someone(`hasty-${call.replace('/', '-')}`)
          const { page } = await visitAs(username, { language, size })
          const { began, release } = await holdCalls(page, `**/api/auth/me/${call}`)
          await page.goto('/account/security')
          await add(page)
          await began
          await page.keyboard.press('Escape')
          await page.getByRole('dialog').waitFor({ state: 'detached' })
          release()
          await page.locator('.security-codes').waitFor()
          await page.evaluate(() => history.pushState(history.state, '', location.href))
          await pressBack(page)
          await page.getByText(t.keepFirst).waitFor()
          await keepCodes(page, language)
          await button(page, t.done).click()
          await page.getByRole('dialog').waitFor({ state: 'detached' })
          await page.getByText(t.codesLeft(10)).waitFor()
        }
      },
    )

    slowTest(
      titled('a person whose confirmation has expired is asked on the page, confirms with a passkey there, and the act is done'),
      async () => {
        const { id, username } = await someone('cautious')
        const { page } = await visitAs(username, { language, size })
        const device = await addDevice(page)
        await page.goto('/account/security')
        await button(page, t.addPasskey).click()
        await button(page, t.goOn).click()
        await page.locator('.security-codes').waitFor()
        await keepCodes(page, language)
        await button(page, t.done).click()
        assert.equal(await device.count(), 1)
        await portal.sql("update sessions set confirmed_at = now() - interval '16 minutes' where user_id = $1", [id])
        await button(page, t.addAuthenticator).click()
        const dialog = page.getByRole('dialog', { name: ofConfirming[language].title })
        await dialog.getByRole('button', { name: ofConfirming[language].passkey }).waitFor()
        assert.deepEqual(await findings(page), [])
        await page.keyboard.press('Enter')
        await page.locator('.qr').waitFor()
        assert.equal(await dialog.count(), 0)
      },
    )
  }

  /** Gives a person a role that demands a second factor within `days`. */
  async function demandFactor(name: string, days: number) {
    const { id, username } = await portal.person(name)
    const { body: role } = await portal.admin.post('/roles', { name: `guarded-${name}` })
    await portal.meddle('role', role.id, `insert into second_factor_roles values (${role.id})`)
    await portal.meddle('sign_in_settings', 1, `update sign_in_settings set grace_days = ${days}`)
    await portal.admin.post(`/users/${id}/roles`, { roleName: role.name })
    return username
  }

  slowTest('a person whose role demands a second factor is reminded on every page until they have one', async () => {
    const { page } = await visitAs(await demandFactor('reminded', 14), { language: 'en' })
    await page.goto('/notes')
    const banner = page.locator('.banner', { has: page.getByRole('link', { name: ofDuty.en.set }) })
    await banner.waitFor()
    assert.deepEqual(await findings(page), [])
    await banner.getByRole('link').click()
    await page.getByText(/Your role requires it before/).waitFor()
    assert.equal(await banner.count(), 0)
  })

  slowTest('a person who has missed the deadline for a second factor is led to set it up, and then back to their page', async () => {
    const username = await demandFactor('late', 0)
    const { page } = await visitAs(username, { language: 'en' })
    await addDevice(page)
    await page.goto('/notes?tab=archived')
    await page.waitForURL((url) => url.pathname === '/enrol')
    await button(page, ofEnrolling.en.makePasskey).click()
    await keepCodes(page, 'en')
    await button(page, both.en.goOn).click()
    await button(page, both.en.goOn).click()
    await page.waitForURL('**/notes?tab=archived')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('.banner').waitFor({ state: 'detached' })
  })
})
