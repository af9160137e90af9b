/** The log, histories and exports still show the names of deleted records. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { makers } from '../../../test/makers.ts'
import { testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const { newApp, newCategory, newGroup, newPermission, newPerson, newRole, newService } = makers(portal)

type Names = Record<string, string | null>
interface Gone {
  thing: string
  id: number
  names: Names
  /** The action and the target of an entry that names this record, and no other deleted record. */
  action: string
  targetId: number
}
const described = { descriptionAr: null, descriptionEn: null }

async function newProgram() {
  const { status, body, text } = await portal.admin.post('/service-accounts', { username: `program${Date.now()}`, nameEn: 'The scanner' })
  assert.equal(status, 201, text)
  return body as { id: number; username: string }
}

/** Makes an entry that contains only the id of a record, and deletes the record. */
const makings: Record<string, () => Promise<Gone>> = {
  person: async () => {
    const [{ id, username }, group] = [await newPerson(), await newGroup()]
    await portal.admin.post(`/groups/${group.id}/users`, { userId: id })
    await portal.admin.delete(`/users/${id}?force=true`)
    const names = { username, displayNameAr: null, displayNameEn: null }
    return { thing: 'users', id, names, action: 'group.member.add', targetId: group.id }
  },
  'service account': async () => {
    const [{ id, username }, group] = [await newProgram(), await newGroup()]
    await portal.admin.post(`/groups/${group.id}/users`, { userId: id })
    await portal.admin.delete(`/service-accounts/${id}?force=true`)
    const names = { username, displayNameAr: null, displayNameEn: 'The scanner' }
    return { thing: 'users', id, names, action: 'group.member.add', targetId: group.id }
  },
  group: async () => {
    const { id, name } = await newGroup()
    await portal.admin.patch(`/groups/${id}`, { descriptionEn: 'Guests' })
    await portal.admin.delete(`/groups/${id}?force=true`)
    return { thing: 'groups', id, names: { name, ...described, descriptionEn: 'Guests' }, action: 'group.update', targetId: id }
  },
  role: async () => {
    const [{ id, name }, group] = [await newRole(), await newGroup()]
    await portal.admin.post(`/groups/${group.id}/roles`, { roleId: id })
    await portal.admin.delete(`/groups/${group.id}/roles/${id}`)
    await portal.admin.delete(`/roles/${id}`)
    return { thing: 'roles', id, names: { name, ...described }, action: 'group.member.remove', targetId: group.id }
  },
  permission: async () => {
    const { id, name } = await newPermission()
    await portal.admin.patch(`/permissions/${id}`, { descriptionEn: 'For guests' })
    await portal.admin.delete(`/permissions/${id}`)
    return {
      thing: 'permissions',
      id,
      names: { name, ...described, descriptionEn: 'For guests' },
      action: 'permission.update',
      targetId: id,
    }
  },
  app: async () => {
    const [{ id, slug, nameAr, nameEn }, group] = [await newApp({ nameEn: '=Sum, "all"' }), await newGroup()]
    await portal.admin.post(`/groups/${group.id}/apps`, { appId: id })
    await portal.admin.delete(`/apps/${id}?force=true`)
    return { thing: 'apps', id, names: { slug, nameAr, nameEn }, action: 'group.member.add', targetId: group.id }
  },
  service: async () => {
    const { id, nameAr, nameEn } = await newService()
    await portal.admin.patch(`/services/${id}`, { isAvailable: false })
    await portal.admin.delete(`/services/${id}`)
    return { thing: 'services', id, names: { nameAr, nameEn }, action: 'service.update', targetId: id }
  },
  'category of services': async () => {
    const [{ id, nameAr, nameEn }, service] = [await newCategory(), await newService()]
    await portal.admin.patch(`/services/${service.id}`, { categoryId: id })
    await portal.admin.patch(`/services/${service.id}`, { categoryId: null })
    await portal.admin.delete(`/service-categories/${id}`)
    return { thing: 'serviceCategories', id, names: { nameAr, nameEn }, action: 'service.update', targetId: service.id }
  },
}

for (const [what, prepare] of Object.entries(makings))
  test(`${what}: once the record is deleted, the log and its export still show its name`, async () => {
    const { thing, id, names, action, targetId } = await prepare()
    const query = `action=${action}&targetId=${targetId}`
    const { entries } = (await portal.admin.get(`/admin/audit-logs?${query}`)).body
    const listed = entries.find(({ refs }: { refs: Record<string, Record<string, Names>> }) => refs[thing]?.[id])
    assert.deepEqual(listed?.refs[thing][id], names)
    const { text } = await portal.admin.get(`/admin/audit-logs/export?${query}`)
    const rows = parse(text, { bom: true, columns: true }) as { metadata: string }[]
    const read = rows.map(({ metadata }) => JSON.parse(metadata.replaceAll(",'", ',')))
    assert.ok(read.length > 0)
    for (const { refs } of read) assert.deepEqual(refs, { [thing]: { [id]: names } })
  })

test('an export adds no name that an entry contains already, and no name of an existing record', async () => {
  const [person, group] = [await newPerson(), await newGroup()]
  await portal.admin.post(`/groups/${group.id}/users`, { userId: person.id })
  await portal.admin.delete(`/groups/${group.id}?force=true`)
  const { text } = await portal.admin.get(`/admin/audit-logs/export?targetType=group&targetId=${group.id}`)
  const [deleted, added, created] = (parse(text, { bom: true, columns: true }) as { metadata: string }[]).map(({ metadata }) =>
    JSON.parse(metadata),
  )
  assert.deepEqual(added, { userId: person.id, refs: { groups: { [group.id]: { name: group.name, ...described } } } })
  assert.deepEqual([deleted.name, deleted.refs, created.name, created.refs], [group.name, undefined, group.name, undefined])
})

test('histories and their files show the names of deleted service accounts', async () => {
  const [program, group] = [await newProgram(), await newGroup()]
  await portal.admin.post(`/groups/${group.id}/users`, { userId: program.id })
  await portal.admin.delete(`/service-accounts/${program.id}?force=true`)
  const [left, joined] = (await portal.admin.get(`/groups/${group.id}/audit`)).body.entries
  assert.deepEqual([left.removedNames, joined.addedNames], [[program.username], [program.username]])
  assert.equal(joined.refs.users[program.id].username, program.username)
  assert.ok((await portal.admin.get(`/groups/${group.id}/audit.csv`)).text.includes(`,${program.username},`))
})

test('a record that was deleted twice is shown with its latest name', async () => {
  const [group, permission] = [await newRole(), await newPermission()]
  await portal.admin.post(`/roles/${group.id}/permissions`, { permissionId: permission.id })
  await portal.admin.delete(`/roles/${group.id}/permissions/${permission.id}`)
  await portal.sql(
    `insert into ledger (at, kind, target_type, target_id, action, facts)
     select now() - interval '1 day', 'permission.deleted', 'permission', ${permission.id}, 'permission.delete', '{"name":"test.former"}'`,
  )
  await portal.admin.delete(`/permissions/${permission.id}`)
  const [entry] = (await portal.admin.get(`/roles/${group.id}/audit`)).body.entries
  assert.deepEqual(entry.removedNames, [permission.name])
})
