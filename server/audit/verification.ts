/** How the seals are held against the ledger; what they cover and hash, and what is said of a row that does not fit, is in `chain.ts`. */
import { sql } from 'kysely'
import type { Reads } from '../platform/database/db.ts'
import { hashOf, rowsBetween, summaryOf } from './chain.ts'

/** The id after which the rows of `seal` begin; null where the seal before it is gone. */
const startOf = (seal: string, before: string) => sql`case ${sql.ref(`${seal}.id`)} when 1 then 0 else ${sql.ref(`${before}.last_id`)} end`

/** No transaction of the portal lasts as long: a row that is older than the seal before its own was dated back. */
const MOST_LATE = sql`interval '1 hour'`
/** The times that a row of `seal` may have: `at` of both relations. */
const earliestOf = (before: string) => sql`coalesce(${sql.ref(`${before}.at`)} - ${MOST_LATE}, '-infinity')`
const latestOf = (seal: string) => sql.ref(`${seal}.at`)

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
      coalesce(seal.hash = ${hashOf('seal', 'previous', sql.ref('found.hashed'))} and seal.ids = found.ids
        and seal.contents = found.contents and seal.wholes = found.wholes, false) as is_sound,
      coalesce(found.earliest >= ${earliestOf('previous')} and found.latest <= ${latestOf('seal')}, true) as is_in_time
    from numbers
      left join audit_seals as seal using (id)
      left join audit_seals as previous on previous.id = seal.id - 1
      cross join lateral ${summaryOf(startOf('seal', 'previous'), sql.ref('seal.last_id'))} as found
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
type WrongRow = Pick<Mismatch, 'id' | 'at' | 'what'>

/** The seal, the one `previous` to it, and the rows `found` where it covers some. */
const sealAndRows = (id: number) => sql`
  seal as (select * from audit_seals where id = ${id}),
  previous as (select * from audit_seals where id = ${id} - 1),
  found as (
    select rows.* from seal left join previous on true
      cross join lateral ${rowsBetween(startOf('seal', 'previous'), sql.ref('seal.last_id'))} as rows)`

/** The first row that is not as it was sealed. */
async function findWrongRow(db: Reads, seal: number) {
  const { rows } = await sql<WrongRow>`
    with ${sealAndRows(seal)},
    sealed as (select marks.* from seal cross join unnest(ids, contents, wholes) as marks (id, content_mark, whole_mark)),
    wrong as (
      select coalesce(sealed.id, found.id) as id, found.at, sealed.id is null as is_new, found.id is null as is_gone,
        sealed.content_mark as sealed_content, found.content_mark as found_content
      from sealed full join found using (id)
      where sealed.whole_mark is distinct from found.whole_mark)
    select id, at, case
      when is_new then 'added'
      when sealed_content = found_content
        or exists (select from wrong as other where other.id <> wrong.id and other.found_content = wrong.sealed_content) then 'reordered'
      when is_gone then 'missing'
      else 'changed' end as what
    from wrong order by id limit 1`.execute(db)
  return rows[0]
}

/** The first row whose time does not lie between those of the seals around it. */
async function findMisdatedRow(db: Reads, seal: number) {
  const { rows } = await sql<WrongRow>`
    with ${sealAndRows(seal)}
    select found.id, found.at, 'added' as what from found cross join seal left join previous on true
    where found.at < ${earliestOf('previous')} or found.at > ${latestOf('seal')}
    order by found.id limit 1`.execute(db)
  return rows[0]
}

/** What is wrong first with a seal that does not fit. */
async function nameMismatch(db: Reads, { id, at, followsOne, isSound }: CheckedSeal): Promise<Mismatch> {
  if (!at) return { kind: 'seal', id, seal: id, at: null, what: 'missing' }
  if (!followsOne) return { kind: 'seal', id: id - 1, seal: id - 1, at: null, what: 'missing' }
  const row = await (isSound ? findMisdatedRow(db, id) : findWrongRow(db, id))
  return row ? { kind: 'row', seal: id, ...row } : { kind: 'seal', id, seal: id, at, what: 'changed' }
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
  let checked = 0
  let last: CheckedSeal | null = null
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
  let next = from
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
