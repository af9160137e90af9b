import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD, until } from '../../../test/client.ts'
import { browser, findings, journeys, languages, portalWithPages } from '../../testing/browser.ts'
import { both } from './texts.ts'

const portal = portalWithPages()

const sizes = { ar: 'phone', en: 'desktop' } as const

journeys(() => {
  const { visitAs } = browser(portal)

  for (const language of languages) {
    const t = both[language]

    test(`typed passwords survive a change of language, and the device never stores them (${language})`, async () => {
      const { username } = await portal.person(`secretive-${language}`)
      const { page } = await visitAs(username, { language, size: sizes[language] })
      await page.goto('/account/security')
      const [current, next] = [page.locator('input[name=currentPassword]'), page.locator('input[name=newPassword]')]
      const secret = 'never kept on a device'
      await current.fill(PASSWORD)
      await next.fill(secret)
      await page.keyboard.press('Control+k')
      await page.locator('.palette input').fill(language === 'ar' ? 'English' : 'العربية')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: both[language === 'ar' ? 'en' : 'ar'].changePassword }).waitFor()
      assert.deepEqual([await current.inputValue(), await next.inputValue()], [PASSWORD, secret])
      const stored = () =>
        page.evaluate(async () => {
          const database = await new Promise<IDBDatabase>((resolve) => {
            const request = indexedDB.open('bawaba')
            request.onsuccess = () => resolve(request.result)
          })
          const all = database.transaction('kept').objectStore('kept').getAll()
          await new Promise((resolve) => all.addEventListener('success', resolve))
          database.close()
          return JSON.stringify([all.result, { ...localStorage }, { ...sessionStorage }])
        })
      // The device stores its copy some time after the page is rendered.
      await until('the device has its copy', async () => /secretive/.test(await stored()))
      assert.doesNotMatch(await stored(), new RegExp(`${secret}|${PASSWORD}`))
      await page.reload()
      await current.waitFor()
      assert.deepEqual([await current.inputValue(), await next.inputValue()], ['', ''])
    })

    test(`a person who knows their password can change it, and their other device is signed out (${language})`, async () => {
      await portal.person(`careful-${language}`)
      const other = await visitAs(`careful-${language}`, { language })
      const { page } = await visitAs(`careful-${language}`, { language, size: sizes[language] })
      // The former address of the section, which older links still use.
      await page.goto('/account#password')
      await page.waitForURL('**/account/security#password')
      await page.locator('input[name=currentPassword]').fill('a wrong guess')
      await page.locator('input[name=newPassword]').fill('another password')
      await page.getByRole('button', { name: t.changePassword }).click()
      await page.locator('input[name=currentPassword][aria-invalid=true]').waitFor()
      await page.locator('input[name=currentPassword]').fill(PASSWORD)
      await page.getByRole('button', { name: t.changePassword }).click()
      await page.getByText(t.passwordChanged).waitFor()
      await other.page.waitForURL(/sign-in/)
    })

    test(`ending a session signs its device out at once (${language})`, async () => {
      await portal.person(`wary-${language}`)
      const lost = await visitAs(`wary-${language}`, { language })
      const { page } = await visitAs(`wary-${language}`, { language, size: sizes[language] })
      await page.goto('/account/security')
      await page.getByText(t.current, { exact: true }).waitFor()
      assert.deepEqual(await findings(page), [])
      await page.getByRole('button', { name: t.end }).first().click()
      await page.getByText(t.ended).waitFor()
      // Both devices have the same name. The ended session must be that of the other device.
      await page.getByText(t.current, { exact: true }).waitFor()
      await lost.page.waitForURL(/sign-in/)
    })
  }
})
