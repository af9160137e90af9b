/** Calls of a directory, chosen by a seed, against a plain model of its people and groups. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findTorn } from '../../../test/ledger.ts'
import { testPortal } from '../../../test/portal.ts'
import { newSource, type TestSource, USER } from '../../../test/scim.ts'
import { generator, seed } from '../../../test/suite.ts'

const CALLS = 10_000
const [NAMES, GROUPS] = [25, 8]
/** The number of calls after which everything is read and recounted. */
const RECOUNTED_EVERY = 200

interface Person {
  id: string
  userName: string
  externalId: string | null
  title: string | null
  active: boolean
  isDeleted: boolean
}
interface Group {
  id: string
  displayName: string
  members: Set<string>
}

const portal = testPortal()
const choose = generator(seed)
const oneOf = <T>(some: readonly T[]): T => some[choose(some.length)]!

const people: Person[] = []
const groups: Group[] = []
const living = () => people.filter(({ isDeleted }) => !isDeleted)
const userNameAt = (n: number) => `model${n}@example.org`
const resourceOf = ({ userName, externalId, title }: Pick<Person, 'userName' | 'externalId' | 'title'>) => ({
  schemas: [USER],
  userName,
  emails: [{ value: userName, type: 'work', primary: true }],
  ...(externalId !== null && { externalId }),
  ...(title !== null && { title }),
})

/** An answer that the model expects, and whether the call changes anything. */
interface Expected {
  status: number
  isChange: boolean
}
const done = (isChange: boolean, status = 200): Expected => ({ status, isChange })

/** Calls by name; each returns its answer and what the model expects, or undefined if the model has no person or group for the call. */
const calls: Record<string, (source: TestSource) => Promise<[{ status: number; body: { id?: string } }, Expected] | undefined>> = {
  async create(source) {
    const wanted = { userName: userNameAt(choose(NAMES)), externalId: choose(2) ? `x${choose(NAMES)}` : null, title: null }
    const isTaken = living().some(
      ({ userName, externalId }) => userName === wanted.userName || (externalId && externalId === wanted.externalId),
    )
    const answer = await source.call('POST', '/Users', resourceOf(wanted))
    if (isTaken) return [answer, done(false, 409)]
    const former = people.find(({ isDeleted, userName }) => isDeleted && userName === wanted.userName)
    if (former) {
      assert.equal(answer.body.id, former.id)
      Object.assign(former, wanted, { active: true, isDeleted: false })
    } else people.push({ id: answer.body.id, ...wanted, active: true, isDeleted: false })
    return [answer, done(true, 201)]
  },
  async title(source) {
    const person = oneOf(people)
    if (!person) return undefined
    const title = oneOf(['Clerk', 'Lead', null])
    const move = title === null ? { op: 'remove', path: 'title' } : { op: oneOf(['add', 'Replace']), path: 'title', value: title }
    const answer = await source.patch(`/Users/${person.id}`, move)
    if (person.isDeleted) return [answer, done(false, 404)]
    const isChange = person.title !== title
    person.title = title
    return [answer, done(isChange)]
  },
  async activity(source) {
    const person = oneOf(people)
    if (!person) return undefined
    const active = choose(2) === 1
    const answer = await source.patch(`/Users/${person.id}`, {
      op: 'replace',
      value: { active: oneOf([active, active ? 'True' : 'False']) },
    })
    if (person.isDeleted) return [answer, done(false, 404)]
    const isChange = person.active !== active
    person.active = active
    return [answer, done(isChange)]
  },
  async put(source) {
    const person = oneOf(living())
    if (!person) return undefined
    const title = oneOf(['Clerk', null])
    const answer = await source.call('PUT', `/Users/${person.id}`, resourceOf({ ...person, externalId: null, title }))
    const isChange = person.title !== title
    person.title = title
    return [answer, done(isChange)]
  },
  async delete(source) {
    const person = oneOf(people)
    if (!person) return undefined
    const answer = await source.call('DELETE', `/Users/${person.id}`)
    if (person.isDeleted) return [answer, done(false, 404)]
    Object.assign(person, { isDeleted: true, active: false, externalId: null, title: null })
    for (const { members } of groups) members.delete(person.id)
    return [answer, done(true, 204)]
  },
  async find(source) {
    const userName = userNameAt(choose(NAMES))
    const answer = await source.find(`userName eq "${userName.toUpperCase()}"`)
    const found = living().filter((one) => one.userName === userName)
    assert.deepEqual(
      answer.body.Resources.map(({ id, active }: Person) => [id, active]),
      found.map(({ id, active }) => [id, active]),
    )
    return [answer, done(false)]
  },
  async group(source) {
    const displayName = `Model ${choose(GROUPS)}`
    const members = some()
    const answer = await source.call('POST', '/Groups', { displayName, members: members.map((value) => ({ value })) })
    if (groups.some((one) => one.displayName === displayName)) return [answer, done(false, 409)]
    groups.push({ id: answer.body.id, displayName, members: new Set(members) })
    return [answer, done(true, 201)]
  },
  async rename(source) {
    const group = oneOf(groups)
    if (!group) return undefined
    const displayName = `Model ${choose(GROUPS)}`
    const answer = await source.patch(`/Groups/${group.id}`, { op: 'replace', value: { id: group.id, displayName } })
    if (groups.some((one) => one !== group && one.displayName === displayName)) return [answer, done(false, 409)]
    const isChange = group.displayName !== displayName
    group.displayName = displayName
    return [answer, done(isChange, 204)]
  },
  async members(source) {
    const group = oneOf(groups)
    if (!group) return undefined
    const values = some()
    const value = values.map((one) => ({ value: one }))
    const before = [...group.members].toSorted().join()
    const [one] = values
    const [operation, after] = oneOf<[object, string[]]>([
      [{ op: 'add', path: 'members', value }, [...group.members, ...values]],
      [{ op: 'Remove', path: 'members', value }, [...group.members].filter((id) => !values.includes(id))],
      [{ op: 'replace', path: 'members', value }, values],
      ...(one
        ? [[{ op: 'remove', path: `members[value eq "${one}"]` }, [...group.members].filter((id) => id !== one)] as [object, string[]]]
        : []),
    ])
    const answer = await source.patch(`/Groups/${group.id}`, operation)
    group.members = new Set(after)
    return [answer, done([...group.members].toSorted().join() !== before, 204)]
  },
  async putGroup(source) {
    const group = oneOf(groups)
    if (!group) return undefined
    const values = some()
    const before = [...group.members].toSorted().join()
    const answer = await source.call('PUT', `/Groups/${group.id}`, {
      displayName: group.displayName,
      members: values.map((value) => ({ value })),
    })
    group.members = new Set(values)
    return [answer, done([...group.members].toSorted().join() !== before)]
  },
  async deleteGroup(source) {
    const group = oneOf(groups)
    if (!group || choose(4)) return undefined
    groups.splice(groups.indexOf(group), 1)
    return [await source.call('DELETE', `/Groups/${group.id}`), done(true, 204)]
  },
}
/** The ids of a few living people. */
const some = () => living().flatMap(({ id }) => (choose(3) ? [] : [id]))

const changes = async () => Number((await portal.sql<{ count: string }>('select count(*) from ledger'))[0]!.count)

/** Reads all people and groups, replays the histories of members, and looks for changes that are half written. */
async function recount(source: TestSource) {
  const { body } = await source.get('/Users?count=500')
  const shown = ({ id, userName, externalId, title, active }: Person) => [id, userName, externalId ?? null, title ?? null, active]
  const byId = (one: Person, other: Person) => Number(one.id) - Number(other.id)
  assert.deepEqual(body.Resources.map(shown), living().toSorted(byId).map(shown))
  const listed = (await source.get('/Groups?count=500')).body.Resources as {
    id: string
    displayName: string
    members?: { value: string }[]
  }[]
  const plain = (id: string, name: string, members: Iterable<string>) => [id, name, [...members].toSorted()]
  assert.deepEqual(
    listed
      .map(({ id, displayName, members = [] }) =>
        plain(
          id,
          displayName,
          members.map(({ value }) => value),
        ),
      )
      .toSorted(),
    groups.map(({ id, displayName, members }) => plain(id, displayName, members)).toSorted(),
  )
  const moves = await portal.sql<{ target_id: number; added: number[]; removed: number[] }>(
    "select target_id, added, removed from permission_history where kind = 'group.users' order by id",
  )
  for (const { id, members } of groups) {
    const replayed = new Set<string>()
    for (const { target_id, added, removed } of moves) {
      if (String(target_id) !== id) continue
      for (const one of removed) replayed.delete(String(one))
      for (const one of added) replayed.add(String(one))
    }
    assert.deepEqual([...replayed].toSorted(), [...members].toSorted())
  }
  assert.deepEqual(await findTorn(portal.sql), [])
}

test('after ten thousand calls of a directory, the portal matches a model of its people and groups', async () => {
  await portal.ready
  const source = await newSource(portal)
  const released = await portal.admin.post(`/admin/provisioning/sources/${source.id}/release`, { allow: 100_000 })
  assert.equal(released.status, 200, released.text)
  const names = Object.keys(calls)
  for (let n = 0, before = await changes(); n < CALLS; n++) {
    const name = oneOf(names)
    const told = await calls[name]!(source)
    if (!told) continue
    const [{ status }, expected] = told
    const after = await changes()
    assert.deepEqual({ n, name, status, isChange: after > before }, { n, name, ...expected })
    before = after
    if (n % RECOUNTED_EVERY === 0) await recount(source)
  }
  await recount(source)
})
