import { Type } from 'typebox'
import { kind } from '../platform/changes/change-kind.ts'
import { noteChanged, noteNotice, type Params } from './rules.ts'
import { NoteRecipientStatus } from './shapes.ts'

const Id = Type.Integer()
const ids = Type.Array(Id)
const Own = Type.Object({ ownerId: Id })
/** What moved is named, not told: the ledger outlives every note. */
const Edit = Type.Object({ ownerId: Id, fields: Type.Array(Type.String()) })
const Known = Type.Object({ ownerId: Id, recipientIds: ids })
const Reply = Type.Object({ ownerId: Id, recipientId: Id, isFromOwner: Type.Boolean(), replyId: Id })
const Standing = Type.Object({ ownerId: Id, recipientId: Id, from: NoteRecipientStatus, to: NoteRecipientStatus })
const Filing = Type.Object({ recipientId: Id, folderId: Type.Union([Id, Type.Null()]) })

const unheard = { audits: 'nothing', histories: 'nothing', tells: 'nobody', emits: 'nothing' } as const
const quiet = { audits: 'nothing', histories: 'nothing', tells: 'nobody' } as const

export const noteChanges = {
  'note.created': kind({
    targetType: 'note',
    facts: Own,
    ...quiet,
    emits: (_tx, { targetId, facts }) => [noteChanged(targetId, 'updated', [facts.ownerId])],
  }),
  /** `recipients` is who received it, where what they see moved. */
  'note.updated': kind({
    targetType: 'note',
    facts: Edit,
    ...quiet,
    emits: (_tx, { targetId, facts, recipients = [] }) => [noteChanged(targetId, 'updated', [facts.ownerId, ...(recipients as number[])])],
  }),
  'note.deleted': kind({
    targetType: 'note',
    facts: Known,
    ...quiet,
    emits: (_tx, { targetId, facts }) => [noteChanged(targetId, 'deleted', [facts.ownerId, ...facts.recipientIds])],
  }),
  /** `payload` is what the texts name. */
  'note.sent': kind({
    targetType: 'note',
    facts: Known,
    audits: 'nothing',
    histories: 'nothing',
    tells: (_tx, { targetId, facts, payload }) => [noteNotice(targetId, 'note_received', facts.recipientIds, payload as Params)],
    emits: (_tx, { targetId, facts }) => [
      noteChanged(targetId, 'received', facts.recipientIds),
      noteChanged(targetId, 'updated', [facts.ownerId]),
    ],
  }),
  /** `payload` is what the texts name. A recipient's reply is heard of in one word, though their status moves with it. */
  'note.replied': kind({
    targetType: 'note',
    facts: Reply,
    audits: 'nothing',
    histories: 'nothing',
    tells: (_tx, { targetId, facts: { ownerId, recipientId, isFromOwner }, payload }) => [
      noteNotice(targetId, 'note_replied', [isFromOwner ? recipientId : ownerId], payload as Params),
    ],
    emits: (_tx, { targetId, facts: { ownerId, recipientId } }) => [noteChanged(targetId, 'replied', [ownerId, recipientId])],
  }),
  'note.status_changed': kind({
    targetType: 'note',
    facts: Standing,
    ...quiet,
    emits: (_tx, { targetId, facts: { ownerId, recipientId } }) => [noteChanged(targetId, 'status', [ownerId, recipientId])],
  }),
  /** A recipient put it into a folder of theirs, or took it out: nobody else's affair. */
  'note.filed': kind({
    targetType: 'note',
    facts: Filing,
    ...quiet,
    emits: (_tx, { targetId, facts: { recipientId } }) => [noteChanged(targetId, 'updated', [recipientId])],
  }),
  /** An administrator read what is neither theirs nor was sent to them. */
  'note.inspected': kind({
    targetType: 'note',
    facts: Own,
    audits: () => ({ action: 'note.read' }),
    histories: 'nothing',
    tells: 'nobody',
    emits: 'nothing',
  }),
  'note_folder.created': kind({ targetType: 'note_folder', facts: Own, ...unheard }),
  'note_folder.renamed': kind({ targetType: 'note_folder', facts: Own, ...unheard }),
  'note_folder.deleted': kind({ targetType: 'note_folder', facts: Own, ...unheard }),
  'note_label.created': kind({ targetType: 'note_label', facts: Own, ...unheard }),
  'note_label.updated': kind({ targetType: 'note_label', facts: Own, ...unheard }),
  'note_label.deleted': kind({ targetType: 'note_label', facts: Own, ...unheard }),
}
