/** Changes between a preview and its application: a row that would mean something else by then is not applied. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applied, ended, personNamed, rowsOf, sendFile } from '../../../test/imports.ts'
import { testPortal } from '../../../test/portal.ts'
import { outcome, overlapping } from '../../../test/race.ts'

const portal = testPortal()
const group = async (name: string) => (await portal.admin.post('/groups', { name })).body.id as number
const groupNames = async (username: string) =>
  (await personNamed(portal, username)).groups.map(({ name }: { name: string }) => name).toSorted()
const preview = async (...lines: string[]) => (await sendFile(portal.admin, lines)).body.id as number

/** Applies an import. Returns each row with its line, its verdict and the rules in its details. */
async function outcomes(id: number, options?: object) {
  assert.equal((await applied(portal.admin, id, options)).state, 'applied')
  return (await rowsOf(portal.admin, id)).map(({ line, verdict, details }) =>
    [line, verdict, ...details.map(({ path, rule }) => `${path} ${rule}`)].join(' '),
  )
}

test('a row that no longer means what the preview said is not applied', async () => {
  await portal.person('since.one')
  const two = await portal.person('since.two')
  const team = await group('Since Team')
  const id = await preview(
    'username,email,groups,display_name_en',
    'since.one,,Since Team,',
    'since.two,,,Two',
    'since.three,since.three@example.org,,',
    'since.four,since.four@example.org,,',
  )
  await portal.admin.delete(`/groups/${team}?force=true`)
  await portal.admin.patch(`/users/${two.id}`, { displayNameEn: 'Deux' })
  await portal.person('since.three')
  assert.deepEqual(await outcomes(id), ['2 changed_since groups unknownGroup', '3 changed_since', '4 changed_since', '5 create'])
  assert.equal((await personNamed(portal, 'since.two')).displayNameEn, 'Deux')
})

test('a row changes nothing that its preview did not show', async () => {
  await group('Show Finance')
  const late = await group('Show Late')
  const sara = await portal.person('show.sara')
  const mail = await portal.person('show.mail')
  const exact = await portal.person('show.exact')
  const done = await portal.person('show.done')
  await portal.person('show.same')
  const id = await preview(
    'username,email,groups,active,language',
    'show.sara,,Show Finance,1,',
    'show.mail,show.mail@example.org,,,en',
    'show.exact,,=Show Finance,,',
    'show.done,,,,en',
    'show.same,,Show Finance,1,',
  )
  await portal.admin.patch(`/users/${sara.id}`, { isActive: false })
  await portal.admin.patch(`/users/${mail.id}`, { email: 'show.right@example.org' })
  await portal.admin.post(`/groups/${late}/users`, { userId: exact.id })
  await portal.admin.patch(`/users/${done.id}`, { preferredLanguage: 'en' })
  assert.deepEqual(await outcomes(id), ['2 changed_since', '3 changed_since', '4 changed_since', '5 changed_since', '6 update'])
  const after = await personNamed(portal, 'show.sara')
  assert.deepEqual([after.isActive, await groupNames('show.sara')], [false, ['Everyone']])
  const { email, preferredLanguage } = await personNamed(portal, 'show.mail')
  assert.deepEqual([email, preferredLanguage], ['show.right@example.org', 'ar'])
  assert.deepEqual(await groupNames('show.exact'), ['Everyone', 'Show Late'])
  assert.deepEqual(await groupNames('show.same'), ['Everyone', 'Show Finance'])
})

test('a row whose manager is inactive, or whose manager’s own row was skipped, is not applied', async () => {
  const boss = await portal.person('led.boss')
  const back = await portal.person('led.back')
  await portal.admin.patch(`/users/${back.id}`, { isActive: false })
  await portal.person('led.known')
  const team = await group('Led Team')
  const id = await preview(
    'username,email,groups,manager,active',
    'led.chief,led.chief@example.org,led team,,',
    'led.new,led.new@example.org,,led.chief,',
    'led.other,led.other@example.org,,led.boss,',
    'led.back,,,,1',
    'led.known,,,led.back,',
  )
  await portal.admin.patch(`/groups/${team}`, { name: 'LED TEAM' })
  await portal.admin.patch(`/users/${boss.id}`, { isActive: false })
  const unknown = 'manager unknownManager'
  assert.deepEqual(await outcomes(id), [
    '2 changed_since',
    `3 changed_since ${unknown}`,
    `4 changed_since ${unknown}`,
    '5 update',
    '6 update',
  ])
  for (const name of ['led.new', 'led.other']) assert.equal(await personNamed(portal, name), undefined)
})

test('a person who gets an address from the file after the preview is not deactivated', async () => {
  const one = await portal.person('gone.one')
  const two = await portal.person('gone.two')
  const all = await portal.sql<{ username: string }>(
    `select username from users where kind = 'person' and is_active and username not like 'gone.%'`,
  )
  const id = await preview('username,email', ...all.map(({ username }) => `${username},`), 'gone.new,gone.new@example.org')
  await portal.admin.patch(`/users/${one.id}`, { email: 'gone.new@example.org' })
  await applied(portal.admin, id, { deactivateMissing: true, expectedDeactivations: 2 })
  const isActive = async (person: { id: number }) => (await portal.admin.get(`/users/${person.id}`)).body.isActive
  assert.deepEqual([await isActive(one), await isActive(two)], [true, false])
})

test('an import never ends because a row takes the role `admin` from its starter or the last lasting administrator', async () => {
  const roles: { id: number; name: string }[] = (await portal.admin.get('/roles')).body
  const bosses = await group('Keep Bosses')
  await portal.admin.patch(`/groups/${bosses}`, { roleIds: [roles.find(({ name }) => name === 'admin')!.id] })
  const boss = await portal.person('keep.boss', { groupIds: [bosses], roles: ['admin'] })
  const file = ['username,groups,email', 'keep.boss,=,', 'keep.new,,keep.new@example.org']
  const own = (await sendFile(boss, file)).body
  assert.equal(own.counts.refused, 0)
  await portal.admin.delete(`/users/${boss.id}/roles/admin`)
  await boss.post(`/users/imports/${own.id}/apply`, {})
  assert.equal((await ended(portal.admin, own.id)).state, 'applied')
  const [row] = await rowsOf(portal.admin, own.id)
  assert.deepEqual([row!.verdict, row!.details[0]?.path, row!.details[0]?.rule], ['changed_since', 'groups', 'ownAccount'])

  const id = await preview(...file.slice(0, 2))
  const role = `/users/${portal.admin.id}/roles`
  await boss.delete(`${role}/admin`)
  await boss.post(role, { roleName: 'admin', expiresAt: new Date(Date.now() + 24 * 3600_000).toISOString() })
  assert.deepEqual(await outcomes(id), ['2 changed_since groups lastAdmin'])
  assert.deepEqual(await groupNames('keep.boss'), ['Everyone', 'Keep Bosses'])
})

test('a file uploaded while the previous one starts to be applied is refused, or read once the previous one is done', async () => {
  const id = await preview('username,email', 'since.first,since.first@example.org')
  const [applying, next] = await overlapping(0)(portal, [
    () => portal.admin.post(`/users/imports/${id}/apply`, {}),
    () => sendFile(portal.admin, ['username,email', 'since.next,since.next@example.org']),
  ])
  assert.equal(outcome(applying), '202')
  assert.ok(['201', '409 import_under_way'].includes(outcome(next)), outcome(next))
  await ended(portal.admin, id)
})
