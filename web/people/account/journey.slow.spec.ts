/** A person's own account: names, picture, appearance. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCanvas } from '@napi-rs/canvas'
import { browser, findings, journeys, languages, portalWithPages } from '../../testing/browser.ts'

const portal = portalWithPages()

const PICTURE = createCanvas(60, 40).toBuffer('image/png')

const sizes = { ar: 'phone', en: 'desktop' } as const
const words = {
  ar: {
    save: 'احفظ',
    saved: 'حُفظ ملفك الشخصي.',
    use: 'استخدم الصورة',
    remove: 'أزل الصورة',
    analog: 'ساعة بعقارب',
  },
  en: {
    save: 'Save',
    saved: 'Profile saved',
    use: 'Use picture',
    remove: 'Remove',
    analog: 'Analogue',
  },
}

journeys(() => {
  const { visitAs } = browser(portal)

  for (const language of languages) {
    const t = words[language]

    test(`typed text survives a change of language and a reload until it is saved (${language})`, async () => {
      const person = await portal.person(`writer-${language}`)
      const { page } = await visitAs(person.username, { language, size: sizes[language] })
      await page.goto('/account')
      const name = page.locator('input[name=displayNameEn]')
      await name.fill('Dana')
      await page.keyboard.press('Control+k')
      await page.locator('.palette input').fill(language === 'ar' ? 'English' : 'العربية')
      await page.keyboard.press('Enter')
      const other = words[language === 'ar' ? 'en' : 'ar']
      await page.getByRole('button', { name: other.save, exact: true }).waitFor()
      assert.equal(await name.inputValue(), 'Dana')
      await page.reload()
      await page.waitForFunction(() => document.querySelector<HTMLInputElement>('input[name=displayNameEn]')?.value === 'Dana')
      assert.notEqual((await portal.admin.get(`/users/${person.id}`)).body.displayNameEn, 'Dana')
      await page.getByRole('button', { name: other.save, exact: true }).click()
      await page.getByText(other.saved).waitFor()
      await portal.admin.patch(`/users/${person.id}`, { displayNameEn: 'Dana Alharbi' })
      await page.waitForFunction(() => document.querySelector<HTMLInputElement>('input[name=displayNameEn]')?.value === 'Dana Alharbi')
    })

    test(`a name that the person has not typed stays as an administrator changes it (${language})`, async () => {
      const person = await portal.person(`halved-${language}`)
      const { page } = await visitAs(person.username, { language, size: sizes[language] })
      await page.goto('/account')
      await page.locator('input[name=displayNameAr]').fill('دانة')
      await portal.admin.patch(`/users/${person.id}`, { displayNameEn: 'Dana Alharbi' })
      await page.waitForFunction(() => document.querySelector<HTMLInputElement>('input[name=displayNameEn]')?.value === 'Dana Alharbi')
      await page.getByRole('button', { name: t.save, exact: true }).click()
      await page.getByText(t.saved).waitFor()
      const { displayNameAr, displayNameEn } = (await portal.admin.get(`/users/${person.id}`)).body
      assert.deepEqual([displayNameAr, displayNameEn], ['دانة', 'Dana Alharbi'])
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
  }
})
