/** The chain that seals the ledger, and what is found when its rows are held against it. */
import { type RawBuilder, sql } from 'kysely'
import type { Reads, Tx } from '../platform/database/db.ts'

const ROWS_OF_A_SEAL = 1000

const micros = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000000)::bigint`
/** What a row says: the sha256 of a JSON array of its fields. */
const CONTENT = sql`sha256(convert_to(jsonb_build_array(kind, target_type, target_id, actor_id, actor_username, action, facts)::text, 'UTF8'))`
/** The whole row: the sha256 of `id at tx `, the time in microseconds, and what it says. */
const WHOLE = sql`sha256(convert_to(concat(id, ' ', ${micros('at')}, ' ', tx, ' '), 'UTF8') || content)`
/** The first 8 bytes of a hash. */
const mark = (hash: string) => sql`('x' || encode(substr(${sql.ref(hash)}, 1, 8), 'hex'))::bit(64)::bigint`
/** A seal's hash: the sha256 of its predecessor's, of `id at last_id `, and of the hashes of its rows in order. */
const hashOf = (before: string, seal: string) => sql`sha256(coalesce(${sql.ref(`${before}.hash`)}, '') || convert_to(concat(
  ${sql.ref(`${seal}.id`)}, ' ', ${micros(`${seal}.at`)}, ' ', ${sql.ref(`${seal}.last_id`)}, ' '), 'UTF8') || coalesce(digests, ''))`

/** The rows after one id, up to another, with their hashes. */
const rowsBetween = (after: RawBuilder<unknown>, last: RawBuilder<unknown>) => sql`
  select id, at, content, ${WHOLE} as whole from (
    select id, at, tx, ${CONTENT} as content from ledger where id > ${after} and id <= ${last}) as rows`

/** A row's id that was given out last, and the transaction that begins next. */
export async function readHorizon(db: Reads) {
  const last = await sql<{ id: number }>`select coalesce(pg_sequence_last_value(pg_get_serial_sequence('ledger', 'id')), 0) as id`.execute(
    db,
  )
  // A statement later: whoever was given an id by then has its number as a transaction.
  const next = await sql<{ tx: string }>`select pg_snapshot_xmax(pg_current_snapshot())::text as tx`.execute(db)
  return { lastId: last.rows[0]!.id, tx: next.rows[0]!.tx }
}

/** Whether every transaction before this one has ended. */
export async function isSettled(db: Reads, tx: string) {
  const { rows } = await sql<{ isOver: boolean }>`select pg_snapshot_xmin(pg_current_snapshot()) >= ${tx}::text::xid8 as is_over`.execute(
    db,
  )
  return rows[0]!.isOver
}

/** Seals the next rows up to an id that nothing can commit before any more; answers how many. */
export async function sealSome(tx: Tx, lastId: number) {
  const { rows } = await sql<{ count: number }>`
    with before as (
      select coalesce(max(id), 0) as id, coalesce(max(last_id), 0) as last_id from audit_seals
    ), seal as (
      select before.id + 1 as id, before.last_id as after, now() as at, max(batch.id) as last_id
      from before, lateral (
        select id from ledger where id > before.last_id and id <= ${lastId} order by id limit ${ROWS_OF_A_SEAL}) as batch
      group by before.id, before.last_id
    )
    insert into audit_seals (id, at, last_id, ids, contents, wholes, hash)
    select seal.id, seal.at, seal.last_id, sums.ids, sums.contents, sums.wholes, ${hashOf('previous', 'seal')}
    from seal left join audit_seals previous on previous.id = seal.id - 1, lateral (
      select array_agg(id order by id) as ids, array_agg(${mark('content')} order by id) as contents,
        array_agg(${mark('whole')} order by id) as wholes, string_agg(whole, '' order by id) as digests
      from (${rowsBetween(sql`seal.after`, sql`seal.last_id`)}) as sealed) as sums
    on conflict (id) do nothing
    returning cardinality(ids) as count`.execute(tx)
  return rows[0]?.count ?? 0
}

/** No transaction of the portal lasts as long: a row that is older than the seal before its own was dated back. */
const MOST_LATE = sql`interval '1 hour'`
/** Whether a row's time fits between the seals around it. */
const IN_TIME = sql`rows.at <= seal.at and rows.at >= coalesce(previous.at - ${MOST_LATE}, '-infinity')`
const rowsOfSeal = sql`(select rows.id, rows.at, ${mark('content')} as content, ${mark('whole')} as whole_mark, whole, ${IN_TIME} as in_time
  from (${rowsBetween(sql`case seal.id when 1 then 0 else previous.last_id end`, sql`seal.last_id`)}) as rows)`

interface CheckedSeal {
  id: number
  at: Date | null
  rows: number
  hash: string | null
  followsOne: boolean
  isSound: boolean
  isInTime: boolean
}

/** Holds some seals, from one on, against the rows they cover. Of one that is not there, `at` is null. */
async function checkSeals(db: Reads, from: number, limit: number) {
  const { rows } = await sql<CheckedSeal>`
    with numbers as (
      select generate_series(${from}::bigint, least(${from}::bigint + ${limit}::int - 1, (select max(id) from audit_seals))) as id)
    select numbers.id, seal.at, coalesce(cardinality(seal.ids), 0) as rows, encode(seal.hash, 'hex') as hash,
      numbers.id = 1 or previous.id is not null as follows_one,
      coalesce(seal.hash = ${hashOf('previous', 'seal')} and seal.ids = now_ids
        and seal.contents = now_contents and seal.wholes = now_wholes, false) as is_sound,
      coalesce(are_in_time, true) as is_in_time
    from numbers left join audit_seals seal using (id) left join audit_seals previous on previous.id = seal.id - 1, lateral (
      select coalesce(array_agg(id order by id), '{}') as now_ids, coalesce(array_agg(content order by id), '{}') as now_contents,
        coalesce(array_agg(whole_mark order by id), '{}') as now_wholes, string_agg(whole, '' order by id) as digests,
        bool_and(in_time) as are_in_time
      from ${rowsOfSeal} as sealed) as sums
    order by numbers.id`.execute(db)
  return rows
}

interface Mismatch {
  kind: 'row' | 'seal'
  id: number
  seal: number
  at: Date | null
  what: 'changed' | 'missing' | 'added' | 'reordered'
}

/** The first row of a seal that is not as it was sealed; a row whose words stand in another place was reordered. */
async function findWrongRow(db: Reads, { id: seal, isSound }: CheckedSeal) {
  const { rows } = await sql<Pick<Mismatch, 'id' | 'at' | 'what'>>`
    with seal as (select * from audit_seals where id = ${seal}),
    previous as (select * from audit_seals where id = ${seal} - 1),
    sealed as (select marks.* from seal, unnest(ids, contents, wholes) as marks (id, content, whole_mark)),
    found as (select rows.* from seal left join previous on true, lateral ${rowsOfSeal} as rows),
    wrong as (
      select coalesce(sealed.id, found.id) as id, found.at, sealed.id as sealed_id, found.id as found_id,
        sealed.content as content, found.content as found_content
      from sealed full join found using (id)
      where case when ${isSound} then not found.in_time else sealed.whole_mark is distinct from found.whole_mark end)
    select id, at, case
      when ${isSound} or sealed_id is null then 'added'
      when content = found_content or exists (select from wrong other where other.id <> wrong.id and other.found_content = wrong.content) then 'reordered'
      when found_id is null then 'missing' else 'changed' end as what
    from wrong order by id limit 1`.execute(db)
  return rows[0]
}

async function nameMismatch(db: Reads, seal: CheckedSeal): Promise<Mismatch> {
  if (!seal.followsOne && seal.at) return { kind: 'seal', id: seal.id - 1, seal: seal.id - 1, at: null, what: 'missing' }
  if (!seal.at) return { kind: 'seal', id: seal.id, seal: seal.id, at: null, what: 'missing' }
  const row = await findWrongRow(db, seal)
  if (row) return { kind: 'row', seal: seal.id, ...row }
  return { kind: 'seal', id: seal.id, seal: seal.id, at: seal.at, what: 'changed' }
}

const isThereSeal = async (db: Reads, from: number) =>
  !!(await db.selectFrom('auditSeals').select('id').where('id', '>=', from).limit(1).executeTakeFirst())

/** Before the first seal. Where rows have waited for longer than any job does, the chain was taken away, or nobody seals. */
async function isYoung(db: Reads) {
  if (await isThereSeal(db, 1)) return false
  const old = db.selectFrom('ledger').select('id').where(sql<boolean>`at < clock_timestamp() - interval '10 minutes'`)
  return !(await old.limit(1).executeTakeFirst())
}

const SEALS_AT_ONCE = 20
const MOST_MS = 5000

/** Holds at most `limit` seals, from one on, against the ledger, for 5 s at most; stops at the first that does not fit. */
export async function verifySeals(db: Reads, from: number, limit: number) {
  const deadline = Date.now() + MOST_MS
  let [checked, next, last] = [0, from, null as CheckedSeal | null]
  const answer = (firstMismatch: Mismatch | null, nextSeal: number | null) => ({
    valid: firstMismatch === null,
    checked,
    from,
    sealedUntil: last?.at ?? null,
    lastSeal: last && { id: last.id, hash: last.hash! },
    nextSeal,
    firstMismatch,
  })
  if (await isYoung(db)) return answer(null, null)
  while (next < from + limit && Date.now() < deadline) {
    const asked = Math.min(SEALS_AT_ONCE, from + limit - next)
    const seals = await checkSeals(db, next, asked)
    for (const seal of seals) {
      if (!seal.isSound || !seal.isInTime) return answer(await nameMismatch(db, seal), null)
      checked += seal.rows
      last = seal
    }
    if (seals.length < asked) return answer(null, null)
    next += asked
  }
  return answer(null, (await isThereSeal(db, next)) ? next : null)
}
