/** Measures where the time of a lone call goes, statement by statement: one order, claim or sent note at a time. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { call, timeOf } from './asking.ts'
import { median, note } from './figures.ts'
import { untilQuiet } from './placing.ts'
import { openStage, RECEIVERS, type Stage } from './stage.ts'
import { now, type Timed } from './statement-times.ts'

const CALLS = 60
const ROUNDS = 3
const preload = fileURLToPath(new URL('./statement-times.ts', import.meta.url))

interface Span {
  begun: number
  ended: number
}
/** Prepares a call; returns a function that makes it. */
type Prepare = () => Promise<() => Promise<unknown>>

/** The calls that are measured. Each order is by a different person, and each is claimed later. */
function callsOf({ portal: { base }, serviceId, ids, cookies }: Stage): Record<string, Prepare> {
  const requesters = cookies.slice(RECEIVERS)
  const placed: number[] = []
  let turn = 0
  const next = () => ({ cookie: requesters[turn++ % requesters.length]! })
  return {
    async 'an order'() {
      const body = { serviceId, notes: 'الطابق الثالث، القاعة الكبرى' }
      return async () => placed.push((await call(base, next(), 'POST', '/api/orders', body)).id)
    },
    async 'a claim'() {
      return () => call(base, { cookie: cookies[0]! }, 'PATCH', `/api/orders/${placed.shift()}/confirm-receipt`)
    },
    async 'a sent note'() {
      const person = next()
      const { id } = await call(base, person, 'POST', '/api/notes', { title: 'متابعة', content: 'أعمال اللجنة' })
      return () => call(base, person, 'POST', `/api/notes/${id}/send`, { recipientUserIds: ids.slice(0, 3) })
    },
  }
}

/** Makes the calls one at a time; before each, waits until all jobs are done. */
async function oneByOne(stage: Stage, prepare: Prepare) {
  const calls: Span[] = []
  for (let n = 0; n < CALLS; n++) {
    const act = await prepare()
    await untilQuiet(stage)
    const begun = now()
    await act()
    calls.push({ begun, ended: now() })
  }
  return calls
}

/** The statements that ran during a call: the first words and the milliseconds of each. */
const during = (timed: Timed[], { begun, ended }: Span) =>
  timed.flatMap(({ text, sent, answered }) =>
    sent >= begun && answered !== null && answered <= ended
      ? [{ words: text.replace(/\s+/g, ' ').trim().slice(0, 70), ms: answered - sent }]
      : [],
  )

/** Prints the most frequent sequence of statements, each with its median time, and the time outside all statements. */
function print(what: string, calls: Span[], timed: Timed[]) {
  const all = calls.map((one) => ({ statements: during(timed, one), ms: one.ended - one.begun }))
  const alike = Map.groupBy(all, ({ statements }) => statements.map(({ words }) => words).join('\n'))
  const usual = [...alike.values()].toSorted((one, other) => other.length - one.length)[0]!
  console.log(`${what}: ${median(usual.map(({ ms }) => ms)).toFixed(2)} ms; ${usual.length} of ${calls.length} calls sent these statements`)
  for (const [place, { words }] of usual[0]!.statements.entries())
    console.log(`  ${median(usual.map(({ statements }) => statements[place]!.ms)).toFixed(2)} ms  ${words}`)
  const rest = usual.map(({ statements, ms }) => ms - statements.reduce((sum, one) => sum + one.ms, 0))
  console.log(`  ${median(rest).toFixed(2)} ms  outside the statements`)
}

/** The milliseconds of one insert, committed by itself. */
async function committedInsert(client: pg.Client) {
  const times: number[] = []
  for (let n = 0; n < CALLS; n++) {
    await pause(5)
    times.push(await timeOf(() => client.query({ name: 'lone', text: 'insert into lone_inserts (notes) values ($1)', values: ['x'] })))
  }
  return median(times)
}

/** The statements that the portal has sent since the last call. */
async function takeTimes(path: string) {
  await writeFile(path, '')
  for (;;) {
    const text = await readFile(path, 'utf8')
    if (text.endsWith(']')) return JSON.parse(text) as Timed[]
    await pause(20)
  }
}

export async function benchLone() {
  const folder = await mkdtemp(join(tmpdir(), 'bawaba-lone-'))
  const path = join(folder, 'statements.json')
  const stage = await openStage({ NODE_OPTIONS: `--import ${preload}`, STATEMENT_TIMES: path })
  const client = new pg.Client(stage.portal.connection)
  await client.connect()
  try {
    await client.query('create table lone_inserts (id int generated always as identity primary key, notes text)')
    const calls = callsOf(stage)
    const figures = Object.keys(calls).map((what) => ({ what, rounds: [] as number[], floor: [] as number[] }))
    // The first round warms the portal up.
    for (let round = 0; round <= ROUNDS; round++)
      for (const { what, rounds, floor } of figures) {
        const inserted = await committedInsert(client)
        const spans = await oneByOne(stage, calls[what]!)
        const timed = await takeTimes(path)
        if (round === ROUNDS) print(what, spans, timed)
        if (round === 0) continue
        rounds.push(median(spans.map(({ begun, ended }) => ended - begun)))
        floor.push(inserted)
      }
    for (const { what, ...all } of figures) note({ what: `${what} alone, against a committed insert`, unit: 'ms', ...all })
    return true
  } finally {
    await client.end()
    await stage.close()
    await rm(folder, { recursive: true, force: true })
  }
}
