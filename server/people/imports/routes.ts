import { sql } from 'kysely'
import { Type } from 'typebox'
import { type Change, changed, changedIf } from '../../platform/changes/outcome.ts'
import { csvChunks } from '../../platform/csv.ts'
import { refuse, refuseField } from '../../platform/errors/refusal.ts'
import { command, download, query } from '../../platform/http/endpoint.ts'
import { FileBody } from '../../platform/http/file-bodies.ts'
import { IdParams, Nothing } from '../../platform/http/shape.ts'
import { longList } from '../../platform/http/wire.ts'
import { addApplying } from './applying.ts'
import { countActive } from './facts.ts'
import { issueLinks } from './links.ts'
import { previewFile } from './previewing.ts'
import {
  checkImport,
  discardPreviews,
  findApplying,
  insertImport,
  insertMissing,
  insertRows,
  lockImport,
  lockImportsOf,
  pageRows,
  readImport,
  removeImport,
  setCounts,
  updateImport,
} from './queries.ts'
import { pageReport, REPORT_COLUMNS } from './report.ts'
import { mostMissing } from './rules.ts'
import { Import, ImportApply, ImportLink, ImportQuery, ImportRows, RowsQuery, UnderWay, UnexpectedDeactivations } from './shapes.ts'

export const createImport = command('POST /users/imports', {
  summary: 'Read a CSV file of people, and say what it would change',
  description:
    'Columns, in any order, by an English or Arabic heading: `username`, `email`, `display_name_ar`, `display_name_en`, `language`, `groups` (names joined by `;`, which are added, or `=A;B` for the exact set), `active` and `manager` (a username). A row is somebody by the username, else by the e-mail address; otherwise it is a new person. An empty cell changes nothing. At most 50,000 rows. Nothing is changed before `POST /users/imports/{id}/apply`; a new file takes the place of the caller’s last preview, and each is kept for seven days.',
  allow: 'admin',
  scope: 'admin:write',
  takes: ['text/csv'],
  query: ImportQuery,
  body: FileBody,
  reply: Import,
  status: 201,
  refuses: ['too_many_items', { code: 'import_under_way', body: UnderWay }],
  prepare: async ({ db, actor, body = Buffer.alloc(0) }) => {
    const importId = await findApplying(db, actor.id)
    if (importId !== undefined) refuse('import_under_way', { body: { importId } })
    return previewFile(db, body, actor.id)
  },
  run: async ({ tx, actor, query: { fileName = null }, prepared: { file, counts, groups, portions, total, isClear } }) => {
    await lockImportsOf(tx, actor.id)
    const importId = await findApplying(tx, actor.id)
    if (importId !== undefined) refuse('import_under_way', { body: { importId } })
    const discarded = (await discardPreviews(tx, actor.id)).map(
      (one): Change => ({
        kind: 'import.discarded',
        targetId: one.id,
        facts: { starterId: actor.id, state: 'discarded', done: 0, total: one.total },
      }),
    )
    const id = await insertImport(tx, { ...file, createdBy: actor.id, fileName: fileName || null })
    for (const rows of portions) await insertRows(tx, id, rows)
    const all = { ...counts, deactivate: isClear ? await insertMissing(tx, id, actor.id) : 0 }
    await setCounts(tx, id, all, groups, total)
    const facts = { fileName: fileName || null, counts: all }
    return changed(await readImport(tx, id), { kind: 'import.previewed', targetId: id, facts }, ...discarded)
  },
})

export const showImport = query('GET /users/imports/:id', {
  summary: 'An import, and how far it is',
  allow: 'admin',
  scope: 'people:read',
  params: IdParams,
  reply: Import,
  refuses: ['not_found'],
  run: ({ db, params: { id } }) => readImport(db, id),
})

export const listImportRows = query('GET /users/imports/:id/rows', {
  summary: 'What becomes of each row of an import, in the order of the file',
  allow: 'admin',
  scope: 'people:read',
  params: IdParams,
  query: RowsQuery,
  reply: ImportRows,
  refuses: ['not_found'],
  run: async ({ db, params: { id }, query }) => {
    await checkImport(db, id)
    return pageRows(db, id, query)
  },
})

export const exportImport = download('GET /users/imports/:id/report.csv', {
  summary: 'The rows of an import as a CSV file',
  description: 'In the caller’s language. Cells that a spreadsheet could execute begin with a single quote.',
  allow: 'admin',
  scope: 'people:read',
  params: IdParams,
  contentType: 'text/csv; charset=utf-8',
  example: `${REPORT_COLUMNS.join()}\n`,
  refuses: ['not_found'],
  run: async ({ db, actor, params: { id } }) => {
    await checkImport(db, id)
    return {
      filename: `import-${id}.csv`,
      contentType: 'text/csv; charset=utf-8',
      chunks: csvChunks(REPORT_COLUMNS, pageReport(db, id, actor.language)),
    }
  },
})

export const applyImport = command('POST /users/imports/:id/apply', {
  summary: 'Do what the preview says',
  description:
    'Only its starter can. A job does it, 200 rows at a time; `import_changed` tells how far it is. A row whose person has changed since, so that it would mean something else now, is left with the verdict `changed_since`. `deactivateMissing` is refused unless `expectedDeactivations` is the number in the preview, and beyond a fifth of the active people.',
  allow: 'admin',
  confirm: 'person',
  params: IdParams,
  body: ImportApply,
  reply: Import,
  status: 202,
  refuses: ['not_found', 'invalid_transition', { code: 'unexpected_deactivations', body: UnexpectedDeactivations }],
  run: async ({ tx, actor, config, params: { id }, body: { deactivateMissing = false, expectedDeactivations, invite = false } }) => {
    if (deactivateMissing && expectedDeactivations === undefined) refuseField('expectedDeactivations', 'required')
    await lockImportsOf(tx, actor.id)
    const { createdBy, state, fileName, total: rows } = await lockImport(tx, id)
    if (createdBy !== actor.id) refuse('forbidden')
    if (state !== 'previewed') refuse('invalid_transition')
    const { counts } = await readImport(tx, id)
    const allowed = mostMissing(await countActive(tx))
    if (deactivateMissing && (expectedDeactivations !== counts.deactivate || counts.deactivate > allowed))
      refuse('unexpected_deactivations', { body: { expectedDeactivations, deactivations: counts.deactivate, allowed } })
    const total = rows + (deactivateMissing ? counts.deactivate : 0)
    const options = { deactivatesMissing: deactivateMissing, invites: invite }
    const mailsInvitations = invite && config.smtpUrl !== undefined
    await updateImport(tx, id, { ...options, mailsInvitations, state: 'applying', total, expiresAt: sql`now() + interval '7 days'` })
    await addApplying(tx, id)
    const facts = { starterId: actor.id, state: 'applying' as const, done: 0, total, fileName, counts: { ...counts }, ...options }
    return changed(await readImport(tx, id), { kind: 'import.applying', targetId: id, facts })
  },
})

export const issueImportLinks = command('POST /users/imports/:id/links', {
  summary: 'The links of all people whom an import has invited, where mail is not set up',
  description:
    'Only its starter gets them, and only once: they are made for this answer, and the portal keeps their hashes alone. Each is valid for seven days and one use. People who have a password by now have none.',
  allow: 'admin',
  confirm: 'person',
  params: IdParams,
  reply: Type.Array(ImportLink),
  refuses: ['not_found', 'invalid_transition'],
  run: async ({ tx, actor, config, params: { id } }) => {
    const { createdBy, isWithoutLinks } = await readImport(tx, id)
    if (createdBy.id !== actor.id) refuse('forbidden')
    if (!isWithoutLinks) refuse('invalid_transition')
    const { links, changes } = await issueLinks(tx, id, config)
    const { state, done, total, linksTakenAt } = await lockImport(tx, id)
    if (linksTakenAt) refuse('invalid_transition')
    await updateImport(tx, id, { linksTakenAt: new Date() })
    const facts = { starterId: actor.id, state, done, total, count: links.length }
    async function* inPortions() {
      for (let from = 0; from < links.length; from += 500) yield links.slice(from, from + 500)
    }
    return changed(longList(ImportLink, inPortions()), { kind: 'import.links_issued', targetId: id, facts }, ...changes)
  },
})

export const deleteImport = command('DELETE /users/imports/:id', {
  summary: 'Delete an import that is not being applied; what it did stays',
  allow: 'admin',
  scope: 'admin:write',
  params: IdParams,
  reply: Nothing,
  status: 204,
  refuses: ['not_found', 'invalid_transition'],
  run: async ({ tx, actor, params: { id } }) => {
    const { createdBy, state, done, total } = await lockImport(tx, id)
    if (createdBy !== actor.id) refuse('forbidden')
    if (state === 'applying') refuse('invalid_transition')
    await removeImport(tx, id)
    return changedIf(null, [{ kind: 'import.discarded', targetId: id, facts: { starterId: actor.id, state: 'discarded', done, total } }])
  },
})
