/** Compares the preview of a page with the page as printed. */
import '../../../testing/document.ts'
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { archiving } from '../../../../test/archives.ts'
import { MEETINGS } from '../../../../test/meetings.ts'
import { likeness, readPicture, render } from '../../../../test/pdf.ts'
import { language as inForce } from '../../../platform/language.ts'
import { browser, journeys, languages, portalWithPages } from '../../../testing/browser.ts'
import { t as printed } from '../archives/texts.ts'

const portal = portalWithPages()
const { meet } = archiving(portal)
const DPI = 144
/** The least share of ink that two matching pages have at the same points. With one different letter, the share is lower. */
const SAME = 0.999

/** The preview as the browser renders it. */
async function picture(page: Page) {
  const png = await page.locator('.fonts-desk:not([aria-busy=true]) > img').evaluate(async (shown, scale) => {
    await (shown as HTMLImageElement).decode()
    const [width, height] = [595.28 * scale, 841.89 * scale]
    const canvas = Object.assign(document.createElement('canvas'), { width: Math.ceil(width), height: Math.ceil(height) })
    canvas.getContext('2d')!.drawImage(shown as HTMLImageElement, 0, 0, width, height)
    return canvas.toDataURL('image/png').split(',')[1]!
  }, DPI / 72)
  return readPicture(Buffer.from(png, 'base64'), DPI)
}

journeys(() => {
  const { visitAs } = browser(portal)

  for (const language of languages)
    test(`the preview is identical to the first page of the printed file (${language})`, async () => {
      inForce.value = language
      const date = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
      const attendees = [
        { name: 'خالد العتيبي', title: 'Director' },
        { name: 'Sir John', kind: 'external' },
      ]
      const notes = Array.from({ length: 8 }, (_, n) => `البند ${n}: Item ${n}`).join('\n')
      const { id } = await meet(date, {
        titleAr: 'مراجعة الميزانية',
        titleEn: 'Review of the budget',
        attendees,
        notes,
        locationAr: 'القاعة',
      })
      await portal.person(`office-${language}`, { roles: ['executive_office_manager'] })
      const { page } = await visitAs(`office-${language}`, { language })
      await page.goto(`/meetings/archives?date=${date}`)
      await page.locator('.prints-form [type=submit]').click()
      const file = page.waitForEvent('download')
      await page.getByRole('link', { name: printed.download }).click()
      const paper = await render(await readFile(await (await file).path()), 1, DPI)
      await page.goto('/meetings/archives/fonts')
      assert.ok(likeness(await picture(page), paper) > SAME)
      // The new titles differ by one letter in English, and by one ending in Arabic.
      await portal.admin.patch(`${MEETINGS}/${id}`, { titleAr: 'مراجعة الميزانيات', titleEn: 'Review of the budgets' })
      await page.reload()
      assert.ok(likeness(await picture(page), paper) < SAME)
    })
})
