/** A recorder with a kind of change that exists only in tests: its facts are the resulting events and notices. */
import { before } from 'node:test'
import { sql } from 'kysely'
import { Type } from 'typebox'
import type { AnyKind, Event, Recipients } from '../server/platform/changes/change-kind.ts'
import type { Change } from '../server/platform/changes/outcome.ts'
import { recorder } from '../server/platform/changes/record.ts'
import { part } from '../server/platform/changes/statement.ts'
import type { TestPortal } from './portal.ts'

export type Emitted = { event: string; data: object; to: Event['to']; sessions?: number[] }
export interface Facts {
  events?: Emitted[]
  /** One notice per list of recipients. */
  notices?: Recipients[]
}

/** Two kinds of events, which differ only in their name. */
export const poke = (n: number, to: Event['to']): Emitted => ({ event: 'poke', data: { n }, to })
export const nudge = (n: number, to: Event['to']): Emitted => ({ event: 'nudge', data: { n }, to })

/** Queries that find three people, two and nobody. A counter shows how often the first runs. */
export const three = sql<number[]>`found_by_a_test()`
export const two = sql<number[]>`array[3, 4]`
export const nobody = sql<number[]>`array[]::int[]`

const kind: AnyKind = {
  targetType: 'user',
  audits: 'nothing',
  notifies: (_tx, { facts }) =>
    ((facts as Facts).notices ?? []).map((recipients) => ({
      recipients,
      type: 'system',
      template: 'reset_asked',
      params: { ar: { person: 'هدى' }, en: { person: 'Huda' } },
      relatedType: null,
      relatedId: null,
    })),
  emits: (_tx, { facts }) => ((facts as Facts).events ?? []) as Event[],
}
const Data = Type.Object({ n: Type.Integer() }, { additionalProperties: false })
/** Writes an event with the recipients of the notices in place of notifications. */
const record = recorder({
  changeKinds: { tried: kind },
  events: { poke: Data, nudge: Data },
  entriesEvent: { readers: nobody, select: () => nobody },
  writeNotices: (notices, _settled, people) => {
    if (notices.length === 0) return { parts: [], events: [] }
    const lines = notices.map(({ recipients }) => people.address(recipients))
    const noticed = part(
      'noticed',
      ['id'],
      sql`select unnest(coalesce(line.ids, ${people.part.name}.ids))
        from json_to_recordset(${JSON.stringify(lines)}::json) as line (ids int[], query int)
        left join ${people.part.name} on ${people.part.name}.place = line.query`,
    )
    return {
      parts: [noticed],
      events: [
        sql`select 1::bigint as rank, 'noticed' as event, json_agg(id order by id) as data, array[1] as recipients, null::int[] as sessions
          from ${noticed.name} having count(*) > 0`,
      ],
    }
  },
})

const changeOf = (facts: Facts) => ({ kind: 'tried', targetId: 1, facts }) as unknown as Change

export function testRecorder(portal: TestPortal) {
  before(async () => {
    // The hooks of a file start concurrently.
    await portal.ready
    await portal.sql('create sequence runs_of_a_test; grant usage on sequence runs_of_a_test to public')
    await portal.sql(`create function found_by_a_test() returns int[] language sql volatile as $$
      select array[2, 3, 1] from (select nextval('runs_of_a_test')) as run $$`)
  })
  const recordAll = (...changes: Facts[]) =>
    portal.instance.db.writes.transaction().execute((tx) => record(tx, null, changes.map(changeOf)))
  return {
    recordAll,
    /** The events of changes, with their recipients in ascending order. */
    eventsOf: async (...changes: Facts[]) =>
      (await portal.traces(() => recordAll(...changes))).events.map(({ event, data, to }) => [event, data, to]),
    /** How often `three` ran. */
    async runsOfThree() {
      const [runs] = await portal.sql<{ n: string }>('select case when is_called then last_value else 0 end as n from runs_of_a_test')
      return Number(runs!.n)
    },
  }
}
