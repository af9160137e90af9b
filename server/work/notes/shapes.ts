import { Type } from 'typebox'
import {
  Count,
  Id,
  Line,
  Name,
  Named,
  Nullable,
  OneOf,
  PageOf,
  PartialShape,
  partQuery,
  Shape,
  Text,
  Timestamp,
} from '../../platform/http/shape.ts'
import { askable, colors, noteChangeNames, statuses } from './rules.ts'

const NoteColor = Named('NoteColor', OneOf(colors))
export const NoteRecipientStatus = Named('NoteRecipientStatus', OneOf(statuses))

const Tab = Type.Optional(OneOf(['active', 'archived'], { default: 'active' }))
export const TabPartQuery = Shape({ tab: Tab, ...partQuery })
const FolderId = Type.Optional(
  Type.String({ pattern: '^(none|[1-9]\\d{0,9})$', form: 'folder', description: 'A folder, or `none` for unfiled notes' }),
)
export const ReceivedQuery = Shape({ tab: Tab, folderId: FolderId, ...partQuery })
export const NotesQuery = Shape({
  tab: Tab,
  folderId: FolderId,
  labelId: Type.Optional(Id),
  q: Type.Optional(Line({ max: 200, description: 'Part of the title or the content' })),
  ...partQuery,
})

const Ids = Type.Array(Id, { maxItems: 500 })
const Title = Type.String()
const Content = Type.String()
const exampleText = { title: 'Visitors', content: 'Two guests on Sunday at nine.' }

export const MyNote = Named(
  'MyNote',
  Shape({
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
  }),
  { ...exampleText, userId: 12, isArchived: false },
)
const fields = {
  title: Name({ max: 200 }),
  content: Text({ max: 20_000 }),
  color: NoteColor,
  isPinned: Type.Boolean(),
  folderId: Nullable(Id),
  labelIds: Ids,
}
/** Title or content must not be blank. */
export const NewNote = Named('NewNote', PartialShape(fields), { ...exampleText, color: 'yellow', labelIds: [3] })
export const NoteEdit = Named('NoteChanges', PartialShape({ ...fields, isArchived: Type.Boolean() }), { isPinned: true, folderId: null })

export const NoteFolder = Named(
  'NoteFolder',
  Shape({ id: Id, userId: Id, name: Type.String(), createdAt: Timestamp, updatedAt: Timestamp, noteCount: Count }),
  { userId: 12, name: 'Guests', noteCount: 4 },
)
export const FolderFields = Named('NoteFolderFields', Shape({ name: Name({ min: 1, max: 100 }) }), { name: 'Guests' })

export const NoteLabel = Named('NoteLabel', Shape({ id: Id, name: Type.String(), color: NoteColor }), { name: 'Urgent', color: 'pink' })
const labelFields = { name: Name({ min: 1, max: 50 }), color: Type.Optional(NoteColor) }
export const NewLabel = Named('NewNoteLabel', Shape(labelFields), { name: 'Urgent', color: 'pink' })
export const LabelEdit = Named('NoteLabelChanges', PartialShape({ name: labelFields.name, color: NoteColor }), { color: 'blue' })

export const NoteUserSummary = Named(
  'NoteUserSummary',
  Shape({
    id: Id,
    username: Type.String(),
    displayNameAr: Nullable(Type.String()),
    displayNameEn: Nullable(Type.String()),
    avatarUrl: Nullable(Type.String()),
    isActive: Type.Boolean(),
  }),
  { id: 12, username: 'sara.ahmed', displayNameAr: 'سارة أحمد', displayNameEn: 'Sara Ahmed' },
)
export const RecipientsQuery = Shape({
  q: Type.Optional(Line({ max: 200, description: 'Part of the username or of a display name' })),
  ...partQuery,
})

const NoteRecipientSummary = Named(
  'NoteRecipientSummary',
  Shape({
    id: Id,
    noteId: Id,
    recipientUserId: Id,
    status: NoteRecipientStatus,
    sentAt: Timestamp,
    readAt: Nullable(Timestamp),
    archivedAt: Nullable(Timestamp),
    recipient: NoteUserSummary,
  }),
  { recipientUserId: 12 },
)

export const Sending = Named('NoteSending', Shape({ recipientUserIds: Type.Array(Id, { minItems: 1, maxItems: 200 }) }), {
  recipientUserIds: [12, 13],
})
export const SendNoteResult = Named('SendNoteResult', Shape({ success: Type.Boolean(), sent: Count }), { sent: 2 })

export const SentNote = Named(
  'SentNote',
  Shape({
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
  }),
  { ...exampleText, replyCount: 1, isArchived: false },
)

export const ReceivedNote = Named(
  'ReceivedNote',
  Shape({
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
  }),
  exampleText,
)
export const ReceivedParams = Shape({ recipientRowId: Id })
export const ReceivedEdit = Named('ReceivedNoteChanges', PartialShape({ status: OneOf(askable), folderId: Nullable(Id) }), {
  status: 'archived',
})

export const NoteReply = Named(
  'NoteReply',
  Shape({
    id: Id,
    noteId: Id,
    senderUserId: Type.Integer({ ...Id, description: 'Stays when the writer is deleted.' }),
    recipientUserId: Id,
    content: Content,
    createdAt: Timestamp,
    sender: Nullable(NoteUserSummary),
  }),
  { senderUserId: 12, content: 'They will be met at the gate.' },
)
export const NewReply = Named(
  'NewNoteReply',
  Shape({
    content: Text({ min: 1, max: 5000 }),
    recipientUserId: Type.Optional(Type.Integer({ ...Id, description: 'The recipient whom the owner answers; recipients omit it.' })),
  }),
  { content: 'They will be met at the gate.' },
)

export const NoteThread = Named(
  'NoteThread',
  Shape({
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
  }),
  { ...exampleText, isAdmin: false, myStatus: null },
)

export const noteEvents = {
  note_changed: Shape(
    { noteId: Id, change: OneOf(noteChangeNames) },
    {
      description:
        'To the owner of a note, and to its recipients if they see the change; `updated` also when the owner writes, archives or files it. Changes of folders and labels come as `me_changed`.',
    },
  ),
}

export const UserDependentNotesPage = Named(
  'UserDependentNotesPage',
  PageOf(
    'items',
    Named(
      'UserDependentNote',
      Shape({ id: Id, title: Type.String(), isPinned: Type.Boolean(), isArchived: Type.Boolean(), updatedAt: Timestamp }),
      { title: 'Visitors' },
    ),
  ),
)
