import { type Static, Type } from 'typebox'
import { PersonSummary } from '../../../people/users/shapes.ts'
import {
  CalendarDate,
  Count,
  Id,
  LanguageCode,
  Line,
  Named,
  Nullable,
  OneOf,
  PartialShape,
  partQuery,
  Shape,
  Timestamp,
} from '../../../platform/http/shape.ts'
import type { Language } from '../../../platform/tables.ts'
import type { MeetingView } from '../meetings/shapes.ts'
import { bundledFamilies, type Weight as FontWeight, familyNames, weights } from './fonts.ts'

const Scope = Named('FontScope', OneOf(['user', 'global']))
const Weight = Type.Unsafe<FontWeight>({ type: 'integer', enum: weights })
const fields = {
  fontFamily: Line({
    min: 1,
    max: 100,
    description: `Any font family of the pages. PDFs use it if it is one of ${bundledFamilies.join(', ')}; otherwise, they use ${bundledFamilies[0]}.`,
  }),
  fontSize: Type.Integer({ minimum: 8, maximum: 48, description: 'In points.' }),
  fontWeight: Weight,
  alignment: Named('TextAlignment', OneOf(['start', 'center', 'end'])),
}

export const FontFamilies = Type.Array(
  Named(
    'FontFamily',
    Shape({
      family: Type.String(),
      weights: Type.Array(Weight, { description: 'Its weights, lightest first.' }),
      latin: Type.Boolean({ description: 'Whether it has Latin letters of its own.' }),
      url: Type.String({
        description: 'The address of its file of weight 400, below /api; the address of another weight ends with that weight instead.',
      }),
    }),
    { family: 'Cairo', weights: [...weights], latin: true, url: '/executive-meetings/fonts/cairo/400' },
  ),
)
export const FaceParams = Shape({
  name: OneOf(familyNames, { description: 'As in the `url` of the family' }),
  weight: Weight,
})

export const FontSettings = Named('FontSettings', Shape({ scope: Scope, ...fields }), {
  fontFamily: 'Cairo',
  fontSize: 14,
  fontWeight: 400,
})
const FontFieldsNamed = Named('FontFields', Shape(fields), { fontFamily: 'Cairo', fontSize: 14, fontWeight: 400 })
const FieldsOrNull = Nullable(FontFieldsNamed)
/** The settings in force, and their sources. */
export const FontSettingsInForce = Named(
  'FontSettingsInForce',
  Shape({
    scope: Scope,
    ...fields,
    own: FieldsOrNull,
    global: FieldsOrNull,
    office: FontFieldsNamed,
    ownCount: Type.Integer({
      minimum: 0,
      description: 'The number of people who have their own settings, for whom the global ones are not in force.',
    }),
  }),
  {
    fontFamily: 'Cairo',
    fontSize: 14,
    fontWeight: 400,
    own: null,
  },
)
export const FontRemoval = Shape({ scope: Type.Optional(Type.Unsafe<Static<typeof Scope>>({ ...Scope, default: 'user' })) })
export const FontEdit = Named(
  'FontChanges',
  PartialShape({ scope: Type.Unsafe<Static<typeof Scope>>({ ...Scope, default: 'user' }), ...fields }),
  { scope: 'global', fontFamily: 'Cairo', fontSize: 14 },
)

export type FontSettingsView = Static<typeof FontSettings>
export type FontFields = Omit<FontSettingsView, 'scope'>

export const ArchiveRequest = Named('NewPdfArchive', Shape({ date: CalendarDate, language: LanguageCode }))
export const ArchivesQuery = Shape({ from: Type.Optional(CalendarDate), to: Type.Optional(CalendarDate), ...partQuery })

const leftOut = 'Omitted fields have the values in force for the caller.'
const FontFieldsGiven = Named(
  'PreviewedFontFields',
  Type.Object(PartialShape(fields).properties, { additionalProperties: false, description: leftOut }),
  { fontSize: 20 },
)
export const PreviewRequest = Named(
  'NewSchedulePreview',
  Shape({
    date: CalendarDate,
    language: LanguageCode,
    settings: Type.Optional(FontFieldsGiven),
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, default: 1, description: 'If there are fewer pages, the last one.' })),
  }),
  { language: 'ar' },
)
export const SchedulePreview = Named(
  'SchedulePreview',
  Shape({
    page: Type.Integer({ minimum: 1, description: 'The number of this page.' }),
    pages: Type.Integer({ minimum: 1, description: 'The number of all pages.' }),
    svg: Type.String({ description: 'The page as a picture without text, scripts or addresses; A4.' }),
  }),
  { page: 1, pages: 2, svg: '<svg viewBox="0 0 595.28 841.89" xmlns="http://www.w3.org/2000/svg"></svg>' },
)

/** The media types of a page, the usual one first. */
export const pageTypes = ['image/png', 'application/pdf', 'application/json'] as const
export type PageType = (typeof pageTypes)[number]

export const UnprintableQuery = Shape({ date: CalendarDate, language: LanguageCode })
export const Unprintable = Named('UnprintableLetters', Shape({ letters: Type.Array(Type.String()) }), { letters: ['張', '偉'] })

const archiveFields = {
  id: Id,
  date: CalendarDate,
  language: LanguageCode,
  objectPath: Type.String({ description: 'Below /storage; only those with executive access may read it.' }),
  meetingCount: Count,
  createdBy: Nullable(Id),
  createdAt: Timestamp,
  status: OneOf(['pending', 'ready'], { description: '`pending` until the PDF is made.' }),
  sha256: Nullable(Type.String()),
  size: Nullable(Count),
}
/** An archive as the ledger records it. */
export const ArchiveRecord = Type.Object(archiveFields)
export type ArchiveRecord = Static<typeof ArchiveRecord>

export const PdfArchive = Named(
  'PdfArchive',
  Shape({
    ...archiveFields,
    creator: Nullable(PersonSummary),
    stale: Type.Boolean({ description: 'Whether the day would now be printed differently, because its meetings have changed.' }),
    changedSince: Nullable(
      Type.Unsafe<Date>({ ...Timestamp, description: 'If it is stale, the time when its day first changed after archiving.' }),
    ),
  }),
  { objectPath: '/objects/archives/6f1c2a9e-8a53-4f0c-9c5e-0d8f1b6f7a21', meetingCount: 5, stale: false, changedSince: null },
)
export const PdfArchives = Type.Array(PdfArchive)
export type PdfArchiveView = Static<typeof PdfArchive>

export const scheduleEvents = {
  /** An archive was made or removed, or its PDF is ready. */
  pdf_archive_changed: Shape({ id: Id, status: OneOf(['pending', 'ready', 'removed']) }),
}

export const ArchiveParams = Shape({ uuid: Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$', form: 'uuid' }) })

/** A day as it was when it was archived: everything in its PDF except the time. */
export interface DayContent {
  date: string
  language: Language
  siteNameAr: string
  siteNameEn: string
  font: FontFields
  meetings: MeetingView[]
}
