/**
 * Random grants, ends, requests, decisions, job runs and passing days: after each step, every answer about access agrees with a naive
 * model. `TEST_STEPS` sets the number of steps.
 */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { AccessModel, ADMINISTRATOR, NEVER, type Refused, type Request } from './access-model.ts'
import { inDays, passDays } from './grants.ts'
import { runJob } from './jobs.ts'
import { makers } from './makers.ts'
import { type Answer, type Client, testPortal } from './portal.ts'
import { generator, seed } from './suite.ts'

const portal = testPortal()
const make = makers(portal)
const STEPS = Number(process.env['TEST_STEPS']) || 1000
/** How far a moment may differ from the model's, because the steps themselves take time. */
const SLACK_DAYS = 0.02
const DAY_MS = 86_400_000

const model = new AccessModel({
  people: 5,
  approvals: [1, 2, 0],
  approvers: [0, 1],
  groupRoles: [[], [0], [1]],
  apps: [
    { roles: [0], groups: [0] },
    { roles: [1], groups: [] },
  ],
})
const people: Client[] = []
const groups: number[] = []
const roles: { id: number; name: string }[] = []
const apps: number[] = []
/** The id of each request of the model. */
const ids = new Map<Request, number>()

before(async () => {
  await portal.ready
  const { body } = await portal.admin.get('/permissions')
  const permissions = ['portal.hr', 'portal.it']
  const idOf = (name: string) => body.find((one: { name: string }) => one.name === name).id
  for (const name of permissions) roles.push(await make.newRole([name]))
  for (const given of model.setting.groupRoles) groups.push((await make.newGroup({ roleIds: given.map((role) => roles[role]!.id) })).id)
  for (const app of model.setting.apps) {
    const { id } = await make.newApp()
    apps.push(id)
    const access = { permissionIds: app.roles.map((role) => idOf(permissions[role]!)), groupIds: app.groups.map((group) => groups[group]!) }
    await portal.admin.put(`/apps/${id}/access`, access)
  }
  for (let n = 0; n < model.setting.people; n++) people.push(await make.newPerson())
  const approverUserIds = model.setting.approvers.map((one) => people[one]!.id)
  for (const [group, minApprovals] of model.setting.approvals.entries())
    if (minApprovals)
      await portal.admin.put(`/groups/${groups[group]}/request-policy`, { requestable: true, approverUserIds, minApprovals })
})

const below = generator(seed)
const oneOf = <T>(some: readonly T[]) => some[below(some.length)]!
const person = () => below(people.length)
const code = ({ status, body }: Answer) => (status < 300 ? undefined : body?.code)
const agree = (answer: Answer, refused: Refused | undefined) => assert.equal(code(answer), refused, answer.text)
const clientOf = (one: number) => (one === ADMINISTRATOR ? portal.admin : people[one]!)
const daysOf = (end: number) => (end === NEVER ? null : inDays(end - model.now))

/** Lets days pass, also for requests. Adds a little where a grant would otherwise end at about the present time. */
async function pass(days: number) {
  const ends = [...model.memberships.values(), ...model.roles.values(), ...model.requests.map(({ since }) => since + 14)]
  let ahead = days
  while (ends.some((end) => Math.abs(end - model.now - ahead) < 3 * SLACK_DAYS)) ahead += 3 * SLACK_DAYS
  await passDays(portal, ahead)
  await portal.sql(`begin; alter table access_requests disable trigger user;
    update access_requests set created_at = created_at - make_interval(secs => ${ahead * 86_400});
    set constraints all immediate; alter table access_requests enable trigger user; commit`)
  model.pass(ahead)
}

async function giveMembership(one: number, group: number) {
  const end = oneOf([undefined, NEVER, model.now + 1, model.now + 2, model.now + 4, model.now + 9])
  const answer = await portal.admin.post(`/groups/${groups[group]}/users`, {
    userId: people[one]!.id,
    ...(end !== undefined && { expiresAt: daysOf(end) }),
  })
  agree(answer, undefined)
  model.give(model.memberships, one, group, end)
}
async function giveRole(one: number, role: number) {
  const end = oneOf([undefined, NEVER, model.now + 1, model.now + 4])
  const answer = await portal.admin.post(`/users/${people[one]!.id}/roles`, {
    roleName: roles[role]!.name,
    ...(end !== undefined && { expiresAt: daysOf(end) }),
  })
  agree(answer, undefined)
  model.give(model.roles, one, role, end)
}
async function replaceMembers(group: number) {
  const members = people.map((_, one) => one).filter(() => below(2) === 0)
  agree(await portal.admin.patch(`/groups/${groups[group]}`, { userIds: members.map((one) => people[one]!.id) }), undefined)
  for (const one of people.keys())
    if (members.includes(one)) model.give(model.memberships, one, group)
    else model.take(model.memberships, one, group)
}
async function switchActive(one: number) {
  const isActive = !model.active[one]
  agree(await portal.admin.patch(`/users/${people[one]!.id}`, { isActive }), undefined)
  model.setActive(one, isActive)
  if (isActive) await people[one]!.signIn(people[one]!.username)
}
async function ask(one: number, group: number) {
  const recent = model.requests.filter(({ person, group: of, since }) => person === one && of === group && since > model.now - 1)
  if (!model.active[one] || recent.length >= 5) return
  const days = oneOf([null, 3, 8])
  const answer = await people[one]!.post('/access-requests', { groupId: groups[group], days })
  agree(answer, model.ask(one, group, days))
  if (answer.status === 201) ids.set(model.requests.at(-1)!, answer.body.id)
}
async function decide() {
  const request = oneOf(model.requests.slice(-6))
  if (!request) return
  const path = `/access-requests/${ids.get(request)}`
  const by = oneOf([ADMINISTRATOR, 0, 1, person()])
  if (by !== ADMINISTRATOR && !model.active[by]) return
  if (below(5) === 0) return agree(await clientOf(by).post(`${path}/deny`, { note: 'No' }), model.deny(by, request))
  const days = oneOf([null, 2])
  agree(await clientOf(by).post(`${path}/approve`, { days }), model.approve(by, request, days))
  model.settle()
}
async function withdraw() {
  const request = oneOf(model.requests.slice(-6))
  if (!request || !model.active[request.person]) return
  agree(await people[request.person]!.post(`/access-requests/${ids.get(request)}/withdraw`), model.withdraw(request))
}

const acts: (() => Promise<unknown>)[] = [
  () => giveMembership(person(), below(groups.length)),
  () => giveRole(person(), below(roles.length)),
  () => replaceMembers(below(groups.length)),
  () => switchActive(person()),
  () => pass(oneOf([0.37, 1.41, 3.53])),
  () => pass(oneOf([0.37, 1.41, 3.53])),
  () => runJob(portal, 'expire_grants'),
  () => ask(person(), below(2)),
  () => ask(person(), below(2)),
  () => ask(person(), below(2)),
  () => ask(person(), below(2)),
  decide,
  decide,
  decide,
  withdraw,
  async () => {
    const [one, role] = [person(), below(roles.length)]
    agree(await portal.admin.delete(`/users/${people[one]!.id}/roles/${roles[role]!.name}`), undefined)
    model.take(model.roles, one, role)
  },
  async () => {
    const [one, group] = [person(), below(groups.length)]
    agree(await portal.admin.delete(`/groups/${groups[group]}/users/${people[one]!.id}`), undefined)
    model.take(model.memberships, one, group)
  },
]

const read = async (path: string) => {
  const { status, body, text } = await portal.admin.get(path)
  assert.equal(status, 200, text)
  return body
}
interface Named {
  id: number
}
const idsIn = (all: Named[], known: readonly number[]) =>
  all
    .map(({ id }) => id)
    .filter((id) => known.includes(id))
    .sort((a, b) => a - b)
const roleIds = () => roles.map(({ id }) => id)

/** Compares every answer about the access of one person, and about one group, with the model. */
async function compare(one: number, group: number) {
  const { id } = people[one]!
  const expected = {
    groups: model.groupsOf(one).map((place) => groups[place]!),
    roles: model.rolesOf(one).map((place) => roles[place]!.name),
    apps: model.active[one] ? model.appsOf(one).map((place) => apps[place]!) : [],
  }
  const access = await read(`/users/${id}/effective-access`)
  assert.deepEqual(
    idsIn(access.roles, roleIds()),
    model.rolesOf(one).map((place) => roles[place]!.id),
  )
  assert.deepEqual(idsIn(access.apps, apps), expected.apps)
  if (model.active[one]) {
    const { body: me } = await people[one]!.get('/auth/me')
    assert.deepEqual(
      [me.roles.filter((name: string) => roles.some((role) => role.name === name)), idsIn(me.groups, groups)],
      [expected.roles.toSorted(), expected.groups],
    )
    assert.deepEqual(idsIn((await people[one]!.get('/apps')).body, apps), expected.apps)
  }
  for (const [place, app] of apps.entries()) {
    const { items } = await read(`/apps/${app}/audience?limit=200`)
    const seers = people.filter((_, who) => model.active[who] && model.appsOf(who).includes(place)).map((seer) => seer.id)
    assert.deepEqual(
      items
        .map(({ user }: { user: Named }) => user.id)
        .filter((seer: number) => people.some((who) => who.id === seer))
        .sort((a: number, b: number) => a - b),
      seers,
    )
  }

  const { userIds, memberEnds } = await read(`/groups/${groups[group]}`)
  const members = people.flatMap((who, place) => {
    const end = model.endIn(model.memberships, place, group)
    return end === undefined ? [] : [{ id: who.id, end }]
  })
  assert.deepEqual(
    userIds,
    members.map((member) => member.id),
  )
  const ending = new Map(memberEnds.map(({ userId, expiresAt }: { userId: number; expiresAt: string }) => [userId, expiresAt]))
  for (const member of members) {
    const end = ending.get(member.id) as string | undefined
    assert.equal(end === undefined, member.end === NEVER)
    if (end)
      assert.ok(
        Math.abs((Date.parse(end) - Date.now()) / DAY_MS - (member.end - model.now)) < SLACK_DAYS,
        `${end} ${member.end - model.now}`,
      )
  }
  for (const request of model.requests.slice(-4)) {
    const { status, lapseReason } = await read(`/access-requests/${ids.get(request)}`)
    assert.deepEqual([status, lapseReason], [request.status, request.lapseReason])
  }
}

test(`the access of people agrees with a model after each of ${STEPS} random steps`, async () => {
  for (let step = 0; step < STEPS; step++) {
    const act = oneOf(acts)
    try {
      await act()
      await compare(person(), below(groups.length))
    } catch (error) {
      throw new Error(`step ${step}: ${act}`, { cause: error })
    }
  }
  const ends = new Set(model.requests.map(({ status }) => status).filter((status) => status !== 'pending'))
  assert.ok(ends.size >= (STEPS < 1000 ? 3 : 4), [...ends].join())
})
