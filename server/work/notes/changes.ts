import { Type } from 'typebox'
import { type ChangeOf, type Event, given, kind } from '../../platform/changes/change-kind.ts'
import type { Tx } from '../../platform/database/db.ts'
import { recipientIdsOf } from './queries.ts'
import { isShared, noteChanged, noteNotice, type Params } from './rules.ts'
import { NoteRecipientStatus } from './shapes.ts'

const Id = Type.Integer()
const ids = Type.Array(Id)
const Own = Type.Object({ ownerId: Id })
/** Facts name the changed fields without their values, because the ledger outlives every note. */
const Edit = Type.Object({ ownerId: Id, fields: Type.Array(Type.String()) })
const Known = Type.Object({ ownerId: Id, recipientIds: ids })
const Reply = Type.Object({ ownerId: Id, recipientId: Id, isFromOwner: Type.Boolean(), replyId: Id })
const Standing = Type.Object({ ownerId: Id, recipientId: Id, from: NoteRecipientStatus, to: NoteRecipientStatus })
const Filing = Type.Object({ recipientId: Id, folderId: Type.Union([Id, Type.Null()]) })

/** The names in the texts come as payload, so that the ledger never stores what people write. */
const named = { payload: given<Params>() }

const quiet = { audits: 'nothing' } as const

/** Folders and labels belong to a person and not to a note, so only that person’s pages get an event. */
const arranged = {
  facts: Own,
  ...quiet,
  emits: (_tx: Tx, { facts }: ChangeOf<{ ownerId: number }>): Event[] => [{ event: 'me_changed', data: {}, to: [facts.ownerId] }],
}

export const noteChanges = {
  'note.created': kind({
    targetType: 'note',
    facts: Own,
    ...quiet,
    emits: (_tx, { targetId, facts }) => [noteChanged(targetId, 'updated', [facts.ownerId])],
  }),
  'note.updated': kind({
    targetType: 'note',
    facts: Edit,
    ...quiet,
    emits: async (tx, { targetId, facts: { ownerId, fields } }) => {
      const recipientIds = isShared(fields) ? await recipientIdsOf(tx, targetId) : []
      return [noteChanged(targetId, 'updated', [ownerId, ...recipientIds])]
    },
  }),
  'note.deleted': kind({
    targetType: 'note',
    facts: Known,
    ...quiet,
    emits: (_tx, { targetId, facts }) => [noteChanged(targetId, 'deleted', [facts.ownerId, ...facts.recipientIds])],
    settles: ({ targetId }) => [{ relatedType: 'note', relatedId: targetId }],
  }),
  'note.sent': kind({
    targetType: 'note',
    facts: Known,
    needs: named,
    audits: 'nothing',
    notifies: (_tx, { targetId, facts, payload }) => [noteNotice(targetId, 'note_received', facts.recipientIds, payload)],
    emits: (_tx, { targetId, facts }) => [
      noteChanged(targetId, 'received', facts.recipientIds),
      noteChanged(targetId, 'updated', [facts.ownerId]),
    ],
  }),
  /** A recipient's reply is one event, although it changes their status as well. */
  'note.replied': kind({
    targetType: 'note',
    facts: Reply,
    needs: named,
    audits: 'nothing',
    notifies: (_tx, { targetId, facts: { ownerId, recipientId, isFromOwner }, payload }) => [
      noteNotice(targetId, 'note_replied', [isFromOwner ? recipientId : ownerId], payload),
    ],
    emits: (_tx, { targetId, facts: { ownerId, recipientId } }) => [noteChanged(targetId, 'replied', [ownerId, recipientId])],
  }),
  'note.status_changed': kind({
    targetType: 'note',
    facts: Standing,
    ...quiet,
    emits: (_tx, { targetId, facts: { ownerId, recipientId } }) => [noteChanged(targetId, 'status', [ownerId, recipientId])],
  }),
  /** A recipient moved the note into or out of one of their folders; only they get an event. */
  'note.filed': kind({
    targetType: 'note',
    facts: Filing,
    ...quiet,
    emits: (_tx, { targetId, facts: { recipientId } }) => [noteChanged(targetId, 'updated', [recipientId])],
  }),
  /** An administrator read a note that is neither theirs nor was sent to them. */
  'note.inspected': kind({
    targetType: 'note',
    facts: Own,
    audits: () => ({ action: 'note.read' }),
    emits: 'nothing',
  }),
  /** An administrator read the titles of someone's notes. */
  'user.notes_inspected': kind({
    targetType: 'user',
    facts: Type.Object({ username: Type.String() }),
    audits: () => ({ action: 'user.notes.inspect' }),
    emits: 'nothing',
  }),
  'note_folder.created': kind({ targetType: 'note_folder', ...arranged }),
  'note_folder.renamed': kind({ targetType: 'note_folder', ...arranged }),
  'note_folder.deleted': kind({ targetType: 'note_folder', ...arranged }),
  'note_label.created': kind({ targetType: 'note_label', ...arranged }),
  'note_label.updated': kind({ targetType: 'note_label', ...arranged }),
  'note_label.deleted': kind({ targetType: 'note_label', ...arranged }),
}
