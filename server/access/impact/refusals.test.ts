/** Previews of changes to groups that claims or a source fill, and of service accounts: they are refused as saving is. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { makers } from '../../../test/makers.ts'
import { type Answer, testPortal } from '../../../test/portal.ts'
import { newSource } from '../../../test/scim.ts'
import { addProgram } from '../../../test/service-accounts.ts'

const portal = testPortal()
const make = makers(portal)
let admin: number
before(async () => {
  await portal.ready
  admin = (await make.roleNamed('admin')).id
})
const preview = (...changes: object[]) => portal.admin.post('/admin/impact', { changes })
const codeOf = ({ status, body }: Answer) => [status, body.code]
/** Asserts that a preview is refused like the call that saves the change. */
async function refusedAlike(change: object, save: () => Promise<Answer>) {
  const [previewed, saved] = [await preview(change), await save()]
  assert.deepEqual(codeOf(previewed), codeOf(saved))
  assert.deepEqual(previewed.body.source, saved.body.source)
  return saved.body.code as string
}

test('a preview refuses to move people into and out of a group that a source manages, but not to delete them or the group', async () => {
  const source = await newSource(portal)
  const member = Number((await source.person('member@example.org')).id)
  const group = Number((await source.group('Managed', [String(member)])).id)
  const { id: stranger } = await make.newPerson()
  const patch = (body: object) => () => portal.admin.patch(`/groups/${group}`, body)
  const moves: [change: object, save: () => Promise<Answer>][] = [
    [{ kind: 'group', id: group, add: { userIds: [stranger] } }, patch({ members: { add: [stranger] } })],
    [{ kind: 'group', id: group, set: { userIds: [] } }, patch({ userIds: [] })],
    [{ kind: 'user', id: member, remove: { groupIds: [group] } }, () => portal.admin.patch(`/users/${member}`, { groupIds: [1] })],
  ]
  for (const [change, save] of moves) assert.equal(await refusedAlike(change, save), 'managed_elsewhere')
  const allowed = [
    { kind: 'group', id: group, set: { userIds: [member] } },
    { kind: 'user', id: member, delete: true },
    { kind: 'group', id: group, delete: true },
  ]
  for (const change of allowed) assert.equal((await preview(change)).status, 200, JSON.stringify(change))
})

test('a preview refuses to give `admin` to a group of a source that may not give it', async () => {
  const source = await newSource(portal)
  const group = Number((await source.group('Filled')).id)
  const save = () => portal.admin.post(`/groups/${group}/roles`, { roleId: admin })
  for (const change of [
    { kind: 'group', id: group, add: { roleIds: [admin] } },
    { kind: 'role', id: admin, add: { groupIds: [group] } },
  ])
    assert.equal(await refusedAlike(change, save), 'grants_admin')
})

test('a preview refuses to make a service account an administrator, directly or through a group', async () => {
  const [joined, giving] = [await make.newGroup(), await make.newGroup({ roleIds: [admin] })]
  const { id: program } = await addProgram(portal, 'robot', { groupIds: [joined.id] })
  const refused: [change: object, save: () => Promise<Answer>][] = [
    [
      { kind: 'role', id: admin, add: { userIds: [program] } },
      () => portal.admin.patch(`/service-accounts/${program}`, { roleNames: ['admin'] }),
    ],
    [
      { kind: 'group', id: joined.id, add: { roleIds: [admin] } },
      () => portal.admin.patch(`/groups/${joined.id}`, { roles: { add: [admin] } }),
    ],
    [
      { kind: 'group', id: giving.id, add: { userIds: [program] } },
      () => portal.admin.patch(`/groups/${giving.id}`, { members: { add: [program] } }),
    ],
  ]
  for (const [change, save] of refused) assert.equal(await refusedAlike(change, save), 'grants_admin')
  const { id: person } = await make.newPerson()
  assert.equal((await preview({ kind: 'group', id: giving.id, add: { userIds: [person] } })).status, 200)
})
