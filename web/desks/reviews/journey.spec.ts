/** Reviews of access: begun, decided by several reviewers, and closed. */
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/client.ts'
import { makers } from '../../../test/makers.ts'
import { slowTest } from '../../../test/suite.ts'
import { both as forms } from '../../parts/forms/form/texts.ts'
import { both as toasts } from '../../parts/texts.ts'
import { browser, findings, foreignTexts, foundOption, journeys, pairs, portalWithPages, tooWide } from '../../testing/browser.ts'
import { setPortalClock } from '../../testing/clock.ts'
import { inDays, reviewsIn } from '../../testing/reviews.ts'
import { both as ofClosing } from './review/closing-texts.ts'
import { both as ofForm } from './shared/form-texts.ts'
import { both } from './texts.ts'

const portal = portalWithPages()
const { newPerson } = makers(portal)
const { grouped, reviewOf, countsOf, row } = reviewsIn(portal)
const known = /[@\w.-]*\d+|Member|Ctrl|Z\b|admin|CSV|\b[A-Z]\b/

const read = async (path: string) => (await portal.admin.get(path)).body

journeys(() => {
  const { visitAs } = browser(portal)
  let made = 0

  for (const pair of pairs) {
    const { language, size } = pair
    const [t, f, c] = [both[language], ofForm[language], ofClosing[language]]
    const titled = (title: string) => `${title} (${language}, ${size})`
    async function asAdmin(path: string) {
      const { username } = await portal.person(`boss-${made++}`, { roles: ['admin'], displayNameAr: 'سلمى', displayNameEn: 'Salma' })
      const opened = await visitAs(username, pair)
      await opened.page.goto(path)
      await opened.page.getByRole('heading', { level: 1 }).first().waitFor()
      return opened
    }

    test(titled('an administrator begins a review, decides, and closes it after a preview'), async () => {
      const { group, people } = await grouped(3)
      const { page } = await asAdmin('/admin/reviews?new=1')
      const dialog = page.getByRole('dialog', { name: f.begin })
      await dialog.getByLabel(language === 'ar' ? f.titleAr : f.titleEn).fill(language === 'ar' ? 'مراجعة الخريف' : 'Autumn review')
      await dialog.getByRole('combobox', { name: f.addGroup }).fill(group.name)
      await foundOption(page, { name: group.name }).click()
      await dialog.getByText(f.estimate(3)).waitFor()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, known), [])
      await dialog.getByRole('button', { name: f.go }).click()
      await page.waitForURL(/\/admin\/reviews\/\d+$/)
      const id = Number(new URL(page.url()).pathname.split('/').at(-1))
      await row(page, 'Member 01').waitFor()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, known), [])

      await row(page, 'Member 01').getByRole('button', { name: t.keep }).click()
      await row(page, 'Member 02').getByRole('button', { name: t.remove }).click()
      await page.getByText(t.undecided(1), { exact: true }).waitFor()
      await until('two are decided', async () => (await countsOf(id)).undecided === 1)
      await page.getByRole('button', { name: t.closeReview }).click()
      await page.getByText(c.removes(1)).waitFor()
      assert.deepEqual(await findings(page), [])
      await page.getByRole('button', { name: c.close(1) }).click()
      await until('it is closed', async () => (await read(`/access-reviews/${id}`)).status === 'closed')
      await page.getByText(t.statuses.closed, { exact: true }).waitFor()
      await row(page, 'Member 02').getByText(t.outcomes.removed).waitFor()
      assert.deepEqual((await read(`/groups/${group.id}`)).userIds, [people[0]!.id, people[2]!.id])
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await tooWide(page), [])
    })

    slowTest(titled('a reviewer decides, writes a note, changes their mind, and sees what another reviewer decides'), async () => {
      const { group, people } = await grouped(4)
      const [first, second] = [people[0]!, people[3]!]
      const { id } = await reviewOf([group.id], { reviewerUserIds: [first.id, second.id] })
      const { page } = await visitAs(first.username, pair)
      await page.goto(`/reviews/${id}`)
      // A reviewer never sees their own item.
      await row(page, 'Member 02').waitFor()
      assert.equal(await row(page, 'Member 01').count(), 0)
      await page.getByText(t.undecided(3), { exact: true }).waitFor()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, known), [])
      await row(page, 'Member 02').locator('.reviews-decision > .button').click()
      await page.getByRole('textbox', { name: t.noteLabel }).fill('Left the team')
      assert.deepEqual(await findings(page), [])
      await page.getByRole('button', { name: t.removeWith }).click()
      await until(
        'the note is saved',
        async () => (await read(`/access-reviews/${id}/items?state=remove`)).items[0]?.note === 'Left the team',
      )
      const keep = row(page, 'Member 03').getByRole('button', { name: t.keep })
      await keep.click()
      await until('a verdict is saved', async () => (await countsOf(id)).keep === 1)
      await keep.click()
      await until('it is taken back', async () => (await countsOf(id)).keep === 0)

      const item = (await read(`/access-reviews/${id}/items?userId=${people[2]!.id}`)).items[0]
      await second.post(`/access-reviews/${id}/verdicts`, { items: [{ id: item.id, verdict: 'keep' }] })
      await page.getByText(t.undecided(1), { exact: true }).waitFor()
      assert.deepEqual(await tooWide(page), [])
    })

    slowTest(titled('chosen items are decided together after a preview, and undo restores the decisions'), async () => {
      const { group } = await grouped(2)
      const { id } = await reviewOf([group.id])
      const { page } = await asAdmin(`/admin/reviews/${id}`)
      await row(page, 'Member 01').waitFor()
      await page.getByRole('button', { name: t.suggestions }).click()
      await page.getByText(t.bulk.nothing).waitFor()
      assert.deepEqual(await findings(page), [])
      await page.getByRole('button', { name: t.cancel }).click()
      await row(page, 'Member 01').focus()
      await page.keyboard.press('x')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('x')
      await page.locator('.chosen').getByRole('button', { name: t.chosen.remove }).click()
      await page.getByText(t.bulk.will(0, 2)).waitFor()
      assert.deepEqual(await findings(page), [])
      await page.getByRole('button', { name: t.bulk.go(2) }).click()
      await until('both are decided', async () => (await countsOf(id)).remove === 2)
      await page.getByRole('button', { name: toasts[language].undo }).click()
      await until('both are undecided', async () => (await countsOf(id)).undecided === 2)
    })

    slowTest(titled('a person without reviews finds an empty page, and cannot open a review of somebody else'), async () => {
      const { username } = await newPerson()
      const { group } = await grouped(1)
      const { id } = await reviewOf([group.id])
      const { page } = await visitAs(username, pair)
      await page.goto('/reviews')
      await page.getByText(t.noneMine).waitFor()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, known), [])
      await page.goto(`/reviews/${id}`)
      await page.getByRole('heading', { name: t.gone }).waitFor()
      assert.deepEqual(await findings(page), [])
    })
  }

  slowTest('the page of a review that is being closed says how many of its items are done', async () => {
    const { group } = await grouped(3)
    const { id } = await reviewOf([group.id])
    const review = await read(`/access-reviews/${id}`)
    let done = 1
    const { username } = await portal.person(`boss-${made++}`, { roles: ['admin'] })
    const { page } = await visitAs(username, { language: 'ar', size: 'desktop' })
    await page.route(`**/api/access-reviews/${id}`, (route) =>
      route.fulfill({ json: { ...review, status: 'closing', counts: { ...review.counts, done } } }),
    )
    await page.goto(`/admin/reviews/${id}`)
    const t = both.ar
    await page.getByText(t.done('1', '3')).waitFor()
    assert.deepEqual(await findings(page), [])
    done = 2
    await page.getByText(t.done('2', '3')).waitFor()
  })

  slowTest('the days left until the due date are counted in the time zone of the office', async () => {
    const { group } = await grouped(1)
    const dueDate = inDays(9)
    const { id } = await reviewOf([group.id], { dueDate })
    const { username } = await portal.person(`boss-${made++}`, { roles: ['admin'] })
    const { page } = await visitAs(username, { language: 'en', size: 'desktop' })
    // At any moment, at least one of these zones has a different date than this device.
    for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      assert.equal((await portal.admin.patch('/settings', { timeZone })).status, 200)
      await page.goto(`/admin/reviews/${id}`)
      const left = () => (Date.parse(dueDate) - Date.parse(new Intl.DateTimeFormat('en-CA', { timeZone }).format())) / 86_400_000
      const chips = page.locator('.reviews-title .chip')
      await until('the days that are left', () => chips.getByText(both.en.left(left()), { exact: true }).isVisible())
    }
    await portal.admin.patch('/settings', { timeZone: 'UTC' })
  })

  slowTest('the due date that somebody has chosen for a new review stays when the form is opened on another day', async () => {
    const { username } = await portal.person(`boss-${made++}`, { roles: ['admin'] })
    const { page } = await visitAs(username, { language: 'en', size: 'desktop' })
    const due = page.getByRole('textbox', { name: ofForm.en.due })
    const opensIn = async (days: number) => {
      await setPortalClock(page, inDays(days))
      await page.goto('/admin/reviews?new=1')
      await due.waitFor()
    }
    await opensIn(2)
    await page.getByRole('button', { name: ofForm.en.in(4) }).click()
    const chosen = await due.inputValue()
    await opensIn(3)
    await page.getByText(forms.en.restored).waitFor()
    assert.equal(await due.inputValue(), chosen)
    assert.equal(await page.getByRole('button', { name: ofForm.en.go, exact: true }).isEnabled(), true)
  })

  slowTest('a reviewer who is no administrator opens a review from the palette', async () => {
    const { group, people } = await grouped(2)
    const { id } = await reviewOf([group.id], { reviewerUserIds: [people[0]!.id] })
    const { page } = await visitAs(people[0]!.username, { language: 'en', size: 'desktop' })
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('winter')
    await page.getByRole('option', { name: /Winter review/ }).click()
    await page.waitForURL(`**/reviews/${id}`)
    await row(page, 'Member 02').waitFor()
  })

  slowTest('of several items, refused ones are named and the rest are decided', async () => {
    const { group } = await grouped(2)
    const { id } = await reviewOf([group.id])
    const { username } = await portal.person(`boss-${made++}`, { roles: ['admin'] })
    const { page } = await visitAs(username, { language: 'en', size: 'desktop' })
    const { items } = await read(`/access-reviews/${id}/items`)
    await page.route('**/verdicts', (route) => route.fulfill({ json: { doneIds: [items[0].id], failedIds: [items[1].id] } }))
    await page.goto(`/admin/reviews/${id}`)
    await row(page, 'Member 01').focus()
    await page.keyboard.press('Control+a')
    const t = both.en
    await page.locator('.chosen').getByRole('button', { name: t.chosen.keep }).click()
    await page.getByRole('button', { name: t.bulk.go(2) }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(t.bulk.refused).waitFor()
    await dialog.getByText('Member 02').waitFor()
    assert.equal(await dialog.getByText('Member 01').count(), 0)
    assert.deepEqual(await findings(page), [])
  })

  slowTest('decisions made offline are stored, and sent when the connection is back', async () => {
    const { group } = await grouped(2)
    const { id } = await reviewOf([group.id])
    const { username } = await portal.person(`boss-${made++}`, { roles: ['admin'] })
    const { page, context } = await visitAs(username, { language: 'en', size: 'desktop' })
    await page.goto(`/admin/reviews/${id}`)
    const t = both.en
    await row(page, 'Member 02').waitFor()
    await context.setOffline(true)
    await row(page, 'Member 01').getByRole('button', { name: t.keep }).click()
    await row(page, 'Member 02').getByRole('button', { name: t.remove }).click()
    await page.getByText(t.unsent(2)).waitFor()
    assert.deepEqual(await findings(page), [])
    await context.setOffline(false)
    await until('both are decided', async () => (await countsOf(id)).undecided === 0)

    await context.setOffline(true)
    await row(page, 'Member 01').getByRole('button', { name: t.remove }).click()
    await page.getByText(t.unsent(1)).waitFor()
    await page.waitForFunction(
      () =>
        new Promise((resolve) => {
          const request = indexedDB.open('bawaba', 1)
          request.onsuccess = () => {
            const all = request.result.transaction('kept').objectStore('kept').getAllKeys()
            all.onsuccess = () => {
              request.result.close()
              resolve(all.result.some((key) => String(key).endsWith(':verdicts')))
            }
          }
        }),
    )
    await page.close()
    await context.setOffline(false)
    // Any page that the person opens next sends the verdict.
    await (await context.newPage()).goto('/notes')
    await until('the verdict of the closed page is there', async () => (await countsOf(id)).remove === 2)
  })

  slowTest('the due date is changed while somebody else changes the title, and a review is cancelled', async () => {
    const { group } = await grouped(1)
    const { id } = await reviewOf([group.id])
    const { username } = await portal.person(`boss-${made++}`, { roles: ['admin'] })
    const { page } = await visitAs(username, { language: 'en', size: 'desktop' })
    await page.goto(`/admin/reviews/${id}`)
    const [t, f, c] = [both.en, ofForm.en, ofClosing.en]
    await page.getByRole('button', { name: t.acts }).click()
    await page.getByRole('menuitem', { name: t.edit }).click()
    await page.getByRole('button', { name: f.in(4) }).click()
    await portal.admin.patch(`/access-reviews/${id}`, { titleEn: 'Spring review' })
    await page.getByRole('button', { name: f.save, exact: true }).click()
    const savedTogether = page.getByText(forms.en.savedTogether('admin')).or(page.getByText(forms.en.savedTogether('')))
    await page.getByText(f.saved).or(savedTogether).first().waitFor()
    const saved = await read(`/access-reviews/${id}`)
    assert.deepEqual([saved.titleEn, saved.dueDate > inDays(20)], ['Spring review', true])
    await page.getByRole('heading', { name: 'Spring review' }).waitFor()
    await page.getByRole('button', { name: t.acts }).click()
    await page.getByRole('menuitem', { name: t.cancelReview }).click()
    await page.getByRole('button', { name: c.cancelIt }).click()
    await page.getByText(t.statuses.cancelled, { exact: true }).waitFor()
    assert.equal((await read(`/access-reviews/${id}`)).status, 'cancelled')
  })
})
