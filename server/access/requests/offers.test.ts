/** Offers: the groups that a person can ask to join, and the apps that they would then see. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { asking, bodyOf, REQUESTS } from '../../../test/access-requests.ts'
import { type Client, testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const { make, openGroup, setPolicy, ask, approve, withdraw, age } = asking(portal)

type Named = { id: number; name: string }
let person: Client
let hidden: Named
let restricted: { id: number; nameEn: string }
before(async () => {
  await portal.ready
  person = await make.newPerson({ preferredLanguage: 'en' })
  hidden = await make.newPermission()
  restricted = await make.newApp({ nameAr: 'الرواتب', nameEn: 'Payroll', permissionIds: [hidden.id], sortOrder: 2 })
})

interface Offer {
  groupId: number
  name: string
  apps: { id: number }[]
  state: string
  requestId: number | null
  memberUntil: string | null
}
const offers = async (by: Client, query = '') => (await bodyOf(by.get(`${REQUESTS}/offers${query}`))).items as Offer[]
const offerOf = async (by: Client, groupId: number) => (await offers(by, '?limit=200')).find((one) => one.groupId === groupId)
const namesIn = (some: Offer[]) => some.map(({ name }) => name)
const appsOf = (offer: Offer | undefined) => offer?.apps.map(({ id }) => id)

test('an offer has the texts of the group and of its policy, and the apps that the caller would newly see', async () => {
  const role = await make.newRole([hidden.name])
  const granted = await make.newApp({ nameEn: 'Travel', permissionIds: [hidden.id], sortOrder: 1 })
  const [open, inactive] = [await make.newApp(), await make.newApp({ isActive: false, permissionIds: [hidden.id] })]
  const texts = { descriptionAr: 'المالية', descriptionEn: 'Finance' }
  const notes = { noteAr: 'للميزانية', noteEn: 'For the budget' }
  const group = await openGroup(
    { ...notes, maxDays: 90, reasonRequired: true },
    { ...texts, roleIds: [role.id], appIds: [granted.id, open.id, inactive.id] },
  )
  const shown = async (id: number) => {
    const { nameAr, nameEn, iconName, imageUrl, color } = await bodyOf(portal.admin.get(`/apps/${id}`))
    return { id, nameAr, nameEn, iconName, imageUrl, color }
  }
  assert.deepEqual(await offerOf(person, group.id), {
    groupId: group.id,
    name: group.name,
    ...texts,
    ...notes,
    apps: [await shown(granted.id), await shown(restricted.id)],
    maxDays: 90,
    reasonRequired: true,
    state: 'open',
    requestId: null,
    memberUntil: null,
  })
  assert.deepEqual(appsOf(await offerOf(portal.admin, group.id)), [])
  await bodyOf(portal.admin.delete(`/groups/${group.id}/roles/${role.id}`), 204)
  assert.deepEqual(appsOf(await offerOf(person, group.id)), [granted.id])
})

test('groups that nobody can ask for, and those for other askers, are not offered', async () => {
  const askers = await make.newGroup()
  const group = await openGroup({ askerGroupIds: [askers.id] })
  const asker = await make.newPerson({ groupIds: [askers.id] })
  assert.equal(await offerOf(person, group.id), undefined)
  assert.equal(await offerOf(portal.admin, group.id), undefined)
  assert.equal((await offerOf(asker, group.id))?.state, 'open')
  await setPolicy(group.id, { requestable: false })
  assert.equal(await offerOf(asker, group.id), undefined)
})

test('an offer shows a pending request, or else a membership and its end', async () => {
  const group = await openGroup()
  const state = async () => {
    const { state, requestId, memberUntil } = (await offerOf(person, group.id))!
    return [state, requestId, memberUntil]
  }
  const id = await ask(person, group.id, { days: 7 })
  assert.deepEqual(await state(), ['pending', id, null])
  const { grantEndsAt } = await bodyOf(approve(portal.admin, id))
  assert.deepEqual(await state(), ['member', null, grantEndsAt])
  const later = await ask(person, group.id)
  assert.deepEqual(await state(), ['pending', later, grantEndsAt])
  await bodyOf(withdraw(person, later))
  const last = await ask(person, group.id)
  await age(last, 14 * 24)
  assert.deepEqual(await state(), ['member', null, grantEndsAt])
  await bodyOf(approve(portal.admin, await ask(person, group.id)))
  assert.deepEqual(await state(), ['member', null, null])
})

test('filtered by an app, only groups that would show it to the caller are offered', async () => {
  const [app, visible] = [await make.newApp({ permissionIds: [hidden.id] }), await make.newApp()]
  const inactive = await make.newApp({ permissionIds: [hidden.id], isActive: false })
  const alone = await make.newApp({ permissionIds: [(await make.newPermission()).id] })
  const byApp = await openGroup({}, { name: 'Leads to it', appIds: [app.id, visible.id, inactive.id] })
  const byRole = await openGroup({}, { name: 'Leads to it by a role', roleIds: [(await make.newRole([hidden.name])).id] })
  await openGroup({}, { name: 'Leads elsewhere' })
  const leadingTo = async (appId: number, by = person) => namesIn(await offers(by, `?appId=${appId}`))
  const bySlug = async (slug: string) => namesIn(await offers(person, `?appSlug=${slug}`))
  assert.deepEqual(await leadingTo(app.id), ['Leads to it', 'Leads to it by a role'])
  assert.deepEqual(await bySlug(app.slug), ['Leads to it', 'Leads to it by a role'])
  for (const slug of [visible.slug, inactive.slug, alone.slug, 'unknown']) assert.deepEqual(await bySlug(slug), [])
  for (const id of [visible.id, inactive.id, alone.id, 2147483647]) {
    const answer = await person.get(`${REQUESTS}/offers?appId=${id}`)
    assert.deepEqual([answer.status, answer.body], [200, { items: [], totalCount: 0, limit: 50, offset: 0, nextOffset: null }])
  }
  assert.deepEqual(await leadingTo(app.id, portal.admin), [])
  assert.deepEqual(await leadingTo(app.id, await make.newPerson({ groupIds: [byApp.id] })), [])
  assert.deepEqual(await leadingTo(app.id, await make.newPerson({ groupIds: [byRole.id] })), [])
})

test('a search finds names, descriptions, notes and names of apps, in any form of the letters', async () => {
  const permissionIds = [(await make.newPermission()).id]
  const app = await make.newApp({ nameAr: 'الإجازات', nameEn: 'Leave', permissionIds })
  const gone = await make.newApp({ nameEn: 'Zeppelin', permissionIds, isActive: false })
  const [byName, byText, byNote, byApp] = [
    await openGroup({}, { name: 'Searched for' }),
    await openGroup({}, { name: 'Found by its text', descriptionEn: 'Quarterly figures' }),
    await openGroup({ noteAr: 'أُعلنت أمس' }, { name: 'Found by its note' }),
    await openGroup({}, { name: 'Found by its app', appIds: [app.id, gone.id] }),
  ]
  const found = async (q: string, by = person) => (await offers(by, `?q=${encodeURIComponent(q)}`)).map(({ groupId }) => groupId)
  assert.deepEqual(await found('SEARCHED'), [byName.id])
  assert.deepEqual(await found('quarterly'), [byText.id])
  assert.deepEqual(await found('اعلنت'), [byNote.id])
  assert.deepEqual(await found('الاجازات'), [byApp.id])
  assert.deepEqual(await found('leave'), [byApp.id])
  assert.deepEqual(await found('leave', await make.newPerson({ groupIds: [byApp.id] })), [byApp.id])
  assert.deepEqual(await found('zeppelin'), [])
  assert.deepEqual(await found('100%'), [])
})

test('offers come page by page, sorted as the caller’s language sorts', async () => {
  const askers = await make.newGroup()
  for (const name of ['éclair', 'Ebony', 'Zebra', 'ياسمين', 'أرز']) await openGroup({ askerGroupIds: [askers.id] }, { name })
  const asker = await make.newPerson({ groupIds: [askers.id], preferredLanguage: 'en' })
  const own = new Set(['éclair', 'Ebony', 'Zebra', 'ياسمين', 'أرز'])
  const names = async (by: Client) => namesIn(await offers(by, '?limit=200')).filter((name) => own.has(name))
  assert.deepEqual(await names(asker), ['Ebony', 'éclair', 'Zebra', 'أرز', 'ياسمين'])
  await bodyOf(asker.patch('/auth/me/language', { language: 'ar' }))
  assert.deepEqual((await names(asker)).slice(0, 2), ['أرز', 'ياسمين'])
  const whole = await offers(asker, '?limit=200')
  const page = await bodyOf(asker.get(`${REQUESTS}/offers?limit=2&offset=1`))
  assert.deepEqual(page, { items: whole.slice(1, 3), totalCount: whole.length, limit: 2, offset: 1, nextOffset: 3 })
  const beyond = await bodyOf(asker.get(`${REQUESTS}/offers?offset=1000`))
  assert.deepEqual([beyond.items, beyond.totalCount, beyond.nextOffset], [[], whole.length, null])
  for (const wrong of ['limit=0', 'limit=201', 'offset=-1', 'appId=0'])
    assert.equal((await asker.get(`${REQUESTS}/offers?${wrong}`)).body.code, 'validation_failed', wrong)
})
