import { type Insertable, type Selectable, sql } from 'kysely'
import { batchesOf } from '../../../platform/database/batches.ts'
import type { Reads, Tx } from '../../../platform/database/db.ts'
import { personJson, personOrNull } from '../../../platform/database/json.ts'
import { refuse } from '../../../platform/errors/refusal.ts'
import type { Tables } from '../../../platform/tables.ts'
import { fontInForce } from './rules.ts'
import type { ArchiveRecord, DayContent, FontFields, FontSettingsView, PdfArchiveView } from './shapes.ts'
import type { Typeset } from './typesetting.ts'

const fontColumns = ['id', 'userId', 'fontFamily', 'fontSize', 'fontWeight', 'alignment'] as const
type FontRow = Pick<Selectable<Tables['fontSettings']>, (typeof fontColumns)[number]>

/** A person's own font settings and the global ones; undefined if not set. */
async function readFontRows(db: Reads, userId: number) {
  const rows = await db
    .selectFrom('fontSettings')
    .select(fontColumns)
    .where((eb) => eb.or([eb('userId', '=', userId), eb('userId', 'is', null)]))
    .execute()
  const fieldsOf = (row: FontRow | undefined) => row as FontFields | undefined
  return { own: fieldsOf(rows.find((row) => row.userId !== null)), global: fieldsOf(rows.find((row) => row.userId === null)) }
}

/** The font settings in force for a person, with their own and the global ones. */
export async function readFonts(db: Reads, userId: number) {
  const { own = null, global = null } = await readFontRows(db, userId)
  const { scope: _, ...office } = fontInForce(null, global)
  const { ownCount } = await db
    .selectFrom('fontSettings')
    .select((eb) => eb.fn.count<number>('userId').as('ownCount'))
    .executeTakeFirstOrThrow()
  return { ...fontInForce(own, global), own, global, office, ownCount: Number(ownCount) }
}

/** The font settings in force for a person. */
export async function readFont(db: Reads, userId: number): Promise<FontSettingsView> {
  const { own, global } = await readFontRows(db, userId)
  return fontInForce(own ?? null, global ?? null)
}

const lockFontRow = (tx: Tx, owner: number | null) =>
  tx
    .selectFrom('fontSettings')
    .select(fontColumns)
    .where('userId', 'is not distinct from', owner)
    .forNoKeyUpdate()
    .executeTakeFirst() as Promise<(FontRow & FontFields) | undefined>

const addFontRow = (tx: Tx, userId: number | null, fields: FontFields) =>
  tx
    .insertInto('fontSettings')
    .values({ userId, ...fields })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()

/** A person's own settings, or the global ones, before and after an edit; `before` is null if there were none. */
interface FontEdit {
  id: number
  before: FontSettingsView | null
  after: FontSettingsView
}
const viewFor = (owner: number | null, fields: FontFields): FontSettingsView => ({
  ...fontInForce(fields, null),
  scope: owner === null ? 'global' : 'user',
})

/**
 * Sets a person's own settings, or the global ones if `owner` is null. Omitted fields keep the values that were in force. Returns null if
 * nothing changed. If several calls set them for the first time at once, one call adds the row and the others change it.
 */
export async function saveFont(tx: Tx, owner: number | null, edit: Partial<FontFields>): Promise<FontEdit | null> {
  const given = Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== undefined))
  const row = await lockFontRow(tx, owner)
  if (row) return changeFont(tx, owner, row, given)
  const added = await addFont(tx, owner, given)
  if (added) return added
  const another = await lockFontRow(tx, owner)
  return another ? changeFont(tx, owner, another, given) : null
}

/** Removes a person's own settings, or the global ones if `owner` is null; returns null if there are none. */
export async function removeFont(tx: Tx, owner: number | null) {
  const row = await lockFontRow(tx, owner)
  if (!row) return null
  await tx.deleteFrom('fontSettings').where('id', '=', row.id).execute()
  return { id: row.id, before: viewFor(owner, row), after: null }
}

/** Adds font settings; returns null if another transaction has just added them. */
async function addFont(tx: Tx, owner: number | null, given: Partial<FontFields>): Promise<FontEdit | null> {
  const { global } = owner === null ? {} : await readFontRows(tx, owner)
  const { scope: _, ...inForce } = fontInForce(null, global ?? null)
  const fields = { ...inForce, ...given }
  const added = await addFontRow(tx, owner, fields)
  return added ? { id: added.id, before: null, after: viewFor(owner, fields) } : null
}

async function changeFont(tx: Tx, owner: number | null, row: FontRow & FontFields, given: Partial<FontFields>): Promise<FontEdit | null> {
  const before = viewFor(owner, row)
  const after = { ...before, ...given }
  if (JSON.stringify(after) === JSON.stringify(before)) return null
  await tx
    .updateTable('fontSettings')
    .set({ ...given, updatedAt: sql<Date>`clock_timestamp()` })
    .where('id', '=', row.id)
    .execute()
  return { id: row.id, before, after }
}

const archiveColumns = ['id', 'uuid', 'date', 'language', 'meetingCount', 'createdBy', 'createdAt', 'sha256', 'size', 'storedAt'] as const

const archiveRecord = ({
  uuid,
  storedAt,
  ...record
}: Pick<Selectable<Tables['pdfArchives']>, (typeof archiveColumns)[number]>): ArchiveRecord => ({
  ...record,
  objectPath: `/objects/archives/${uuid}`,
  status: storedAt ? 'ready' : 'pending',
})

/** Archives the current state of a day; its PDF is made later. */
export const addArchive = async (tx: Tx, createdBy: number, content: DayContent) =>
  archiveRecord(
    await tx
      .insertInto('pdfArchives')
      .values({
        date: content.date,
        language: content.language,
        content: JSON.stringify(content),
        meetingCount: content.meetings.length,
        createdBy,
      } satisfies Insertable<Tables['pdfArchives']>)
      .returning(archiveColumns)
      .executeTakeFirstOrThrow(),
  )

type Person = PdfArchiveView['creator']
/** The person who archived a day, as readers of the archive see them. */
export const readCreator = async (tx: Tx, id: number) =>
  (
    await tx
      .selectFrom('users')
      .select(sql.raw<Person>(personJson('users')).as('person'))
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).person

/** The time when an archived day's meetings first changed after archiving, for rows `listed` of `pdf_archives`. */
const firstChange = (side: 'before' | 'after') => sql`(select min(at) from ledger
  where target_type = 'meeting' and facts #>> '{${sql.raw(side)},date}' = to_char(listed.date, 'YYYY-MM-DD') and at > listed.created_at)`
/** A change that was not yet committed when the day was archived counts from the time of archiving. */
const CHANGED_SINCE = sql<Date>`coalesce(least(${firstChange('before')}, ${firstChange('after')}), listed.created_at)`

/** The archives of a span of days, both ends included and optional; newest first. */
export const listArchives = (db: Reads, { from, to }: { from?: string; to?: string }) =>
  batchesOf<PdfArchiveView, number>({
    read: async (after, most) => {
      const rows = await db
        .with('listed', (q) =>
          q
            .selectFrom('pdfArchives')
            .select([...archiveColumns, 'print'])
            .$if(from !== undefined, (archives) => archives.where('date', '>=', from!))
            .$if(to !== undefined, (archives) => archives.where('date', '<=', to!))
            .$if(after !== null, (archives) => archives.where('id', '<', after!))
            .orderBy('id', 'desc')
            .limit(most),
        )
        .with('days', (q) => q.selectFrom('listed').select('date').distinct())
        // The current state of each day is computed once, even if the day has several archives.
        .with(
          (cte) => cte('present').materialized(),
          (q) => q.selectFrom('days').select(['date', sql`print_of_day(date)`.as('print')]),
        )
        .selectFrom('listed')
        .innerJoin('present', 'present.date', 'listed.date')
        .leftJoin('users as creator', 'creator.id', 'listed.createdBy')
        .select(archiveColumns.map((column) => `listed.${column}` as const))
        .select(sql.raw<Person>(personOrNull('creator')).as('creator'))
        .select(sql<Date | null>`case when listed.print <> present.print then ${CHANGED_SINCE} end`.as('changedSince'))
        .orderBy('listed.id', 'desc')
        .execute()
      return rows.map(({ creator, changedSince, ...row }) => ({
        ...archiveRecord(row),
        creator,
        stale: changedSince !== null,
        changedSince,
      }))
    },
    keyOf: ({ id }) => id,
    sizeOf: () => 600,
  })

/** The file of an archive, null until it is made. Refuses `not_found`. */
export async function findArchiveFile(db: Reads, by: { id: number } | { uuid: string }) {
  const [column, value] = 'id' in by ? (['id', by.id] as const) : (['uuid', by.uuid] as const)
  const { date, language, key, size, sha256, storedAt } =
    (await db
      .selectFrom('pdfArchives')
      .select(['date', 'language', 'key', 'size', 'sha256', 'storedAt'])
      .where(column, '=', value)
      .executeTakeFirst()) ?? refuse('not_found')
  if (!key || !size || !sha256 || !storedAt) return null
  return { key, size, etag: sha256, storedAt, name: `schedule-${date}-${language}.pdf`, contentType: 'application/pdf', isGuarded: true }
}

/** The typesetter's input for an archive, as JSON; undefined if the PDF already exists or the archive does not. */
export const readDayToTypeset = async (db: Reads, id: number) =>
  (
    await db
      .selectFrom('pdfArchives')
      .select(
        sql<string>`json_build_object('content', content, 'madeAt', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))::text`.as(
          'day',
        ),
      )
      .where('id', '=', id)
      .where('key', 'is', null)
      .executeTakeFirst()
  )?.day

/** Removes an archive that has no PDF; undefined if there is none. */
export async function removeUnmade(tx: Tx, id: number) {
  const removed = await tx
    .deleteFrom('pdfArchives')
    .where('id', '=', id)
    .where('key', 'is', null)
    .returning(archiveColumns)
    .executeTakeFirst()
  return removed && archiveRecord(removed)
}

/** Notes the stored object `key` as the archive's PDF; returns false if another job was first. */
export async function keepArchive(tx: Tx, id: number, key: string, { size, sha256 }: Typeset) {
  const { numUpdatedRows } = await tx
    .updateTable('pdfArchives')
    .set({ key, size, sha256, storedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where('key', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
