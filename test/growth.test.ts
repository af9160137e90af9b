/** What the portal does with what it is sent takes time linear in its bytes, whatever they are. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { withClient } from '../server/platform/database/client.ts'
import { weighJson } from '../server/platform/http/json-extent.ts'
import { addressCheck, bodyCheck, parseJson, parseQuery } from '../server/platform/http/validate.ts'
import { Refusal } from '../server/platform/refusal.ts'
import { someOf } from './depth.ts'
import { testPortal } from './portal.ts'
import { routes } from './running.ts'

const portal = testPortal()

/** Texts of about so many characters that slow down whoever backtracks, looks behind or sorts. */
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
/** Between what is linear (8) and what is quadratic (64). */
const MOST = 24
const TOO_SHORT_TO_TELL_MS = 40

const passed = () => performance.now()
/** The time that this thread has worked, in ms: what else the machine does counts for nothing. */
function worked() {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** The time that a process of the database has worked, as Linux counts it; elsewhere the time that has passed. */
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

/** Fails where eight times the input takes far more than eight times as long. */
async function checkGrowth(what: string, actOn: (part: number) => () => unknown, clock = passed) {
  const whole = await fastest(actOn(1), clock)
  if (whole < TOO_SHORT_TO_TELL_MS) return
  const part = await fastest(actOn(1 / TIMES), clock)
  assert.ok(whole < MOST * part, `${what}: ${whole.toFixed()} ms instead of ${part.toFixed()} ms for ${TIMES} times as much`)
}

// Before those that keep this process busy for so long that the connection is closed meanwhile.
test('a name with more marks in a row than any script needs is refused before it is looked up, whatever parts them', async () => {
  for (const parting of ['', '\u0007', '\u202e']) {
    const username = `a${`\u0301${parting}`.repeat(16)}${`\u0327${parting}`.repeat(16)}`
    const { status, body } = await portal.stranger().post('/auth/login', { username, password: 'x' })
    assert.deepEqual([status, body.code], [400, 'validation_failed'], JSON.stringify(parting))
  }
})

test('a search of notes takes no longer where they and what is looked for repeat themselves', async () => {
  const { id } = portal.admin
  await portal.sql(
    `with written as (insert into notes (user_id, content) select ${id}, repeat('a', 20000) from generate_series(1, 300) returning id)
     insert into ledger (kind, target_type, target_id, facts) select 'test.meddled', 'note', id, '{}' from written`,
  )
  const search = (text: string) => async () => assert.deepEqual((await portal.admin.get(`/notes?q=${text}`)).body, [])
  const plain = Math.max(TOO_SHORT_TO_TELL_MS, await fastest(search('nowhere')))
  for (const text of [`${'a'.repeat(199)}b`, `b${'a'.repeat(199)}`, `${'a'.repeat(100)}b${'a'.repeat(99)}`]) {
    const hostile = await fastest(search(text))
    assert.ok(hostile < MOST * plain, `${hostile.toFixed()} ms instead of ${plain.toFixed()} ms`)
  }
})

interface Schema {
  type?: string | string[]
  maxLength?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
}
const LARGEST = 1024 * 1024
/** A clean text may be four times as long before it is cleaned. */
const longest = ({ maxLength = LARGEST }: Schema) => Math.min(4 * maxLength, LARGEST)

/** A value with hostile texts wherever the shape takes one, each a part of the longest that is looked at. */
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

for (const [kind, text] of someOf(Object.entries(hostile), 4))
  test(`no shape takes long over ${kind}`, async () => {
    for (const { at, endpoint } of routes)
      for (const [shape, check] of [
        [endpoint.body, bodyCheck],
        [endpoint.query, addressCheck],
      ] as const) {
        if (!shape) continue
        const look = refusing(check(shape))
        await checkGrowth(
          at,
          (part) => {
            const value = fill(shape as Schema, text, part)
            return () => look(structuredClone(value))
          },
          worked,
        )
      }
  })

const wholes: [what: string, actOn: (length: number) => () => unknown][] = [
  ['a body whose extent is looked for', (length) => () => weighJson(Buffer.from(`[${'{"a":1},'.repeat(length / 8)}1]`), length)],
  ['a body of brackets', (length) => () => refusing(parseJson as never)(Buffer.from('['.repeat(length / 2) + ']'.repeat(length / 2)))],
  [
    'a body of objects in objects',
    (length) => () => parseJson(Buffer.from(`${'{"a":'.repeat(length / 6)}"\\u0001"${'}'.repeat(length / 6)}`)),
  ],
  ['a field given over and over', (length) => () => parseJson(Buffer.from(`{${'"a":1,'.repeat(length / 6)}"a":1}`))],
  ['a parameter given over and over', (length) => () => parseQuery('a=1&'.repeat(length / 4))],
]
for (const [what, actOn] of wholes) test(`${what} is read in linear time`, () => checkGrowth(what, (part) => actOn(LARGEST * part), worked))

test('folding a text for the search takes the database linear time', () =>
  withClient(portal.connection, async (client) => {
    const clock = workedBy((await client.query('select pg_backend_pid() as pid')).rows[0].pid)
    for (const [kind, text] of someOf(Object.entries(hostile), 4)) {
      const folded = (length: number) => {
        const sent = text(length).replace(/[\u0301\u0327]{31,}/g, (run) => run.slice(0, 30))
        return () => client.query('select length(portal_fold($1))', [sent])
      }
      await checkGrowth(kind, (part) => folded(80_000 * part), clock)
    }
  }))
