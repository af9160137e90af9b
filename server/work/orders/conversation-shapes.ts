import { Type } from 'typebox'
import { PersonSummary } from '../../people/users/shapes.ts'
import { Id, Moment, Named, Nullable, OneOf, PageOf, pageQuery, Shape, ShownOnce, Text, Timestamp } from '../../platform/http/shape.ts'
import { entryKinds } from './timeline.ts'
import { waitsFor } from './waiting.ts'

const exampleUuid = '6f1c2a9e-8a53-4f0c-9c5e-0d8f1b6f7a21'
const FileId = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$', form: 'uuid' })
export const FileParams = Shape({ id: Id, fileId: FileId })

export const OrderFile = Named(
  'OrderFile',
  Shape({ id: FileId, name: Type.String(), size: Type.Integer({ minimum: 1 }), contentType: Type.String() }),
  { id: exampleUuid, name: 'invoice.pdf', size: 51200, contentType: 'application/pdf' },
)
export const OrderFilePlace = Named(
  'OrderFilePlace',
  Shape({
    uploadURL: ShownOnce(Type.String({ description: 'Takes one PUT of exactly `size` bytes of `contentType`, within 15 minutes.' })),
    fileId: FileId,
  }),
  {
    uploadURL: `https://portal.example.org/api/storage/uploads/${exampleUuid}?token=n4bQgYhMfWWaLqgxVrQFaOTxsrC4Is0V1sFbDwCgg80`,
    fileId: exampleUuid,
  },
)
/** The ids of the files that a message names but cannot use. */
export const UnknownFiles = Named('UnknownFiles', Shape({ unknownIds: Type.Array(FileId) }), { unknownIds: [exampleUuid] })

export const NewMessage = Named(
  'NewOrderMessage',
  Shape({
    text: Type.Optional(Text({ max: 2000, description: 'Needed unless there is a file' })),
    fileIds: Type.Optional(
      Type.Array(FileId, { maxItems: 5, description: 'Files that the caller has uploaded, and that nothing uses yet' }),
    ),
  }),
  { text: 'Which room is it?' },
)
export const Reopening = Named(
  'OrderReopening',
  Shape({ text: Text({ min: 1, max: 2000, description: 'What is not solved; it becomes a message' }) }),
  { text: 'The screen is still dark.' },
)
const EntryId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [1000000000007] })
const message = { id: EntryId, at: Timestamp, text: Type.String(), files: Type.Array(OrderFile) }
export const OrderMessage = Named('OrderMessage', Shape({ ...message, by: PersonSummary }), { text: 'Which room is it?' })

/** The status of an order as a plain string: importing `OrderStatus` would be an import cycle, because its module uses these shapes. */
const Status = Nullable(Type.String({ description: 'The status of the order, where it moved' }))
const TeamName = Shape({ id: Id, nameAr: Type.String(), nameEn: Type.String() })
export const Timeline = Named(
  'OrderTimeline',
  PageOf(
    'entries',
    Named(
      'OrderTimelineEntry',
      Shape({
        ...message,
        kind: OneOf(entryKinds),
        by: Type.Unsafe<PersonOrNull>({ ...Nullable(PersonSummary), description: 'Null: the portal itself' }),
        text: Nullable(Type.String()),
        from: Status,
        to: Status,
        reason: Nullable(Type.String()),
        assignee: Nullable(PersonSummary),
        team: Nullable(TeamName),
        for: Nullable(OneOf(waitsFor)),
        until: Nullable(Timestamp),
      }),
      { id: 1000000000007, kind: 'message', text: 'Which room is it?', from: null, to: null, reason: null, assignee: null, team: null },
    ),
  ),
  { totalCount: 1, limit: 50, offset: 0, nextOffset: null },
)
type PersonOrNull = {
  id: number
  username: string
  displayNameAr: string | null
  displayNameEn: string | null
  avatarUrl: string | null
} | null

export const TimelineQuery = Shape({
  ...pageQuery(50),
  before: Type.Optional(Type.Integer({ ...EntryId, description: 'The id of an entry: only those that are older' })),
})

export const NewWait = Named(
  'OrderWait',
  Shape({
    for: OneOf(waitsFor),
    text: Text({ min: 1, max: 500, description: 'Also a message to the requester' }),
    until: Type.Optional(Nullable(Moment)),
  }),
  { for: 'requester', text: 'Which room is it?', until: '2026-03-02T08:00:00Z' },
)
export const Waiting = Named(
  'OrderWaiting',
  Shape({
    for: OneOf(waitsFor),
    text: Nullable(Type.String({ description: 'Null for those who do not read messages' })),
    since: Timestamp,
    until: Nullable(Timestamp),
  }),
  { for: 'requester', text: 'Which room is it?', until: null },
)
