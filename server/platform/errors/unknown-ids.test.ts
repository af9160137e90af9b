/** If an id in a body does not exist, the refusal names it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers } from '../../../test/makers.ts'
import { MEETINGS } from '../../../test/meetings.ts'
import { testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const { newApp, newGroup, newPerson, newRole } = makers(portal)
const NOBODY = 2147483647

type Sent = [method: 'POST' | 'PUT' | 'PATCH', path: string, body: object]
const calls: Record<string, [status: number, code: string, prepare: () => Promise<Sent>]> = {
  'a permission for a role': [
    404,
    'not_found',
    async () => ['POST', `/roles/${(await newRole()).id}/permissions`, { permissionId: NOBODY }],
  ],
  'permissions for a role': [
    404,
    'not_found',
    async () => ['PUT', `/roles/${(await newRole()).id}/permissions`, { permissionIds: [NOBODY] }],
  ],
  'a permission for an app': [404, 'not_found', async () => ['POST', `/apps/${(await newApp()).id}/permissions`, { permissionId: NOBODY }]],
  'a planned change of a group': [
    404,
    'not_found',
    async () => ['POST', '/admin/impact', { changes: [{ kind: 'group', id: NOBODY, delete: true }] }],
  ],
  'a group to ask for': [404, 'not_found', async () => ['POST', '/access-requests', { groupId: NOBODY }]],
  'a member of a group': [400, 'unknown_ids', async () => ['POST', `/groups/${(await newGroup()).id}/users`, { userId: NOBODY }]],
  'a role of a group': [400, 'unknown_ids', async () => ['POST', `/groups/${(await newGroup()).id}/roles`, { roleId: NOBODY }]],
  'an app of a group': [400, 'unknown_ids', async () => ['POST', `/groups/${(await newGroup()).id}/apps`, { appId: NOBODY }]],
  'a group of a person': [400, 'unknown_ids', async () => ['PATCH', `/users/${(await newPerson()).id}`, { groupIds: [NOBODY] }]],
  'a category of a service': [
    400,
    'unknown_ids',
    async () => ['POST', '/services', { nameAr: 'قهوة', nameEn: 'Coffee', categoryId: NOBODY }],
  ],
  'an app in one’s own order': [400, 'validation_failed', async () => ['PUT', '/me/app-order', { order: [NOBODY] }]],
  'a folder of a note': [400, 'unknown_ids', async () => ['POST', '/notes', { title: 'Plan', folderId: NOBODY }]],
  'the meeting of a request': [
    400,
    'unknown_ids',
    async () => ['POST', `${MEETINGS}/requests`, { type: 'cancel', meetingId: NOBODY, details: {} }],
  ],
  'the assignee of a task': [400, 'unknown_ids', async () => ['POST', `${MEETINGS}/tasks`, { titleAr: 'مسودة', assigneeId: NOBODY }]],
}
for (const [what, [status, code, prepare]] of Object.entries(calls))
  test(`an unknown id of ${what} is refused and named`, async () => {
    const [method, path, sent] = await prepare()
    const { status: given, body, text } = await portal.admin.send(method, path, sent)
    assert.deepEqual([given, body.code, body.unknownIds], [status, code, [NOBODY]], text)
  })

test('the refusal of an approval names a proposed attendee who has been deleted', async () => {
  const guest = await newPerson()
  const coordinator = await newPerson({ roles: ['executive_coordinator'] })
  const details = { date: '2031-05-01', titleEn: 'Visit', attendees: [{ name: 'Guest', userId: guest.id }] }
  const { body: request } = await coordinator.post(`${MEETINGS}/requests`, { type: 'create', details })
  await portal.admin.delete(`/users/${guest.id}?force=true`)
  const { status, body, text } = await portal.admin.patch(`${MEETINGS}/requests/${request.id}`, { status: 'approved' })
  assert.deepEqual([status, body.unknownIds], [400, [guest.id]], text)
})

test('a filter that a list does not have is refused and named, not ignored', async () => {
  for (const path of [
    '/groups?ids=1',
    '/roles?ids=zz',
    '/permissions?ids=1,2',
    '/apps?status=active',
    '/services?categoryId=1',
    '/users?permission=x',
  ])
    assert.deepEqual(
      await portal.admin.get(path).then(({ status, body }) => [status, body.code, body.details?.[0].rule]),
      [400, 'validation_failed', 'known'],
      path,
    )
})

test('a text that cannot be stored is refused, and its field is named, in bodies, queries and paths', async () => {
  const named = async (...call: Parameters<typeof portal.admin.send>) =>
    (await portal.admin.send(...call)).body.details?.map(({ path }: { path: string }) => path)
  assert.deepEqual(await named('POST', '/notes', { title: 'a\0', content: '\0' }), ['title', 'content'])
  assert.deepEqual(await named('GET', '/groups?q=a%00'), ['q'])
  assert.deepEqual(await named('DELETE', `/users/${portal.admin.id}/roles/a%00`), ['roleName'])
})
