/** The page of notifications: reading one, reading all, and several tabs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, findings, journeys, languages, portalWithPages } from '../../testing/browser.ts'
import { both } from './texts.ts'

const portal = portalWithPages()
const sizes = { ar: 'phone', en: 'desktop' } as const
const hall = { ar: 'القاعة الكبرى', en: 'Great hall' }

/** A person with `count` notifications about notes. */
async function notified(username: string, count: number) {
  const person = await portal.person(username)
  for (let number = 1; number <= count; number++) {
    const { id } = (await portal.admin.post('/notes', { title: `note ${number} for ${username}` })).body
    await portal.admin.post(`/notes/${id}/send`, { recipientUserIds: [person.id] })
  }
  return person
}

const invite = (userId: number, fields: object = {}) =>
  portal.admin.post('/executive-meetings', {
    ...{ date: '2030-05-01', startTime: '10:00', endTime: '11:30', titleAr: 'الميزانية', titleEn: 'Budget' },
    ...{ attendees: [{ name: 'Sami', userId }], ...fields },
  })

journeys(() => {
  const { visitAs } = browser(portal)

  for (const language of languages) {
    const t = both[language]
    const options = { language, size: sizes[language] }

    test(`a notification read in one tab is read in the other at once (${language})`, async () => {
      await notified(`reader-${language}`, 3)
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
      await other.getByText(t.noneUnread).waitFor()
      await page.goto('/notifications')
      await page.locator('.notification:not([data-unread])').nth(2).waitFor()
    })

    test(`a new notification appears on the open page without a reload (${language})`, async () => {
      const person = await notified(`waiting-${language}`, 1)
      const { page } = await visitAs(`waiting-${language}`, options)
      await page.goto('/notifications')
      await page.locator('.notification').first().waitFor()
      const { id } = (await portal.admin.post('/notes', { title: 'fresh news' })).body
      await portal.admin.post(`/notes/${id}/send`, { recipientUserIds: [person.id] })
      await page.locator('.notification').nth(1).waitFor()
    })

    test(`the older notifications that are shown stay when a new one arrives (${language})`, async () => {
      const person = await notified(`reading-on-${language}`, 50)
      const oldest = (await person.get('/notes/received')).body.at(-1)
      await portal.admin.post(`/notes/${oldest.id}/replies`, { content: 'One more thing', recipientUserId: person.id })
      const { page } = await visitAs(person.username, options)
      await page.goto('/notifications')
      const rows = page.locator('.notification')
      await rows.nth(49).waitFor()
      await rows.first().getByRole('button', { name: t.reply, exact: true }).click()
      await rows.getByRole('textbox').fill('Half a')
      await page.getByRole('button', { name: t.more }).click()
      await rows.first().getByText(t.earlier(1)).waitFor()
      assert.equal(await rows.getByRole('textbox').inputValue(), 'Half a')
      const reread = page.waitForResponse((answer) => /\/notifications\?limit=\d+$/.test(answer.url()))
      const { id } = (await portal.admin.post('/notes', { title: 'the latest' })).body
      await portal.admin.post(`/notes/${id}/send`, { recipientUserIds: [person.id] })
      await reread
      await rows.first().getByText('the latest').first().waitFor()
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
      assert.equal(await rows.count(), 51)
      assert.deepEqual(await findings(page), [])
    })

    test(`a message that begins with a name in the other language has the direction of the page (${language})`, async () => {
      const person = await portal.person(`turned-${language}`, { roles: ['order_receiver'] })
      const foreign = language === 'ar' ? { displayNameEn: 'Noura' } : { displayNameAr: 'نورة' }
      const requester = await portal.person(`foreign-${language}`, foreign)
      const { id: serviceId } = (await portal.admin.post('/services', { nameAr: 'شاي', nameEn: 'Tea' })).body
      const { id } = (await requester.post('/orders', { serviceId })).body
      await person.patch(`/orders/${id}/confirm-receipt`)
      await person.post(`/orders/${id}/wait`, { for: 'requester', text: '?' })
      await requester.post(`/orders/${id}/messages`, { text: 'Here' })
      const { page } = await visitAs(person.username, options)
      await page.goto('/notifications')
      const message = page.locator('.notification-text > .quiet').filter({ hasText: language === 'ar' ? 'Noura' : 'نورة' })
      await message.first().waitFor()
      const directions = await message.evaluateAll((all) => all.map((one) => getComputedStyle(one).direction))
      assert.deepEqual([...new Set(directions)], [language === 'ar' ? 'rtl' : 'ltr'])
    })

    test(`an invitation has all details and the video link for people who cannot open the meeting (${language})`, async () => {
      const guest = await portal.person(`guest-${language}`)
      const meetingUrl = 'https://meet.example.org/r/7f0d'
      const { id } = (await invite(guest.id, { locationAr: hall.ar, locationEn: hall.en, meetingUrl })).body
      const { page } = await visitAs(guest.username, options)
      await page.goto('/notifications')
      const invitation = page.locator('.notification')
      await invitation.getByText(hall[language]).waitFor()
      const join = invitation.getByRole('link', { name: t.join })
      assert.equal(await join.getAttribute('href'), meetingUrl)
      assert.equal(await invitation.getByRole('link').count(), 1)
      assert.deepEqual(await findings(page), [])
      await invitation.getByRole('button').click()
      await page.locator('.notification:not([data-unread])').waitFor()
      assert.equal(new URL(page.url()).pathname, '/notifications')
      await portal.admin.patch(`/executive-meetings/${id}`, { status: 'cancelled' })
      await invitation.nth(1).waitFor()
      await join.waitFor({ state: 'detached' })
    })

    test(`a notification links to its meeting as long as its reader may open it (${language})`, async () => {
      const viewer = await portal.person(`viewer-${language}`, { roles: ['executive_viewer'] })
      await invite(viewer.id)
      const { page } = await visitAs(viewer.username, options)
      await page.goto('/notifications')
      const link = page.locator('.notification').getByRole('link')
      await link.waitFor()
      await portal.admin.delete(`/users/${viewer.id}/roles/executive_viewer`)
      await link.waitFor({ state: 'detached' })
      await page.locator('.notification').getByRole('button').waitFor()
    })
  }
})
