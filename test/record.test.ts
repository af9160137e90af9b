/** What the recorder writes for changes, tried with kinds that exist only here. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { Type } from 'typebox'
import type { AnyKind, Event, Recipients } from '../server/platform/changes/change-kind.ts'
import type { Change } from '../server/platform/changes/outcome.ts'
import { recorder } from '../server/platform/changes/record.ts'
import { part } from '../server/platform/changes/statement.ts'
import { statementsDuring } from './counting.ts'
import { testPortal, until } from './portal.ts'

const portal = testPortal()

type Said = { event: string; data: object; to: Event['to']; sessions?: number[] }
interface Tried {
  events?: Said[]
  /** A notice for each of these lists of recipients. */
  notices?: Recipients[]
}
const tried = (facts: unknown) => facts as Tried
const kind: AnyKind = {
  targetType: 'user',
  audits: 'nothing',
  histories: 'nothing',
  tells: (_tx, { facts }) =>
    (tried(facts).notices ?? []).map((recipients) => ({
      recipients,
      type: 'system',
      template: 'reset_asked',
      params: { ar: { person: 'هدى' }, en: { person: 'Huda' } },
      relatedType: null,
      relatedId: null,
    })),
  emits: (_tx, { facts }) => (tried(facts).events ?? []) as Event[],
}
const Data = Type.Object({ n: Type.Integer() }, { additionalProperties: false })
/** Writes the recipients of notices into the ledger instead of making notifications. */
const record = recorder({
  changeKinds: { tried: kind },
  events: { poke: Data, nudge: Data },
  writeNotices: (notices, _settled, people) => {
    if (notices.length === 0) return { parts: [], events: [] }
    const lines = notices.map(({ recipients }) => people.address(recipients))
    const told = part(
      'told',
      ['id'],
      sql`select unnest(coalesce(line.ids, ${people.part.name}.ids))
        from json_to_recordset(${JSON.stringify(lines)}::json) as line (ids int[], query int)
        left join ${people.part.name} on ${people.part.name}.place = line.query`,
    )
    return {
      parts: [told],
      events: [
        sql`select 1::bigint as rank, 'told' as event, json_agg(id order by id) as data, array[1] as recipients, null::int[] as sessions
        from ${told.name} having count(*) > 0`,
      ],
    }
  },
})

const changeOf = (facts: Tried) => ({ kind: 'tried', targetId: 1, facts }) as unknown as Change
const recordAll = (...changes: Tried[]) => portal.instance.db.writes.transaction().execute((tx) => record(tx, null, changes.map(changeOf)))

/** The events of changes, with their recipients in ascending order. */
const eventsOf = async (...changes: Tried[]) =>
  (await portal.traces(() => recordAll(...changes))).events.map(({ event, data, to }) => [event, data, to])

const poke = (n: number, to: Event['to']): Said => ({ event: 'poke', data: { n }, to })
const nudge = (n: number, to: Event['to']): Said => ({ event: 'nudge', data: { n }, to })

/** A query that finds three people and counts how often it is run. */
const three = sql<number[]>`found_by_a_test()`
const two = sql<number[]>`array[3, 4]`
const nobody = sql<number[]>`array[]::int[]`
before(async () => {
  // The hooks of a file start concurrently.
  await until('the portal is open', () => portal.admin)
  await portal.sql('create sequence asked_by_a_test; grant usage on sequence asked_by_a_test to public')
  await portal.sql(`create function found_by_a_test() returns int[] language sql volatile as $$
    select array[2, 3, 1] from (select nextval('asked_by_a_test')) as asked $$`)
})
const timesAsked = async () => Number((await portal.sql<{ n: string }>(`select last_value as n, is_called from asked_by_a_test`))[0]!.n)

const cases: [what: string, events: Said[], left: unknown[]][] = [
  ['ids reach those people, each once', [poke(1, [2, 1, 2])], [['poke', { n: 1 }, [1, 2]]]],
  ['everyone stays everyone', [poke(1, 'everyone')], [['poke', { n: 1 }, null]]],
  ['a query reaches whom it finds', [poke(1, three)], [['poke', { n: 1 }, [1, 2, 3]]]],
  ['nobody is told nothing', [poke(1, [])], []],
  ['nor is anybody when a query finds none', [poke(1, nobody)], []],
  ['data are cut to their shape', [{ event: 'poke', data: { n: 1, secret: 'x' }, to: [1] }], [['poke', { n: 1 }, [1]]]],
  [
    'events come in the order in which they are emitted',
    [poke(2, [1]), poke(1, [1]), nudge(3, [1])],
    [
      ['poke', { n: 2 }, [1]],
      ['poke', { n: 1 }, [1]],
      ['nudge', { n: 3 }, [1]],
    ],
  ],
  [
    'alike ones come once, in the place of the last, to the people of all',
    [poke(1, [1]), poke(2, [5]), poke(1, [2, 1])],
    [
      ['poke', { n: 2 }, [5]],
      ['poke', { n: 1 }, [1, 2]],
    ],
  ],
  ['everyone takes in all others', [poke(1, [1]), poke(1, 'everyone'), poke(1, three)], [['poke', { n: 1 }, null]]],
  [
    'alike ones of ids and queries reach each person once',
    [poke(1, [9, 3]), poke(1, three), poke(1, two)],
    [['poke', { n: 1 }, [1, 2, 3, 4, 9]]],
  ],
  [
    'other data are other events, and so is another name',
    [poke(1, [1]), poke(2, [1]), nudge(1, [1])],
    [
      ['poke', { n: 1 }, [1]],
      ['poke', { n: 2 }, [1]],
      ['nudge', { n: 1 }, [1]],
    ],
  ],
]
for (const [what, events, left] of cases)
  test(what, async () => {
    assert.deepEqual(await eventsOf({ events }), left)
    // It makes no difference whether they come from one change or from several.
    assert.deepEqual(await eventsOf(...events.map((event) => ({ events: [event] }))), left)
  })

test('those of some sessions stay apart from those of all', async () => {
  const events = [{ ...poke(1, [1]), sessions: [7] }, poke(1, [1])]
  assert.equal((await eventsOf({ events })).length, 2)
})

test('notices come before events, to whom their ids or queries name', async () => {
  const left = await eventsOf({ events: [poke(1, two)], notices: [[8, 7, 8], two] })
  assert.deepEqual(left, [
    ['told', [3, 4, 7, 8], [1]],
    ['poke', { n: 1 }, [3, 4]],
  ])
})

test('a query is asked once, however many events and notices it is for', async () => {
  const before = await timesAsked()
  await recordAll({ events: [poke(1, three), poke(2, three), nudge(1, three)], notices: [three, three] }, { events: [poke(3, three)] })
  assert.equal((await timesAsked()) - before, 1)
})

test('however much follows from changes, it is one statement', async () => {
  const many = Array.from({ length: 50 }, (_, n): Tried => ({ events: [poke(n, three), nudge(n, [n])], notices: [[n], three] }))
  const statements = await statementsDuring(() => recordAll(...many))
  assert.equal(statements.filter((statement) => /\binto ledger\b/.test(statement)).length, 1)
  assert.equal(statements.filter((statement) => !/^(begin|commit|start transaction)/i.test(statement)).length, 1, statements.join('\n'))
})

test('data that do not fit fail before anything is written', async () => {
  const traces = await portal.traces(() => assert.rejects(recordAll({ events: [{ event: 'poke', data: { n: 'one' }, to: [1] }] })))
  assert.deepEqual(traces.events, [])
})
