/** Own notes: writing, filing, searching, deleting and scrolling. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../../../test/portal.ts'
import { browser, findings, holdCalls, journeys, pairs, portalWithPages } from '../../testing/browser.ts'
import { both as ofOpen } from './open-texts.ts'
import { both as ofLists } from './texts.ts'

const both = { ar: { ...ofLists.ar, ...ofOpen.ar }, en: { ...ofLists.en, ...ofOpen.en } }

const portal = portalWithPages()

journeys(() => {
  const { visitAs } = browser(portal)

  for (const pair of pairs) {
    const { language, size } = pair
    const t = both[language]
    const other = language === 'ar' ? 'en' : 'ar'
    const titled = (title: string) => `${title} (${language}, ${size})`
    const someone = (role: string) => portal.person(`${role}-${language}-${size}`)
    const capture = (page: Page) => page.getByRole('textbox', { name: t.write })
    const content = (page: Page) => page.getByRole('textbox', { name: t.noteText })
    const status = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true }).waitFor()

    test(titled('a draft survives closing the tab, and Ctrl Enter saves it'), async () => {
      const person = await someone('writer')
      const { context, page } = await visitAs(person.username, pair)
      await page.goto('/notes')
      await capture(page).fill('Clients\nTwo guests')
      await Promise.all([page.waitForEvent('close'), page.close({ runBeforeUnload: true })])
      const again = await context.newPage()
      await again.goto('/notes')
      await again.waitForFunction(() => document.querySelector('textarea')?.value === 'Clients\nTwo guests')
      await capture(again).press('Control+Enter')
      await again.getByRole('link', { name: 'Clients' }).waitFor()
      assert.equal(await capture(again).inputValue(), '')
      const [note] = (await person.get('/notes')).body
      assert.deepEqual([note.title, note.content], ['Clients', 'Two guests'])
      assert.deepEqual(await findings(again), [])

      await again.getByRole('link', { name: 'Clients' }).click()
      const title = again.getByRole('textbox', { name: t.noteTitle })
      await title.fill('Clients of the whole week, with their names and the hours at which each of them is expected at the gate')
      assert.equal(await title.evaluate((field) => field.scrollWidth > field.clientWidth || field.scrollHeight > field.clientHeight), false)
      await title.fill('Clients')
      // A title has one line, so Enter moves to the text.
      await title.press('Enter')
      await again.waitForFunction(() => document.activeElement?.matches('.notes-content'))
      await content(again).fill('Three guests')
      await Promise.all([again.waitForEvent('close'), again.close({ runBeforeUnload: true })])
      const third = await context.newPage()
      await third.goto(`/notes/${note.id}`)
      await third.waitForFunction(() => document.querySelector<HTMLTextAreaElement>('.notes-content')?.value === 'Three guests')
      await status(third, t.state.saved)
      await until('the note is saved', async () => (await person.get(`/notes/${note.id}`)).body.content === 'Three guests')
    })

    test(titled('what is typed while a note is being saved stays in the field'), async () => {
      const person = await someone('typist')
      const { page } = await visitAs(person.username, pair)
      await page.goto('/notes')
      await page.route('**/api/notes', async (route) => {
        if (route.request().method() === 'POST') await capture(page).pressSequentially(' and Sara')
        await route.fallback()
      })
      await capture(page).fill('Call Omar')
      await capture(page).press('Control+Enter')
      await page.getByRole('link', { name: 'Call Omar' }).waitFor()
      await page.getByText(t.written).waitFor()
      assert.equal(await capture(page).inputValue(), 'Call Omar and Sara')
    })

    test(titled('a note that is saved late does not take the focus from the field in which somebody types'), async () => {
      const person = await someone('hurried')
      const { page } = await visitAs(person.username, pair)
      await page.goto('/notes')
      const { began, release } = await holdCalls(page, '**/api/notes')
      await capture(page).fill('Call Huda')
      await capture(page).press('Control+Enter')
      await began
      const search = page.getByRole('searchbox', { name: t.search })
      await search.pressSequentially('Hu')
      release()
      await page.getByText(t.written).waitFor()
      await page.keyboard.type('da')
      assert.deepEqual([await search.inputValue(), await capture(page).inputValue()], ['Huda', ''])
    })

    test(titled('a change of language while typing loses nothing'), async () => {
      const person = await someone('switcher')
      const { page } = await visitAs(person.username, pair)
      await page.goto('/notes')
      await capture(page).fill('Half a')
      await page.evaluate(() => Object.assign(window, { sameDocument: true }))
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill(other === 'ar' ? 'العربية' : 'English')
      // Enter waits for the results of the whole text; a click could hit the results of fewer letters.
      await page.keyboard.press('Enter')
      await page.getByRole('textbox', { name: both[other].write }).waitFor()
      assert.equal(await page.getByRole('textbox', { name: both[other].write }).inputValue(), 'Half a')
      assert.ok(await page.evaluate(() => 'sameDocument' in window))
    })

    test(titled('folders and labels are created, used, renamed and deleted without leaving the board'), async () => {
      const person = await someone('filer')
      const { id } = (await person.post('/notes', { title: 'Budget' })).body
      const { page } = await visitAs(person.username, pair)
      await page.goto('/notes')
      const openPlaces = async () => {
        if (size === 'phone') await page.getByRole('button', { name: t.all }).click()
      }
      await openPlaces()
      const places = page.locator('.notes-places').filter({ visible: true })
      await places.getByRole('button', { name: t.newFolder }).click()
      await page.keyboard.type('Money')
      await page.keyboard.press('Enter')
      const folder = places.getByRole('link', { name: 'Money' })
      await folder.waitFor()
      await places.getByRole('button', { name: t.newLabel }).click()
      await page.keyboard.type('Urgent')
      await page.keyboard.press('Enter')
      await places.getByRole('link', { name: 'Urgent' }).waitFor()
      assert.deepEqual(await findings(page), [])
      if (size === 'phone') await page.keyboard.press('Escape')

      await page.getByRole('button', { name: t.actsOn('Budget') }).click()
      await page.getByRole('menuitem', { name: t.color }).click()
      await page.getByRole('radio', { name: t.colors.pink }).check({ force: true })
      await page.getByRole('button', { name: t.close, exact: true }).last().click()
      await page.getByRole('button', { name: t.actsOn('Budget') }).click()
      await page.getByRole('menuitem', { name: t.arrange }).click()
      await page.getByRole('radio', { name: 'Money' }).check()
      await page.getByRole('checkbox', { name: 'Urgent' }).check()
      assert.deepEqual(await findings(page), [])
      await page.getByRole('button', { name: t.close, exact: true }).last().click()
      await page.locator('.notes-card[data-color=pink]').getByText('Urgent').waitFor()
      const isFiled = async () => {
        const { color, folderId, labelIds } = (await person.get(`/notes/${id}`)).body
        return color === 'pink' && folderId !== null && labelIds.length === 1
      }
      await until('the note is filed', isFiled)

      await openPlaces()
      await places.getByRole('button', { name: t.actsOn('Money') }).click()
      await page.getByRole('menuitem', { name: t.rename }).filter({ visible: true }).click()
      await page.getByRole('textbox', { name: t.nameOfFolder }).fill('Treasury')
      await page.keyboard.press('Enter')
      await places.getByRole('link', { name: 'Treasury' }).click()
      await page.waitForURL('**/notes?folder=*')
      if (size === 'phone') await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByRole('link', { name: 'Budget' }).waitFor()
      if (size === 'phone') await page.getByRole('button', { name: 'Treasury' }).click()
      await places.getByRole('button', { name: t.actsOn('Treasury') }).click()
      await page.getByRole('menuitem', { name: t.remove }).filter({ visible: true }).click()
      await page.waitForURL('**/notes')
      await page.getByText(t.folderRemoved('Treasury')).waitFor()
      await page.goto('/')
      await until('the folder is deleted', async () => (await person.get('/notes/folders')).body.length === 0)
      assert.equal((await person.get(`/notes/${id}`)).body.folderId, null)
    })

    test(titled('folders and labels that are created, renamed or deleted elsewhere update by themselves'), async () => {
      const person = await someone('elsewhere')
      const { page } = await visitAs(person.username, pair)
      await page.goto('/notes')
      await capture(page).waitFor()
      if (size === 'phone') await page.getByRole('button', { name: t.all }).click()
      const places = page.locator('.notes-places').filter({ visible: true })
      for (const [kind, name, next] of [
        ['folders', 'Money', 'Treasury'],
        ['labels', 'Urgent', 'Later'],
      ] as const) {
        const { id } = (await person.post(`/notes/${kind}`, { name })).body
        await places.getByRole('link', { name }).waitFor()
        await person.patch(`/notes/${kind}/${id}`, { name: next })
        await places.getByRole('link', { name: next }).waitFor()
        await person.delete(`/notes/${kind}/${id}`)
        await places.getByRole('link', { name: next }).waitFor({ state: 'detached' })
      }
    })

    test(titled('a deleted or archived note can be brought back'), async () => {
      const person = await someone('undoer')
      const { id } = (await person.post('/notes', { title: 'Keep me' })).body
      const { page } = await visitAs(person.username, pair)
      await page.goto('/notes')
      const note = page.getByRole('link', { name: 'Keep me' })
      let sent = 0
      const held = Promise.withResolvers<void>()
      await page.route(`**/api/notes/${id}`, async (route) => {
        if (route.request().method() === 'PATCH') {
          sent++
          await held.promise
        }
        await route.continue()
      })
      for (const act of [t.remove, t.toArchive]) {
        await page.getByRole('button', { name: t.actsOn('Keep me') }).click()
        await page.getByRole('menuitem', { name: act }).click()
        await note.waitFor({ state: 'detached' })
        await page.locator('.toast button[aria-keyshortcuts]').click()
        await note.waitFor()
      }
      // The undo follows the change, and cannot overtake it.
      await until('the change is sent', () => sent > 0)
      assert.equal(sent, 1)
      held.resolve()
      await until('the undo is sent', () => sent === 2)
      await until('the note is on the board', async () => (await person.get(`/notes/${id}`)).body.isArchived === false)
    })

    test(titled('the search ignores letter variants, and is in the address'), async () => {
      const person = await someone('seeker')
      await person.post('/notes', { title: 'إقفال الميزانيّة' })
      await person.post('/notes', { title: 'Unrelated' })
      const { page } = await visitAs(person.username, pair)
      await page.goto('/notes')
      await page.getByRole('link', { name: 'Unrelated' }).waitFor()
      await page.getByRole('searchbox', { name: t.search }).fill('الميزانيه')
      await page.getByRole('link', { name: 'Unrelated' }).waitFor({ state: 'detached' })
      await page.getByRole('link', { name: 'إقفال الميزانيّة' }).waitFor()
      await page.waitForURL('**/notes?q=*')
      await page.reload()
      await page.getByRole('link', { name: 'إقفال الميزانيّة' }).waitFor()
      assert.equal(await page.getByRole('link', { name: 'Unrelated' }).count(), 0)
      await page.getByRole('searchbox', { name: t.search }).fill('nowhere to be found')
      await page.getByText(t.nothingFound('nowhere to be found')).waitFor()
      assert.deepEqual(await findings(page), [])
    })

    test(titled('a long board loads in parts while scrolling, and going back restores the position'), async () => {
      const person = await someone('hoarder')
      const MANY = 100
      await Promise.all(Array.from({ length: MANY }, (_, index) => person.post('/notes', { title: `Note ${index}`, content: 'Text' })))
      const [last] = (await person.get(`/notes?limit=1&offset=${MANY - 1}`)).body
      const { page } = await visitAs(person.username, pair)
      const urls: string[] = []
      page.on('request', (request) => void (/api\/notes\?/.test(request.url()) && urls.push(request.url())))
      await page.goto('/notes')
      const link = page.getByRole('link', { name: last.title, exact: true })
      await page.locator('.notes-card').first().waitFor()
      assert.ok(urls.every((url) => /limit=/.test(url)))
      await until('the oldest note is shown', async () => {
        await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
        return (await link.count()) === 1
      })
      await link.click()
      await content(page).waitFor()
      await page.goBack()
      await link.waitFor()
      await page.waitForFunction(() => scrollY > innerHeight)
    })
  }
})
