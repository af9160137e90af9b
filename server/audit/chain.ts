/**
 * The chain of seals over the ledger, by which it is found out whoever changes the ledger past all its locks.
 *
 * A seal covers the rows of the ledger whose ids lie after the `last_id` of the seal before it, up to its own. It is made once no more
 * rows with such ids can come, so that each row is covered by one seal for good. These are hashed, `at` in microseconds since 1970:
 *
 *     content of a row = sha256(JSON array of kind, target_type, target_id, actor_id, actor_username, action, facts)
 *     whole of a row   = sha256("id at tx " and its content)
 *     hash of a seal   = sha256(hash of the seal before, "id at last_id ", and the wholes of its rows by id)
 *
 * So a seal stands for all that came before it: to hide one change, every seal since must be made anew, and the last hash becomes
 * another than the one that was noted elsewhere.
 *
 * The hash alone would only tell that something in a seal is wrong. To name the row, a seal keeps of each its id and two marks, the first 8
 * bytes of its content and of its whole. The first row whose whole has another mark now is the one that is named:
 *
 *     added      the seal has no such row
 *     reordered  its content is its own, but its time or transaction is not; or its content stands in another such row
 *     missing    the ledger has no such row
 *     changed    else
 *
 * Whoever may write to the ledger, but not past its locks, can date a row as they like before it is sealed: such a row fits its seal, but
 * its time does not lie between that of the seal before and that of its own. It is named as added.
 *
 * Aliases are handed to each fragment below, which says which of their columns it takes.
 */
import { type RawBuilder, sql } from 'kysely'

export type Fragment = RawBuilder<unknown>

const micros = (time: Fragment) => sql`(extract(epoch from ${time}) * 1000000)::bigint`
const CONTENT = ['kind', 'target_type', 'target_id', 'actor_id', 'actor_username', 'action', 'facts']

/** The content of `row`, which has the columns of `ledger`. */
const contentOf = (row: string) => {
  const fields = sql.join(CONTENT.map((name) => sql.ref(`${row}.${name}`)))
  return sql`sha256(convert_to(jsonb_build_array(${fields})::text, 'UTF8'))`
}

/** The whole of `row`, which has `id`, `at`, `tx` and its `content`. */
const wholeOf = (row: string) => {
  const column = (name: string) => sql.ref(`${row}.${name}`)
  return sql`sha256(convert_to(concat(${column('id')}, ' ', ${micros(column('at'))}, ' ', ${column('tx')}, ' '), 'UTF8') || ${column('content')})`
}

/** The hash of `seal`, which has `id`, `at` and `last_id`, after `before`, which has `hash` or is null; `wholes` are those of its rows, one after the other. */
export const hashOf = (seal: string, before: string, wholes: Fragment) => {
  const column = (name: string) => sql.ref(`${seal}.${name}`)
  return sql`sha256(coalesce(${sql.ref(`${before}.hash`)}, '')
    || convert_to(concat(${column('id')}, ' ', ${micros(column('at'))}, ' ', ${column('last_id')}, ' '), 'UTF8') || ${wholes})`
}

const markOf = (hash: Fragment) => sql`('x' || encode(substr(${hash}, 1, 8), 'hex'))::bit(64)::bigint`

/** The rows of the ledger after one id, up to another: `id`, `at`, `whole`, and the marks `content_mark` and `whole_mark`. */
export const rowsBetween = (after: Fragment, last: Fragment) => sql`(
  select id, at, whole, ${markOf(sql.ref('content'))} as content_mark, ${markOf(sql.ref('whole'))} as whole_mark
  from (
    select id, at, content, ${wholeOf('read')} as whole
    from (select id, at, tx, ${contentOf('ledger')} as content from ledger where id > ${after} and id <= ${last}) as read) as hashed)`

/**
 * What a seal keeps of these rows, as one row: `ids`, `contents` and `wholes`, which are marks, each by id; besides, all that is hashed of
 * them as `hashed`, and the times `earliest` and `latest`.
 */
export const summaryOf = (after: Fragment, last: Fragment) => sql`(
  select coalesce(array_agg(id order by id), '{}') as ids, coalesce(array_agg(content_mark order by id), '{}') as contents,
    coalesce(array_agg(whole_mark order by id), '{}') as wholes, coalesce(string_agg(whole, '' order by id), '') as hashed,
    min(at) as earliest, max(at) as latest
  from ${rowsBetween(after, last)} as covered)`
