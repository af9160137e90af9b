/** Two simultaneous actions on two instances: the result is that of some serial order, and each such result occurs. */
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { Kysely } from 'kysely'
import pg from 'pg'
import { type Answer, Client, type TestPortal, until } from './portal.ts'
import { scale } from './suite.ts'

/** An action on the instance 0 or 1. */
export type Act = (at: 0 | 1) => Promise<Answer>

/** One person, signed in at both instances. */
export type AtBoth = [Client, Client]

/** Returns a function that gives a person a client at a second instance, too. Its first call starts that instance. */
export function twoInstances(portal: TestPortal) {
  let started: ReturnType<TestPortal['another']> | undefined
  const second = () => (started ??= portal.another())
  return async (person: Client): Promise<AtBoth> => {
    const { base } = await second()
    return [person, Object.assign(new Client(base), { cookie: person.cookie, id: person.id, username: person.username })]
  }
}

export const outcome = ({ status, body }: Answer) => `${status}${body?.code ? ` ${body.code}` : ''}`

/** The answers to the first and the second action. */
type Pair = [Answer, Answer]
type Meeting = (portal: TestPortal, acts: [Act, Act]) => Promise<Pair>

/** How many statements wait for a lock. */
export const waits = async (portal: TestPortal) =>
  (await portal.sql(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)).length

/** Blocks the recording of changes while `act` runs, so that a writer waits while it holds its locks. */
export async function whileNoneRecords<T>(portal: TestPortal, act: () => Promise<T>) {
  const client = new pg.Client(portal.connection)
  await client.connect()
  try {
    await client.query('begin; lock table ledger in share mode')
    return await act()
  } finally {
    await client.end()
  }
}

/** The second action starts when the first has yet to record its change and commit. */
export const overlapping =
  (first: 0 | 1): Meeting =>
  async (portal, acts) => {
    const answers: Promise<Answer>[] = []
    const start = async (which: 0 | 1, at: 0 | 1) => {
      const before = await waits(portal)
      let isOver = false
      answers[which] = acts[which](at).finally(() => {
        isOver = true
      })
      await until('it waits or is done', async () => isOver || (await waits(portal)) > before)
    }
    await whileNoneRecords(portal, async () => {
      await start(first, 0)
      await start(first ? 0 : 1, 1)
    })
    return (await Promise.all(answers)) as Pair
  }

/** The second action starts after the first has ended. */
const consecutive =
  (first: 0 | 1): Meeting =>
  async (_portal, acts) => {
    const answers: Answer[] = []
    answers[first] = await acts[first](0)
    answers[first ? 0 : 1] = await acts[first ? 0 : 1](1)
    return answers as Pair
  }

/** Keeps the next transaction from beginning until `letGo`. `isHeld` is true once a transaction tries to begin. */
export function holdNextTransaction() {
  const begin = Kysely.prototype.transaction
  const gate = Promise.withResolvers<void>()
  const hold = { isHeld: false, letGo: () => gate.resolve() }
  Kysely.prototype.transaction = function (this: Kysely<unknown>) {
    Kysely.prototype.transaction = begin
    const transaction = begin.call(this)
    const execute = transaction.execute.bind(transaction)
    hold.isHeld = true
    return Object.assign(transaction, { execute: (work: Parameters<typeof execute>[0]) => gate.promise.then(() => execute(work)) })
  }
  return hold
}

/** The first action is authenticated, but its transaction begins only after the second action. */
const overtaken =
  (first: 0 | 1): Meeting =>
  async (_portal, acts) => {
    const answers: Promise<Answer>[] = []
    const hold = holdNextTransaction()
    let isOver = false
    answers[first] = acts[first](0).finally(() => {
      isOver = true
    })
    await until('it would begin or is done', () => isOver || hold.isHeld)
    const other = first ? 0 : 1
    answers[other] = acts[other](1)
    await answers[other].finally(hold.letGo)
    return (await Promise.all(answers)) as Pair
  }

/** Either action may start some milliseconds before the other, on the same instance or on another. */
const free =
  (round: number): Meeting =>
  async (_portal, acts) =>
    Promise.all(
      acts.map(async (act, n) => {
        if (n === (round & 1)) await pause((round >> 2) * 2)
        return act(((round >> 1) & n & 1) as 0 | 1)
      }),
    ) as Promise<Pair>

/**
 * Runs two actions against each other many times, each time prepared by `meet`. Every result must be one of `endings`, and each
 * ending must occur. `describe` returns the result of the actions.
 */
export async function race(
  portal: TestPortal,
  endings: string[],
  meet: () => Promise<{ acts: [Act, Act]; describe: (answers: Pair) => Promise<string> }>,
) {
  const seen: Record<string, number> = {}
  const rounds = Array.from({ length: scale(2, 12) }, (_, round) => free(round))
  for (const meeting of [...([0, 1] as const).flatMap((first) => [consecutive(first), overlapping(first), overtaken(first)]), ...rounds]) {
    const { acts, describe } = await meet()
    const answers = await meeting(portal, acts)
    const ending = `${answers.map(outcome).join(', ')}${await describe(answers)}`
    assert.ok(endings.includes(ending), ending)
    seen[ending] = (seen[ending] ?? 0) + 1
  }
  assert.deepEqual(Object.keys(seen).toSorted(), endings.toSorted())
  assert.equal(await portal.deadlocks(), 0)
}
