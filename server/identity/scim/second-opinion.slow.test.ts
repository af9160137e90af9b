/** A second opinion: the resource model of another implementation, `scimmy`, reads the answers. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { Schemas } from 'scimmy'
import { testPortal } from '../../../test/portal.ts'
import { newSource, type TestSource } from '../../../test/scim.ts'

const portal = testPortal()
let source: TestSource
before(async () => {
  await portal.ready
  source = await newSource(portal)
})

test('another implementation reads the answers about people and groups', async () => {
  const person = await source.person('model@example.org', {
    name: { givenName: 'Mo', familyName: 'Del' },
    displayName: 'Mo Del',
    title: 'Clerk',
  })
  const group = await source.group('Model', [person.id])
  const read = new Schemas.User((await source.get(`/Users/${person.id}`)).body, 'out') as unknown as Record<string, unknown>
  assert.deepEqual([read['id'], read['userName'], read['displayName'], read['title']], [person.id, 'model@example.org', 'Mo Del', 'Clerk'])
  const readGroup = new Schemas.Group((await source.get(`/Groups/${group.id}`)).body, 'out') as unknown as Record<string, unknown>
  assert.deepEqual([readGroup['id'], readGroup['displayName']], [group.id, 'Model'])
})
