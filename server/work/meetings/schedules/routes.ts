import { setTimeout as pause } from 'node:timers/promises'
import { changed, unchanged } from '../../../platform/changes/outcome.ts'
import type { Reads } from '../../../platform/database/db.ts'
import { refuse, refuseField } from '../../../platform/errors/refusal.ts'
import { acceptedOf } from '../../../platform/http/accept.ts'
import { command, file, query } from '../../../platform/http/endpoint.ts'
import { daySpan, partOf } from '../../../platform/http/page.ts'
import { IdParams, Nothing } from '../../../platform/http/shape.ts'
import { Bytes, longList } from '../../../platform/http/wire.ts'
import { addJob } from '../../../platform/jobs/runner.ts'
import type { StoredFile } from '../../../platform/objects/files.ts'
import { readSettings } from '../../../site/settings/queries.ts'
import { listMeetings } from '../meetings/queries.ts'
import { EXECUTIVE, MUTATE } from '../rules.ts'
import { coverageOf, lettersLacking } from './coverage.ts'
import { findFace, listFamilies, readRegular } from './fonts.ts'
import { previewPage } from './printing.ts'
import { addArchive, findArchiveFile, listArchives, readCreator, readFont, readFonts, removeFont, saveFont } from './queries.ts'
import { checkPrintable, describeDay, typesettingFor } from './rules.ts'
import {
  ArchiveParams,
  ArchiveRequest,
  ArchivesQuery,
  type DayContent,
  FaceParams,
  FontEdit,
  FontFamilies,
  FontRemoval,
  FontSettings,
  FontSettingsInForce,
  PdfArchive,
  PdfArchives,
  PreviewRequest,
  pageTypes,
  SchedulePreview,
  Unprintable,
  UnprintableQuery,
} from './shapes.ts'

export const showFontSettings = query('GET /executive-meetings/font-settings', {
  summary: 'The font settings in force for the caller: their own, otherwise the global ones, otherwise the default',
  description: '`own` and `global` are null if they are not set; `office` is in force for people who have no settings of their own.',
  allow: EXECUTIVE,
  scope: 'meetings:read',
  reply: FontSettingsInForce,
  run: ({ db, actor }) => readFonts(db, actor.id),
})

const setFontSettings = (method: 'PUT' | 'PATCH', summary: string) =>
  command(`${method} /executive-meetings/font-settings`, {
    summary,
    allow: EXECUTIVE,
    body: FontEdit,
    reply: FontSettings,
    run: async ({ tx, actor, body: { scope = 'user', ...edit } }) => {
      if (Object.keys(edit).length === 0)
        refuseField('fontFamily', 'minProperties', { fields: ['fontFamily', 'fontSize', 'fontWeight', 'alignment'] })
      if (scope === 'global' && !actor.mayEnter(MUTATE)) refuse('forbidden')
      const saved = await saveFont(tx, scope === 'global' ? null : actor.id, edit)
      const inForce = await readFont(tx, actor.id)
      if (!saved) return unchanged(inForce)
      const { id, ...facts } = saved
      return changed(inForce, { kind: 'font_settings.updated', targetId: id, facts })
    },
  })

export const putFontSettings = setFontSettings('PUT', 'Set some font settings: one’s own, or the global ones')
export const patchFontSettings = setFontSettings('PATCH', 'The same as `PUT`')

export const removeFontSettings = command('DELETE /executive-meetings/font-settings', {
  summary: 'Remove one’s own settings, or the global ones',
  description:
    'After that, the next settings are in force: the global ones, or the default. Removing settings that are not set changes nothing.',
  allow: EXECUTIVE,
  query: FontRemoval,
  reply: Nothing,
  status: 204,
  run: async ({ tx, actor, query: { scope = 'user' } }) => {
    if (scope === 'global' && !actor.mayEnter(MUTATE)) refuse('forbidden')
    const removed = await removeFont(tx, scope === 'global' ? null : actor.id)
    if (!removed) return unchanged(null)
    const { id, ...facts } = removed
    return changed(null, { kind: 'font_settings.deleted', targetId: id, facts })
  },
})

export const readFontFamilies = query('GET /executive-meetings/fonts', {
  summary: 'The font families that schedules can be set in',
  description: 'Text in any other family is printed in the first. Letters that a family lacks come from another one.',
  allow: EXECUTIVE,
  scope: 'meetings:read',
  reply: FontFamilies,
  run: async () => listFamilies(),
})

export const readFontFile = file('GET /executive-meetings/fonts/:name/:weight', {
  summary: 'The font file of a family in one of its weights',
  description: 'For pages that show a family in its own letters, with `FontFace` or `@font-face`.',
  allow: EXECUTIVE,
  scope: 'meetings:read',
  params: FaceParams,
  refuses: ['not_found', 'range_not_satisfiable'],
  contentType: 'font/ttf',
  run: ({ params: { name, weight } }) => findFace(name, weight),
})

/** A day as it would be printed now for a person. */
async function readDay(db: Reads, userId: number, { date, language }: Pick<DayContent, 'date' | 'language'>): Promise<DayContent> {
  const { siteNameAr, siteNameEn } = await readSettings(db)
  const { scope: _, ...font } = await readFont(db, userId)
  return { date, language, siteNameAr, siteNameEn, font, meetings: await listMeetings(db, { from: date, to: date }) }
}

export const archiveDay = command('POST /executive-meetings/pdf-archives', {
  summary: 'Archive the current schedule of a day; its PDF is made in the background',
  description:
    'The archive keeps the current meetings and font settings, whatever changes later. A day with more than about 150,000 letters of text is refused; at larger font sizes, the limit is lower. If the PDF cannot be made, the archive is removed, and the person who made it is notified. `pdf_archive_changed` is sent at each step.',
  allow: MUTATE,
  scope: 'meetings:mutate',
  body: ArchiveRequest,
  reply: PdfArchive,
  status: 201,
  refuses: ['too_much_to_print'],
  run: async ({ tx, actor, body: { date, language } }) => {
    const content = await readDay(tx, actor.id, { date, language })
    checkPrintable(content)
    const archive = await addArchive(tx, actor.id, content)
    await addJob(tx, 'make_pdf_archive', { id: archive.id, userId: actor.id }, typesettingFor(actor.id))
    const view = { ...archive, creator: await readCreator(tx, actor.id), stale: false, changedSince: null }
    return changed(view, { kind: 'pdf_archive.created', targetId: archive.id, facts: { before: null, after: archive } })
  },
})

export const previewSchedule = query('POST /executive-meetings/schedule-preview', {
  summary: 'One page of a day’s schedule as it would be printed now: as PNG, PDF or JSON',
  description:
    '`Accept` chooses; without it, the answer is a PNG of 144 dpi. JSON has the page as SVG, and the number of pages. The typesetter that makes the PDFs makes it, with the same limit; it is not stored. A person’s pages are made one after another; a page that waits or takes longer than 10 s is refused as unavailable.',
  allow: EXECUTIVE,
  scope: 'meetings:read',
  body: PreviewRequest,
  gives: ['image/png', 'application/pdf'],
  reply: SchedulePreview,
  refuses: ['not_acceptable', 'too_much_to_print', 'unavailable'],
  run: async ({ db, actor, isGone, request, body: { date, language, settings, page = 1 } }) => {
    const as = acceptedOf(request.accept, pageTypes)
    const content = await readDay(db, actor.id, { date, language })
    const font = { ...content.font, ...settings }
    checkPrintable({ ...content, font })
    const made = await previewPage({ content: { ...content, font }, page, as, userId: actor.id, isGone })
    if (as === 'application/json') return JSON.parse(String(made))
    return new Bytes(as, `schedule-${date}.${as === 'image/png' ? 'png' : 'pdf'}`, made)
  },
})

const coverages = new Map<string, Promise<ReturnType<typeof coverageOf>>>()
/** The coverage of some families together, computed once for each list of them. */
function coverageFor(families: readonly string[]) {
  const name = families.join()
  const known = coverages.get(name)
  if (known) return known
  const made = Promise.all(families.map(readRegular)).then(coverageOf)
  coverages.set(name, made)
  // A file that could not be read is read again by the next call.
  made.catch(() => coverages.delete(name))
  return made
}

export const showUnprintable = query('GET /executive-meetings/unprintable', {
  summary: 'The letters of a day’s schedule that no font has',
  description: 'They would be printed as �. The first 100, without repetitions.',
  allow: EXECUTIVE,
  scope: 'meetings:read',
  query: UnprintableQuery,
  reply: Unprintable,
  refuses: ['too_much_to_print'],
  run: async ({ db, actor, query: { date, language } }) => {
    const content = await readDay(db, actor.id, { date, language })
    checkPrintable(content)
    const day = describeDay(content, new Date().toISOString())
    return { letters: lettersLacking(await coverageFor(day.font.families), day).slice(0, 100) }
  },
})

export const showArchives = query('GET /executive-meetings/pdf-archives', {
  summary: 'The archived schedules of a span of days, newest first',
  description:
    'Without days, all of them. `stale` says whether the meetings of the day have changed since; `meetings_changed` is sent when they change.',
  allow: EXECUTIVE,
  scope: 'meetings:read',
  query: ArchivesQuery,
  reply: PdfArchives,
  run: async ({ db, query: days }) => {
    daySpan(days)
    return longList(PdfArchive, partOf(listArchives(db, days), days))
  },
})

const WAIT_MS = 10_000
const LOOK_EVERY_MS = 100

/**
 * Polls for a file that is being made, without holding a connection. Refuses `unavailable` after 10 s, or as soon as the portal stops or
 * the database does not answer.
 */
async function awaitFile(find: () => Promise<StoredFile | null>, isReady: () => Promise<boolean>) {
  const end = performance.now() + WAIT_MS
  for (;;) {
    const found = await find()
    if (found) return found
    if (performance.now() > end || !(await isReady())) return refuse('unavailable', { retryAfter: 2 })
    await pause(LOOK_EVERY_MS)
  }
}

interface FileCall {
  db: Reads
  isReady: () => Promise<boolean>
}
const readFile = ({ db, isReady }: FileCall, by: Parameters<typeof findArchiveFile>[1]) => awaitFile(() => findArchiveFile(db, by), isReady)

export const readArchiveFile = file('GET /executive-meetings/pdf-archives/:id/file', {
  summary: 'The PDF of an archived schedule; waits up to 10 s while it is being made',
  description: 'Ranges and conditional requests are supported.',
  allow: EXECUTIVE,
  scope: 'meetings:read',
  params: IdParams,
  refuses: ['not_found', 'range_not_satisfiable', 'unavailable'],
  contentType: 'application/pdf',
  run: ({ params: { id }, ...call }) => readFile(call, { id }),
})

export const readArchiveObject = file('GET /storage/objects/archives/:uuid', {
  summary: 'The PDF of an archived schedule, by its objectPath',
  description: 'Ranges and conditional requests are supported.',
  allow: EXECUTIVE,
  scope: 'meetings:read',
  params: ArchiveParams,
  refuses: ['not_found', 'range_not_satisfiable', 'unavailable'],
  contentType: 'application/pdf',
  run: ({ params: { uuid }, ...call }) => readFile(call, { uuid }),
})
