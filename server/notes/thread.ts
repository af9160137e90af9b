/** A note with what was answered: all of it to its owner and to administrators, to a recipient only their own part. */
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Reads, Tx } from '../platform/db.ts'
import type { Wire } from '../platform/endpoint.ts'
import { kept, type Versioned } from '../platform/kept.ts'
import { refuse } from '../platform/refusal.ts'
import { wireText } from '../platform/wire.ts'
import type { NoteRecipientStatus } from '../tables.ts'
import type { NoteThread } from './shapes.ts'
import { recipientJson, replyJson, threadJson } from './views.ts'

type Thread = Wire<Static<typeof NoteThread>>
interface Reader {
  id: number
  isAdmin: boolean
}
interface Found extends Versioned {
  standing: 'owner' | 'recipient' | 'admin'
  ownerId: number
  status: NoteRecipientStatus | null
}

const json = threadJson(
  'seen.standing',
  'seen.status',
  `coalesce((select json_agg(${recipientJson} order by r.id) from mine as r join users as u on u.id = r.recipient_id), '[]')`,
  `coalesce((select json_agg(${replyJson} order by p.id) from said as p join users as s on s.id =
    case when p.is_from_owner then n.user_id else p.recipient_id end), '[]')`,
)

/**
 * What the reader sees of a note, when they may know of it: the whole where its version is not the one known. The version names the
 * rows it shows as PostgreSQL does, by the transactions that wrote them; replies only come, unless their recipient goes.
 */
async function findThread(db: Reads, id: number, reader: Reader, known: string | null): Promise<Found | undefined> {
  const { rows } = await sql<Found>`
    with seen as materialized (
      select n.id, n.user_id as owner_id, r.status, n.xmin,
        case when n.user_id = ${reader.id} then 'owner' when r.id is not null then 'recipient' when ${reader.isAdmin}::boolean then 'admin' end as standing
      from notes as n left join note_recipients as r on r.note_id = n.id and r.recipient_id = ${reader.id}
      where n.id = ${id}
    ), mine as (
      select r.*, r.xmin as written from seen join note_recipients as r on r.note_id = seen.id
      where seen.standing <> 'recipient' or r.recipient_id = ${reader.id}
    ), said as (
      select p.* from seen join note_replies as p on p.note_id = seen.id
      where seen.standing <> 'recipient' or p.recipient_id = ${reader.id}
    ), now as materialized (
      select seen.*, concat_ws(' ', standing, seen.xmin,
        (select string_agg(concat_ws('.', mine.id, mine.written, u.xmin), ' ' order by mine.id) from mine join users as u on u.id = mine.recipient_id),
        (select xmin from users where id = seen.owner_id), (select max(p.id) from note_replies as p
          where p.note_id = seen.id and (seen.standing <> 'recipient' or p.recipient_id = ${reader.id}))) as version
      from seen where standing is not null
    )
    select standing, owner_id, status, version, case when version is distinct from ${known} then (
      select ${sql.raw(json)}::text from notes as n join users as o on o.id = n.user_id where n.id = seen.id) end as text
    from now as seen`.execute(db)
  return rows[0]
}

/** Whether the reading itself changes or is to be noted. */
const isNoted = ({ standing, status }: Found) => standing === 'admin' || status === 'unread'

/** The thread as its reader sees it; undefined where reading it is more than that. Refuses `not_found`. */
export async function readThread(db: Reads, id: number, reader: Reader) {
  let found: Found | undefined
  const bytes = await kept(db, JSON.stringify(['thread', id, reader.id]), async (known) => {
    found = await findThread(db, id, reader, known)
    return found && !isNoted(found) ? found : undefined
  })
  return found ? (bytes as Thread | undefined) : refuse('not_found')
}

/** The thread as it has become, to a reader who may know of it. */
export async function writeThread(tx: Tx, id: number, reader: Reader): Promise<Thread> {
  const { text } = (await findThread(tx, id, reader, null)) ?? refuse('not_found')
  return wireText(text!)
}
