import { Type } from 'typebox'
import { Count, Id, Line, Named, Nullable, OneOf, PageOf, pageQuery, Shape, ShownOnce, Timestamp } from '../../platform/http/shape.ts'
import { FieldErrors } from '../../platform/http/verdicts.ts'
import { columnNames } from './columns.ts'
import { encodings } from './reading.ts'
import { verdicts } from './rules.ts'

export const importStates = ['previewed', 'applying', 'applied', 'failed', 'discarded'] as const

export const ImportQuery = Shape({
  fileName: Type.Optional(Line({ max: 255, description: 'The name of the file, to be shown.' })),
})

const counts = { create: 12, update: 3, unchanged: 40, refused: 1, deactivate: 5 }
const ImportCounts = Named(
  'ImportCounts',
  Shape(
    { create: Count, update: Count, unchanged: Count, refused: Count, deactivate: Count },
    {
      description:
        'The rows in the preview. `deactivate`: the active people that the file does not name, without administrators, exceptions, people of a source and the caller; 0 while the person of a row is unclear. Apply deactivates them only with `deactivateMissing`.',
    },
  ),
  counts,
)
const GroupMoves = Named('ImportGroup', Shape({ id: Id, name: Type.String(), gained: Count, lost: Count }), {
  id: 5,
  name: 'finance',
  gained: 4,
  lost: 0,
})

export const Import = Named(
  'Import',
  Shape({
    id: Id,
    state: OneOf(importStates),
    problem: Type.Unsafe<'not_administrator' | 'error' | null>({
      ...Nullable(OneOf(['not_administrator', 'error'])),
      description: 'Why it failed: its starter is no administrator any more, or something else went wrong. What was done stays.',
    }),
    fileName: Nullable(Type.String()),
    encoding: OneOf(encodings, { description: 'By the mark at the beginning; else UTF-8 if it is valid; else `windows-1256`.' }),
    delimiter: Type.String(),
    columns: Type.Array(OneOf(columnNames)),
    ignoredColumns: Type.Array(Type.String(), { description: 'Headings that are unknown, whose cells are ignored.' }),
    counts: ImportCounts,
    groups: Type.Array(GroupMoves, { description: 'The groups that people would gain and lose.' }),
    changedSince: { ...Count, description: 'Rows that were left because their person had changed since the preview.' },
    done: { ...Count, description: 'Rows that are settled.' },
    total: Count,
    isWithoutLinks: Type.Boolean({ description: 'Its new people are invited, and `POST …/links` gives the links that nobody mails.' }),
    createdBy: Named('ImportStarter', Shape({ id: Id, username: Type.String() }), { username: 'admin' }),
    createdAt: Timestamp,
    expiresAt: Timestamp,
  }),
  {
    state: 'previewed',
    problem: null,
    fileName: 'people.csv',
    encoding: 'windows-1256',
    delimiter: ';',
    columns: ['username', 'email', 'groups'],
    ignoredColumns: ['phone'],
    changedSince: 0,
    done: 0,
    total: 56,
    isWithoutLinks: false,
  },
)

export const RowsQuery = Shape({
  verdict: Type.Optional(
    OneOf(verdicts, { description: '`deactivate`: those whom the file does not name. Without it, all rows of the file.' }),
  ),
  ...pageQuery(50),
})
const Changed = Type.Unsafe<Record<string, { from: unknown; to: unknown }>>({
  type: 'object',
  additionalProperties: { type: 'object', additionalProperties: true },
  description:
    'By column: the values before and after, `from` and `to`. A row with `changed_since` keeps those of the preview, which were not made.',
})
const Cells = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'By column: the texts of the file as they were read, without empty ones. None for somebody whom the file does not name.',
})
const ImportRow = Named(
  'ImportRow',
  Shape({
    line: Type.Unsafe<number | null>({
      ...Nullable(Count),
      description: 'The first line of the row; the heading’s is 1. Null for somebody whom the file does not name.',
    }),
    verdict: OneOf(verdicts),
    username: Nullable(Type.String()),
    cells: Cells,
    changes: Changed,
    details: { ...FieldErrors, description: 'What is wrong with the row, or to be known of it, by column.' },
    isDone: Type.Boolean({ description: 'The row is settled: done, or left as it is.' }),
  }),
  {
    line: 2,
    verdict: 'update',
    username: 'sara.ahmed',
    cells: { username: 'sara.ahmed', language: 'en' },
    changes: { language: { from: 'ar', to: 'en' } },
    details: [],
    isDone: false,
  },
)
export const ImportRows = Named('ImportRowPage', PageOf('items', ImportRow))

export const ImportApply = Named(
  'ImportApply',
  Shape({
    deactivateMissing: Type.Optional(Type.Boolean({ description: 'Deactivates the people whom the file does not name.' })),
    expectedDeactivations: Type.Optional({ ...Count, description: 'Needed with `deactivateMissing`: the number in the preview.' }),
    invite: Type.Optional(Type.Boolean({ description: 'Invites the new people to choose a password: by mail if it is set up.' })),
  }),
  { deactivateMissing: true, expectedDeactivations: 5, invite: true },
)
export const UnexpectedDeactivations = Named(
  'UnexpectedDeactivationsBody',
  Shape({ expectedDeactivations: Count, deactivations: Count, allowed: { ...Count, description: 'A fifth of the active people.' } }),
  { expectedDeactivations: 4, deactivations: 5, allowed: 200 },
)
export const UnderWay = Named('ImportUnderWayBody', Shape({ importId: Id }), { importId: 7 })

export const ImportLink = Named(
  'ImportLink',
  Shape({
    line: Count,
    username: Type.String(),
    email: Type.String(),
    resetUrl: ShownOnce(Type.String({ description: 'The link to hand to the person.' })),
    expiresAt: Timestamp,
  }),
  { line: 2, username: 'sara.ahmed', email: 'sara.ahmed@example.org', resetUrl: 'https://portal.example.org/reset-password?token=x' },
)

export const importEvents = {
  import_changed: Shape(
    { importId: Id, state: OneOf(importStates), done: Count, total: Count },
    { description: 'To the administrator who began an import, when some of its rows are settled or it ends.' },
  ),
}
