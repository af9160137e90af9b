import { Type } from 'typebox'
import { Count, Id, Line, Nullable, OneOf, PartialShape, Shape, Text, Timestamp } from '../platform/http/shape.ts'
import { askable, colors, noteChangeNames, statuses } from './rules.ts'

export const NoteColor = OneOf(colors)
export const NoteRecipientStatus = OneOf(statuses)

export const Tab = Type.Optional(OneOf(['active', 'archived'], { default: 'active' }))
export const TabQuery = Shape({ tab: Tab })
export const NotesQuery = Shape({
  tab: Tab,
  folderId: Type.Optional(Type.String({ pattern: '^(none|[1-9]\\d{0,9})$', description: 'A folder, or `none` for the unfiled' })),
  labelId: Type.Optional(Id),
  q: Type.Optional(Line({ max: 200, description: 'Part of the title or the content' })),
})

const Ids = Type.Array(Id, { maxItems: 100 })
const Title = Type.String()
const Content = Type.String()

export const MyNote = Shape({
  id: Id,
  userId: Id,
  title: Title,
  content: Content,
  color: NoteColor,
  isPinned: Type.Boolean(),
  isArchived: Type.Boolean(),
  folderId: Nullable(Id),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  labelIds: Type.Array(Id),
})
const fields = {
  title: Line({ max: 200 }),
  content: Text({ max: 20_000 }),
  color: NoteColor,
  isPinned: Type.Boolean(),
  folderId: Nullable(Id),
  labelIds: Ids,
}
/** Title or content must say something. */
export const NewNote = PartialShape(fields)
export const NoteEdit = PartialShape({ ...fields, isArchived: Type.Boolean() })

export const NoteFolder = Shape({ id: Id, userId: Id, name: Type.String(), createdAt: Timestamp, updatedAt: Timestamp, noteCount: Count })
export const FolderFields = Shape({ name: Line({ min: 1, max: 100 }) })

export const NoteLabel = Shape({ id: Id, name: Type.String(), color: NoteColor })
const labelFields = { name: Line({ min: 1, max: 50 }), color: Type.Optional(NoteColor) }
export const NewLabel = Shape(labelFields)
export const LabelEdit = PartialShape({ name: labelFields.name, color: NoteColor })

export const NoteUserSummary = Shape({
  id: Id,
  username: Type.String(),
  displayNameAr: Nullable(Type.String()),
  displayNameEn: Nullable(Type.String()),
  avatarUrl: Nullable(Type.String()),
  isActive: Type.Boolean(),
})
export const RecipientsQuery = Shape({
  q: Type.Optional(Line({ max: 200, description: 'Part of the username or of a display name' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 20 })),
})

export const NoteRecipientSummary = Shape({
  id: Id,
  noteId: Id,
  recipientUserId: Id,
  status: NoteRecipientStatus,
  sentAt: Timestamp,
  readAt: Nullable(Timestamp),
  archivedAt: Nullable(Timestamp),
  recipient: NoteUserSummary,
})

export const Sending = Shape({ recipientUserIds: Type.Array(Id, { minItems: 1, maxItems: 200 }) })
export const SendNoteResult = Shape({ success: Type.Boolean(), sent: Count })

export const SentNote = Shape({
  id: Id,
  userId: Id,
  title: Title,
  content: Content,
  color: NoteColor,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  recipients: Type.Array(NoteRecipientSummary),
  replyCount: Count,
  isPinned: Type.Boolean(),
  isArchived: Type.Boolean(),
  folderId: Nullable(Id),
})

export const ReceivedNote = Shape({
  id: Id,
  title: Title,
  content: Content,
  color: NoteColor,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  recipientRowId: Id,
  status: NoteRecipientStatus,
  sentAt: Timestamp,
  readAt: Nullable(Timestamp),
  archivedAt: Nullable(Timestamp),
  folderId: Nullable(Id),
  sender: NoteUserSummary,
})
export const ReceivedParams = Shape({ recipientRowId: Id })
export const ReceivedEdit = PartialShape({ status: OneOf(askable), folderId: Nullable(Id) })

export const NoteReply = Shape({
  id: Id,
  noteId: Id,
  senderUserId: Id,
  recipientUserId: Id,
  content: Content,
  createdAt: Timestamp,
  sender: NoteUserSummary,
})
export const NewReply = Shape({
  content: Text({ min: 1, max: 5000 }),
  recipientUserId: Type.Optional(Id),
})

export const NoteThread = Shape({
  id: Id,
  title: Title,
  content: Content,
  color: NoteColor,
  senderUserId: Id,
  isOwner: Type.Boolean(),
  isAdmin: Type.Boolean(),
  myStatus: Nullable(NoteRecipientStatus),
  recipients: Type.Array(NoteRecipientSummary),
  replies: Type.Array(NoteReply),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  sender: NoteUserSummary,
})

export const noteEvents = { note_changed: Shape({ noteId: Id, change: OneOf(noteChangeNames) }) }
