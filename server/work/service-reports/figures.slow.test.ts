/** The figures of a report over random lives of orders, compared with a simple count. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { stepOf } from '../../../test/approvals.ts'
import { elapse } from '../../../test/clock.ts'
import { seededPortal } from '../../../test/seed.ts'
import { generator, seed } from '../../../test/suite.ts'

const { portal, org, make, seeded } = seededPortal()

/** The life of an order, in working minutes. Time passes in steps of ten minutes, and targets lie between two steps. */
interface Life {
  id: number
  service: number
  team: number
  placed: number
  status: 'pending' | 'received' | 'completed' | 'cancelled'
  receiveBy: number | null
  /** The target in working minutes without pauses. */
  completeIn: number | null
  received: number | null
  completed: number | null
  used: number | null
  paused: number
  waitsSince: number | null
  receivedInTime: boolean | null
  completedInTime: boolean | null
  reopenings: number
  /** Whether the order was never released; its clock then has not started. */
  isHeld: boolean
  isDenied: boolean
  /** Whether the order is deleted. It then counts as if nothing more had happened to it. */
  isGone: boolean
}

let calendar: number
let teams: number[]
let services: { id: number; team: number; isHeld: boolean; receiveMinutes: number | null; completeMinutes: number | null }[]
before(async () => {
  await seeded
  calendar = (await make.newCalendar()).id
  const group = (await make.newGroup({ userIds: [org.salem.id] })).id
  const team = async (lead: number) => (await make.newTeam({ calendarId: calendar, groupIds: [group], leadUserIds: [lead] })).id
  teams = [await team(org.noura.id), await team(org.faisal.id)]
  const service = async (place: number, receiveMinutes: number | null, completeMinutes: number | null, isHeld = false) => {
    const { id } = await make.newService()
    const steps = isHeld ? [stepOf({ userIds: [org.maha.id] })] : []
    await org.admin.put(`/services/${id}/handling`, { teamId: teams[place], receiveMinutes, completeMinutes, steps, reopenDays: 1 })
    return { id, team: teams[place]!, isHeld, receiveMinutes, completeMinutes }
  }
  services = [
    ...[await service(0, 25, 95), await service(0, null, 45), await service(1, 15, null)],
    ...[await service(0, null, null, true), await service(1, 25, 45, true)],
  ]
})

let now = 0
const isOpen = ({ status }: Life) => status === 'pending' || status === 'received'
const workedAt = ({ placed, paused, waitsSince }: Life) => now - placed - paused - (waitsSince === null ? 0 : now - waitsSince)
function isLate(life: Life) {
  if (life.isHeld || !isOpen(life) || life.completed !== null) return false
  if (life.received === null && life.receiveBy !== null) return now >= life.receiveBy
  return life.completeIn !== null && workedAt(life) >= life.completeIn
}
function endWait(life: Life) {
  if (life.waitsSince !== null) life.paused += now - life.waitsSince
  life.waitsSince = null
}
function noteClaim(life: Life) {
  endWait(life)
  life.status = 'received'
  if (life.received !== null) return
  life.received = now
  if (life.receiveBy !== null) life.receivedInTime = now < life.receiveBy
}

const lives: Life[] = []
const status = (life: Life, to: string) => org.admin.patch(`/orders/${life.id}/status`, { status: to })
/** The acts. An act that is not possible in the current state is skipped. */
const acts: ((life: Life, next: (below: number) => number) => Promise<unknown> | undefined)[] = [
  (life, next) => {
    if (!life.isHeld || life.status !== 'pending') return
    if (next(4) === 0) {
      life.status = 'cancelled'
      life.isDenied = true
      return org.maha.post(`/orders/${life.id}/deny`, { note: 'No' })
    }
    const { receiveMinutes } = services.find(({ id }) => id === life.service)!
    Object.assign(life, { isHeld: false, placed: now, receiveBy: receiveMinutes && now + receiveMinutes })
    return org.maha.post(`/orders/${life.id}/approve`, {})
  },
  (life) => {
    if (life.isHeld || life.status !== 'pending') return
    noteClaim(life)
    return org.salem.patch(`/orders/${life.id}/confirm-receipt`)
  },
  (life) => {
    if (life.status !== 'received') return
    const used = workedAt(life)
    endWait(life)
    life.status = 'completed'
    if (life.completed === null) {
      life.completed = now
      life.used = used
      if (life.completeIn !== null) life.completedInTime = used < life.completeIn
    }
    return status(life, 'completed')
  },
  (life, next) => {
    if (next(3) || life.status === 'cancelled') return
    endWait(life)
    life.status = 'cancelled'
    return status(life, 'cancelled')
  },
  (life, next) => {
    if (next(2) || !isOpen(life)) return
    endWait(life)
    const back = life.status
    return status(life, 'cancelled').then(() => status(life, back))
  },
  (life) => {
    if (life.status !== 'received') return
    endWait(life)
    life.status = 'pending'
    return org.salem.post(`/orders/${life.id}/release`)
  },
  (life) => {
    if (life.status !== 'received') return
    life.waitsSince ??= now
    return org.salem.post(`/orders/${life.id}/wait`, { for: 'third_party', text: 'Which room?' })
  },
  (life) => {
    if (life.waitsSince === null) return
    endWait(life)
    return org.salem.post(`/orders/${life.id}/resume`)
  },
  (life) => {
    if (life.status !== 'completed' || life.reopenings === 3) return
    life.reopenings++
    life.status = 'received'
    return org.huda.post(`/orders/${life.id}/reopen`, { text: 'Still dark' })
  },
  (life, next) => {
    if (life.isHeld || !isOpen(life)) return
    const team = teams[next(2)]!
    if (team === life.team) return
    endWait(life)
    life.team = team
    life.status = 'pending'
    return org.admin.post(`/orders/${life.id}/transfer`, { teamId: team })
  },
  (life, next) => {
    if (next(2)) return
    life.isGone = true
    return org.admin.delete(`/orders/${life.id}`)
  },
]

/** The percentile at `share` (from 0 to 1), interpolated between two values if necessary. */
function percentile(values: (number | null)[], share: number) {
  const known = values.filter((value) => value !== null).toSorted((one, other) => one - other)
  if (known.length === 0) return null
  const place = share * (known.length - 1)
  const [low, high] = [known[Math.floor(place)]!, known[Math.ceil(place)]!]
  return low + (high - low) * (place - Math.floor(place))
}
const number = (some: Life[], is: (life: Life) => boolean | null) => some.filter(is).length
/** Asserts that minutes exceed the expected ones by less than a step, because real time passes as well. */
function assertAbout(shown: (number | null)[], expected: (number | null)[]) {
  const differences = shown.map((minutes, n) =>
    minutes === null || expected[n] === null ? minutes === expected[n] : minutes - expected[n]!,
  )
  assert.ok(
    differences.every((one) => one === true || (typeof one === 'number' && one >= 0 && one < 10)),
    `${shown}, not ${expected}`,
  )
}

function countOf(some: Life[]) {
  const inTime = (known: (life: Life) => boolean | null) => ({
    count: number(some, known),
    base: number(some, (life) => known(life) !== null),
  })
  const isCompleted = ({ status, completed }: Life) => status !== 'cancelled' && completed !== null
  return {
    placed: some.length,
    completed: number(some, isCompleted),
    cancelled: number(some, ({ status, isDenied }) => status === 'cancelled' && !isDenied),
    denied: number(some, ({ isDenied }) => isDenied),
    lapsed: 0,
    reopened: number(some, ({ reopenings }) => reopenings > 0),
    open: number(some, (life) => life.status !== 'cancelled' && !isCompleted(life)),
    late: number(some, isLate),
    receivedInTime: inTime(({ receivedInTime }) => receivedInTime),
    completedInTime: inTime(({ completedInTime }) => completedInTime),
  }
}
const minutesOf = (some: Life[]) => {
  const toReceive = some.map(({ received, placed }) => (received === null ? null : received - placed))
  const toComplete = some.map(({ used }) => used)
  return [percentile(toReceive, 0.5), percentile(toReceive, 0.9), percentile(toComplete, 0.5), percentile(toComplete, 0.9)]
}

const days = `from=${new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)}&to=${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}`
type Shown = ReturnType<typeof countOf> & Record<string, unknown>
function figuresIn({ byDay, serviceId: _, serviceNameAr: __, serviceNameEn: ___, ...shown }: Shown & { byDay?: unknown }) {
  const { medianMinutesToReceive, p90MinutesToReceive, medianMinutesToComplete, p90MinutesToComplete, ...counts } = shown
  const minutes = [medianMinutesToReceive, p90MinutesToReceive, medianMinutesToComplete, p90MinutesToComplete] as (number | null)[]
  return { counts, minutes, days: byDay as Record<string, number>[] }
}

async function compare() {
  for (const [who, query, isSeen] of [
    [org.admin, '', () => true],
    [org.noura, '', ({ team, isHeld }: Life) => team === teams[0] && !isHeld],
    [org.faisal, `&teamId=${teams[1]}`, ({ team, isHeld }: Life) => team === teams[1] && !isHeld],
    [org.admin, `&teamId=${teams[1]}`, ({ team }: Life) => team === teams[1]],
    [org.admin, `&serviceId=${services[0]!.id}`, ({ service }: Life) => service === services[0]!.id],
  ] as const) {
    const { body, status, text } = await who.get(`/service-reports?${days}${query}`)
    assert.equal(status, 200, text)
    const seen = lives.filter(isSeen)
    const { counts, minutes, days: byDay } = figuresIn(body.total)
    assert.deepEqual(counts, countOf(seen))
    assertAbout(minutes, minutesOf(seen))
    for (const name of ['placed', 'completed', 'open', 'late'] as const)
      assert.equal(
        byDay.reduce((sum, day) => sum + day[name]!, 0),
        countOf(seen)[name],
      )
    for (const one of body.services) {
      const own = seen.filter(({ service }) => service === one.serviceId)
      assert.deepEqual(figuresIn(one).counts, countOf(own))
      assertAbout(figuresIn(one).minutes, minutesOf(own))
    }
    assert.deepEqual(
      body.services.map(({ serviceId }: { serviceId: number }) => serviceId),
      services.map(({ id }) => id).filter((id) => seen.some(({ service }) => service === id)),
    )
  }
}

test('each figure of a report equals a simple count, through random lives, pauses, reopenings and deletions', async () => {
  const next = generator(seed)
  for (let n = 0; n < 400; n++) {
    const live = lives.filter(({ isGone }) => !isGone)
    if (next(6) === 0) {
      const minutes = 10 * (1 + next(4))
      await elapse(portal, calendar, minutes)
      now += minutes
    } else if (live.length < 30 && next(3) === 0) {
      const { id: service, team, isHeld, receiveMinutes, completeMinutes } = services[next(services.length)]!
      const { id } = (await org.huda.post('/orders', { serviceId: service })).body
      lives.push({
        ...{
          id,
          service,
          team,
          placed: now,
          status: 'pending',
          paused: 0,
          waitsSince: null,
          reopenings: 0,
          isHeld,
          isDenied: false,
          isGone: false,
        },
        ...{ receiveBy: receiveMinutes && now + receiveMinutes, completeIn: completeMinutes },
        ...{ received: null, completed: null, used: null, receivedInTime: null, completedInTime: null },
      })
    } else if (live.length) {
      const life = live[next(live.length)]!
      let answer: { status: number; text: string } | undefined
      for (let tries = 0; !answer && tries < 4; tries++) answer = (await acts[next(acts.length)]!(life, next)) as typeof answer
      assert.ok(!answer || answer.status < 300, answer?.text)
    }
    if (n % 40 === 39) await compare()
  }
  const [gone, reopened] = [number(lives, ({ isGone }) => isGone), number(lives, ({ reopenings }) => reopenings > 0)]
  const [late, denied] = [number(lives, (life) => life.isGone && isLate(life)), number(lives, ({ isDenied }) => isDenied)]
  const said = `${lives.length} lives, ${gone} of them deleted, ${late} of these late, ${reopened} reopened, and ${denied} denied`
  assert.ok(gone > 2 && late > 0 && reopened > 0 && denied > 0, said)
})
