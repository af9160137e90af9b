/** Measures whether the portal's time is linear in the size of its input: eight times the input may take at most `MOST` times as long. */
import { existsSync, readFileSync } from 'node:fs'
import { looksOf } from '../server/people/users/rules.ts'
import { openScale } from '../server/platform/bodies/json-extent.ts'
import { withClient } from '../server/platform/database/client.ts'
import { Refusal } from '../server/platform/errors/refusal.ts'
import { addressCheck, bodyCheck, parseJson, parseQuery } from '../server/platform/http/validate.ts'
import { openTestPortal, type TestPortal } from '../test/portal.ts'
import { routes } from '../test/running.ts'
import { globalSetup, globalTeardown } from '../test/setup.ts'
import { note } from './figures.ts'

/** Texts of about `length` characters that slow down code that backtracks, looks behind or sorts. */
const hostile: Record<string, (length: number) => string> = {
  'one letter': (length) => 'a'.repeat(length),
  spaces: (length) => ` ${' '.repeat(length - 2)}x`,
  'line breaks': (length) => '\r\n'.repeat(length / 2),
  'marks out of order': (length) => `a${'\u0301'.repeat(length / 2)}${'\u0327'.repeat(length / 2)}`,
  'marks with what is dropped between them': (length) =>
    `a${`${'\u0301'.repeat(30)}\u0007`.repeat(length / 62)}${`${'\u0327'.repeat(30)}\u0007`.repeat(length / 62)}`,
  'marks with overrides between them': (length) => `a${'\u0301\u202e'.repeat(length / 4)}${'\u0327\u202e'.repeat(length / 4)}`,
  'ligatures of eighteen letters': (length) => 'ﷺ'.repeat(length),
  folders: (length) => `/objects${'/a'.repeat(length / 2)} `,
  'an address that breaks off': (length) => `https://${'a.'.repeat(length / 2)}<`,
  'a name that breaks off': (length) => `a${'-a'.repeat(length / 2)}_`,
  'dotted names that break off': (length) => `a${'.a'.repeat(length / 2)}-`,
  'mail to nobody': (length) => '@'.repeat(length),
  'media type parameters': (length) => `a/b${'; a=b'.repeat(length / 5)};`,
  'formulas after separators': (length) => ';\u200b'.repeat(length / 2),
}

const TIMES = 8
/** Between linear (8) and quadratic (64). */
const MOST = 24
const TOO_SHORT_TO_TELL_MS = 40

const passed = () => performance.now()
/** The CPU time of this thread, in ms; other load on the machine does not count. */
function worked() {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** The CPU time of a database process on Linux; elsewhere the elapsed time. */
function workedBy(pid: number) {
  const file = `/proc/${pid}/schedstat`
  return existsSync(file) ? () => Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6 : passed
}

async function fastest(act: () => unknown, clock = passed) {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < 3; round++) {
    const begun = clock()
    await act()
    least = Math.min(least, clock() - begun)
    if (least < TOO_SHORT_TO_TELL_MS) break
  }
  return least
}

/** The time for the whole input divided by the time for an eighth of it; 1 if the whole is too short to measure. */
async function growthOf(actOn: (part: number) => () => unknown, clock: () => number) {
  const whole = await fastest(actOn(1), clock)
  if (whole < TOO_SHORT_TO_TELL_MS) return 1
  return whole / (await fastest(actOn(1 / TIMES), clock))
}

interface Schema {
  type?: string | string[]
  maxLength?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
}
const LARGEST = 1024 * 1024
/** The length of the longest text to generate: before it is cleaned, a text may be four times as long as afterwards. */
const longest = ({ maxLength = LARGEST }: Schema) => Math.min(4 * maxLength, LARGEST)

/** A value of the shape, filled with hostile texts. `part` is the length of texts and arrays, as a share of the longest ones. */
function fill(schema: Schema, text: (length: number) => string, part: number): unknown {
  const types = [schema.type].flat()
  if (types.includes('object'))
    return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, fill(inner, text, part)]))
  if (types.includes('array')) {
    const count = Math.ceil(Math.min(schema.maxItems ?? LARGEST, 2000) * part)
    return Array.from({ length: count }, (_, index) =>
      [schema.items?.type].flat().includes('integer') ? index + 1 : fill(schema.items ?? {}, text, part / count),
    )
  }
  if (types.includes('string')) return text(Math.max(8, Math.floor(longest(schema) * part)))
  return 1
}

const refusing = (check: (value: never) => unknown) => (value: unknown) => {
  try {
    check(value as never)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

/** The largest growth over the shapes of all endpoints and every kind of hostile text. */
async function growthOfShapes() {
  let most = 0
  for (const text of Object.values(hostile))
    for (const { endpoint } of routes)
      for (const [shape, check] of [
        [endpoint.body, bodyCheck],
        [endpoint.query, addressCheck],
      ] as const) {
        if (!shape) continue
        const look = refusing(check(shape))
        const actOn = (part: number) => {
          const value = fill(shape as Schema, text, part)
          return () => look(structuredClone(value))
        }
        most = Math.max(most, await growthOf(actOn, worked))
      }
  return most
}

const wholes: Record<string, (length: number) => () => unknown> = {
  'a body whose extent is looked for': (length) => () => openScale(length).add(Buffer.from(`[${'{"a":1},'.repeat(length / 8)}1]`)),
  'a body of brackets': (length) => () => refusing(parseJson as never)(Buffer.from('['.repeat(length / 2) + ']'.repeat(length / 2))),
  'a body of objects in objects': (length) => () =>
    refusing(parseJson as never)(Buffer.from(`${'{"a":'.repeat(length / 6)}"\\u0001"${'}'.repeat(length / 6)}`)),
  'a field given over and over': (length) => () => parseJson(Buffer.from(`{${'"a":1,'.repeat(length / 6)}"a":1}`)),
  'a parameter given over and over': (length) => () => parseQuery('a=1&'.repeat(length / 4)),
  'the looks of a name': (length) => () => looksOf('\u0645'.repeat(length / 1024)),
}

/** The largest growth of the database's normalisation of a text for search. */
const growthOfFolding = (portal: TestPortal) =>
  withClient(portal.connection, async (client) => {
    const clock = workedBy((await client.query('select pg_backend_pid() as pid')).rows[0].pid)
    let most = 0
    for (const text of Object.values(hostile)) {
      const folded = (part: number) => {
        const sent = text(80_000 * part).replace(/[\u0301\u0327]{31,}/g, (run) => run.slice(0, 30))
        return () => client.query('select length(portal_fold($1))', [sent])
      }
      most = Math.max(most, await growthOf(folded, clock))
    }
    return most
  })

/** The time of a search for a repetitive term in repetitive notes, divided by the time of a search for a plain word. */
async function growthOfSearch(portal: TestPortal) {
  const { id } = portal.admin
  await portal.sql(
    `with written as (insert into notes (user_id, content) select ${id}, repeat('a', 20000) from generate_series(1, 300) returning id)
     insert into ledger (kind, target_type, target_id, facts) select 'test.meddled', 'note', id, '{}' from written`,
  )
  const search = (text: string) => () => portal.admin.get(`/notes?q=${text}`)
  const plain = Math.max(TOO_SHORT_TO_TELL_MS, await fastest(search('nowhere')))
  let most = 0
  for (const text of [`${'a'.repeat(199)}b`, `b${'a'.repeat(199)}`, `${'a'.repeat(100)}b${'a'.repeat(99)}`])
    most = Math.max(most, (await fastest(search(text))) / plain)
  return most
}

export async function benchGrowth() {
  await globalSetup()
  const { portal, close } = await openTestPortal()
  const hold = (what: string, growth: number) =>
    note({ what: `${what}: time for ${TIMES} times the bytes`, unit: 'times', rounds: [growth], atMost: MOST })
  try {
    const held = [hold('any shape', await growthOfShapes())]
    for (const [what, actOn] of Object.entries(wholes)) held.push(hold(what, await growthOf((part) => actOn(LARGEST * part), worked)))
    held.push(hold('folding for the search', await growthOfFolding(portal)), hold('searching notes', await growthOfSearch(portal)))
    return held.every(Boolean)
  } finally {
    await close()
    await globalTeardown()
  }
}
