/** Administrators send a file of people, see what it would change, apply it, and download the report and the links. */
import '../../../testing/document.ts'
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { both as once } from '../../../parts/overlay/once-texts.ts'
import { browser, findings, foreignTexts, holdCalls, journeys, pairs, portalWithPages, tooWide } from '../../../testing/browser.ts'
import { both, encodings } from './from-file-texts.ts'
import { both as ofUsers } from './texts.ts'

const portal = portalWithPages()
const known =
  /people-?\d*\.csv|CSV|UTF-\u2060?8|Windows-1256|file\S*|Team\d+|Nowhere\d+|ar|en|=|;|\S+@example\.org|keeper\S*|Ctrl|Bawaba|admin/

const row = (page: Page, name: string) => page.locator('.import-rows tbody tr').filter({ hasText: name })

journeys(() => {
  const { visitAs } = browser(portal)
  let n = 0

  for (const pair of pairs) {
    const { language, size } = pair
    const t = both[language]
    const isFine = async (page: Page) => {
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, known), [])
      assert.deepEqual(await tooWide(page), [])
    }

    test(`a file is previewed and applied unless its dialog was closed, and its links are downloaded once (${language}, ${size})`, async () => {
      n++
      const { username } = await portal.person(`keeper${n}`, { roles: ['admin'], displayNameAr: 'سلمى', displayNameEn: 'Salma' })
      await portal.person(`file${n}.sara`, { displayNameAr: 'سارة', displayNameEn: 'Sara' })
      await portal.admin.post('/groups', { name: `Team${n}`, descriptionAr: 'فريق', descriptionEn: 'A team' })
      const { page } = await visitAs(username, pair)
      await page.goto('/admin/users?add=file')
      const dialog = page.getByRole('dialog')
      await dialog.getByText(t.hint).waitFor()
      await isFine(page)
      const saving = page.waitForEvent('download')
      await dialog.getByRole('button', { name: t.sample }).click()
      assert.match(await readFile(await (await saving).path(), 'utf8'), /^\uFEFFusername,email,/)

      const send = (lines: string[]) =>
        dialog
          .locator('input[type=file]')
          .setInputFiles({ name: `people-${n}.csv`, mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) })
      const sending = await holdCalls(page, '**/api/users/imports?**')
      await send(['username,email', `late${n},late${n}@example.org`])
      await sending.began
      await page.keyboard.press('Escape')
      await dialog.locator('.dialog-unsaved [data-kind=danger]').click()
      await dialog.waitFor({ state: 'detached' })
      const answered = page.waitForResponse('**/api/users/imports?**')
      sending.release()
      await answered
      await page.getByRole('button', { name: ofUsers[language].fromFile }).click()
      await dialog.getByText(t.hint).waitFor()
      await page.waitForURL(/add=file$/)
      await send(['name,groups', 'x,y'])
      await dialog.getByText(t.noColumns).waitFor()
      await isFine(page)

      const head = 'اسم المستخدم;email;display_name_ar;display_name_en;groups;phone'
      await send([
        head,
        `file${n}.sara;;سارة أحمد;Sara Ahmed;Team${n};1`,
        `file${n}.new;file${n}.new@example.org;جديد;New;;2`,
        `file${n}.other;file${n}.other@example.org;آخر;Other;;3`,
        `file${n}.bad;nothing;;;Nowhere${n};4`,
      ])
      await row(page, `file${n}.bad`).waitFor()
      await dialog.getByText(t.readAs(encodings['utf-8'], t.delimiters[';'])).waitFor()
      assert.equal(await dialog.locator('.import-rows tbody tr').count(), 1)
      await isFine(page)
      await dialog.getByRole('button', { name: t.all }).click()
      await row(page, `file${n}.new`).waitFor()
      await row(page, `file${n}.sara`).getByText(t.columns.groups).waitFor()
      await dialog.locator('summary').click()
      await dialog.getByText(t.gained(1)).waitFor()
      await isFine(page)

      // The preview survives a reload, because the address names the import.
      await page.reload()
      await dialog.getByText(t.readAs(encodings['utf-8'], t.delimiters[';'])).waitFor()
      await dialog.getByRole('button', { name: t.apply, exact: true }).press('Enter')
      await dialog.getByText(t.applied).waitFor()
      await isFine(page)
      assert.equal((await portal.admin.get(`/users?q=file${n}.new`)).body[0].invitation, 'pending')

      const reporting = page.waitForEvent('download')
      await dialog.getByRole('link', { name: t.report }).click()
      assert.equal((await readFile(await (await reporting).path(), 'utf8')).trim().split('\n').length >= 5, true)
      await page.keyboard.press('Escape')
      await dialog.getByRole('button', { name: once[language].stay }).click()
      const taking = page.waitForEvent('download')
      await dialog.getByRole('button', { name: t.takeLinks }).click()
      const links = await readFile(await (await taking).path(), 'utf8')
      assert.equal(links.match(/reset-password\?token=/g)?.length, 2)
      await dialog.getByRole('button', { name: t.takeLinks }).waitFor({ state: 'detached' })
      await dialog.getByRole('button', { name: t.done, exact: true }).click()
      await dialog.waitFor({ state: 'detached' })
    })
  }
})
