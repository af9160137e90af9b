import { Type } from 'typebox'
import { kind } from '../platform/changes/change-kind.ts'
import { noteChanged, noteNotice, type Words } from './rules.ts'
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
    about: 'note',
    facts: Own,
    ...quiet,
    emits: (_tx, { subject, facts }) => [noteChanged(subject, 'updated', [facts.ownerId])],
  }),
  /** `reach` is who received it, where what they see moved. */
  'note.updated': kind({
    about: 'note',
    facts: Edit,
    ...quiet,
    emits: (_tx, { subject, facts, reach = [] }) => [noteChanged(subject, 'updated', [facts.ownerId, ...(reach as number[])])],
  }),
  'note.deleted': kind({
    about: 'note',
    facts: Known,
    ...quiet,
    emits: (_tx, { subject, facts }) => [noteChanged(subject, 'deleted', [facts.ownerId, ...facts.recipientIds])],
  }),
  /** `shows` is what the texts name. */
  'note.sent': kind({
    about: 'note',
    facts: Known,
    audits: 'nothing',
    histories: 'nothing',
    tells: (_tx, { subject, facts, shows }) => [noteNotice(subject, 'note_received', facts.recipientIds, shows as Words)],
    emits: (_tx, { subject, facts }) => [
      noteChanged(subject, 'received', facts.recipientIds),
      noteChanged(subject, 'updated', [facts.ownerId]),
    ],
  }),
  /** `shows` is what the texts name. A recipient's reply is heard of in one word, though their status moves with it. */
  'note.replied': kind({
    about: 'note',
    facts: Reply,
    audits: 'nothing',
    histories: 'nothing',
    tells: (_tx, { subject, facts: { ownerId, recipientId, isFromOwner }, shows }) => [
      noteNotice(subject, 'note_replied', [isFromOwner ? recipientId : ownerId], shows as Words),
    ],
    emits: (_tx, { subject, facts: { ownerId, recipientId } }) => [noteChanged(subject, 'replied', [ownerId, recipientId])],
  }),
  'note.status_changed': kind({
    about: 'note',
    facts: Standing,
    ...quiet,
    emits: (_tx, { subject, facts: { ownerId, recipientId } }) => [noteChanged(subject, 'status', [ownerId, recipientId])],
  }),
  /** A recipient put it into a folder of theirs, or took it out: nobody else's affair. */
  'note.filed': kind({
    about: 'note',
    facts: Filing,
    ...quiet,
    emits: (_tx, { subject, facts: { recipientId } }) => [noteChanged(subject, 'updated', [recipientId])],
  }),
  /** An administrator read what is neither theirs nor was sent to them. */
  'note.inspected': kind({
    about: 'note',
    facts: Own,
    audits: () => ({ action: 'note.read' }),
    histories: 'nothing',
    tells: 'nobody',
    emits: 'nothing',
  }),
  'note_folder.created': kind({ about: 'note_folder', facts: Own, ...unheard }),
  'note_folder.renamed': kind({ about: 'note_folder', facts: Own, ...unheard }),
  'note_folder.deleted': kind({ about: 'note_folder', facts: Own, ...unheard }),
  'note_label.created': kind({ about: 'note_label', facts: Own, ...unheard }),
  'note_label.updated': kind({ about: 'note_label', facts: Own, ...unheard }),
  'note_label.deleted': kind({ about: 'note_label', facts: Own, ...unheard }),
}
