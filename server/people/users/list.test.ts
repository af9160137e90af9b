import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { makers } from '../../../test/makers.ts'
import { PASSWORD, testPortal, until } from '../../../test/portal.ts'

const portal = testPortal()
const make = makers(portal)
before(async () => {
  await portal.ready
  await portal.admin.patch('/settings', { timeZone: 'Asia/Riyadh' })
})

test('a list of thousands is complete and in order, and a client that disconnects midway breaks nothing', async () => {
  await portal.sql(`
    begin;
    with made as (
      insert into users (username, email, password_hash, display_name_en)
      select 'crowd-' || n, 'crowd-' || n || '@example.org', '-', 'Crowd ' || lpad(n::text, 5, '0') from generate_series(1, 3000) as n returning id)
    insert into ledger (kind, target_type, target_id, facts) select 'test.filled', 'user', id, '{}' from made;
    commit`)
  const hungUp = new AbortController()
  const { body } = await fetch(`${portal.base}/api/users`, { headers: { cookie: portal.admin.cookie }, signal: hungUp.signal })
  await body!.getReader().read()
  hungUp.abort()
  const crowd: { username: string }[] = (await portal.admin.get('/users?q=crowd-')).body
  assert.deepEqual(
    crowd.map(({ username }) => username),
    Array.from({ length: 3000 }, (_, n) => `crowd-${n + 1}`),
  )
  assert.deepEqual((await portal.admin.get('/users?q=nobody-of-this-name')).body, [])
})

for (const [what, query, field] of [
  ['in an unknown order', 'sort=email', 'sort'],
  ['in another direction', 'sort=name&order=up', 'order'],
  ['seen before an impossible day', 'seenBefore=2026-02-30', 'seenBefore'],
  ['seen before a day in another form', 'seenBefore=1.2.2026', 'seenBefore'],
  ['with invalid ids', 'ids=1,,2', 'ids'],
  ['with an id of zero', 'ids=0', 'ids'],
  ['with no ids', 'ids=', 'ids'],
  ['with 201 ids', `ids=${Array.from({ length: 201 }, (_, n) => n + 1)}`, 'ids'],
] as const)
  test(`people ${what} are not listed, and the field is named`, async () => {
    const { status, body } = await portal.admin.get(`/users?${query}`)
    assert.deepEqual([status, body.details.map(({ path }: { path: string }) => path)], [400, [field]])
  })

const usernamesOf = async (query: string) => {
  const { status, body, text } = await portal.admin.get(`/users?${query}`)
  assert.equal(status, 200, text)
  return (body as { username: string }[]).map(({ username }) => username)
}

test('people are found by the name of a role that they hold, directly or through a group', async () => {
  const { id, name } = await make.newRole()
  const [direct, member] = [await make.newPerson({ roles: [name] }), await make.newPerson()]
  await make.newGroup({ userIds: [member.id, direct.id], roleIds: [id] })
  const both = [direct.username, member.username]
  assert.deepEqual(await usernamesOf(`role=${name.toUpperCase()}&sort=createdAt`), both)
  assert.deepEqual(await usernamesOf(`role=${name}&q=${member.username}`), [member.username])
  assert.deepEqual(
    await usernamesOf(`ids=${direct.id},1,${member.id},${direct.id}&role=${name}&sort=createdAt&order=desc`),
    both.toReversed(),
  )
})

const HOUR_MS = 3_600_000
const seen = (username: string, at: string) =>
  portal.sql('update last_seen set at = $2 from users where users.id = user_id and username = $1', [username, at])

test('people are sorted by name, age and when they were last seen; those never seen come last', async () => {
  for (const [username, at] of [
    ['seen-b', '2026-03-01T21:00:00Z'],
    ['seen-a', '2026-03-01T20:00:00Z'],
    ['seen-d', '2026-03-01T20:00:00Z'],
  ]) {
    await portal.person(username!)
    await seen(username!, at!)
  }
  const neverSeen = { username: 'seen-c', email: 'seen-c@example.org', password: PASSWORD }
  assert.equal((await portal.admin.post('/users', neverSeen)).body.lastSeenAt, null)
  for (const [sorting, expected] of [
    ['', 'abcd'],
    ['sort=name&order=desc', 'dcba'],
    ['sort=createdAt', 'badc'],
    ['sort=createdAt&order=desc', 'cdab'],
    ['sort=lastSeenAt', 'adbc'],
    ['sort=lastSeenAt&order=desc', 'bdac'],
    ['sort=lastSeenAt&order=desc&limit=2&offset=1', 'da'],
    // The office is three hours ahead: 21:00 in UTC is its midnight.
    ['seenBefore=2026-03-02', 'acd'],
    ['seenBefore=2026-03-03', 'abcd'],
    ['seenBefore=0001-01-01', 'c'],
  ] as const)
    assert.deepEqual(
      await usernamesOf(`q=seen-&${sorting}`),
      [...expected].map((letter) => `seen-${letter}`),
      sorting,
    )
})

test('people who were seen in the hour within which a day begins may have been seen on that day', async () => {
  await portal.person('half-hour')
  const { timeZone } = (await portal.admin.get('/settings')).body
  await portal.admin.patch('/settings', { timeZone: 'Asia/Kolkata' })
  // The day begins at 18:30 in UTC.
  for (const [at, expected] of [
    ['2026-03-01T17:00:00Z', ['half-hour']],
    ['2026-03-01T18:00:00Z', []],
  ] as const) {
    await seen('half-hour', at)
    assert.deepEqual(await usernamesOf('q=half-hour&seenBefore=2026-03-02'), expected, at)
  }
  await portal.admin.patch('/settings', { timeZone })
})

test('signing in or using a session records the hour when a person was last seen, without changing the ETag of their record', async () => {
  const person = await portal.person('passer-by')
  const read = async () => {
    const { body, headers } = await portal.admin.get(`/users/${person.id}`)
    return { lastSeenAt: Date.parse(body.lastSeenAt), tag: headers.get('etag') }
  }
  const { lastSeenAt, tag } = await read()
  assert.equal(lastSeenAt % HOUR_MS, 0)
  assert.ok(Date.now() - lastSeenAt < 2 * HOUR_MS)
  await seen('passer-by', '2026-03-01T20:00:00Z')
  assert.deepEqual(await read(), { lastSeenAt: Date.parse('2026-03-01T20:00:00Z'), tag })
  await portal.sql(`update sessions set last_used_at = now() - interval '2 minutes' where user_id = $1`, [person.id])
  await person.get('/auth/me')
  await until('the use of the session is noted', async () => (await read()).lastSeenAt >= lastSeenAt)
  await portal.sql('update last_seen set at = $2 where user_id = $1', [person.id, '2040-01-01T00:00:00Z'])
  await portal.stranger().signIn('passer-by')
  assert.equal((await read()).lastSeenAt, Date.parse('2040-01-01T00:00:00Z'))
})

for (const [path, sort, numbers] of [
  ['/groups', 'members', 'memberCount'],
  ['/roles', 'holders', 'userCount'],
] as const)
  test(`${path} are sorted by name, age and ${sort}, in both directions, whole and in parts`, async () => {
    const people = [await make.newPerson(), await make.newPerson()]
    for (const holders of [people, [], people.slice(1)]) {
      if (path === '/groups') await make.newGroup({ userIds: holders.map(({ id }) => id) })
      else {
        const { name } = await make.newRole()
        for (const { id } of holders) await portal.admin.post(`/users/${id}/roles`, { roleName: name })
      }
    }
    const read = async (query: string) => (await portal.admin.get(path + query)).body as Record<string, string | number>[]
    const whole = await read('')
    for (const [by, key] of [
      ['name', 'name'],
      ['createdAt', 'createdAt'],
      [sort, numbers],
    ] as const) {
      const sorted = await read(`?sort=${by}`)
      const inOrder = whole.toSorted(
        (one, other) =>
          (typeof one[key] === 'number' ? one[key] - Number(other[key]) : String(one[key]).localeCompare(String(other[key]), 'en')) ||
          Number(one['id']) - Number(other['id']),
      )
      assert.deepEqual(sorted, inOrder, by)
      assert.deepEqual(await read(`?sort=${by}&order=desc`), inOrder.toReversed(), by)
      assert.deepEqual(await read(`?sort=${by}&order=desc&limit=2&offset=1`), inOrder.toReversed().slice(1, 3), by)
    }
    assert.equal((await portal.admin.get(`${path}?sort=id`)).body.code, 'validation_failed')
  })

test('the lines of a pasted list find people by an exact name, or else by a part of a name', async () => {
  for (const [username, displayNameAr, displayNameEn] of [
    ['pasted', 'سلمى الأنصاري', 'Salma Ansari'],
    ['pasted-2', 'سَلمى الأنصاريّ', 'Salma One'],
    ['pasted-3', 'هدى', 'Pasted Three'],
    ['ab', 'لا أحد', 'a_b%c'],
  ])
    await portal.person(username!, { displayNameAr, displayNameEn })
  const resolve = async (...texts: string[]) => {
    const { status, body, text } = await portal.admin.post('/users/resolve', { texts })
    assert.equal(status, 200, text)
    assert.deepEqual(
      body.map((one: { text: string }) => one.text),
      texts.map((one) => one.trim()),
    )
    return body.map(({ matches }: { matches: { username: string }[] }) => matches.map(({ username }) => username).join(' '))
  }
  const asked = {
    PASTED: 'pasted',
    ' pasted-2@Example.org ': 'pasted-2',
    'سلمي الانصارى': 'pasted pasted-2',
    'salma one': 'pasted-2',
    الأنصاري: 'pasted pasted-2',
    three: 'pasted-3',
    'ted-3@ex': 'pasted-3',
    // Two letters are part of too many names, so they are only matched exactly.
    AB: 'ab',
    as: '',
    'A_B%C': 'ab',
    'a%c': '',
    'pasted-2 pasted-3': '',
    'no such person': '',
    '': '',
  }
  assert.deepEqual(await resolve(...Object.keys(asked)), Object.values(asked))
  assert.deepEqual(await resolve('pasted', 'nobody-at-all', 'pasted'), ['pasted', '', 'pasted'])
  assert.deepEqual(await resolve(), [])
  const [{ matches }] = (await portal.admin.post('/users/resolve', { texts: ['pasted'] })).body
  assert.deepEqual(Object.keys(matches[0]).toSorted(), ['avatarUrl', 'displayNameAr', 'displayNameEn', 'id', 'username'])
})

test('a text that is part of many names returns twenty people, and more than five hundred lines are refused', async () => {
  const { body } = await portal.admin.post('/users/resolve', {
    texts: Array.from({ length: 500 }, (_, n) => `crowd-${n + 1}`).with(0, 'crowd'),
  })
  const found: number[] = body.map(({ matches }: { matches: object[] }) => matches.length)
  assert.deepEqual([found[0], new Set(found.slice(1))], [20, new Set([1])])
  const refused = await portal.admin.post('/users/resolve', { texts: Array.from({ length: 501 }, () => 'crowd') })
  assert.deepEqual([refused.status, refused.body.details[0].path], [400, 'texts'])
})
