/** Random lives of orders that wait for approvals, compared with a model of their approvals. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { approving, stepOf } from '../../../test/approvals.ts'
import { runJob } from '../../../test/jobs.ts'
import type { Answer, Client } from '../../../test/portal.ts'
import { seededPortal } from '../../../test/seed.ts'
import { generated } from '../../../test/suite.ts'

const { portal, org, make, seeded } = seededPortal()
const { serviceWith, placed, approve, deny, detailsFor, waitingFor, passHours } = approving(portal, make)

const names = ['placer', 'guest', 'named', 'member', 'boss', 'chief', 'stranger'] as const
type Name = (typeof names)[number]
type Somebody = Client & { id: number; username: string }
let people: Record<Name, Somebody>
let group: { id: number }
before(async () => {
  await seeded
  const made: [Name, Somebody][] = []
  for (const name of names) made.push([name, await make.newPerson()])
  people = Object.fromEntries(made) as Record<Name, Somebody>
  group = await make.newGroup()
  // The administrator of the model; no other administrator decides.
  await org.admin.post(`/users/${people.chief.id}/roles`, { roleName: 'admin' })
  assert.equal((await org.admin.put(`/users/${people.guest.id}/manager`, { userId: people.boss.id })).status, 200)
})

interface Step {
  named: Name[]
  byGroup: boolean
  manager: boolean
  needed: number
}
interface World {
  active: Set<Name>
  members: Set<Name>
  admins: Set<Name>
}
interface Life {
  steps: Step[]
  /** The index of the open step, and the people who approved each step. */
  at: number
  given: Set<Name>[]
  hold: 'waiting' | 'refused' | null
  status: 'pending' | 'cancelled'
  isOver: boolean
  releases: number
  opened: number
}

const parties: readonly Name[] = ['placer', 'guest']
const approversOf = ({ named, byGroup, manager }: Step, { active, members }: World) =>
  names.filter(
    (name) =>
      active.has(name) &&
      !parties.includes(name) &&
      (named.includes(name) || (byGroup && members.has(name)) || (manager && name === 'boss')),
  )
const isAdmin = (name: Name, { admins, active }: World) => admins.has(name) && active.has(name)
const isDecider = (name: Name, life: Life, world: World) =>
  life.steps.slice(0, life.opened).some((step, n) => life.given[n]!.has(name) || approversOf(step, world).includes(name))

/** Returns the portal’s expected answer to a decision, and applies an accepted one to the model. */
function decide(life: Life, world: World, who: Name, isDenial: boolean) {
  if (!world.active.has(who)) return 401
  if (parties.includes(who)) return 403
  const rules = isAdmin(who, world)
  if (!rules && !isDecider(who, life, world)) return 404
  const isOpen = life.hold === 'waiting' && life.status === 'pending' && !life.isOver
  const step = life.steps[life.at]
  const isApprover = step !== undefined && approversOf(step, world).includes(who)
  if (!isOpen || !step || !(isApprover || rules)) return 400
  if (isDenial) {
    life.given[life.at]!.add(who)
    Object.assign(life, { hold: 'refused', status: 'cancelled' })
    return 200
  }
  const given = life.given[life.at]!.add(who)
  const approvers = approversOf(step, world)
  const valid = [...given].filter((one) => approvers.includes(one) || isAdmin(one, world))
  const isDone = !isApprover || valid.length >= Math.max(1, Math.min(step.needed, approvers.length))
  if (!isDone) return 200
  life.at += 1
  if (life.at < life.steps.length) life.opened += 1
  else Object.assign(life, { hold: null, releases: life.releases + 1 })
  return 200
}

const acts = ['approve', 'approve', 'approve', 'deny', 'cancel', 'restore', 'leave', 'join', 'rule', 'obey', 'off', 'on', 'lapse'] as const
type Act = { act: (typeof acts)[number]; who: Name }
const steps = fc.array(
  fc.record({
    named: fc.uniqueArray(fc.constantFrom<Name>('named', 'member', 'boss', 'stranger', 'placer'), { maxLength: 2 }),
    byGroup: fc.boolean(),
    manager: fc.boolean(),
    needed: fc.integer({ min: 1, max: 3 }),
  }),
  { minLength: 1, maxLength: 3 },
)
const lives = fc.record({
  steps,
  schedule: fc.array(fc.record({ act: fc.constantFrom(...acts), who: fc.constantFrom(...names) }), { minLength: 4, maxLength: 14 }),
})

const code = ({ status }: Answer) => status
/** Does an act in the portal and in the model, and compares the answers. */
async function doOne(id: number, life: Life, world: World, { act, who }: Act) {
  const person = people[who]
  const ok = async (answering: Promise<Answer>) => {
    const { status, text } = await answering
    assert.ok(status < 300, text)
  }
  switch (act) {
    case 'approve':
    case 'deny': {
      const expected = decide(life, world, who, act === 'deny')
      assert.equal(code(await (act === 'deny' ? deny : approve)(person, id)), expected, `${act} by ${who}`)
      return
    }
    case 'cancel':
    case 'restore': {
      if (!world.active.has('placer') || life.isOver) return
      const [from, to] = act === 'cancel' ? (['pending', 'cancelled'] as const) : (['cancelled', 'pending'] as const)
      const isRefused = life.hold === 'refused' && to === 'pending'
      const isHeld = life.hold === 'waiting' && life.status === 'pending' && to === 'pending'
      const answer = await people.placer.patch(`/orders/${id}/status`, { status: to })
      assert.equal(code(answer), isHeld ? 409 : life.status === from && !isRefused ? 200 : 400, act)
      if (life.status === from && !isRefused) life.status = to
      return
    }
    case 'leave':
    case 'join': {
      if (parties.includes(who) || world.members.has(who) === (act === 'join')) return
      await ok(
        act === 'join'
          ? org.admin.post(`/groups/${group.id}/users`, { userId: person.id })
          : org.admin.delete(`/groups/${group.id}/users/${person.id}`),
      )
      world.members[act === 'join' ? 'add' : 'delete'](who)
      return
    }
    case 'rule':
    case 'obey': {
      if (who === 'chief' || world.admins.has(who) === (act === 'rule')) return
      await ok(
        act === 'rule'
          ? org.admin.post(`/users/${person.id}/roles`, { roleName: 'admin' })
          : org.admin.delete(`/users/${person.id}/roles/admin`),
      )
      world.admins[act === 'rule' ? 'add' : 'delete'](who)
      return
    }
    case 'off':
    case 'on': {
      // Deactivating a beneficiary ends the order; another test covers that.
      if (parties.includes(who) || world.active.has(who) === (act === 'on')) return
      await ok(org.admin.patch(`/users/${person.id}`, { isActive: act === 'on' }))
      world.active[act === 'on' ? 'add' : 'delete'](who)
      if (act === 'on') await person.signIn(person.username)
      return
    }
    case 'lapse': {
      if (life.hold !== 'waiting' || life.isOver) return
      await passHours(id, 337)
      life.isOver = true
      return
    }
  }
}

async function compare(id: number, life: Life, world: World) {
  const { approval } = await detailsFor(org.admin, id)
  const { status } = (await org.admin.get(`/orders/${id}`)).body
  const lapsed = life.isOver && life.hold === 'waiting' && life.status === 'pending'
  const state = lapsed ? 'lapsed' : life.hold === 'refused' ? 'denied' : life.hold === null ? 'approved' : 'waiting'
  if (!life.isOver) assert.deepEqual([approval.state, status], [state, life.status])
  else if (lapsed) assert.equal(approval.state, 'lapsed')
  const isOpen = life.hold === 'waiting' && life.status === 'pending' && !life.isOver
  const approvers = isOpen ? approversOf(life.steps[life.at]!, world) : []
  const isLeftToNobody = isOpen && approvers.every((name) => life.given[life.at]!.has(name))
  for (const name of names) {
    if (!world.active.has(name)) continue
    const has = (await waitingFor(people[name])).includes(id)
    const finds = approvers.includes(name) || (isLeftToNobody && isAdmin(name, world) && !parties.includes(name))
    assert.equal(has, finds, `the list of ${name}`)
  }
  const [row] = await portal.sql<{ count: number }>(
    `select count(*)::int as count from ledger where kind = 'order.released' and target_id = $1`,
    [id],
  )
  assert.equal(row!.count, life.releases)
  assert.ok(life.releases <= 1)
}

const worldAtFirst = (): World => ({ active: new Set(names), members: new Set<Name>(['member']), admins: new Set<Name>(['chief']) })
/** Restores the initial groups and accounts of all people. */
async function reset() {
  await org.admin.patch(`/groups/${group.id}`, { userIds: [people.member.id] })
  for (const name of names) {
    const person = people[name]
    await org.admin.patch(`/users/${person.id}`, { isActive: true })
    if (name !== 'chief') await org.admin.delete(`/users/${person.id}/roles/admin`)
    if ((await person.get('/auth/me')).status !== 200) await person.signIn(person.username)
  }
}

test('random lives of orders that wait for approvals match the model', async () => {
  await fc.assert(
    fc.asyncProperty(lives, async ({ steps: drawn, schedule }) => {
      await reset()
      const serviceId = await serviceWith({
        onBehalf: 'everyone',
        steps: drawn.map(({ named, byGroup, manager, needed }, n) =>
          stepOf({ key: `step${n}`, userIds: named.map((name) => people[name].id), groupIds: byGroup ? [group.id] : [], manager, needed }),
        ),
      })
      const id = await placed(people.placer, serviceId, { forUserId: people.guest.id })
      const life: Life = {
        ...{ steps: drawn, at: 0, given: drawn.map(() => new Set<Name>()), hold: 'waiting', status: 'pending' },
        ...{ isOver: false, releases: 0, opened: 1 },
      }
      const world = worldAtFirst()
      await compare(id, life, world)
      for (const one of schedule) {
        await doOne(id, life, world, one)
        await compare(id, life, world)
      }
      if (life.isOver && life.hold === 'waiting' && life.status === 'pending') {
        await runJob(portal, 'follow_order_approvals')
        const { approval } = await detailsFor(org.admin, id)
        assert.deepEqual([approval.state, approval.lapseReason], ['lapsed', 'undecided'])
        assert.equal((await org.admin.get(`/orders/${id}`)).body.status, 'cancelled')
      }
    }),
    generated(5, 60),
  )
})
