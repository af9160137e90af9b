/**
 * The chain of seals over the ledger, which reveals changes made to the ledger by circumventing its locks.
 *
 * A seal covers the ledger rows whose ids are greater than the previous seal's `last_id`, up to its own. The database's
 * function `seal_ledger` makes it, once no more rows with such ids can be committed, so each row is covered by exactly one seal; here it is
 * computed again. The hashes, with `at` in microseconds since 1970, are:
 *
 *     content of a row = sha256(JSON array of kind, target_type, target_id, actor_id, actor_username, action, facts)
 *     whole of a row   = sha256("id at tx " and its content)
 *     hash of a seal   = sha256(hash of the seal before, "id at last_id ", and the wholes of its rows by id)
 *
 * So a seal vouches for everything before it: to hide one change, every later seal must be recomputed, and then the last hash differs
 * from the one that was noted elsewhere.
 *
 * The hash alone would only show that something under a seal is wrong. To name the row, a seal keeps the id of each row and two marks:
 * the first 8 bytes of the hashes of its content and of its whole. The first row whose whole has a different mark is named as:
 *
 *     added      the seal has no such row
 *     reordered  its content is the same, but its time or transaction is not; or its content is now in another such row
 *     missing    the ledger has no such row
 *     changed    otherwise
 *
 * Someone who may insert rows into the ledger can give one a false time before it is sealed. Such a row matches its seal, but its time
 * is not between the times of the previous seal and its own. It is named as added, as are a row with the id of a second row, sealed or
 * not, and a row with an id beyond all ids given out.
 *
 * The SQL fragments below take aliases as parameters; each comment says which columns of them the fragment uses.
 */
import { type RawBuilder, sql } from 'kysely'

export type Fragment = RawBuilder<unknown>

const micros = (time: Fragment) => sql`(extract(epoch from ${time}) * 1000000)::bigint`
const CONTENT = ['kind', 'target_type', 'target_id', 'actor_id', 'actor_username', 'action', 'facts']

/** The hash of the content of `row`, which has the columns of `ledger`. */
const contentOf = (row: string) => {
  const fields = sql.join(CONTENT.map((name) => sql.ref(`${row}.${name}`)))
  return sql`sha256(convert_to(jsonb_build_array(${fields})::text, 'UTF8'))`
}

/** The hash of the whole of `row`, which has `id`, `at` and `tx`; `content` is the hash of its content. */
const wholeOf = (row: string, content: Fragment = sql.ref(`${row}.content`)) => {
  const column = (name: string) => sql.ref(`${row}.${name}`)
  return sql`sha256(convert_to(concat(${column('id')}, ' ', ${micros(column('at'))}, ' ', ${column('tx')}, ' '), 'UTF8') || ${content})`
}

/** The hash of the whole of `row`, which has the columns of `ledger`, in hexadecimal. */
export const rowHashOf = (row: string) => sql<string>`encode(${wholeOf(row, contentOf(row))}, 'hex')`

/**
 * The rows after the id `after`, up to `last`, that the audit log does not list, as one row: `unlisted` has their `ids`, and their `hashes`
 * one after the other in base 64; null if there are none.
 */
export const unlistedOf = (after: Fragment, last: Fragment) => sql`(
  select case when count(*) > 0 then jsonb_build_object('ids', jsonb_agg(id order by id),
    'hashes', translate(encode(string_agg(${wholeOf('ledger', contentOf('ledger'))}, '' order by id), 'base64'), E'\\n', '')) end as unlisted
  from ledger where id > ${after} and id <= ${last} and action is null)`

/**
 * The hash of `seal`, which has `id`, `at` and `last_id`. The previous seal is `before`, which has `hash`, or is null. `wholes` are the
 * wholes of its rows, concatenated.
 */
export const hashOf = (seal: string, before: string, wholes: Fragment) => {
  const column = (name: string) => sql.ref(`${seal}.${name}`)
  return sql`sha256(coalesce(${sql.ref(`${before}.hash`)}, '')
    || convert_to(concat(${column('id')}, ' ', ${micros(column('at'))}, ' ', ${column('last_id')}, ' '), 'UTF8') || ${wholes})`
}

const markOf = (hash: Fragment) => sql`('x' || encode(substr(${hash}, 1, 8), 'hex'))::bit(64)::bigint`

/** The ledger rows after the id `after`, up to `last`: `id`, `at`, `whole`, and the marks `content_mark` and `whole_mark`. */
export const rowsBetween = (after: Fragment, last: Fragment) => sql`(
  select id, at, whole, ${markOf(sql.ref('content'))} as content_mark, ${markOf(sql.ref('whole'))} as whole_mark
  from (
    select id, at, content, ${wholeOf('read')} as whole
    from (select id, at, tx, ${contentOf('ledger')} as content from ledger where id > ${after} and id <= ${last}) as read) as hashed)`

/**
 * One row that sums up the ledger rows after the id `after`, up to `last`, as a seal stores them: `ids` and the marks `contents` and
 * `wholes`, ordered by id and time; also the concatenated wholes as `hashed`, and the times `earliest` and `latest`.
 */
export const summaryOf = (after: Fragment, last: Fragment) => sql`(
  select coalesce(array_agg(id order by id, at), '{}') as ids, coalesce(array_agg(content_mark order by id, at), '{}') as contents,
    coalesce(array_agg(whole_mark order by id, at), '{}') as wholes, coalesce(string_agg(whole, '' order by id, at), '') as hashed,
    min(at) as earliest, max(at) as latest
  from ${rowsBetween(after, last)} as covered)`
