/** Checks everything that opens over a page, in every theme and direction, for accessibility and overflow. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { createCanvas } from '@napi-rs/canvas'
import type { Page } from 'playwright-core'
import { browser, findings, hasLoaded, journeys, portalWithPages, tooWide } from '../testing/browser.ts'

const portal = portalWithPages()
const ids = { service: 0, order: 0, own: 0, received: 0, offered: 0, asked: 0, toReview: 0 }

/** Creates an administrator who receives orders, with records of every kind. */
async function prepare() {
  const names = { displayNameAr: 'نورة القحطاني', displayNameEn: 'Noura Alqahtani' }
  const person = await portal.person('noura', { ...names, roles: ['admin', 'order_receiver'] })
  const other = await portal.person('dana', { displayNameAr: 'دانة', displayNameEn: 'Dana' })
  ids.service = (await portal.admin.post('/services', { nameAr: 'قهوة', nameEn: 'Coffee' })).body.id
  const order = async (by: typeof person) => (await by.post('/orders', { serviceId: ids.service, notes: 'Two cups' })).body.id as number
  await order(other)
  ids.order = await order(person)
  await person.patch(`/orders/${ids.order}/status`, { status: 'cancelled' })
  const folder = (await person.post('/notes/folders', { name: 'Projects' })).body.id
  const label = (await person.post('/notes/labels', { name: 'Soon' })).body.id
  ids.own = (await person.post('/notes', { title: 'Mine', content: 'to send', folderId: folder, labelIds: [label] })).body.id
  ids.received = (await other.post('/notes', { title: 'Theirs', content: 'to read' })).body.id
  await other.post(`/notes/${ids.received}/send`, { recipientUserIds: [person.id] })
  const openGroup = async (name: string, approver: { id: number }, userIds: number[] = []) => {
    const { id } = (await portal.admin.post('/groups', { name, descriptionAr: 'المالية', descriptionEn: 'Finance', userIds })).body
    await portal.admin.put(`/groups/${id}/request-policy`, { requestable: true, approverUserIds: [approver.id] })
    return id as number
  }
  ids.offered = await openGroup('offered', other)
  await openGroup('joined', other, [person.id])
  ids.asked = (await person.post('/access-requests', { groupId: await openGroup('asked', other) })).body.id
  ids.toReview = (await other.post('/access-requests', { groupId: await openGroup('reviewed', person), days: 30 })).body.id
}
let prepared: Promise<void> | undefined

const press = (selector: string) => (page: Page) => page.locator(selector).first().click()
const menuOf = press('main button[aria-haspopup=menu]')
/** Presses an item of the open menu. A negative index counts from the end. */
const item = (nth: number) => (page: Page) => page.locator('[role^=menuitem]:visible').nth(nth).click()
const PICTURE = createCanvas(60, 40).toBuffer('image/png')

interface Opening {
  name: string
  at: () => string
  by: ((page: Page) => Promise<unknown>)[]
  /** A selector of an element that is visible once the overlay is open. */
  shows: string
}
const openings: Opening[] = [
  { name: 'palette', at: () => '/', by: [(page) => page.keyboard.press('Control+k')], shows: '[role=option]' },
  {
    name: 'shortcuts',
    at: () => '/',
    by: [(page) => hasLoaded(page, 'frame/later.ts'), (page) => page.keyboard.press('Shift+Slash')],
    shows: 'dialog dt',
  },
  { name: 'bell', at: () => '/', by: [press('.bell')], shows: '.notifications-bell .notification' },
  {
    name: 'menu of the person',
    at: () => '/',
    by: [(page) => page.locator('.bar > button[aria-haspopup=menu]').last().click()],
    shows: '[role^=menuitem]:visible',
  },
  { name: 'order of a service', at: () => `/services?order=${ids.service}`, by: [], shows: 'dialog textarea' },
  { name: 'menu of an order', at: () => '/orders', by: [menuOf], shows: '[role^=menuitem]:visible' },
  { name: 'deleting an order', at: () => `/orders/${ids.order}`, by: [press('main button[data-kind=danger]')], shows: 'dialog' },
  { name: 'menu on the board', at: () => '/incoming', by: [menuOf], shows: '[role^=menuitem]:visible' },
  { name: 'assigning an order', at: () => '/incoming', by: [menuOf, item(1), press('dialog input')], shows: 'dialog [role=option]' },
  { name: 'cancelling an order', at: () => '/incoming', by: [menuOf, item(2)], shows: 'dialog' },
  { name: 'deleting orders', at: () => '/incoming', by: [menuOf, item(-1)], shows: 'dialog' },
  { name: 'menu of a note', at: () => '/notes', by: [press('.notes-card button[aria-haspopup=menu]')], shows: '[role^=menuitem]:visible' },
  {
    name: 'arranging a note',
    at: () => `/notes/${ids.own}`,
    by: [press('.notes-bar button[aria-haspopup=dialog]')],
    shows: 'dialog fieldset',
  },
  { name: 'sending a note', at: () => `/notes/${ids.own}?send=1`, by: [], shows: 'dialog [role=option]' },
  { name: 'menu of a received note', at: () => '/notes/received', by: [menuOf], shows: '[role^=menuitem]:visible' },
  {
    name: 'filing a received note',
    at: () => `/notes/${ids.received}`,
    by: [press('.notes-bar button[aria-haspopup=dialog]')],
    shows: 'dialog fieldset',
  },
  { name: 'asking for access', at: () => `/access/offers?ask=${ids.offered}`, by: [], shows: 'dialog textarea' },
  { name: 'leaving a group', at: () => '/access', by: [press('.my-access-acts button')], shows: 'dialog p' },
  {
    name: 'withdrawing a request',
    at: () => `/access/requests/${ids.asked}`,
    by: [press('main button[data-kind=danger]')],
    shows: 'dialog',
  },
  {
    name: 'deciding in the bell',
    at: () => '/',
    by: [
      press('.bell'),
      (page) =>
        page
          .locator('.notifications-bell')
          .getByRole('button', { name: /^(Decide|قرّر)$/ })
          .click(),
    ],
    shows: '.notifications-decide',
  },
  {
    name: 'cropping a picture',
    at: () => '/account',
    by: [(page) => page.locator('input[type=file]').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: PICTURE })],
    shows: '.crop',
  },
]
const onPhone: Opening[] = [
  { name: 'more of the navigation', at: () => '/', by: [press('.sections button[aria-haspopup=menu]')], shows: '[role^=menuitem]:visible' },
  { name: 'places of the notes', at: () => '/notes', by: [press('.notes-where')], shows: 'dialog h2' },
]

const looks = [
  { theme: 'light', language: 'ar', size: 'phone' },
  { theme: 'dark', language: 'en', size: 'desktop' },
  { theme: 'contrast', language: 'ar', size: 'desktop' },
  { theme: 'light', language: 'en', size: 'desktop' },
  { theme: 'dark', language: 'ar', size: 'phone' },
  { theme: 'contrast', language: 'en', size: 'phone' },
] as const
const roomy = () => [
  ...['/notes', `/notes/${ids.own}`, `/notes/${ids.received}`, '/notes/received', '/account', '/notifications'],
  ...['/access', '/access/offers', `/access/requests/${ids.toReview}`],
]

journeys(() => {
  const { visit, visitAs } = browser(portal)
  beforeEach(() => (prepared ??= prepare()))

  for (const { theme, language, size } of looks) {
    // High contrast comes from the device's setting; other themes are chosen.
    const contrast = theme === 'contrast' ? ('more' as const) : null
    const wear = (page: Page) => page.addInitScript((theme) => theme !== 'contrast' && localStorage.setItem('theme', theme), theme)

    test(`axe finds no violation in anything that opens over a page (${theme}, ${language}, ${size})`, async () => {
      const { page } = await visitAs('noura', { language, size, contrast })
      await wear(page)
      for (const { name, at, by, shows } of size === 'phone' ? [...openings, ...onPhone] : openings) {
        await page.goto(at())
        await page.locator('main h1').first().waitFor({ state: 'attached' })
        for (const step of by) await step(page)
        await page.locator(shows).first().waitFor({ state: 'visible' })
        assert.equal(await page.evaluate(() => document.documentElement.dataset['theme']), theme)
        assert.deepEqual(await findings(page), [], name)
      }
      const { page: door } = await visit({ language, size, contrast })
      await wear(door)
      await door.goto('/sign-in')
      await press('.bar button[aria-haspopup=menu]')(door)
      await door.locator('[role^=menuitem]:visible').first().waitFor()
      assert.deepEqual(await findings(door), [], 'menu of the themes')
    })

    if (size === 'phone')
      test(`no overlay overflows at 320 pixels, or with text of twice the size (${theme}, ${language})`, async () => {
        const { page } = await visitAs('noura', { language, contrast })
        for (const address of roomy()) {
          await page.goto(address)
          await page
            .locator('main :is(.notes-card, .notes-row, .notes-paper, .section, .notification, .my-access-card, .my-access-decide)')
            .first()
            .waitFor()
          assert.deepEqual(await tooWide(page), [], address)
        }
        await page.goto('/')
        await press('.bell')(page)
        await page.locator('.notifications-bell .notification').first().waitFor()
        assert.deepEqual(await tooWide(page), [], 'bell')
      })
  }
})
