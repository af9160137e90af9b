import { Type } from 'typebox'
import { type Change, changed, changedIf, decideEach, unchanged } from '../../platform/changes/outcome.ts'
import { quotaExceeded, refuse, refuseField } from '../../platform/errors/refusal.ts'
import { command, query, sharedCommand } from '../../platform/http/endpoint.ts'
import { IdParams } from '../../platform/http/shape.ts'
import { lockOwn } from './filing.ts'
import { readWriter, recipientIdsOf } from './queries.ts'
import { paramsFor, statusAfter } from './rules.ts'
import {
  NewReply,
  NoteReply,
  NoteThread,
  NoteUserSummary,
  ReceivedEdit,
  ReceivedNote,
  ReceivedParams,
  ReceivedQuery,
  RecipientsQuery,
  Sending,
  SendNoteResult,
  SentNote,
  TabPartQuery,
} from './shapes.ts'
import {
  fileReceived,
  findReceived,
  insertReply,
  listReceived,
  listRecipients,
  listSent,
  lockReadableNote,
  lockReceived,
  MOST_NOTICES,
  readReceived,
  readReply,
  sendNotes,
  setStatus,
} from './sharing.ts'
import { mayReadThreadOn, readThread, writeThread } from './thread.ts'

export const readRecipients = query('GET /notes/recipients', {
  summary: 'Active people to whom the caller may send notes, by name',
  description: '`q` ignores case, diacritics and letter variants.',
  allow: 'signed-in',
  query: RecipientsQuery,
  reply: Type.Array(NoteUserSummary),
  run: ({ db, actor, query }) => listRecipients(db, actor.id, query, actor.language),
})

export const sendNote = sharedCommand('POST /notes/:id/send', {
  summary: 'Send one of the caller’s notes; people who already have it are not notified again',
  description:
    'New recipients are notified; inactive and unknown ones are refused. The notes and replies of a person cause at most 5,000 notifications an hour.',
  allow: 'signed-in',
  params: IdParams,
  body: Sending,
  reply: SendNoteResult,
  refuses: ['not_found', 'unknown_ids', 'quota_exceeded'],
  runMany: async (tx, calls) => {
    const sendings = await sendNotes(
      tx,
      calls.map(({ actor, params: { id }, body: { recipientUserIds } }) => ({ noteId: id, ownerId: actor.id, userIds: recipientUserIds })),
    )
    return decideEach(calls, ({ actor, params: { id }, body: { recipientUserIds } }, n) => {
      const { unknownIds, caused, isSent, recipientIds, ...note } = sendings[n] ?? refuse('not_found')
      if (recipientUserIds.includes(actor.id)) refuseField('recipientUserIds', 'notSelf')
      if (unknownIds.length) refuse('unknown_ids', { body: { unknownIds } })
      if (!isSent) throw quotaExceeded({ quota: 'notices', used: caused, allowed: MOST_NOTICES })
      const reply = { success: true, sent: recipientIds.length }
      if (recipientIds.length === 0) return unchanged(reply)
      return changed(reply, { kind: 'note.sent', targetId: id, facts: { ownerId: actor.id, recipientIds }, payload: paramsFor(note, note) })
    })
  },
})

export const readSent = query('GET /notes/sent', {
  summary: 'The notes the caller sent, newest first',
  description: 'Each with its recipients and their statuses.',
  allow: 'signed-in',
  query: TabPartQuery,
  reply: Type.Array(SentNote),
  run: ({ db, actor, query: { tab = 'active', ...part } }) => listSent(db, actor.id, tab, part),
})

export const readReceivedNotes = query('GET /notes/received', {
  summary: 'The notes the caller received, newest first',
  description: '`tab=archived` lists those that the caller has archived, `folderId` those in one of the caller’s folders, or in none.',
  allow: 'signed-in',
  query: ReceivedQuery,
  reply: Type.Array(ReceivedNote),
  run: ({ db, actor, query: { tab = 'active', folderId, ...part } }) => listReceived(db, actor.id, { tab, folderId }, part),
})

export const readNoteThread = command('GET /notes/:id/thread', {
  summary:
    'A note with its replies; a recipient sees their own part, and an unread note becomes read. An administrator’s reading is audited',
  description: 'The owner gets `note_changed` when a note is read for the first time.',
  allow: 'signed-in',
  params: IdParams,
  reply: NoteThread,
  refuses: ['not_found'],
  answer: ({ db, actor, params: { id }, asLongAs }) => {
    asLongAs((now) => mayReadThreadOn(db, id, now, 'as its own'))
    return readThread(db, id, actor)
  },
  prepare: async ({ db }) => db,
  run: async ({ tx, actor, params: { id }, prepared: db, asLongAs }) => {
    const { note, row, standing } = await lockReadableNote(tx, id, actor)
    asLongAs((now) => mayReadThreadOn(db, id, now, standing === 'admin' ? 'as an administrator' : 'as its own'))
    const ownerId = note.userId
    const changes: Change[] = []
    if (standing === 'admin') changes.push({ kind: 'note.inspected', targetId: id, facts: { ownerId } })
    if (row?.status === 'unread') {
      await setStatus(tx, row, 'read')
      changes.push({ kind: 'note.status_changed', targetId: id, facts: { ownerId, recipientId: actor.id, from: 'unread', to: 'read' } })
    }
    return changedIf(await writeThread(tx, db, id, actor), changes)
  },
})

/** The recipient of the owner's reply: the named one, or the note's only recipient. Refuses if neither exists. */
function findAnswered(recipientIds: number[], named: number | undefined) {
  if (named === undefined) return recipientIds.length === 1 ? recipientIds[0]! : refuseField('recipientUserId', 'required')
  return recipientIds.includes(named) ? named : refuse('unknown_ids', { body: { unknownIds: [named] } })
}

export const replyToNote = command('POST /notes/:id/replies', {
  summary: 'Reply to a note or, as its owner, to one of its recipients; other recipients do not see the reply',
  description: 'The other side is notified. The recipient’s status becomes `replied`.',
  allow: 'signed-in',
  params: IdParams,
  body: NewReply,
  reply: NoteReply,
  status: 201,
  refuses: ['not_found', 'forbidden', 'unknown_ids', 'quota_exceeded'],
  run: async ({ tx, actor, params: { id }, body: { content, recipientUserId } }) => {
    const { note, row, standing } = await lockReadableNote(tx, id, actor)
    if (standing === 'admin') refuse('forbidden')
    const isFromOwner = standing === 'owner'
    const recipientId = isFromOwner ? findAnswered(await recipientIdsOf(tx, id), recipientUserId) : actor.id
    if (row) await setStatus(tx, row, 'replied')
    const replyId = await insertReply(tx, { noteId: id, recipientId, isFromOwner, content })
    const writer = await readWriter(tx, actor.id)
    const facts = { ownerId: note.userId, recipientId, isFromOwner, replyId }
    return changed(await readReply(tx, replyId), { kind: 'note.replied', targetId: id, facts, payload: paramsFor(note, writer) })
  },
})

export const changeReceived = command('PATCH /notes/received/:recipientRowId', {
  summary: 'Mark a received note, archive it or file it; a note taken out of the archive gets its former status back',
  description: 'Omitted fields do not change. The folder must be the caller’s own.',
  allow: 'signed-in',
  params: ReceivedParams,
  body: ReceivedEdit,
  reply: ReceivedNote,
  refuses: ['not_found', 'unknown_ids'],
  run: async ({ tx, actor, params: { recipientRowId }, body: { status, folderId } }) => {
    const { noteId } = await findReceived(tx, recipientRowId, actor.id)
    await lockOwn(tx, 'noteFolders', actor.id, folderId ? [folderId] : [])
    const { note, row } = await lockReceived(tx, noteId, actor.id)
    const changes: Change[] = []
    const to = status ? statusAfter(row, status) : row.status
    if (to !== row.status) {
      await setStatus(tx, row, to)
      const facts = { ownerId: note.userId, recipientId: actor.id, from: row.status, to }
      changes.push({ kind: 'note.status_changed', targetId: noteId, facts })
    }
    if (folderId !== undefined && folderId !== row.folderId) {
      await fileReceived(tx, recipientRowId, folderId)
      changes.push({ kind: 'note.filed', targetId: noteId, facts: { recipientId: actor.id, folderId } })
    }
    return changedIf(await readReceived(tx, recipientRowId), changes)
  },
})
