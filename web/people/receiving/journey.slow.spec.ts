/** The receiver's board: competing claims, live updates, batches, assignments, and long queues. */

import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { PASSWORD, until } from '../../../test/client.ts'
import { browser, findings, foundOption, hasLoaded, journeys, pairs, portalWithPages } from '../../testing/browser.ts'
import { both as questionTexts } from './questions-texts.ts'
import { both } from './texts.ts'

const portal = portalWithPages()
const service = { nameAr: 'شاي أخضر', nameEn: 'Green tea' }
let serviceId = 0
let requester: Awaited<ReturnType<typeof portal.person>>

/** Changes orders by SQL, with the ledger rows that the database demands. */
const changeOrders = (statement: string) =>
  portal.sql(
    `with written as (${statement} returning id)
     insert into ledger (kind, target_type, target_id, facts) select 'test.written', 'order', id, '{}' from written`,
  )
let prepared: Promise<void> | undefined
async function prepare() {
  serviceId = (await portal.admin.post('/services', service)).body.id
  requester = await portal.person('salma', { displayNameAr: 'سلمى', displayNameEn: 'Salma' })
}

journeys(() => {
  const { visit, visitAs } = browser(portal)
  beforeEach(() => (prepared ??= prepare()))
  afterEach(async () => {
    await changeOrders('delete from orders')
  })

  for (const pair of pairs) {
    const { language, size } = pair
    const [t, questions] = [both[language], questionTexts[language]]
    const name = language === 'ar' ? service.nameAr : service.nameEn
    const titled = (title: string) => `${title} (${language}, ${size})`
    const receiver = (role: string) =>
      portal.person(`${role}-${language}-${size}`, {
        roles: ['order_receiver'],
        displayNameAr: `نورة ${role}`,
        displayNameEn: `Noura ${role}`,
      })
    const place = async (notes: string) => (await requester.post('/orders', { serviceId, notes })).body.id as number
    const cards = (page: Page) => page.locator('.receiving-card')
    const card = (page: Page, notes: string) => cards(page).filter({ hasText: notes })
    /** Shows a column, which is a tab on a phone. */
    const openColumn = async (page: Page, column: keyof typeof t.columns) => {
      if (size === 'phone') await page.getByRole('tab', { name: t.shortColumns[column] }).click()
    }
    const openBoard = async (username: string) => {
      const opened = await visitAs(username, pair)
      await opened.page.goto('/incoming')
      await opened.page.getByRole('heading', { level: 1 }).waitFor()
      return opened
    }
    /** Opens a board that gets no events. */
    const openStaleBoard = async (username: string) => {
      const opened = await visitAs(username, pair)
      await opened.context.route('**/api/events*', (route) => route.abort())
      await opened.page.goto('/incoming')
      await cards(opened.page).first().waitFor()
      return opened
    }

    test(titled('a receiver cancels an order of their own without a reason, and others only with one'), async () => {
      const person = await receiver('own')
      const mine = (await person.post('/orders', { serviceId, notes: 'mine' })).body.id as number
      const theirs = await place('theirs')
      for (const id of [mine, theirs]) await person.patch(`/orders/${id}/confirm-receipt`)
      const { page } = await openBoard(person.username)
      await openColumn(page, 'received')
      const cancel = async (notes: string) => {
        await card(page, notes)
          .getByRole('button', { name: t.more(name) })
          .click()
        await page.getByRole('menuitem', { name: t.cancel }).click()
      }
      await cancel('theirs')
      await page.getByText(questions.noUndo).waitFor()
      assert.deepEqual(await findings(page), [])
      await page.keyboard.press('Escape')
      await cancel('mine')
      await until('the order is cancelled', async () => (await person.get(`/orders/${mine}`)).body.status === 'cancelled')
      assert.equal(await page.getByRole('dialog').count(), 0)
    })

    test(titled('a receiver who loses a claim sees who took the order, and both boards are right'), async () => {
      const [slow, quick] = [await receiver('slow'), await receiver('quick')]
      await place('one')
      const { page } = await openStaleBoard(slow.username)
      const { page: other } = await openBoard(quick.username)
      await card(other, 'one').waitFor()
      await hasLoaded(other, 'frame/later.ts')
      await other.keyboard.press('r')
      await openColumn(other, 'received')
      await card(other, 'one').getByRole('button', { name: t.prepare }).waitFor()
      await page.keyboard.press('r')
      await page
        .locator('.toast')
        .getByText(language === 'ar' ? 'نورة quick' : 'Noura quick')
        .waitFor()
      await card(page, 'one').waitFor({ state: 'detached' })
      assert.deepEqual(await findings(page), [])
      assert.equal((await quick.get('/orders/incoming')).body.length, 1)
    })

    test(titled('a board follows live while others order, claim, give back and withdraw'), async () => {
      const [here, there] = [await receiver('here'), await receiver('there')]
      const { page } = await openBoard(here.username)
      const { page: other } = await openBoard(there.username)
      await page.getByText(t.emptyColumns.waiting).waitFor()
      assert.deepEqual(await findings(page), [])
      const id = await place('fresh')
      for (const one of [page, other]) await card(one, 'fresh').waitFor()
      await card(other, 'fresh').getByRole('button', { name: t.claim }).click()
      await card(page, 'fresh').waitFor({ state: 'detached' })
      await openColumn(other, 'received')
      await card(other, 'fresh')
        .getByRole('button', { name: t.more(name) })
        .click()
      await other.getByRole('menuitem', { name: t.release }).click()
      await card(page, 'fresh').waitFor()
      await requester.patch(`/orders/${id}/status`, { status: 'cancelled' })
      await card(page, 'fresh').waitFor({ state: 'detached' })
      await requester.patch(`/orders/${id}/status`, { status: 'pending' })
      await card(page, 'fresh').waitFor()
    })

    test(titled('a receiver claims, prepares and completes an order with the keyboard'), async () => {
      const person = await receiver('typist')
      const id = await place('first')
      await place('second')
      const { page } = await openBoard(person.username)
      await card(page, 'first').getByRole('button', { name: t.claim }).focus()
      await page.keyboard.press('Enter')
      await page.waitForFunction(() => document.activeElement?.closest('.receiving-card')?.textContent?.includes('second'))
      for (const [column, act] of [
        ['received', t.prepare],
        ['preparing', t.complete],
      ] as const) {
        await openColumn(page, column)
        await card(page, 'first').getByRole('button', { name: act }).focus()
        await page.keyboard.press('Enter')
      }
      await card(page, 'first').waitFor({ state: 'detached' })
      await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'))
      await until('the order is completed', async () => (await requester.get(`/orders/${id}`)).body.status === 'completed')
    })

    test(titled('several orders are deleted at once, and each has its outcome'), async () => {
      const [person, other] = [await receiver('cleaner'), await receiver('keeper')]
      await place('mine')
      const taken = await place('taken')
      const gone = await place('gone')
      const { page } = await openStaleBoard(person.username)
      await page.getByRole('button', { name: t.select, exact: true }).click()
      await page.getByRole('button', { name: t.selectAll }).click()
      assert.deepEqual(await findings(page), [])
      await other.patch(`/orders/${taken}/confirm-receipt`)
      await portal.admin.delete(`/orders/${gone}`)
      await page.locator('.receiving-selecting').getByRole('button', { name: t.remove }).click()
      await page.getByRole('dialog').getByRole('button', { name: questions.removeYes, exact: true }).click()
      const verdicts = page.getByRole('list', { name: questions.verdicts })
      await verdicts.getByText(questions.deleted, { exact: true }).waitFor()
      await verdicts.getByText(questions.takenBy(language === 'ar' ? 'نورة keeper' : 'Noura keeper')).waitFor()
      await verdicts.getByText(questions.goneBefore).waitFor()
      assert.deepEqual(await findings(page), [])
      await page.getByRole('button', { name: questions.done }).click()
      await page.waitForFunction(() => document.querySelectorAll('.receiving-card').length === 0)
    })

    test(titled('an administrator can assign an order to a receiver, and to nobody else'), async () => {
      const helper = `helper${language}${size}`
      const person = await receiver(helper)
      await portal.person(`bystander-${language}-${size}`, { displayNameAr: 'نورة أخرى', displayNameEn: 'Noura other' })
      const boss = await portal.person(`boss-${language}-${size}`, { roles: ['admin'] })
      const id = await place('handed')
      const { page } = await openBoard(boss.username)
      await card(page, 'handed')
        .getByRole('button', { name: t.more(name) })
        .click()
      await page.getByRole('menuitem', { name: t.assign }).click()
      await page.getByRole('combobox').fill(language === 'ar' ? 'نوره' : 'noura')
      await foundOption(page, { name: helper }).waitFor()
      assert.equal(await page.getByRole('option', { name: /other|أخرى/ }).count(), 0)
      assert.deepEqual(await findings(page), [])
      await foundOption(page, { name: helper }).click()
      await card(page, 'handed').waitFor({ state: 'detached' })
      assert.equal((await boss.get(`/orders/${id}`)).body.assignedTo, person.id)
    })

    test(titled('a board of a thousand orders renders only the visible ones, down to the last'), async () => {
      const person = await receiver('patient')
      // A person may have at most a hundred waiting orders.
      const requesters = await Promise.all(Array.from({ length: 10 }, (_, n) => portal.person(`requesters${n}-${language}-${size}`)))
      await changeOrders(
        `insert into orders (service_id, user_id, notes)
         select ${serviceId}, (array[${requesters.map(({ id }) => id)}])[n % 10 + 1], 'number ' || n from generate_series(1, 1000) as n`,
      )
      const { page } = await openBoard(person.username)
      await card(page, 'number 1').first().waitFor()
      const drawn = await cards(page).count()
      assert.ok(drawn < 60, `${drawn} are drawn`)
      await until('the last order is rendered', async () => {
        await page.evaluate(() => (document.querySelector('.receiving-box') ?? document.documentElement).scrollBy(0, 20_000))
        return (await card(page, 'number 1000').count()) > 0
      })
      await page.getByRole('searchbox').fill('number 77')
      await page.waitForFunction(() => document.querySelectorAll('.receiving-card').length === 11)
    })

    test(titled('a person who receives no orders has no board'), async () => {
      const person = await portal.person(`outsider-${language}-${size}`)
      const { page } = await visitAs(person.username, pair)
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      await page.goto('/incoming')
      await page.locator('.message-acts').waitFor()
      assert.equal(await cards(page).count(), 0)
      await until('the rights are loaded', () => asked.includes('/api/auth/me/permissions'))
      assert.ok(!asked.includes('/api/orders/incoming'), 'the orders were requested')
    })

    test(titled("a board that cannot load the person's rights says so, and appears after a retry"), async () => {
      const person = await receiver('unlucky')
      await place('waiting')
      const { context, page } = await visit(pair)
      await context.request.post('/api/auth/login', {
        data: { username: person.username, password: PASSWORD },
        headers: { origin: portal.base },
      })
      await page.route('**/api/auth/me/permissions', (route) => route.fulfill({ status: 500, json: {} }))
      await page.goto('/incoming')
      const again = page.locator('.empty').getByRole('button')
      await again.waitFor()
      await page.unroute('**/api/auth/me/permissions')
      await again.click()
      await card(page, 'waiting').waitFor()
    })
  }
})
