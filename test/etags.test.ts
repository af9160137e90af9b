/** Whoever edits a record that somebody else has changed meanwhile is told, and undoes nothing of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers, silence } from './makers.ts'
import { type Answer, testPortal } from './portal.ts'
import { documented, routes } from './running.ts'

const portal = testPortal()
const make = makers(portal)

interface Edited {
  /** Makes one; answers its address. */
  make: () => Promise<string>
  method?: 'PUT'
  edits: [one: object, other: object, start: object]
  /** Its own routes, as the document writes them. */
  at: string
  stays?: true
}
const names: Edited['edits'] = [{ nameEn: 'One' }, { nameEn: 'Other' }, { nameEn: 'Start' }]
const titles: Edited['edits'] = [{ titleEn: 'One' }, { titleEn: 'Other' }, { titleEn: 'Start' }]
const made = async (path: string, body: object) => {
  const { status, body: said, text } = await portal.admin.post(path, body)
  assert.equal(status, 201, text)
  return `${path}/${said.id}`
}
const records: Record<string, Edited> = {
  'an app': { at: '/apps/{id}', make: async () => `/apps/${(await make.newApp()).id}`, edits: names },
  'a service': { at: '/services/{id}', make: async () => `/services/${(await make.newService()).id}`, edits: names },
  'a group': {
    at: '/groups/{id}',
    make: async () => `/groups/${(await make.newGroup({})).id}`,
    edits: [{ descriptionEn: 'One' }, { userIds: [1] }, { descriptionEn: 'Start', userIds: [] }],
  },
  'a role': {
    at: '/roles/{id}',
    make: async () => `/roles/${(await make.newRole([])).id}`,
    edits: [{ descriptionEn: 'One' }, { descriptionEn: 'Other' }, { descriptionEn: 'Start' }],
  },
  'what a role grants': {
    at: '/roles/{id}/permissions',
    make: async () => `/roles/${(await make.newRole([])).id}/permissions`,
    method: 'PUT',
    edits: [{ permissionIds: [1] }, { permissionIds: [2] }, { permissionIds: [] }],
    stays: true,
  },
  'a person': {
    at: '/users/{id}',
    make: async () => `/users/${(await make.newPerson()).id}`,
    edits: [{ displayNameEn: 'One' }, { displayNameEn: 'Other' }, { displayNameEn: 'Start' }],
  },
  'the settings': {
    at: '/settings',
    make: async () => '/settings',
    edits: [{ siteNameEn: 'One' }, { siteNameEn: 'Other' }, { siteNameEn: 'Start' }],
    stays: true,
  },
  'a meeting': {
    at: '/executive-meetings/{id}',
    make: () => made('/executive-meetings', { date: '2031-05-05', titleEn: 'Visit' }),
    edits: titles,
  },
  'a task': { at: '/executive-meetings/tasks/{id}', make: () => made('/executive-meetings/tasks', { titleEn: 'Draft' }), edits: titles },
  'a note': {
    at: '/notes/{id}',
    make: () => made('/notes', { title: 'Plan' }),
    edits: [{ title: 'One' }, { content: 'Other' }, { title: 'Start', content: '' }],
  },
}

const edit = (method: string, path: string, body: object | undefined, tag: string) =>
  portal.admin.send(method, path, body, { 'if-match': tag })
const tagOf = ({ headers }: Answer) => headers.get('etag')!
const assertRefused = ({ status, body }: Answer, current: unknown) =>
  assert.deepEqual([status, body.code, body.current], [412, 'changed_meanwhile', current])

for (const [what, { make: makeOne, method = 'PATCH', edits, stays }] of Object.entries(records)) {
  test(`${what} is changed by whoever has its present state, and by nobody who has an older one`, async () => {
    const path = await makeOne()
    const first = await portal.admin.get(path)
    assert.match(tagOf(first), /^"[\w-]{43}"$/)
    const changed = await edit(method, path, edits[0], tagOf(first))
    assert.equal(changed.status, 200, changed.text)
    const now = await portal.admin.get(path)
    assert.deepEqual([tagOf(now), tagOf(now) === tagOf(first)], [tagOf(changed), false])

    const traces = await portal.traces(async () => {
      for (const tag of [tagOf(first), `W/${tagOf(now)}`, '"none"', 'nonsense', ''])
        assertRefused(await edit(method, path, edits[1], tag), now.body)
      if (!stays) assertRefused(await edit('DELETE', path, undefined, tagOf(first)), now.body)
    })
    assert.deepEqual(traces, silence)
    assert.equal((await edit(method, path, edits[1], `"none", ${tagOf(now)}`)).status, 200)
    assert.equal((await edit(method, path, edits[0], '*')).status, 200)
    if (!stays) assert.equal((await edit('DELETE', `${path}?force=true`, undefined, tagOf(await portal.admin.get(path)))).status, 204)
  })

  test(`of two who change ${what} at the same time one is told`, async () => {
    const path = await makeOne()
    for (let round = 0; round < 5; round++) {
      const tag = tagOf(await edit(method, path, edits[2], '*'))
      const answers = await Promise.all([edits[0], edits[1]].map((body) => edit(method, path, body, tag)))
      assert.deepEqual(
        answers.map(({ status }) => status).toSorted((one, other) => one - other),
        [200, 412],
      )
    }
  })
}

test('every record that is answered with a tag is tried here, with all that edits it', () => {
  const tried = new Set(Object.values(records).map(({ at }) => at))
  const tagged = routes.filter(({ endpoint, method }) => endpoint.record && method !== 'POST')
  assert.deepEqual(new Set(tagged.map(documented)), tried)
  const editing = routes.filter((route) => tried.has(documented(route)) && route.method !== 'GET' && route.method !== 'POST')
  assert.deepEqual(
    editing.filter(({ endpoint }) => !endpoint.record).map(({ at }) => at),
    [],
  )
})

test('a record that is made is answered with its tag, also when the call is sent again', async () => {
  const send = () => portal.admin.send('POST', '/notes', { title: 'Once' }, { 'idempotency-key': 'tagged' })
  const [first, again] = [await send(), await send()]
  assert.equal(first.status, 201)
  assert.equal(tagOf(first), tagOf(await portal.admin.get(`/notes/${first.body.id}`)))
  assert.equal(tagOf(again), tagOf(first))
})
