/** Shared notes: sent, read and answered live; changed in two tabs at once; written without a connection. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../../../test/portal.ts'
import { browser, findings, foundOption, journeys, pairs, portalWithPages } from '../../testing/browser.ts'
import { both as ofOpen } from './open-texts.ts'
import { both as ofLists } from './texts.ts'

const both = { ar: { ...ofLists.ar, ...ofOpen.ar }, en: { ...ofLists.en, ...ofOpen.en } }

const portal = portalWithPages()

journeys(() => {
  const { visitAs } = browser(portal)

  for (const [number, pair] of pairs.entries()) {
    const { language, size } = pair
    const t = both[language]
    const titled = (title: string) => `${title} (${language}, ${size})`
    const someone = (role: string) => portal.person(`${role}-${language}-${size}`)
    const content = (page: Page) => page.getByRole('textbox', { name: t.noteText })
    const status = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true }).waitFor()
    const people = (page: Page) => page.locator('.notes-people')

    test(titled('a note to a colleague who was found in the palette is written and sent in one step'), async () => {
      const writer = await someone('writer')
      const reader = await portal.person(`rare-${language}-${size}`, { displayNameAr: `رهف ${number}`, displayNameEn: `Rahaf ${number}` })
      const { page } = await visitAs(writer.username, pair)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill(language === 'ar' ? `rahaf ${number}` : `رهف ${number}`)
      await page.getByRole('option', { name: t.writeTo }).click()
      await page.waitForURL('**/notes')
      await page.locator('.notes-to').waitFor()
      await page.waitForFunction(() => document.activeElement?.matches('.notes-capture textarea'))
      await page.keyboard.type('For you alone')
      assert.deepEqual(await findings(page), [])
      await page.getByRole('button', { name: t.send, exact: true }).click()
      await page.locator('.notes-to').waitFor({ state: 'detached' })
      await until('the note has arrived', async () => (await reader.get('/notes/received')).body[0]?.title === 'For you alone')
    })

    test(titled('a note is sent, read and answered, and both pages update live'), async () => {
      const owner = await someone('owner')
      const reader = await someone('reader')
      const { id } = (await owner.post('/notes', { title: 'Visit', content: 'On Sunday at nine' })).body
      const { page } = await visitAs(owner.username, pair)
      const { page: theirs } = await visitAs(reader.username, pair)
      await theirs.goto('/notes/received')
      await theirs.getByText(t.emptyReceived).waitFor()
      assert.deepEqual(await findings(theirs), [])

      await page.goto(`/notes/${id}`)
      await page.getByRole('button', { name: t.send, exact: true }).first().click()
      await page.getByRole('combobox', { name: t.findPeople }).fill(reader.username)
      await foundOption(page, { name: reader.username }).click()
      assert.deepEqual(await findings(page), [])
      await page.locator('.dialog-end button').click()
      await people(page).getByText(t.status.unread, { exact: true }).waitFor()

      await theirs.getByRole('link', { name: 'Visit' }).click()
      await theirs.getByText('On Sunday at nine').waitFor()
      await people(page).getByText(t.status.read, { exact: true }).waitFor()
      await theirs.getByRole('textbox', { name: t.replyTo(owner.username) }).fill('I will meet them')
      await theirs.getByRole('button', { name: t.sendReply }).click()
      await page.getByText('I will meet them').waitFor()
      await people(page).getByText(t.status.replied, { exact: true }).waitFor()
      assert.deepEqual(await findings(page), [])

      await page.getByRole('textbox', { name: t.replyTo(reader.username) }).fill('Thank you')
      await page.keyboard.press('Control+Enter')
      await theirs.getByText('Thank you').waitFor()
      assert.deepEqual(await findings(theirs), [])

      await page.goto(`/notes/${id}?send=1`)
      await page.getByRole('combobox', { name: t.findPeople }).fill(reader.username)
      await page.getByRole('option', { name: t.hasIt }).waitFor()
      await page.goto('/notes/sent')
      await page.getByText(t.status.replied).first().waitFor()
      assert.deepEqual(await findings(page), [])

      assert.equal((await portal.admin.delete(`/users/${reader.id}?force=true`)).status, 204)
      await page.goto(`/notes/${id}`)
      await page.getByText(t.former).first().waitFor()
    })

    test(titled('the conversation in which the owner writes stays open when somebody else replies'), async () => {
      const owner = await someone('writing')
      const readers = [await someone('one'), await someone('other')]
      const { id } = (await owner.post('/notes', { title: 'Visit' })).body
      await owner.post(`/notes/${id}/send`, { recipientUserIds: readers.map((one) => one.id) })
      const { recipients } = (await owner.get(`/notes/${id}/thread`)).body as { recipients: { recipientUserId: number }[] }
      const [upper, lower] = recipients.map(({ recipientUserId }) => readers.find((one) => one.id === recipientUserId)!)
      await lower!.post(`/notes/${id}/replies`, { content: 'From the lower' })
      const { page } = await visitAs(owner.username, pair)
      await page.goto(`/notes/${id}`)
      const field = page.getByRole('textbox', { name: t.replyTo(lower!.username) })
      await field.fill('To the lower')
      await upper!.post(`/notes/${id}/replies`, { content: 'From the upper' })
      await people(page).getByText(t.status.replied, { exact: true }).nth(1).waitFor()
      assert.equal(await field.inputValue(), 'To the lower')
      await page.keyboard.press('Control+Enter')
      await page.locator('.notes-replies').getByText('To the lower').waitFor()
      const { replies } = (await owner.get(`/notes/${id}/thread`)).body
      assert.deepEqual([replies.at(-1).content, replies.at(-1).recipientUserId], ['To the lower', lower!.id])
    })

    test(titled('a received note is marked, filed and archived in place'), async () => {
      const sender = await someone('sender')
      const person = await someone('keeper')
      const { id } = (await sender.post('/notes', { title: 'Figures' })).body
      await sender.post(`/notes/${id}/send`, { recipientUserIds: [person.id] })
      await person.post('/notes/folders', { name: 'Money' })
      const { page } = await visitAs(person.username, pair)
      await page.goto('/notes/received')
      const row = page.locator('.notes-row')
      const choose = async (act: string) => {
        await page.getByRole('button', { name: t.actsOn('Figures') }).click()
        await page.getByRole('menuitem', { name: act }).click()
      }
      await choose(t.markRead)
      await row.getByText(t.status.unread, { exact: true }).waitFor({ state: 'detached' })
      await choose(t.file)
      await page.getByRole('radio', { name: 'Money' }).check()
      await page.getByRole('button', { name: t.close, exact: true }).last().click()
      await row.getByText('Money').waitFor()
      await choose(t.toArchive)
      await row.waitFor({ state: 'detached' })
      await page.getByRole('tab', { name: t.archivedOnes }).click()
      await row.getByText('Figures').waitFor()
      assert.deepEqual(await findings(page), [])
      const [kept] = (await person.get('/notes/received?tab=archived')).body
      assert.ok(kept.folderId)
    })

    test(titled('if two tabs change a note, the second shows both texts and loses neither'), async () => {
      const owner = await someone('twofold')
      const reader = await someone('witness')
      const { id } = (await owner.post('/notes', { title: 'Plan', content: 'First' })).body
      await owner.post(`/notes/${id}/send`, { recipientUserIds: [reader.id] })
      const { page, context } = await visitAs(owner.username, pair)
      const second = await context.newPage()
      for (const tab of [page, second]) await tab.goto(`/notes/${id}`)
      for (const tab of [page, second])
        await tab.waitForFunction(() => document.querySelector<HTMLTextAreaElement>('.notes-content')?.value === 'First')
      await content(page).fill('From the one')
      await content(second).fill('From the other')
      await page.getByRole('button', { name: t.saveForAll }).click()
      await status(page, t.state.saved)
      await second.getByRole('heading', { name: t.conflict }).waitFor()
      await second.locator('blockquote').getByText('From the one').waitFor()
      assert.equal(await content(second).inputValue(), 'From the other')
      assert.deepEqual(await findings(second), [])
      await second.getByRole('button', { name: t.keepBoth }).click()
      await second.getByText(t.keptBoth).waitFor()
      const notes = (await owner.get('/notes')).body as { content: string }[]
      assert.deepEqual(notes.map((note) => note.content).toSorted(), ['From the one', 'From the other'])
      await second.waitForFunction(() => document.querySelector<HTMLTextAreaElement>('.notes-content')?.value === 'From the one')

      await content(page).fill('Again the one')
      await content(second).fill('Again the other')
      await content(page).press('Control+s')
      await second.getByRole('button', { name: t.keepMine }).click()
      await until('the second text is saved', async () => (await owner.get(`/notes/${id}`)).body.content === 'Again the other')
      await second.locator('.toast button[aria-keyshortcuts]').click()
      await until('the former text is back', async () => (await owner.get(`/notes/${id}`)).body.content === 'Again the one')

      // Events of the earlier changes may still be on their way.
      for (const tab of [page, second]) await tab.reload()
      for (const tab of [page, second])
        await tab.waitForFunction(() => document.querySelector<HTMLTextAreaElement>('.notes-content')?.value === 'Again the one')
      await content(page).fill('The last of the one')
      await content(second).fill('The last of the other')
      await content(page).press('Control+s')
      await second.getByRole('button', { name: t.takeTheirs }).click()
      await second.getByText(t.tookTheirs).waitFor()
      await content(second).fill('The last of both')
      await second.getByText(t.tookTheirs).waitFor({ state: 'detached' })
      assert.equal(await content(second).inputValue(), 'The last of both')
    })

    test(titled('a text is not said to be saved over a note that was changed once more'), async () => {
      const owner = await someone('thrice')
      const reader = await someone('onlooker')
      const { id } = (await owner.post('/notes', { title: 'Plan', content: 'First' })).body
      await owner.post(`/notes/${id}/send`, { recipientUserIds: [reader.id] })
      const { page } = await visitAs(owner.username, pair)
      await page.goto(`/notes/${id}`)
      await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>('.notes-content')?.value === 'First')
      await content(page).fill('Mine')
      await owner.patch(`/notes/${id}`, { content: 'Second' })
      await page.locator('blockquote').getByText('Second').waitFor()
      let isFirst = true
      await page.route(`**/api/notes/${id}`, async (route) => {
        if (isFirst && route.request().method() === 'PATCH') {
          isFirst = false
          await owner.patch(`/notes/${id}`, { content: 'Third' })
        }
        await route.fallback()
      })
      await page.getByRole('button', { name: t.keepMine }).click()
      await page.locator('blockquote').getByText('Third').waitFor()
      assert.deepEqual(await findings(page), [])
      assert.equal(await page.getByText(t.keptMine).count(), 0)
      assert.deepEqual([await content(page).inputValue(), (await owner.get(`/notes/${id}`)).body.content], ['Mine', 'Third'])
      await page.getByRole('button', { name: t.keepMine }).click()
      await page.getByText(t.keptMine).waitFor()
      assert.equal((await owner.get(`/notes/${id}`)).body.content, 'Mine')
      // Nor does undo overwrite what was saved elsewhere since.
      await owner.patch(`/notes/${id}`, { content: 'Fourth' })
      await page.locator('.toast button[aria-keyshortcuts]').click()
      await page.locator('.toast[data-kind=error]').waitFor()
      assert.equal((await owner.get(`/notes/${id}`)).body.content, 'Fourth')
    })

    test(titled('a text that was saved without an answer is not shown as a version from elsewhere'), async () => {
      const person = await someone('unheard')
      const { id } = (await person.post('/notes', { title: 'Gate', content: 'Five' })).body
      const { page } = await visitAs(person.username, pair)
      let lost = 0
      await page.route(`**/api/notes/${id}`, async (route) => {
        if (route.request().method() !== 'PATCH' || lost === 2) return route.fallback()
        lost++
        await route.fetch()
        if (lost === 2) await content(page).pressSequentially(' at noon')
        await route.abort()
      })
      await page.goto(`/notes/${id}`)
      // The portal saves the text without the space at its end.
      await content(page).fill('Six ')
      await until('the first answer is lost', () => lost === 1)
      await status(page, t.state.saved)
      assert.equal((await person.get(`/notes/${id}`)).body.content, 'Six')
      await content(page).fill('Seven')
      await until('the second answer is lost', () => lost === 2)
      await status(page, t.state.saved)
      assert.equal((await person.get(`/notes/${id}`)).body.content, 'Seven at noon')
    })

    test(titled('offline, notes stay readable and typed text is kept; it is saved on reconnection'), async () => {
      const person = await someone('traveller')
      const { id } = (await person.post('/notes', { title: 'Train', content: 'Platform two' })).body
      const { page, context } = await visitAs(person.username, pair)
      await page.goto('/notes')
      await page.getByRole('link', { name: 'Train' }).click()
      await content(page).waitFor()
      await context.setOffline(true)
      await content(page).fill('Platform three')
      await status(page, t.state.unreached)
      assert.deepEqual(await findings(page), [])
      await page.goBack()
      await page.getByRole('link', { name: 'Train' }).waitFor()
      await page.getByRole('textbox', { name: t.write }).fill('Written in the tunnel')
      await page.keyboard.press('Control+Enter')
      await page.getByText(t.keptHere).waitFor()
      await page.getByRole('link', { name: 'Train' }).click()
      await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>('.notes-content')?.value === 'Platform three')
      await context.setOffline(false)
      await status(page, t.state.saved)
      assert.equal((await person.get(`/notes/${id}`)).body.content, 'Platform three')
    })
  }
})
