/** Checks every address, with records on its page, for accessibility, words of the other language, and overflow on a narrow screen. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { makers } from '../../test/makers.ts'
import { addProgram } from '../../test/service-accounts.ts'
import { giveToken } from '../../test/tokens.ts'
import { addresses } from '../addresses.ts'
import { admin, belowDesk, meetings, reviews } from '../desk-addresses.ts'
import { browser, findings, foreignTexts, journeys, languages, portalWithPages, tooWide } from '../testing/browser.ts'
import { inDays } from '../testing/reviews.ts'

const portal = portalWithPages({ SSO_INTERNAL_HOSTS: '127.0.0.1', SECRETS_KEY: Buffer.alloc(32, 'k').toString('base64url') })
const { newApp, newCategory, newGroup, newPermission, newRole, newService } = makers(portal)

/** Names, and words that stay English in Arabic texts: keys, formats, and terms from the settings of a provider. */
const KEPT = new RegExp(
  [
    ...['Bawaba', 'walker', 'helper', 'admin', 'finance', 'printing', 'Test', 'test\\.\\w+', '[\\w.-]+@[\\w.-]+', 'English', 'العربية'],
    ...['Alt', 'Shift', 'Page Up', 'Page Down', 'Escape', 'PDF', 'CSV', 'https://…', 'https?', 'Chrome', 'Linux'],
    ...['OpenID Connect', 'Redirect URI', 'Back-channel logout', 'Issuer'],
    ...['Client ID', 'client_secret_\\w+', 'PKCE', 'private_key_jwt', 'Scopes', 'openid'],
    ...['SCIM(?: 2\\.0)?', '(?:scim-)?directory', 'Microsoft Entra ID', 'Okta', 'authentik', 'AUDIT_STREAM(?:_\\w+)?', 'audit:read'],
    // The last characters of a token.
    'وآخره \\w{4}',
  ].join('|'),
)

/** Makes the records for the pages. Returns their ids, or slugs, by the start of their address. */
async function openWorld() {
  await portal.ready
  const named = (ar: string, en: string) => ({ nameAr: ar, nameEn: en })
  const described = (ar: string, en: string) => ({ descriptionAr: ar, descriptionEn: en })
  const must = async (answering: ReturnType<typeof portal.admin.post>) => {
    const { status, body, text } = await answering
    assert.ok(status < 300, text)
    return body.id as number
  }
  const walker = await portal.person('walker', {
    ...{ displayNameAr: 'ليان', displayNameEn: 'Layan', roles: ['admin', 'order_receiver', 'executive_office_manager'] },
  })
  const helper = await portal.person('helper', { displayNameAr: 'سامي', displayNameEn: 'Sami' })
  const [role, permission] = [await newRole([], 'finance'), await newPermission()]
  const group = await newGroup({ name: 'finance', ...described('المالية', 'Finance'), userIds: [helper.id] })
  const own = await newGroup({ name: 'printing', ...described('الطباعة', 'Printing'), userIds: [walker.id] })
  await must(portal.admin.put(`/groups/${group.id}/request-policy`, { requestable: true, approverUserIds: [walker.id] }))
  const app = await newApp({ ...named('البريد', 'Mail'), route: '/orders' })
  const category = await newCategory(named('الضيافة', 'Hospitality'))
  const service = await newService({ ...named('قهوة', 'Coffee'), categoryId: category.id })
  const team = await must(
    portal.admin.post('/service-teams', { ...named('فريق الضيافة', 'Hospitality team'), groupIds: [group.id], leadUserIds: [walker.id] }),
  )
  const hours = [{ from: '08:00', to: '16:00' }]
  const calendar = await must(
    portal.admin.post('/working-calendars', {
      ...named('دوام الضيافة', 'Hospitality hours'),
      weekly: [hours, hours, hours, hours, hours, [], []],
      periods: [{ from: inDays(30), to: inDays(59), ...named('رمضان', 'Ramadan'), weekly: [hours, [], [], [], [], [], []] }],
      daysOff: [{ date: inDays(9), ...named('يوم التأسيس', 'Founding Day') }],
    }),
  )
  const trip = await newService({ ...named('رحلة عمل', 'Business trip') })
  await must(
    portal.admin.put(`/services/${trip.id}/handling`, {
      steps: [{ key: 'manager', ...named('المدير', 'Manager'), userIds: [walker.id] }],
    }),
  )
  const held = await must(helper.post('/orders', { serviceId: trip.id }))
  const order = await must(walker.post('/orders', { serviceId: service.id }))
  await must(helper.post('/orders', { serviceId: service.id }))
  const note = await must(walker.post('/notes', { title: '2026', content: '2027' }))
  await must(walker.post(`/notes/${note}/send`, { recipientUserIds: [helper.id] }))
  const asked = await must(walker.post('/access-requests', { groupId: group.id, reason: '2026' }))
  const review = { titleAr: 'مراجعة الشتاء', titleEn: 'Winter review', groupIds: [group.id], dueDate: inDays(9), ifSilent: 'keep' }
  const reviewed = await must(portal.admin.post('/access-reviews', { ...review, roleIds: [], reviewerUserIds: [walker.id] }))
  const meeting = await must(
    walker.post('/executive-meetings', { date: inDays(0), startTime: '09:00', titleAr: 'الميزانية', titleEn: 'Budget' }),
  )
  const requested = await must(walker.post(`/executive-meetings/${meeting}/requests`, { type: 'cancel', details: {} }))
  const task = await must(walker.post('/executive-meetings/tasks', { titleAr: 'المسودة', titleEn: 'Draft' }))
  await must(walker.post('/executive-meetings/pdf-archives', { date: inDays(0), language: 'ar' }))
  const program = await addProgram(portal, 'printing')
  await giveToken(portal, program.id, { kind: 'service' })
  const directory = { ...named('الدليل', 'Directory'), slug: 'work', issuer: 'http://127.0.0.1:9', clientId: 'portal' }
  const provider = await must(portal.admin.post('/admin/sign-in/providers', directory))
  const webhook = await must(
    portal.admin.post('/webhooks', { name: '2026', url: 'https://stock.example.org/hooks', types: ['order.*'], isActive: false }),
  )
  const source = await must(portal.admin.post('/admin/provisioning/sources', { name: 'directory', isActive: true }))
  await must(portal.admin.post(`/admin/provisioning/sources/${source}/tokens`, { name: 'Test' }))
  return {
    '/orders/': order,
    '/approvals/': held,
    '/notes/': note,
    '/apps/': app.slug,
    '/access/groups/': own.id,
    '/access/roles/': role.id,
    '/access/requests/': asked,
    '/reviews/': reviewed,
    '/meetings/': meeting,
    '/meetings/requests/': requested,
    '/meetings/tasks/': task,
    '/admin/users/': helper.id,
    '/admin/groups/': group.id,
    '/admin/roles/': role.id,
    '/admin/permissions/': permission.id,
    '/admin/service-accounts/': program.id,
    '/admin/apps/': app.id,
    '/admin/services/': service.id,
    '/admin/teams/': team,
    '/admin/calendars/': calendar,
    '/admin/reviews/': reviewed,
    '/admin/sign-in/': provider,
    '/admin/provisioning/': source,
    '/admin/webhooks/': webhook,
  } as Record<string, number | string>
}

/** All addresses. An address whose placeholder is neither an id nor a slug, such as `:rest`, is replaced by the addresses below it. */
const patterns = Object.entries(addresses).flatMap(([path, { audience = 'signed-in' }]) => {
  const desk = { '/meetings/:rest': meetings, '/admin/:rest': admin, '/reviews/:rest': reviews }[path]
  const below = desk && belowDesk(path.replace('/:rest', ''), desk)
  const access = [
    '/access',
    '/access/offers',
    '/access/requests',
    '/access/review',
    '/access/groups/:id',
    '/access/roles/:id',
    '/access/requests/:id',
  ]
  const approvals = ['/approvals', '/approvals/:id']
  const all = below ?? (path.startsWith('/access') ? access : path.startsWith('/approvals') ? approvals : [path])
  // A Hijri date opens the page of a day, which is checked already.
  return all.filter((one) => !one.includes('hijri')).map((one) => ({ one, audience }))
})

/** Whether the page has loaded everything. */
const isDrawn = () =>
  document.querySelector('h1, [data-wall], form') !== null &&
  document.querySelector('[aria-busy=true]:not([role=listbox])') === null &&
  document.title !== ''

journeys(() => {
  const { visit, visitAs } = browser(portal)
  let world: Awaited<ReturnType<typeof openWorld>>
  before(async () => {
    world = await openWorld()
  })

  const filled = (address: string) => {
    const [, before] = /^(.*\/):(?:id|slug)(?=\/|$)/.exec(address) ?? []
    if (before) assert.ok(world[before], `a record for ${address}`)
    return address.replace(/:(?:id|slug)(?=\/|$)/, String(world[before ?? '']!)).replace(':date', inDays(0))
  }

  async function problemsAt(page: Page, address: string, language: 'ar' | 'en') {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(address)
    await page.waitForFunction(isDrawn).catch(() => assert.fail(`${address} does not finish loading`))
    const found = [...(await findings(page)), ...(await foreignTexts(page, language, KEPT)), ...(await tooWide(page))]
    return found.map((one) => `${address}: ${one}`)
  }

  for (const language of languages)
    test(`every address is accessible, in one language, and fits into 320 pixels (${language})`, async () => {
      const { page } = await visitAs('walker', { language })
      const { page: door } = await visit({ language })
      const problems: string[] = []
      for (const { one, audience } of patterns)
        problems.push(...(await problemsAt(audience === 'anyone' ? door : page, filled(one), language)))
      assert.deepEqual(problems, [])
    })
})
