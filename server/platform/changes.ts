/** record(): everything that follows from a change, in the caller's transaction. */
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { changeKinds } from '../changes.ts'
import type { Change as AnyChange, Author, ChangeKind, History, Notice } from './change-kind.ts'
import type { Tx } from './db.ts'

type Kinds = typeof changeKinds
export type Change = { [K in keyof Kinds]: { kind: K } & AnyChange<Static<Kinds[K]['facts']>> }[keyof Kinds]

/** Writes the ledger row, the histories, the notifications and the events of a change. */
export async function record(tx: Tx, caller: Author, change: Change) {
  const author = change.author ?? caller
  const kind = changeKinds[change.kind] as ChangeKind
  const by = { actorId: author?.id ?? null, actorUsername: author?.username ?? null }

  const audits = kind.audits === 'nothing' ? [] : [kind.audits(change)].flat()
  await tx
    .insertInto('changes')
    .values(
      (audits.length ? audits : [{ action: null, metadata: undefined }]).map(({ action, metadata }) => ({
        kind: change.kind,
        about: kind.about,
        subject: change.subject,
        ...by,
        action,
        facts: JSON.stringify(metadata ?? change.facts),
      })),
    )
    .execute()

  if (kind.histories !== 'nothing') await writeHistories(tx, by, kind.histories(change))
  if (kind.tells !== 'nobody') for (const notice of await kind.tells(tx, change)) await notify(tx, notice)
  if (kind.emits !== 'nothing') {
    for (const { event, data, to, sessions = null } of await kind.emits(tx, change)) {
      if (to !== 'everyone' && to.length === 0) continue
      const recipients = to === 'everyone' ? null : [...new Set(to)]
      await tx
        .insertInto('events')
        .values({ event, data: JSON.stringify(data), recipients, sessions })
        .execute()
    }
  }
}

/** One statement however many sets are touched: a group of everyone has tens of thousands of members. */
async function writeHistories(tx: Tx, by: { actorId: number | null; actorUsername: string | null }, histories: History[]) {
  if (histories.length === 0) return
  await sql`
    insert into permission_history (kind, target_id, added, removed, actor_id, actor_username)
    select kind, target, added, removed, ${by.actorId}::int, ${by.actorUsername}::text
    from jsonb_to_recordset(${JSON.stringify(histories)}::jsonb) as history (kind text, target int, added int[], removed int[])`.execute(tx)
}

const fill = (template: string | null, words: Record<string, string> = {}) =>
  template?.replace(/\{(\w+)\}/g, (_, word: string) => words[word] ?? '') ?? null

async function notify(tx: Tx, { whom, type, says, words, relatedType, relatedId }: Notice) {
  if (whom.length === 0) return
  const texts = {
    titleAr: fill(says.titleAr, words?.ar)!,
    titleEn: fill(says.titleEn, words?.en)!,
    bodyAr: fill(says.bodyAr, words?.ar),
    bodyEn: fill(says.bodyEn, words?.en),
  }
  const written = await tx
    .insertInto('notifications')
    .values([...new Set(whom)].map((userId) => ({ userId, ...texts, type, relatedType, relatedId })))
    .returningAll()
    .execute()
  await tx
    .insertInto('events')
    .values(
      written.map((notification) => ({
        event: 'notification_created',
        data: JSON.stringify({ notification }),
        recipients: [notification.userId],
        sessions: null,
      })),
    )
    .execute()
}
