/** Deciding on the items of a review by keyboard, and decisions that meet others. */
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/client.ts'
import { both as frame } from '../../frame/texts.ts'
import { both as toasts } from '../../parts/texts.ts'
import { browser, journeys, portalWithPages } from '../../testing/browser.ts'
import { reviewsIn } from '../../testing/reviews.ts'
import { both as ofUndoing } from './review/undoing-texts.ts'
import { both } from './texts.ts'

const portal = portalWithPages()
const { grouped, reviewOf, countsOf, row } = reviewsIn(portal)

journeys(() => {
  const { visitAs } = browser(portal)

  test('thirty decisions are made by keyboard alone, and all arrive', async () => {
    const { group } = await grouped(30)
    const { id } = await reviewOf([group.id])
    const { username } = await portal.person('quick', { roles: ['admin'] })
    const { page } = await visitAs(username, { language: 'en', size: 'desktop' })
    await page.goto(`/admin/reviews/${id}`)
    await row(page, 'Member 01').focus()
    for (let n = 0; n < 30; n++) await page.keyboard.press(n % 3 === 0 ? 'r' : 'a')
    await page.getByText(both.en.undecided(0), { exact: true }).waitFor()
    await until('all are decided', async () => (await countsOf(id)).undecided === 0)
    const { keep, remove } = await countsOf(id)
    assert.deepEqual([keep, remove], [20, 10])
    // Undo works without a focused row, and shows before the portal has replied.
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    const held = Promise.withResolvers<void>()
    await page.route('**/verdicts', async (route) => {
      await held.promise
      await route.continue()
    })
    await page.keyboard.press('u')
    await page.getByText(both.en.undecided(1), { exact: true }).waitFor()
    held.resolve()
    await until('the last is undecided', async () => (await countsOf(id)).undecided === 1)
  })

  test('the key that undoes leaves a decision that a colleague has made since', async () => {
    const { group } = await grouped(1)
    const { id } = await reviewOf([group.id])
    const { username } = await portal.person('former', { roles: ['admin'] })
    const { page } = await visitAs(username, { language: 'en', size: 'desktop' })
    await page.goto(`/admin/reviews/${id}`)
    await row(page, 'Member 01').focus()
    await page.keyboard.press('r')
    await until('it is decided', async () => (await countsOf(id)).remove === 1)
    const { items } = (await portal.admin.get(`/access-reviews/${id}/items`)).body
    await portal.admin.post(`/access-reviews/${id}/verdicts`, { items: [{ id: items[0].id, verdict: 'keep' }] })
    await page.getByRole('tab', { name: both.en.tabs.keep }).click()
    await row(page, 'Member 01').waitFor()
    await page.keyboard.press('u')
    await page.getByText(ofUndoing.en.stays(1)).waitFor()
    assert.equal((await countsOf(id)).keep, 1)
  })

  for (const which of ['chosen rows', 'all rows'])
    test(`undoing a verdict on ${which} leaves those that a colleague has decided since`, async () => {
      const { group } = await grouped(2)
      const { id } = await reviewOf([group.id])
      const { username } = await portal.person(`late-${which.split(' ')[0]}`, { roles: ['admin'] })
      const { page } = await visitAs(username, { language: 'en', size: 'desktop' })
      await page.goto(`/admin/reviews/${id}`)
      await row(page, 'Member 01').focus()
      for (const key of which === 'all rows' ? ['Control+a'] : ['x', 'ArrowDown', 'x']) await page.keyboard.press(key)
      await page.locator('.chosen').getByRole('button', { name: both.en.chosen.remove }).click()
      await page.getByRole('button', { name: both.en.bulk.go(2) }).click()
      await until('both are decided', async () => (await countsOf(id)).remove === 2)
      const { items } = (await portal.admin.get(`/access-reviews/${id}/items`)).body
      await portal.admin.post(`/access-reviews/${id}/verdicts`, { items: [{ id: items[0].id, verdict: 'keep' }] })
      await page.getByRole('button', { name: toasts.en.undo }).click()
      await page.getByText(ofUndoing.en.stays(1)).waitFor()
      const { keep, undecided } = await countsOf(id)
      assert.deepEqual([keep, undecided], [1, 1])
    })

  test('the keys stay on their row when the portal counts more rows than it returns', async () => {
    const { group } = await grouped(9)
    const { id } = await reviewOf([group.id])
    const { username } = await portal.person('steady', { roles: ['admin'] })
    const { page } = await visitAs(username, { language: 'en', size: 'desktop' })
    let reads = 0
    await page.route('**/items?*', async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      await route.fulfill({ response, json: { ...body, totalCount: body.totalCount + 1 } })
      reads++
    })
    await page.goto(`/admin/reviews/${id}`)
    await row(page, 'Member 01').focus()
    for (let n = 1; n <= 9; n++) {
      const before = reads
      await page.keyboard.press('a')
      await page.getByText(both.en.undecided(9 - n), { exact: true }).waitFor()
      await until('the list is read again', () => reads > before)
    }
    await until('all are decided', async () => (await countsOf(id)).keep === 9)
  })

  test('suggestions leave an item that a colleague decides while the items are read', async () => {
    const { group } = await grouped(3)
    const { id } = await reviewOf([group.id])
    const itemsOf = async () => (await portal.admin.get(`/access-reviews/${id}/items`)).body.items as { id: number; verdict: string }[]
    const [first] = await itemsOf()
    const { username } = await portal.person('swift', { roles: ['admin'] })
    const { page } = await visitAs(username, { language: 'en', size: 'desktop' })
    let reads = 0
    await page.route(/\/items\?.*limit=200/, async (route) => {
      // The first reading has a second page, before which the colleague decides.
      const isFirst = reads++ === 0
      if (reads === 2) await portal.admin.post(`/access-reviews/${id}/verdicts`, { items: [{ id: first!.id, verdict: 'keep' }] })
      const response = await route.fetch()
      const body = await response.json()
      const items = body.items.map((item: object) => ({ ...item, suggestion: 'remove' }))
      await route.fulfill({ response, json: { ...body, items, nextOffset: isFirst ? 200 : null } })
    })
    await page.goto(`/admin/reviews/${id}`)
    await row(page, 'Member 03').waitFor()
    await page.getByRole('button', { name: both.en.suggestions }).click()
    await page.getByRole('button', { name: both.en.bulk.go(2) }).click()
    await until('all are decided', async () => (await countsOf(id)).undecided === 0)
    assert.deepEqual(
      (await itemsOf()).map(({ verdict }) => verdict),
      ['keep', 'remove', 'remove'],
    )
  })

  test('a decision made while another is being sent arrives before the sign-out', async () => {
    const { group } = await grouped(2)
    const { id } = await reviewOf([group.id])
    const { username } = await portal.person('leaver', { roles: ['admin'] })
    const { page } = await visitAs(username, { language: 'en', size: 'desktop' })
    await page.goto(`/admin/reviews/${id}`)
    await row(page, 'Member 02').waitFor()
    const [reached, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route(
      '**/verdicts',
      async (route) => {
        reached.resolve()
        await held.promise
        await route.continue()
      },
      { times: 1 },
    )
    await row(page, 'Member 01').focus()
    await page.keyboard.press('a')
    await reached.promise
    await page.keyboard.press('r')
    await page.getByText(both.en.undecided(0), { exact: true }).waitFor()
    await page.getByRole('button', { name: frame.en.account('') }).click()
    await page.getByRole('menuitem', { name: frame.en.signOut }).click()
    held.resolve()
    await page.waitForURL(/sign-in/)
    const { keep, remove } = await countsOf(id)
    assert.deepEqual([keep, remove], [1, 1])
  })
})
