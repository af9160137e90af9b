/** Sealing the ledger; `chain.ts` explains what a seal covers and hashes. */
import { sql } from 'kysely'
import type { Reads, Tx } from '../platform/database/db.ts'
import { hashOf, summaryOf } from './chain.ts'
import { writeSeal } from './rules.ts'

/** The last id assigned to a ledger row, and the id that the next transaction will get. */
export async function readHorizon(db: Reads) {
  const last = await sql<{ id: number }>`select coalesce(pg_sequence_last_value(pg_get_serial_sequence('ledger', 'id')), 0) as id`.execute(
    db,
  )
  // Read by a later statement: whichever transaction took an id by then already has its own number.
  const next = await sql<{ tx: string }>`select pg_snapshot_xmax(pg_current_snapshot())::text as tx`.execute(db)
  return { lastId: last.rows[0]!.id, tx: next.rows[0]!.tx }
}

/** Whether every transaction with a smaller number has ended. */
export async function isSettled(db: Reads, tx: string) {
  const { rows } = await sql<{ isOver: boolean }>`select pg_snapshot_xmin(pg_current_snapshot()) >= ${tx}::text::xid8 as is_over`.execute(
    db,
  )
  return rows[0]!.isOver
}

/** The newest seal as it is handed out; undefined before the first one. */
export async function newestSeal(db: Reads) {
  const newest = await db
    .selectFrom('auditSeals')
    .select(['id', 'at', sql<string>`encode(hash, 'hex')`.as('hash')])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest && { id: newest.id, at: newest.at, seal: writeSeal(newest) }
}

const ROWS_OF_A_SEAL = 1000

/**
 * Seals the next rows, up to `horizon`, and returns how many. No row with a smaller id may still be uncommitted. If several jobs do so
 * at once, one succeeds.
 */
export async function sealSome(tx: Tx, horizon: number) {
  const before = (await findLastSeal(tx)) ?? { id: 0, lastId: 0 }
  const lastId = await findEnd(tx, before.lastId, horizon)
  if (lastId === null) return 0
  const { rows } = await sql<{ count: number }>`
    insert into audit_seals (id, at, last_id, ids, contents, wholes, hash)
    select seal.id, seal.at, seal.last_id, covered.ids, covered.contents, covered.wholes, ${hashOf('seal', 'previous', sql.ref('covered.hashed'))}
    from (select ${before.id + 1}::bigint as id, now() as at, ${lastId}::bigint as last_id) as seal
      left join audit_seals as previous on previous.id = seal.id - 1
      cross join ${summaryOf(sql`${before.lastId}::bigint`, sql`${lastId}::bigint`)} as covered
    on conflict (id) do nothing
    returning cardinality(ids) as count`.execute(tx)
  return rows[0]?.count ?? 0
}

const findLastSeal = (tx: Tx) => tx.selectFrom('auditSeals').select(['id', 'lastId']).orderBy('id', 'desc').limit(1).executeTakeFirst()

/** The id of the last row that the next seal covers; null if there is nothing to seal. */
async function findEnd(tx: Tx, after: number, horizon: number) {
  const { rows } = await sql<{ id: number | null }>`
    select max(id) as id from (
      select id from ledger where id > ${after} and id <= ${horizon} order by id limit ${ROWS_OF_A_SEAL}) as batch`.execute(tx)
  return rows[0]!.id
}
