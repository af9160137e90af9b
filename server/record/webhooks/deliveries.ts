/** The statements on messages: they write messages from the ledger, find those that are due, note results, and list and replay messages. */
import { sql } from 'kysely'
import type { Db, Reads, Tx } from '../../platform/database/db.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { paged } from '../../platform/http/lists.ts'
import type { Page } from '../../platform/http/page.ts'
import { type LedgerRow, toldKinds } from './kinds.ts'
import { type LastError, LONGEST_BUSY_S, type Message, MOST_RESTS, messageId } from './rules.ts'
import type { MessageType } from './types.ts'

/**
 * Moves the horizon of the ledger forward: the id up to which no row can be added any more. Returns undefined while another instance reads
 * the ledger for webhooks.
 */
export async function settleLedger(tx: Tx) {
  const { rows } = await sql<{ settled: number; hasMore: boolean }>`select settled, has_more from settle_ledger()`.execute(tx)
  return rows[0]
}

export const hasWebhooks = async (db: Reads) => (await sql`select from webhooks where is_active limit 1`.execute(db)).rows.length > 0

/** Locks the active webhooks, and returns their places. */
export const lockPlaces = (tx: Tx) =>
  tx.selectFrom('webhooks').select(['id', 'place']).where('isActive', '=', true).orderBy('id').forNoKeyUpdate().execute()

/** At most `most` rows of the ledger after `from`, in order. Rows that become no message come without facts. */
export const readLedger = async (tx: Tx, from: number, settled: number, most: number) =>
  (
    await sql<LedgerRow>`
      select id, at, kind, target_type, target_id, actor_id, actor_username, action,
        case when kind = any(${toldKinds}::text[]) then facts else '{}' end as facts
      from ledger where id > ${from} and id <= ${settled} order by id limit ${most}`.execute(tx)
  ).rows

/** Writes each message for the webhooks among `ids` that ask for it and do not have it yet. Moves the webhooks to `place`. */
export async function handOut(tx: Tx, ids: readonly number[], messages: readonly Message[], place: number) {
  const lines = JSON.stringify(messages)
  if (messages.length)
    await sql`
      insert into webhook_deliveries (webhook_id, sequence, part, type, body, event_at)
      select w.id, m.sequence, m.part, m.type, m.body, m.at from webhooks w
      cross join json_to_recordset(${lines}::json)
        as m (sequence bigint, part int, type text, choices text[], "webhookId" int, body text, at timestamptz)
      where w.id = any(${ids}::int[]) and m.sequence > w.place and (m.sequence > w.begun_after or m.sequence = any(w.under_way))
        and case when m."webhookId" is null then w.types && m.choices else w.id = m."webhookId" end
      on conflict do nothing`.execute(tx)
  await sql`update webhooks set place = ${place} where id = any(${ids}::int[]) and place < ${place}`.execute(tx)
}

const isOpen = sql<boolean>`webhooks.is_active and webhooks.secret is not null and (rests_until is null or rests_until <= now())`

/**
 * For a portal without `SECRETS_KEY`, which cannot sign messages: marks webhooks as failing if one of their messages has been due for a
 * minute, longer than sending ever takes. Returns the webhooks that began to fail.
 */
export async function noteUnsigned(tx: Tx) {
  const { rows } = await sql<{ id: number }>`
    update webhooks set failing_since = now() where ${isOpen} and failing_since is null and exists (
      select from webhook_deliveries
      where webhook_id = webhooks.id and state = 'waiting' and next_at <= now() - interval '1 minute' offset 0) returning id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** The webhooks that have something to send now. */
export async function findDueWebhooks(db: Reads) {
  const { rows } = await sql<{ id: number }>`
    select id from webhooks where ${isOpen} and exists (
      select from webhook_deliveries where webhook_id = webhooks.id and state = 'waiting' and next_at <= now() offset 0) order by id`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** A webhook that may send now; undefined if it may not. */
export async function findOpen(db: Reads, id: number) {
  const { rows } = await sql<{ id: number; url: string; secret: Buffer; formerSecret: Buffer | null }>`
    select id, url, secret, case when former_until > now() then former_secret end as former_secret
    from webhooks where id = ${id} and ${isOpen}`.execute(db)
  return rows[0]
}

/** A message that is due. */
export interface Due {
  webhookId: number
  sequence: number
  part: number
  body: string
  tries: number
}
/** The messages of a webhook that are due, the longest due first. */
export const findDue = async (db: Reads, id: number, most: number) =>
  (
    await sql<Due>`
      select webhook_id, sequence, part, body, tries from webhook_deliveries
      where webhook_id = ${id} and state = 'waiting' and next_at <= now() order by next_at, sequence, part limit ${most}`.execute(db)
  ).rows

/** The result of a try. `afterMs`: the pause before the next try; null after the last try, and after a success. */
export interface Tried extends Omit<Due, 'body'> {
  /** The address that was tried. */
  url: string
  isDelivered: boolean
  status: number | null
  error: LastError | null
  ms: number
  afterMs: number | null
  /**
   * How long the receiver wants no messages. `isBusy`: it wants none and does not say for how long. Either makes the whole webhook rest.
   */
  restMs: number | null
  isBusy: boolean
}

/**
 * Notes the results of tries, and the state of their webhooks: a webhook is failing from a failure until the next success. A message that
 * was replayed during its second or a later try keeps waiting, and so does one that failed at an address that its webhook has no longer.
 * Returns the webhooks that began or ceased to fail.
 */
export const noteTries = (db: Db['writes'], tried: readonly Tried[]) =>
  db.transaction().execute(async (tx) => {
    const ids = tried.map(({ webhookId }) => webhookId)
    await sql`select from webhooks where id = any(${ids}::int[]) order by id for no key update`.execute(tx)
    return note(tx, tried)
  })

async function note(tx: Tx, tried: readonly Tried[]) {
  const { rows } = await sql<{ id: number }>`
    with line as (
        select line.* from json_to_recordset(${JSON.stringify(tried)}::json)
          as line ("webhookId" int, url text, sequence bigint, part int, tries int, "isDelivered" boolean, status int, error text, ms int,
            "afterMs" float8, "restMs" float8, "isBusy" boolean)
        join webhooks on webhooks.id = "webhookId" and (webhooks.url = line.url or "isDelivered")),
      noted as (
        update webhook_deliveries as d set tries = line.tries + 1, last_status = line.status, last_error = line.error, last_ms = line.ms,
          state = case when "isDelivered" then 'delivered' when "afterMs" is null then 'dead' else 'waiting' end,
          next_at = case when "afterMs" is not null then now() + make_interval(secs => "afterMs" / 1000) end,
          settled_at = case when "afterMs" is null then now() end
        from line where (d.webhook_id, d.sequence, d.part) = ("webhookId", line.sequence, line.part)
          and d.state = 'waiting' and d.tries = line.tries),
      heard as (
        select "webhookId" as id, bool_or("isDelivered") as is_working, max("restMs") as rest_ms, bool_or("isBusy") as is_busy
        from line group by 1),
      -- Of messages that were on their way together, only the first that finds the receiver busy begins a rest.
      counted as (
        select w.id, w.failing_since, is_working, rest_ms, is_busy and coalesce(rests_until <= now(), true) as begins,
          case when is_working then 0 else rests end as rests, rests as former
        from webhooks w join heard using (id)),
      known as (
        select counted.*, least(rests + begins::int, ${MOST_RESTS}) as counts from counted
        where (failing_since is null) <> is_working or rest_ms is not null or begins or rests <> former),
      moved as (
        update webhooks as w set
          failing_since = case when not is_working then coalesce(w.failing_since, now()) end,
          told = case when is_working then 0 else w.told end,
          rests = counts,
          rests_until = greatest(w.rests_until, now() + make_interval(secs => rest_ms / 1000),
            case when begins then now() + make_interval(secs => least(exp(counts), ${LONGEST_BUSY_S})) end)
        from known where w.id = known.id returning w.id, known.failing_since as before, w.failing_since as after)
    select id from moved where (before is null) <> (after is null)`.execute(tx)
  return rows.map(({ id }) => id)
}

const columns = [
  'sequence',
  'part',
  'type',
  'state',
  'tries',
  'lastStatus',
  'lastError',
  'lastMs',
  'nextAt',
  'eventAt',
  sql<Date | null>`case when state = 'delivered' then settled_at end`.as('deliveredAt'),
] as const

const asShown = <R extends { sequence: number; part: number; type: string }>(webhookId: number, row: R) => ({
  ...row,
  type: row.type as MessageType,
  messageId: messageId({ webhookId, ...row }),
})

interface Filter {
  state?: 'waiting' | 'delivered' | 'dead'
  type?: string
}
/** The messages of a webhook, the newest first. */
export async function pageDeliveries(db: Reads, id: number, { state, type, ...page }: Filter & Page) {
  const found = db
    .selectFrom('webhookDeliveries')
    .select(columns)
    .where('webhookId', '=', id)
    .$if(state !== undefined, (some) => some.where('state', '=', state!))
    .$if(type !== undefined, (some) => some.where('type', '=', type!))
    .orderBy('sequence', 'desc')
    .orderBy('part', 'desc')
  const { items, ...rest } = await paged(found, page)
  return { ...rest, deliveries: items.map((row) => asShown(id, row)) }
}

/** One message as it went out. Refuses `not_found`. */
export async function readDelivery(db: Reads, id: number, sequence: number, part: number) {
  const found = db
    .selectFrom('webhookDeliveries')
    .select([...columns, 'body'])
    .where('webhookId', '=', id)
    .where('sequence', '=', sequence)
    .where('part', '=', part)
  return asShown(id, (await found.executeTakeFirst()) ?? refuse('not_found'))
}

/** The messages to send again: those of these rows of the ledger, or those of all changes in this span. */
export type Chosen = { sequences: readonly number[] } | { from: Date; to: Date }

const isChosen = (chosen: Chosen) =>
  'sequences' in chosen ? sql`sequence = any(${chosen.sequences}::bigint[])` : sql`event_at between ${chosen.from} and ${chosen.to}`

export async function countChosen(tx: Tx, id: number, chosen: Chosen) {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from webhook_deliveries where webhook_id = ${id} and ${isChosen(chosen)}`.execute(tx)
  return rows[0]!.count
}

/** Makes messages wait again, with all their tries left. Returns the number of messages. */
export async function replay(tx: Tx, id: number, chosen: Chosen) {
  const { rows } = await sql`
    update webhook_deliveries set state = 'waiting', tries = 0, next_at = now(), settled_at = null
    where webhook_id = ${id} and ${isChosen(chosen)} returning 1`.execute(tx)
  return rows.length
}
