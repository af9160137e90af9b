/** Counts all rows plainly, and compares the results with the stored counts. */
import { sql } from 'kysely'
import { inSnapshot, type Reads } from '../../platform/database/db.ts'

const MOST_SHOWN = 20

/** SQL: existing app opens, and the number of opens deleted with their person. */
const OPENS = `
  select app_id, utc_day(created_at) as day, count(*) as count from app_opens group by 1, 2
  union all select app_id, day, forgotten from app_open_days`

/** For each count, the stored and the recounted values, both as `key` and `count`. */
const counts: [name: string, counted: string, there: string][] = [
  ...[
    ['signups', `users where kind = 'person'`],
    ['services_created', 'services'],
  ].map(([what, table]): [string, string, string] => {
    return [
      `${what} by day`,
      `select day as key, sum(count) as count from day_counts where what = '${what}' group by 1`,
      `select utc_day(created_at) as key, count(*) as count from ${table} group by 1`,
    ]
  }),
  [
    'app_opens by day',
    `select day as key, sum(count) as count from day_counts where what = 'app_opens' group by 1`,
    `select day as key, sum(count) as count from (${OPENS}) as opens group by 1`,
  ],
  [
    'people and services',
    'select what as key, sum(count) as count from state_counts group by 1',
    `select 'active_users' as key, count(*) as count from users where is_active and kind = 'person'
     union all select service_state(is_available), count(*) from services group by 1`,
  ],
  ...(['day', 'month_of(day)'] as const).map((start): [string, string, string] => {
    const unit = start === 'day' ? 'day' : 'month'
    return [
      `app opens by app and ${unit}`,
      `select (app_id, ${unit}) as key, count from app_open_${unit}s`,
      `select (app_id, ${start}) as key, sum(count) as count from (${OPENS}) as opens join apps on apps.id = app_id group by app_id, ${start}`,
    ]
  }),
  ...(['user day', 'user month'] as const).map((pair): [string, string, string] => {
    const [owner, unit] = pair.split(' ')
    const start = unit === 'day' ? 'utc_day(app_opens.created_at)' : 'month_of(utc_day(app_opens.created_at))'
    return [
      `app opens by ${owner} and ${unit}`,
      `select (${owner}_id, ${unit}) as key, count from ${owner}_open_${unit}s`,
      `select (${owner}_id, ${start}) as key, count(*) as count from app_opens join ${owner}s on ${owner}s.id = ${owner}_id group by ${owner}_id, ${start}`,
    ]
  }),
  [
    'the most app opens of a person by day',
    `select day as key, least(peak, most) as count
     from (select day, max(peak) as peak from user_open_peaks group by 1) as peaks
     join (select day, max(count) as most from user_open_days group by 1) as days using (day)`,
    'select day as key, max(count) as count from user_open_days group by 1',
  ],
  [
    'orders by service',
    'select service_id as key, sum(count) as count from service_order_counts group by 1',
    'select service_id as key, count(*) as count from orders group by 1',
  ],
  [
    'held orders by service',
    'select service_id as key, sum(held) as count from service_order_counts group by 1',
    'select service_id as key, count(hold) as count from orders group by 1',
  ],
  [
    'notes by person',
    'select user_id as key, notes as count from note_versions',
    'select user_id as key, count(*) as count from notes group by 1',
  ],
  [
    'bytes of notes by person',
    'select user_id as key, bytes as count from note_versions',
    'select user_id as key, sum(octet_length(title) + octet_length(content)) as count from notes group by 1',
  ],
  ...(['labels', 'folders'] as const).map((what): [string, string, string] => [
    `${what} by person`,
    `select user_id as key, ${what} as count from note_versions`,
    `select user_id as key, count(*) as count from note_${what} group by 1`,
  ]),
  [
    'objects by person',
    'select user_id as key, objects as count from object_shares',
    'select owner_id as key, count(*) as count from objects where uploaded_at is not null and owner_id is not null group by 1',
  ],
  [
    'bytes of objects by person',
    'select user_id as key, bytes as count from object_shares',
    'select owner_id as key, sum(object_cost(size)) as count from objects where uploaded_at is not null and owner_id is not null group by 1',
  ],
]

/** One line for each difference, at most twenty per count; none if all counts are right. Reads every counted row. */
export const recount = (db: Reads) =>
  inSnapshot(db, async (snapshot) => {
    const lines: string[] = []
    for (const [name, counted, there] of counts) {
      const { rows } = await sql<{ key: string; counted: number; there: number; differences: number }>`
        select key::text, coalesce(counted.count, 0)::bigint as counted, coalesce(there.count, 0)::bigint as there, count(*) over () as differences
        from (${sql.raw(counted)}) as counted full join (${sql.raw(there)}) as there using (key)
        where coalesce(counted.count, 0) <> coalesce(there.count, 0) order by key limit ${MOST_SHOWN}`.execute(snapshot)
      for (const row of rows) lines.push(`${name}, ${row.key}: counted ${row.counted}, there ${row.there}`)
      const more = (rows[0]?.differences ?? 0) - rows.length
      if (more > 0) lines.push(`${name}: ${more} more`)
    }
    return lines
  })
