/** Verifying the ledger against its seals; `chain.ts` explains what a seal covers and what a mismatch is called. */
import { sql } from 'kysely'
import type { Reads } from '../../platform/database/db.ts'
import { hashOf, rowsBetween, summaryOf } from './chain.ts'
import type { Noted } from './rules.ts'

/** The id after which the rows of `seal` begin; null if the previous seal is missing. */
const startOf = (seal: string, before: string) => sql`case ${sql.ref(`${seal}.id`)} when 1 then 0 else ${sql.ref(`${before}.last_id`)} end`

/** No transaction of the portal lasts this long. A row that is older than the previous seal by more than this was backdated. */
const MOST_LATE = sql`interval '1 hour'`
/** The bounds on the time of a row of `seal`, whose previous seal is `before`; both relations have `at`. */
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

/** Compares at most `limit` seals, starting at `from`, with the rows they cover. A missing seal has a null `at`. */
async function checkSeals(db: Reads, from: number, limit: number) {
  const { rows } = await sql<CheckedSeal>`
    with numbers as (
      select generate_series(${from}::bigint, least(${from}::bigint + ${limit}::int - 1, (select max(id) from audit_seals))) as id)
    select numbers.id, seal.at, coalesce(cardinality(seal.ids), 0) as rows, encode(seal.hash, 'hex') as hash,
      numbers.id = 1 or previous.id is not null as follows_one,
      coalesce(seal.hash = ${hashOf('seal', 'previous', sql.ref('found.hashed'))} and seal.ids = found.ids
        and seal.contents = found.contents and seal.wholes = found.wholes
        and cardinality(seal.ids) = (select count(distinct id) from unnest(seal.ids) as id), false) as is_sound,
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

/** Common table expressions: the `seal`, the `previous` one, and `found`, the present rows of the ledger that the seal covers. */
const sealAndRows = (id: number) => sql`
  seal as (select * from audit_seals where id = ${id}),
  previous as (select * from audit_seals where id = ${id} - 1),
  found as (
    select rows.* from seal left join previous on true
      cross join lateral ${rowsBetween(startOf('seal', 'previous'), sql.ref('seal.last_id'))} as rows)`

/** The first row whose marks in the ledger and in the seal differ, or that only one of them has. */
async function findWrongRow(db: Reads, seal: number) {
  const { rows } = await sql<WrongRow>`
    with ${sealAndRows(seal)},
    sealed as (select marks.* from seal cross join unnest(ids, contents, wholes) as marks (id, content_mark, whole_mark)),
    wrong as (
      select coalesce(sealed.id, found.id) as id, found.at, sealed.id is null or found.is_double as is_new, found.id is null as is_gone,
        sealed.content_mark as sealed_content, found.content_mark as found_content
      from sealed full join (select *, count(*) over (partition by id) > 1 as is_double from found) as found using (id)
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

/** The later one of the first two rows with the same id. */
async function findDoubled(db: Reads, seal: number) {
  const { rows } = await sql<WrongRow>`
    with ${sealAndRows(seal)}
    select id, max(at) as at, 'added' as what from found group by id having count(*) > 1 order by id limit 1`.execute(db)
  return rows[0]
}

/** The newest row, if its id is beyond all ids given out: no seal would ever cover it. */
async function findBeyond(db: Reads) {
  const { rows } = await sql<WrongRow & { seal: number }>`
    select id, at, 'added' as what, (select coalesce(max(id), 0) + 1 from audit_seals) as seal
    from (select id, at from ledger order by id desc limit 1) as newest
    where id > coalesce(pg_sequence_last_value(pg_get_serial_sequence('ledger', 'id')), 0)`.execute(db)
  return rows[0]
}

/** The first row whose time is later than its seal, or more than an hour before the previous seal. */
async function findMisdatedRow(db: Reads, seal: number) {
  const { rows } = await sql<WrongRow>`
    with ${sealAndRows(seal)}
    select found.id, found.at, 'added' as what from found cross join seal left join previous on true
    where found.at < ${earliestOf('previous')} or found.at > ${latestOf('seal')}
    order by found.id limit 1`.execute(db)
  return rows[0]
}

/** Names the first mismatch of a seal that failed the comparison. */
async function nameMismatch(db: Reads, { id, at, followsOne, isSound }: CheckedSeal): Promise<Mismatch> {
  if (!at) return { kind: 'seal', id, seal: id, at: null, what: 'missing' }
  if (!followsOne) return { kind: 'seal', id: id - 1, seal: id - 1, at: null, what: 'missing' }
  const row = isSound ? await findMisdatedRow(db, id) : ((await findWrongRow(db, id)) ?? (await findDoubled(db, id)))
  return row ? { kind: 'row', seal: id, ...row } : { kind: 'seal', id, seal: id, at, what: 'changed' }
}

const isThereSeal = async (db: Reads, from: number) =>
  !!(await db.selectFrom('auditSeals').select('id').where('id', '>=', from).limit(1).executeTakeFirst())

/** Whether the ledger is too new to have a seal. If an unsealed row is 10 minutes old, the chain was deleted or the job does not run. */
async function isYoung(db: Reads) {
  if (await isThereSeal(db, 1)) return false
  const old = db.selectFrom('ledger').select('id').where(sql<boolean>`at < clock_timestamp() - interval '10 minutes'`)
  return !(await old.limit(1).executeTakeFirst())
}

/** The mismatch if the chain does not contain a seal noted before; null if it does. */
async function compareNoted(db: Reads, { id, hash }: Noted): Promise<Mismatch | null> {
  const found = await db
    .selectFrom('auditSeals')
    .select(['at', sql<string>`encode(hash, 'hex')`.as('hash')])
    .where('id', '=', id)
    .executeTakeFirst()
  if (found?.hash === hash) return null
  return { kind: 'seal', id, seal: id, at: found?.at ?? null, what: found ? 'changed' : 'missing' }
}

const SEALS_AT_ONCE = 20
const MOST_MS = 5000

interface VerificationQuery {
  from: number
  limit: number
  /** A seal noted before, which the chain must contain. */
  noted: Noted | null
}

/** Verifies at most `limit` seals, starting at `from`, for at most 5 s. Stops at the first mismatch. */
export async function verifySeals(db: Reads, { from, limit, noted }: VerificationQuery) {
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
  const otherSeal = noted && (await compareNoted(db, noted))
  if (otherSeal) return answer(otherSeal, null)
  const atTheEnd = async () => {
    const beyond = await findBeyond(db)
    return answer(beyond ? { kind: 'row', ...beyond } : null, null)
  }
  if (await isYoung(db)) return atTheEnd()
  let next = from
  while (next < from + limit && Date.now() < deadline) {
    const asked = Math.min(SEALS_AT_ONCE, from + limit - next)
    const seals = await checkSeals(db, next, asked)
    for (const seal of seals) {
      if (!seal.isSound || !seal.isInTime) return answer(await nameMismatch(db, seal), null)
      checked += seal.rows
      last = seal
    }
    if (seals.length < asked) return atTheEnd()
    next += asked
  }
  return (await isThereSeal(db, next)) ? answer(null, next) : atTheEnd()
}
