/** An edit of a record that somebody else has changed is refused and overwrites nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { REVIEWS, reviewing } from './access-reviews.ts'
import { categoryNames, makers, serviceNames, silence } from './makers.ts'
import { type Answer, testPortal } from './portal.ts'
import { documented, routes } from './running.ts'

const portal = testPortal({ SECRETS_KEY: 'k'.repeat(43) })
const make = makers(portal)

type Edits = [one: object, other: object, start: object]
interface Tried {
  /** Makes a record; returns its address. */
  make: () => Promise<string>
  method?: 'PUT'
  /** The address at which the record is read, if it differs from that of its edits. */
  readAt?: (path: string) => string
  edits: Edits
  /** The record has no DELETE. */
  stays?: true
}
const textsOf = (field: string): Edits => [{ [field]: 'One' }, { [field]: 'Other' }, { [field]: 'Start' }]
const made = async (path: string, body: object) => {
  const answer = await portal.admin.post(path, body)
  assert.equal(answer.status, 201, answer.text)
  return `${path}/${answer.body.id}`
}
/** The `make` of the manager’s record below puts the id of a new person into the second edit. */
const managers: Edits = [{ userId: 1 }, {}, { userId: null }]
let providers = 0
let robots = 0
/** Records by their routes, as in the document. */
const records: Record<string, Tried> = {
  '/admin/provisioning/sources/{id}': {
    make: () => made('/admin/provisioning/sources', { name: `source-${++robots}` }),
    edits: [{ nameLanguage: 'ar' }, { nameLanguage: 'en' }, { nameLanguage: 'auto' }],
  },
  '/service-teams/{id}': {
    make: async () => `/service-teams/${(await make.newTeam()).id}`,
    edits: [{ leadUserIds: [1] }, { groupIds: [1] }, { leadUserIds: [], groupIds: [1] }],
  },
  '/working-calendars/{id}': {
    make: async () => `/working-calendars/${(await make.newCalendar()).id}`,
    edits: [{ daysOff: [{ date: '2027-01-01' }] }, { daysOff: [] }, { daysOff: [{ date: '2027-01-02' }] }],
  },
  '/users/{id}/manager': {
    make: async () => {
      Object.assign(managers[1], { userId: (await make.newPerson()).id })
      return `/users/${(await make.newPerson()).id}/manager`
    },
    method: 'PUT',
    edits: managers,
    stays: true,
  },
  '/services/{id}/handling': {
    make: async () => `/services/${(await make.newService()).id}/handling`,
    method: 'PUT',
    edits: [{ audience: 'groups', audienceGroupIds: [1] }, { audienceGroupIds: [1] }, {}],
    stays: true,
  },
  '/services/{id}/notice': {
    make: async () => `/services/${(await make.newService()).id}/notice`,
    method: 'PUT',
    edits: [{ noticeEn: 'One' }, { paused: true }, {}],
    stays: true,
  },
  '/services/{id}/form': {
    make: async () => `/services/${(await make.newService()).id}/form`,
    method: 'PUT',
    edits: [
      { fields: [{ key: 'one', kind: 'text', labelEn: 'One' }] },
      { fields: [{ key: 'two', kind: 'text', labelEn: 'Two' }] },
      { fields: [] },
    ],
    stays: true,
  },
  '/webhooks/{id}': {
    make: () => made('/webhooks', { name: 'Stock', url: 'https://stock.example.org/', types: ['webhook.test'] }),
    edits: textsOf('name'),
  },
  '/apps/{id}': { make: () => made('/apps', make.appFields()), edits: textsOf('nameEn') },
  '/services/{id}': { make: () => made('/services', serviceNames), edits: textsOf('nameEn') },
  '/service-categories/{id}': { make: () => made('/service-categories', categoryNames), edits: textsOf('nameEn') },
  '/permissions/{id}': { make: async () => `/permissions/${(await make.newPermission()).id}`, edits: textsOf('descriptionEn') },
  '/groups/{id}': {
    make: async () => `/groups/${(await make.newGroup()).id}`,
    edits: [{ descriptionEn: 'One' }, { userIds: [1] }, { descriptionEn: 'Start', userIds: [] }],
  },
  '/roles/{id}': { make: async () => `/roles/${(await make.newRole()).id}`, edits: textsOf('descriptionEn') },
  '/roles/{id}/permissions': {
    make: async () => `/roles/${(await make.newRole()).id}/permissions`,
    method: 'PUT',
    edits: [{ permissionIds: [1] }, { permissionIds: [2] }, { permissionIds: [] }],
    stays: true,
  },
  '/users/{id}': { make: async () => `/users/${(await make.newPerson()).id}`, edits: textsOf('displayNameEn') },
  '/users/{id}/roles': {
    make: async () => `/users/${(await make.newPerson()).id}/roles`,
    method: 'PUT',
    readAt: (path) => path.replace('/roles', ''),
    edits: [{ roleIds: [2, 3] }, { roleIds: [2, 8] }, { roleIds: [2] }],
    stays: true,
  },
  '/apps/{id}/access': {
    make: async () => `/apps/${(await make.newApp()).id}/access`,
    method: 'PUT',
    edits: [
      { permissionIds: [1], groupIds: [] },
      { permissionIds: [], groupIds: [1] },
      { permissionIds: [], groupIds: [] },
    ],
    stays: true,
  },
  '/groups/{id}/request-policy': {
    make: async () => `/groups/${(await make.newGroup()).id}/request-policy`,
    method: 'PUT',
    edits: [{ maxDays: 1 }, { maxDays: 2 }, {}],
    stays: true,
  },
  '/service-accounts/{id}': {
    make: () => made('/service-accounts', { username: `robot${++robots}` }),
    edits: textsOf('nameEn'),
  },
  '/settings': { make: async () => '/settings', edits: textsOf('siteNameEn'), stays: true },
  '/admin/sign-in/settings': {
    make: async () => '/admin/sign-in/settings',
    edits: [{ graceDays: 1 }, { graceDays: 2 }, { graceDays: 3 }],
    stays: true,
  },
  '/admin/sign-in/providers/{id}': {
    make: () =>
      made('/admin/sign-in/providers', {
        slug: `provider-${providers++}`,
        nameAr: 'مزوّد',
        nameEn: 'Provider',
        issuer: 'https://login.example.org',
        clientId: 'portal',
      }),
    edits: textsOf('nameEn'),
  },
  '/executive-meetings/{id}': {
    make: () => made('/executive-meetings', { date: '2031-05-05', titleEn: 'Visit' }),
    edits: textsOf('titleEn'),
  },
  '/executive-meetings/requests/{id}': {
    make: async () => {
      const path = await made('/executive-meetings/requests', { type: 'create', details: { date: '2031-05-05', titleEn: 'Visit' } })
      await portal.admin.patch(path, { status: 'needs_edit' })
      return path
    },
    edits: [
      { status: 'needs_edit', reviewNotes: 'One' },
      { status: 'needs_edit', reviewNotes: 'Other' },
      { action: 'resubmit', details: { date: '2031-05-05', titleEn: 'Start' } },
    ],
    stays: true,
  },
  '/executive-meetings/tasks/{id}': { make: () => made('/executive-meetings/tasks', { titleEn: 'Draft' }), edits: textsOf('titleEn') },
  '/access-reviews/{id}': {
    make: async () => `${REVIEWS}/${(await reviewing(portal).open({ groupIds: [(await make.newGroup()).id] })).id}`,
    edits: textsOf('titleEn'),
    stays: true,
  },
  '/notes/{id}': {
    make: () => made('/notes', { title: 'Plan' }),
    edits: [{ title: 'One' }, { content: 'Other' }, { title: 'Start', content: '' }],
  },
}

const edit = (method: string, path: string, body: object | undefined, tag: string) =>
  portal.admin.send(method, path, body, { 'if-match': tag })
const tagOf = ({ headers }: Answer) => headers.get('etag')!
const assertRefused = ({ status, body }: Answer, current: unknown) =>
  assert.deepEqual([status, body.code, body.current], [412, 'changed_meanwhile', current])

const UNKNOWN = 2147483647
/** For each field of the edit's body that names records by their ids, a body that names one that does not exist. */
function namingUnknown(at: string, method: string): object[] {
  const { endpoint } = routes.find((route) => documented(route) === at && route.method === method)!
  type Field = { type?: string | string[]; minimum?: number; items?: Field }
  const isId = ({ type, minimum }: Field) => [type].flat().includes('integer') && minimum === 1
  const fields = Object.entries((endpoint.body as { properties?: Record<string, Field> }).properties ?? {})
  return [
    ...fields.flatMap(([name, field]) => (isId(field) ? [{ [name]: UNKNOWN }] : [])),
    ...fields.flatMap(([name, { items }]) => (items && isId(items) ? [{ [name]: [UNKNOWN] }] : [])),
  ]
}

for (const [at, { make: makeOne, method = 'PATCH', readAt = (path: string) => path, edits, stays }] of Object.entries(records)) {
  const read = (path: string) => portal.admin.get(readAt(path))
  const makeStarted = async () => {
    const path = await makeOne()
    await edit(method, path, edits[2], '*')
    return path
  }

  test(`${at}: an edit with the current tag succeeds and returns the new tag`, async () => {
    const path = await makeStarted()
    const first = tagOf(await read(path))
    assert.match(first, /^"[\w-]{43}"$/)
    const changed = await edit(method, path, edits[0], first)
    assert.equal(changed.status, 200, changed.text)
    const now = tagOf(await read(path))
    assert.deepEqual([now, now === first], [tagOf(changed), false])
  })

  test(`${at}: an edit or a deletion with a wrong tag is refused and leaves no trace`, async () => {
    const path = await makeStarted()
    const first = tagOf(await read(path))
    await edit(method, path, edits[0], first)
    const now = await read(path)
    const traces = await portal.traces(async () => {
      for (const tag of [first, `W/${first}`, '"none"', 'nonsense', '']) assertRefused(await edit(method, path, edits[1], tag), now.body)
      for (const unknown of namingUnknown(at, method)) {
        const answer = await edit(method, path, { ...edits[1], ...unknown }, first)
        // A body that contradicts itself is refused before any record is read.
        if (answer.body.code !== 'validation_failed') assertRefused(answer, now.body)
      }
      if (!stays) assertRefused(await edit('DELETE', path, undefined, first), now.body)
    })
    assert.deepEqual(traces, silence)
  })

  test(`${at}: an edit accepts * and a list with the current tag, even weakened; a deletion accepts the current tag`, async () => {
    const path = await makeStarted()
    const now = async () => tagOf(await read(path))
    // The tag is weakened, as a compressing proxy sends it.
    assert.equal((await edit(method, path, edits[1], `"none", W/${await now()}`)).status, 200)
    for (const each of [edits[2], edits[0]]) assert.equal((await edit(method, path, each, '*')).status, 200)
    if (!stays) assert.equal((await edit('DELETE', `${path}?force=true`, undefined, await now())).status, 204)
  })

  test(`${at}: of two simultaneous edits with the same tag, one is refused`, async () => {
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

/** Records that are decided on by a POST or edited by nobody, with their own tests. */
const decided = {
  '/service-catalogue': 'server/work/services/handlings.test.ts',
  '/service-catalogue/{serviceId}': 'server/work/services/handlings.test.ts',
  '/orders/{id}/details': 'server/work/orders/details.test.ts',
  '/service-reports': 'server/work/service-reports/service-reports.test.ts',
  '/access-requests/{id}': 'server/access/requests/deciding.test.ts',
  '/auth/me/manager': 'server/people/managers/managers.test.ts',
}

test('every record with a tag is listed here, and every edit of it takes the tag', () => {
  const tried = new Set([...Object.keys(records), ...Object.keys(decided)])
  const tagged = routes.filter(({ endpoint, method }) => endpoint.record && method !== 'POST')
  assert.deepEqual(new Set(tagged.map(documented)), tried)
  const editing = routes.filter((route) => tried.has(documented(route)) && route.method !== 'GET' && route.method !== 'POST')
  assert.deepEqual(
    editing.filter(({ endpoint }) => !endpoint.record).map(({ at }) => at),
    [],
  )
})

test('creating a record returns its tag, also when the call is repeated', async () => {
  const send = () => portal.admin.send('POST', '/notes', { title: 'Once' }, { 'idempotency-key': 'tagged' })
  const [first, again] = [await send(), await send()]
  assert.equal(first.status, 201)
  assert.equal(tagOf(first), tagOf(await portal.admin.get(`/notes/${first.body.id}`)))
  assert.equal(tagOf(again), tagOf(first))
})

test('a deletion by an old tag is refused for its tag, even if the record could not be deleted at all', async () => {
  for (const path of [`/users/${portal.admin.id}`, '/groups/1', '/roles/1', '/permissions/1'])
    assert.deepEqual([path, (await edit('DELETE', path, undefined, '"old"')).body.code], [path, 'changed_meanwhile'])
})
