/** What a person was told: read one by one, all at once, and in every tab. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, findings, journeys, languages, portalWithPages } from '../testing/browser.ts'

const portal = portalWithPages()
const sizes = { ar: 'phone', en: 'desktop' } as const
const words = {
  ar: { readAll: 'علّم الكل مقروءًا', unread: 'غير المقروءة', nothing: 'قرأت كل شيء' },
  en: { readAll: 'Mark all as read', unread: 'Unread', nothing: 'You’re all caught up' },
}

/** Someone who was told of so many notes. */
async function told(username: string, count: number) {
  const person = await portal.person(username)
  for (let number = 1; number <= count; number++) {
    const { id } = (await portal.admin.post('/notes', { title: `note ${number} for ${username}` })).body
    await portal.admin.post(`/notes/${id}/send`, { recipientUserIds: [person.id] })
  }
  return person
}

journeys(() => {
  const { visitAs } = browser(portal)

  for (const language of languages) {
    const t = words[language]
    const options = { language, size: sizes[language] }

    test(`what is read in one tab is read in the other, at once (${language})`, async () => {
      await told(`reader-${language}`, 3)
      const { page, context } = await visitAs(`reader-${language}`, options)
      await page.goto('/notifications')
      const unread = (from: typeof page) => from.locator('.notification[data-unread]')
      await unread(page).nth(2).waitFor()
      assert.deepEqual(await findings(page), [])
      const other = await context.newPage()
      await other.goto('/notifications?unread=1')
      await unread(other).nth(2).waitFor()
      await page.locator('.notification').first().getByRole('link').click()
      await page.waitForURL(/\/notes\/\d+$/)
      await other.waitForFunction(() => document.querySelectorAll('.notification[data-unread]').length === 2)
      await other.getByRole('button', { name: t.readAll }).click()
      await other.getByText(t.nothing).waitFor()
      await page.goto('/notifications')
      await page.locator('.notification:not([data-unread])').nth(2).waitFor()
    })

    test(`news arrives on the open page without a reload (${language})`, async () => {
      const person = await told(`waiting-${language}`, 1)
      const { page } = await visitAs(`waiting-${language}`, options)
      await page.goto('/notifications')
      await page.locator('.notification').first().waitFor()
      const { id } = (await portal.admin.post('/notes', { title: 'fresh news' })).body
      await portal.admin.post(`/notes/${id}/send`, { recipientUserIds: [person.id] })
      await page.locator('.notification').nth(1).waitFor()
    })
  }
})
