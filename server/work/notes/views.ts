/** Notes as the JSON that is sent, built by PostgreSQL. */
import { type RawBuilder, sql } from 'kysely'
import { batchesOf, CUT_SIZE } from '../../platform/database/batches.ts'
import type { Reads } from '../../platform/database/db.ts'
import { jsonMoment, jsonObject, personJson } from '../../platform/database/json.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { type Page, partOf } from '../../platform/http/page.ts'
import { type Wire, wireText, writtenList } from '../../platform/http/wire.ts'

/** A person in a note, by the alias of their row. */
export const noteUserJson = (row: string) => personJson(row, { isActive: `${row}.is_active` })

/** The fields of a note that everyone who may see it sees. */
const shared = {
  id: 'n.id',
  title: 'n.title',
  content: 'n.content',
  color: 'n.color',
  createdAt: jsonMoment('n.created_at'),
  updatedAt: jsonMoment('n.updated_at'),
}
const owned = { userId: 'n.user_id', isPinned: 'n.is_pinned', isArchived: 'n.is_archived', folderId: 'n.folder_id' }

/** A row `n` of `notes`, as its owner sees it. */
export const myNoteJson = jsonObject({
  ...shared,
  ...owned,
  labelIds: 'array(select label_id from note_label_links where note_id = n.id order by label_id)',
})

/** A row `r` of `note_recipients`, with the recipient `u`. */
export const recipientJson = jsonObject({
  id: 'r.id',
  noteId: 'r.note_id',
  recipientUserId: 'r.recipient_id',
  status: 'r.status',
  sentAt: jsonMoment('r.sent_at'),
  readAt: jsonMoment('r.read_at'),
  archivedAt: jsonMoment('r.archived_at'),
  recipient: noteUserJson('u'),
})

export const sentNoteJson = jsonObject({
  ...shared,
  ...owned,
  recipients: `(select json_agg(${recipientJson} order by r.id)
    from note_recipients as r join users as u on u.id = r.recipient_id where r.note_id = n.id)`,
  replyCount: '(select count(*) from note_replies where note_id = n.id)',
})

/** A row `r` of `note_recipients`, with its note `n` and the owner `o`. */
export const receivedNoteJson = jsonObject({
  ...shared,
  recipientRowId: 'r.id',
  status: 'r.status',
  sentAt: jsonMoment('r.sent_at'),
  readAt: jsonMoment('r.read_at'),
  archivedAt: jsonMoment('r.archived_at'),
  folderId: 'r.folder_id',
  sender: noteUserJson('o'),
})

/** SQL: the id of the writer of a reply `p` to a note `n`. It stays when the writer is deleted; their names are then missing. */
const WRITER = 'case when p.is_from_owner then n.user_id else p.recipient_id end'

/** A row `p` of `note_replies`, with its note `n` and the writer `s`. */
export const replyJson = jsonObject({
  id: 'p.id',
  noteId: 'p.note_id',
  senderUserId: WRITER,
  recipientUserId: 'case when p.is_from_owner then p.recipient_id else n.user_id end',
  content: 'p.content',
  createdAt: jsonMoment('p.created_at'),
  sender: `case when s.id is not null then ${noteUserJson('s')} end`,
})
/** Joins the writer of a reply `p` to a note `n`. */
export const REPLY_WRITER = `left join users as s on s.id = ${WRITER}`

/** A note `n` with its owner `o`, for a reader whose relation to it is `standing`, with `lists` of the recipients and replies. */
export const threadJson = (standing: string, myStatus: string, lists: Record<string, string> = {}) =>
  jsonObject({
    ...shared,
    senderUserId: 'n.user_id',
    isOwner: `${standing} = 'owner'`,
    isAdmin: `${standing} = 'admin'`,
    myStatus,
    ...lists,
    sender: noteUserJson('o'),
  })

/** The first batch is small because notes may be long. */
const FIRST_NOTES = 100

interface WrittenBatch {
  text: string
  /** The number of rows in the batch before it was cut. */
  found: number
  id: number
  isPinned?: boolean
  name?: string
}

/**
 * The rows of a list: `rows` selects those after the last one read, or all for null; they are ordered by `order`, whose columns are
 * `keys`.
 */
interface Listed {
  rows: (after: WrittenBatch | null) => RawBuilder<unknown>
  keys: string
  order: string
}

/**
 * The items of a list as JSON, read in batches. A batch ends with the item that fills it, independently of the previous batch:
 * someone may have written a thousand short notes, and then a thousand long ones.
 */
export async function* textsOf(db: Reads, json: string, { rows, keys, order }: Listed) {
  const batches = batchesOf<WrittenBatch, WrittenBatch>({
    read: async (after, most) =>
      (
        await sql<WrittenBatch>`
          select * from (
            select *, count(*) over () as found, sum(length(text)) over (rows unbounded preceding) - length(text) as before
            from (
              select ${sql.raw(json)}::text as text, ${sql.raw(keys)} ${rows(after)} order by ${sql.raw(order)} limit ${most}
            ) as chosen
          ) as measured where before < ${sql.lit(CUT_SIZE)}`.execute(db)
      ).rows,
    keyOf: (row) => row,
    sizeOf: ({ text }) => text.length,
    isCut: (batch) => batch.length > 0 && batch[0]!.found > batch.length,
    first: FIRST_NOTES,
  })
  for await (const batch of batches) yield batch.map(({ text }) => text)
}

/** A list as JSON, or a page of it, read in batches. */
export const writeLongList = <Item>(db: Reads, json: string, listed: Listed, part: Page) =>
  writtenList<Item>(partOf(textsOf(db, json, listed), part))

/** A single record as JSON. Refuses `not_found`. */
export async function writeOne<Item>(db: Reads, json: string, rows: RawBuilder<unknown>): Promise<Wire<Item>> {
  const found = await sql<{ text: string }>`select ${sql.raw(json)}::text as text ${rows}`.execute(db)
  return wireText<Item>((found.rows[0] ?? refuse('not_found')).text)
}
