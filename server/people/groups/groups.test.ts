import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessChangedFor, silence, tracing } from '../../../test/makers.ts'
import { seededPortal } from '../../../test/seed.ts'
import { addProgram } from '../../../test/service-accounts.ts'

const { portal, org, make } = seededPortal()
const { traced, silent } = tracing(portal)
const EVERYONE = 1
const [USER, RECEIVER] = [2, 3]
const UNKNOWN = 2147483647

const group = async (name: string, fields: object = {}) => (await make.newGroup({ name, ...fields })).id
const person = async () => (await make.newPerson()).id
const app = async () => (await make.newApp()).id

const endpoints: [method: string, path: (id: number) => string, body?: unknown][] = [
  ['GET', () => '/groups'],
  ['POST', () => '/groups', { name: 'Nobody' }],
  ['GET', (id) => `/groups/${id}`],
  ['PATCH', (id) => `/groups/${id}`, {}],
  ['DELETE', (id) => `/groups/${id}`],
  ['POST', (id) => `/groups/${id}/users`, { userId: 1 }],
  ['POST', (id) => `/groups/${id}/roles`, { roleId: 1 }],
  ['POST', (id) => `/groups/${id}/apps`, { appId: 1 }],
  ['DELETE', (id) => `/groups/${id}/users/1`],
  ['DELETE', (id) => `/groups/${id}/roles/1`],
  ['DELETE', (id) => `/groups/${id}/apps/1`],
  ['GET', (id) => `/groups/${id}/audit`],
]
for (const [method, path, body] of endpoints) {
  const at = `${method} ${path(7)}`
  test(`${at}: 401 without a session, 403 for a person who is not an administrator`, async () => {
    assert.equal((await portal.stranger().send(method, path(EVERYONE), body)).body.code, 'unauthorized')
    assert.equal((await org.huda.send(method, path(EVERYONE), body)).body.code, 'forbidden')
  })
  if (path(1) === path(2)) continue
  test(`${at}: an unknown group is 404, an invalid id 400`, async () => {
    const code = async (id: number) => (await org.admin.send(method, path(id), body)).body.code
    assert.equal(await code(UNKNOWN), 'not_found')
    for (const id of [0, -1, 2147483648, 1.5]) assert.equal(await code(id), 'validation_failed')
  })
}

const invalid: [what: string, method: string, path: string, body: unknown, field: string][] = [
  ['no name', 'POST', '/groups', {}, 'name'],
  ['a blank name', 'POST', '/groups', { name: ' \u202e ' }, 'name'],
  ['a name of 201 characters', 'POST', '/groups', { name: 'a'.repeat(201) }, 'name'],
  ['a description of 2,001 characters', 'POST', '/groups', { name: 'a', descriptionAr: 'ا'.repeat(2001) }, 'descriptionAr'],
  ['an id of zero', 'POST', '/groups', { name: 'a', appIds: [0] }, 'appIds.0'],
  ['an id with a fraction', 'POST', '/groups', { name: 'a', roleIds: [1.5] }, 'roleIds.0'],
  ['an id as a text', 'POST', '/groups', { name: 'a', userIds: ['1'] }, 'userIds.0'],
  ['a name that is null', 'PATCH', '/groups/1', { name: null }, 'name'],
  ['a set that is null', 'PATCH', '/groups/1', { userIds: null }, 'userIds'],
  ['no member', 'POST', '/groups/1/users', { roleId: 1 }, 'userId'],
  ['a member as a text', 'POST', '/groups/1/roles', { roleId: '1' }, 'roleId'],
  ['a member of zero', 'DELETE', '/groups/1/apps/0', undefined, 'memberId'],
  ['a force that is not a boolean', 'DELETE', '/groups/1?force=1', undefined, 'force'],
  ['no entries', 'GET', '/groups/1/audit?limit=0', undefined, 'limit'],
  ['an impossible date', 'GET', '/groups/1/audit?to=2026-13-01', undefined, 'to'],
  ['an inverted range', 'GET', '/groups/1/audit?from=2026-02-02&to=2026-02-01', undefined, 'from'],
]
for (const [what, method, path, body, field] of invalid)
  test(`${method} ${path}: ${what} is 400 and names the field`, async () => {
    const { status, body: refusal } = await silent(() => org.admin.send(method, path, body))
    assert.deepEqual(
      [status, refusal.code, refusal.details.map((detail: { path: string }) => detail.path)],
      [400, 'validation_failed', [field]],
    )
  })

test('a new group gets its members, roles and apps in one change, and its members get an event', async () => {
  const [amal, badr, wiki] = [await person(), await person(), await app()]
  const body = {
    name: ' Readers ',
    descriptionEn: 'They read',
    appIds: [wiki, wiki],
    roleIds: [RECEIVER, USER],
    userIds: [badr, amal, badr],
  }
  const { answer, ...traces } = await traced(() => org.admin.post('/groups', body))
  const { id, createdAt, ...shown } = answer.body
  const sets = { appIds: [wiki], roleIds: [USER, RECEIVER], userIds: [amal, badr] }
  const described = { name: 'Readers', descriptionAr: null, descriptionEn: 'They read', isSystem: false, memberEnds: [] }
  assert.deepEqual([answer.status, shown], [201, { ...described, ...sets, memberCount: 2, appCount: 1, roleCount: 2 }])
  assert.deepEqual((await org.admin.get(`/groups/${id}`)).body, { id, createdAt, ...described, ...sets })
  assert.deepEqual(traces, {
    audit: [{ action: 'group.create', type: 'group', target: id, metadata: { name: 'Readers', ...sets } }],
    histories: [
      { kind: 'group.users', target: id, added: [amal, badr], removed: [] },
      { kind: 'group.roles', target: id, added: [USER, RECEIVER], removed: [] },
      { kind: 'group.apps', target: id, added: [wiki], removed: [] },
      { kind: 'user.groups', target: amal, added: [id], removed: [] },
      { kind: 'user.groups', target: badr, added: [id], removed: [] },
    ],
    notices: [],
    events: accessChangedFor(amal, badr),
  })
})

test('an empty group has no histories, and nobody gets an event', async () => {
  const { answer, ...traces } = await traced(() => org.admin.post('/groups', { name: 'Empty' }))
  const metadata = { name: 'Empty', userIds: [], roleIds: [], appIds: [] }
  assert.deepEqual(traces, { ...silence, audit: [{ action: 'group.create', type: 'group', target: answer.body.id, metadata }] })
})

test('a group is not created when its name is taken in another case, or when an id does not exist', async () => {
  await group('Only One')
  const taken = await silent(() => org.admin.post('/groups', { name: 'ONLY one', userIds: [1] }))
  assert.deepEqual([taken.status, taken.body.code], [409, 'name_taken'])
  for (const set of ['userIds', 'roleIds', 'appIds']) {
    const { status, body } = await silent(() => org.admin.post('/groups', { name: 'Ghosts', [set]: [UNKNOWN, UNKNOWN - 1, UNKNOWN] }))
    assert.deepEqual([status, body.code, body.unknownIds], [400, 'unknown_ids', [UNKNOWN - 1, UNKNOWN]])
  }
  assert.deepEqual((await org.admin.get('/groups?q=ghosts')).body, [])
})

test('of many simultaneous requests for one name, one succeeds', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => org.admin.post('/groups', { name: 'Twins' })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409, 409, 409])
})

test('the list counts each set, and is searched by name or description in any letter forms', async () => {
  const id = await group('مجموعة الأولى', { descriptionEn: 'Counted 50%', roleIds: [USER], userIds: [1] })
  const { appIds: _, roleIds: _r, userIds: _u, memberEnds: _e, ...shown } = (await org.admin.get(`/groups/${id}`)).body
  for (const q of ['مجموعه الاولي', 'COUNTED', '50%'])
    assert.deepEqual((await org.admin.get(`/groups?q=${encodeURIComponent(q)}`)).body, [
      { ...shown, memberCount: 1, appCount: 0, roleCount: 1 },
    ])
  for (const q of ['5_%', 'الأولىCounted']) assert.deepEqual((await org.admin.get(`/groups?q=${encodeURIComponent(q)}`)).body, [])
})

test('the list is sorted in the reader’s language', async () => {
  for (const name of ['ب sorted', 'أ sorted', 'Zed sorted', 'alef sorted']) await group(name)
  const names = async () => (await org.admin.get('/groups?q=sorted')).body.map(({ name }: { name: string }) => name)
  assert.deepEqual(await names(), ['أ sorted', 'ب sorted', 'alef sorted', 'Zed sorted'])
  await org.admin.patch('/auth/me/language', { language: 'en' })
  assert.deepEqual(await names(), ['alef sorted', 'Zed sorted', 'أ sorted', 'ب sorted'])
  await org.admin.patch('/auth/me/language', { language: 'ar' })
})

test('an update replaces the given sets; when apps or roles changed, everyone who joined, left or stayed gets an event', async () => {
  const [came, went, stayed] = [await person(), await person(), await person()]
  const id = await group('Moving', { userIds: [went, stayed], roleIds: [USER] })
  const { answer, ...traces } = await traced(() =>
    org.admin.patch(`/groups/${id}`, { name: 'Moved', userIds: [stayed, came], roleIds: [] }),
  )
  const { name, userIds, roleIds, memberCount, roleCount, appCount } = answer.body
  assert.deepEqual([name, userIds, roleIds, memberCount, roleCount, appCount], ['Moved', [came, stayed], [], 2, 0, 0])
  const changed = {
    name: { from: 'Moving', to: 'Moved' },
    userIds: { from: [went], to: [came] },
    roleIds: { from: [USER], to: [] },
  }
  assert.deepEqual(traces, {
    audit: [{ action: 'group.update', type: 'group', target: id, metadata: { changed } }],
    histories: [
      { kind: 'group.users', target: id, added: [came], removed: [went] },
      { kind: 'group.roles', target: id, added: [], removed: [USER] },
      { kind: 'user.groups', target: came, added: [id], removed: [] },
      { kind: 'user.groups', target: went, added: [], removed: [id] },
    ],
    notices: [],
    events: accessChangedFor(came, went, stayed),
  })
})

test('a change of members is sent to those who joined or left; a change of texts to every member', async () => {
  const [first, second, third] = [await person(), await person(), await person()]
  const id = await group('Quiet', { userIds: [first, second] })
  const { events } = await traced(() => org.admin.patch(`/groups/${id}`, { userIds: [second, third] }))
  assert.deepEqual(events, accessChangedFor(first, third))
  const { answer: _, ...traces } = await traced(() => org.admin.patch(`/groups/${id}`, { descriptionAr: 'وصف', descriptionEn: null }))
  const changed = { descriptionAr: { from: null, to: 'وصف' } }
  const audit = [{ action: 'group.update', type: 'group', target: id, metadata: { changed } }]
  assert.deepEqual(traces, { ...silence, audit, events: accessChangedFor(second, third).slice(1) })
})

test('an update that changes nothing returns the group and leaves no trace', async () => {
  const body = { name: 'Still', roleIds: [USER], userIds: [1], appIds: [] }
  const { body: before } = await org.admin.post('/groups', body)
  for (const same of [{}, body, { ...body, roleIds: [USER, USER] }])
    assert.deepEqual((await silent(() => org.admin.patch(`/groups/${before.id}`, same))).body, before)
})

test('an update with a taken name or unknown ids changes nothing at all', async () => {
  const id = await group('Refusing', { roleIds: [USER] })
  await group('Taken')
  const code = async (fields: object) => (await silent(() => org.admin.patch(`/groups/${id}`, { roleIds: [], ...fields }))).body.code
  assert.equal(await code({ name: 'taken' }), 'name_taken')
  for (const set of ['userIds', 'appIds']) assert.equal(await code({ name: 'Renamed', [set]: [UNKNOWN] }), 'unknown_ids')
  assert.equal((await org.admin.patch(`/groups/${id}`, { name: 'REFUSING' })).body.name, 'REFUSING')
})

test('the deletion of an empty group is recorded as not forced, even with `force`', async () => {
  const id = await group('Short-lived')
  const { answer, ...traces } = await traced(() => org.admin.delete(`/groups/${id}?force=true`))
  const metadata = { name: 'Short-lived', memberCount: 0, appCount: 0, roleCount: 0 }
  assert.deepEqual([answer.status, traces], [204, { ...silence, audit: [{ action: 'group.delete', type: 'group', target: id, metadata }] }])
  assert.equal((await silent(() => org.admin.delete(`/groups/${id}`))).status, 404)
})

for (const set of ['userIds', 'roleIds', 'appIds'] as const)
  test(`a group with ${set} is deleted only by force`, async () => {
    const id = await group(`Kept by ${set}`, { [set]: [set === 'appIds' ? await app() : USER] })
    const counts = {
      memberCount: 0,
      appCount: 0,
      roleCount: 0,
      [{ userIds: 'memberCount', roleIds: 'roleCount', appIds: 'appCount' }[set]]: 1,
    }
    for (const query of ['', '?force=false']) {
      const { status, body } = await silent(() => org.admin.delete(`/groups/${id}${query}`))
      const { memberCount, appCount, roleCount } = body
      assert.deepEqual([status, body.code, { memberCount, appCount, roleCount }], [409, 'has_dependents', counts])
    }
    assert.equal((await org.admin.delete(`/groups/${id}?force=true`)).status, 204)
  })

test('the log counts the members of a deleted group as the refusal of its deletion does, without service accounts', async () => {
  const program = await addProgram(portal, 'lift')
  const id = await group('Machines', { userIds: [await person(), program.id] })
  assert.equal((await org.admin.delete(`/groups/${id}`)).body.memberCount, 1)
  const { audit } = await traced(() => org.admin.delete(`/groups/${id}?force=true`))
  const metadata = { name: 'Machines', memberCount: 1, appCount: 0, roleCount: 0 }
  assert.deepEqual(audit, [{ action: 'group.force_delete', type: 'group', target: id, metadata }])
})

test('a forced deletion empties the sets, records that in their histories and sends the members an event', async () => {
  const [one, two, wiki] = [await person(), await person(), await app()]
  const id = await group('Doomed', { userIds: [one, two], roleIds: [RECEIVER], appIds: [wiki] })
  const { answer, ...traces } = await traced(() => org.admin.delete(`/groups/${id}?force=true`))
  const metadata = { name: 'Doomed', memberCount: 2, appCount: 1, roleCount: 1 }
  assert.equal(answer.status, 204)
  assert.deepEqual(traces, {
    audit: [{ action: 'group.force_delete', type: 'group', target: id, metadata }],
    histories: [
      { kind: 'group.users', target: id, added: [], removed: [one, two] },
      { kind: 'group.roles', target: id, added: [], removed: [RECEIVER] },
      { kind: 'group.apps', target: id, added: [], removed: [wiki] },
      { kind: 'user.groups', target: one, added: [], removed: [id] },
      { kind: 'user.groups', target: two, added: [], removed: [id] },
    ],
    notices: [],
    events: accessChangedFor(one, two),
  })
  assert.deepEqual((await org.admin.get(`/users/${one}`)).body.roles, ['user'])
  assert.equal((await org.admin.get(`/groups/${id}/audit`)).status, 404)
})

test('a system group cannot be deleted, even by force', async () => {
  for (const query of ['', '?force=true']) {
    const { status, body } = await silent(() => org.admin.delete(`/groups/${EVERYONE}${query}`))
    assert.deepEqual([status, body.code], [400, 'system_group'])
  }
})
