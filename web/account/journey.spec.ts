/** A person's own account: names, picture, appearance, password, sessions. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCanvas } from '@napi-rs/canvas'
import { PASSWORD } from '../../test/client.ts'
import { browser, findings, journeys, languages, portalWithPages } from '../testing/browser.ts'

const portal = portalWithPages()

const PICTURE = createCanvas(60, 40).toBuffer('image/png')

const sizes = { ar: 'phone', en: 'desktop' } as const
const words = {
  ar: {
    save: 'احفظ',
    saved: 'حُفظ ملفك الشخصي.',
    change: 'غيّر كلمة المرور',
    changed: /تغيّرت كلمة المرور/,
    use: 'استخدم الصورة',
    remove: 'أزل الصورة',
    analog: 'ساعة بعقارب',
    current: 'هذا الجهاز',
    ended: 'انتهت الجلسة.',
  },
  en: {
    save: 'Save',
    saved: 'Profile saved',
    change: 'Change password',
    changed: /Password changed/,
    use: 'Use picture',
    remove: 'Remove',
    analog: 'Analogue',
    current: 'This device',
    ended: 'Session ended',
  },
}

journeys(() => {
  const { visitAs } = browser(portal)

  for (const language of languages) {
    const t = words[language]

    test(`typed text, except passwords, survives a change of language and a reload until it is saved (${language})`, async () => {
      const person = await portal.person(`writer-${language}`)
      const { page } = await visitAs(person.username, { language, size: sizes[language] })
      await page.goto('/account')
      const name = page.locator('input[name=displayNameEn]')
      const [current, next] = [page.locator('input[name=currentPassword]'), page.locator('input[name=newPassword]')]
      const secret = 'never kept on a device'
      await name.fill('Dana')
      await current.fill(PASSWORD)
      await next.fill(secret)
      await page.keyboard.press('Control+k')
      await page.locator('.palette input').fill(language === 'ar' ? 'English' : 'العربية')
      await page.keyboard.press('Enter')
      const other = words[language === 'ar' ? 'en' : 'ar']
      await page.getByRole('button', { name: other.save, exact: true }).waitFor()
      assert.deepEqual([await name.inputValue(), await current.inputValue(), await next.inputValue()], ['Dana', PASSWORD, secret])
      await page.reload()
      await page.waitForFunction(() => document.querySelector<HTMLInputElement>('input[name=displayNameEn]')?.value === 'Dana')
      assert.deepEqual([await current.inputValue(), await next.inputValue()], ['', ''])
      const storage = await page.evaluate(async () => {
        const database = await new Promise<IDBDatabase>((resolve) => {
          const request = indexedDB.open('bawaba')
          request.onsuccess = () => resolve(request.result)
        })
        const all = database.transaction('kept').objectStore('kept').getAll()
        await new Promise((resolve) => all.addEventListener('success', resolve))
        return JSON.stringify([all.result, { ...localStorage }, { ...sessionStorage }])
      })
      assert.match(storage, /Dana/)
      assert.doesNotMatch(storage, new RegExp(`${secret}|${PASSWORD}`))
      assert.notEqual((await portal.admin.get(`/users/${person.id}`)).body.displayNameEn, 'Dana')
      await page.getByRole('button', { name: other.save, exact: true }).click()
      await page.getByText(other.saved).waitFor()
      await portal.admin.patch(`/users/${person.id}`, { displayNameEn: 'Dana Alharbi' })
      await page.waitForFunction(() => document.querySelector<HTMLInputElement>('input[name=displayNameEn]')?.value === 'Dana Alharbi')
    })

    test(`changes of names, clock and picture are saved (${language})`, async () => {
      const person = await portal.person(`profile-${language}`)
      const { page } = await visitAs(`profile-${language}`, { language, size: sizes[language] })
      await page.goto('/account')
      await page.locator('input[name=displayNameAr]').fill('دانة')
      await page.locator('input[name=displayNameEn]').fill('Dana')
      await page.getByRole('button', { name: t.save, exact: true }).click()
      await page.getByText(t.saved).waitFor()
      await page.getByText(t.analog, { exact: true }).click()
      await page.locator('input[type=file]').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: PICTURE })
      const area = page.locator('.crop')
      await area.focus()
      await page.keyboard.press('ArrowRight')
      await page.getByRole('slider').fill('2')
      assert.deepEqual(await findings(page), [])
      await page.getByRole('button', { name: t.use }).click()
      await page.getByRole('button', { name: t.remove }).waitFor()
      const { body } = await portal.admin.get(`/users/${person.id}`)
      assert.deepEqual([body.displayNameAr, body.displayNameEn, body.clockStyle], ['دانة', 'Dana', 'analog'])
      assert.match(body.avatarUrl, /^\/objects\/uploads\//)
      await page.reload()
      await page.getByRole('button', { name: t.remove }).waitFor()
      assert.equal(
        await page
          .locator('.account-clock :checked')
          .evaluate((input) => (input.closest('label') as HTMLElement).innerText.trim().split('\n').at(-1)),
        t.analog,
      )
      assert.deepEqual(await findings(page), [])
    })

    test(`a person who knows their password can change it, and their other device is signed out (${language})`, async () => {
      await portal.person(`careful-${language}`)
      const other = await visitAs(`careful-${language}`, { language })
      const { page } = await visitAs(`careful-${language}`, { language, size: sizes[language] })
      await page.goto('/account')
      await page.locator('input[name=currentPassword]').fill('a wrong guess')
      await page.locator('input[name=newPassword]').fill('another password')
      await page.getByRole('button', { name: t.change }).click()
      await page.locator('input[name=currentPassword][aria-invalid=true]').waitFor()
      await page.locator('input[name=currentPassword]').fill(PASSWORD)
      await page.getByRole('button', { name: t.change }).click()
      await page.getByText(t.changed).waitFor()
      await other.page.waitForURL(/sign-in/)
    })

    test(`ending a session signs its device out at once (${language})`, async () => {
      await portal.person(`wary-${language}`)
      const lost = await visitAs(`wary-${language}`, { language })
      const { page } = await visitAs(`wary-${language}`, { language, size: sizes[language] })
      await page.goto('/account')
      await page.getByText(t.current, { exact: true }).waitFor()
      const row = page.locator('.account-session', { has: page.getByRole('button') }).first()
      await row.getByRole('button').click()
      await page.getByText(t.ended).waitFor()
      // Both devices have the same name; whichever was ended, one of them is signed out, and this one is not.
      await page.getByText(t.current, { exact: true }).waitFor()
      await lost.page.waitForURL(/sign-in/)
    })
  }
})
