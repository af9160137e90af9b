import { Type } from 'typebox'
import { type AuthoredChange, type Event, kind } from '../../../platform/changes/change-kind.ts'
import type { Tx } from '../../../platform/database/db.ts'
import { executives } from '../meetings/queries.ts'
import { Around } from '../meetings/shapes.ts'
import { archiveNotices } from './rules.ts'
import { ArchiveRecord, FontSettings } from './shapes.ts'

const quiet = { emits: 'nothing' } as const

const becomes =
  (status: 'pending' | 'ready' | 'removed') =>
  (_tx: Tx, { targetId: id }: Pick<AuthoredChange<unknown>, 'targetId'>): Event[] => [
    { event: 'pdf_archive_changed', data: { id, status }, to: executives },
  ]

export const scheduleChanges = {
  'font_settings.updated': kind({
    ...quiet,
    targetType: 'font_settings',
    facts: Around(FontSettings),
    audits: () => ({ action: 'font_settings.update' }),
  }),
  'font_settings.deleted': kind({
    ...quiet,
    targetType: 'font_settings',
    facts: Around(FontSettings),
    audits: () => ({ action: 'font_settings.delete' }),
  }),
  /** The ledger does not record the texts of the day; the archive stores them. */
  'pdf_archive.created': kind({
    ...quiet,
    emits: becomes('pending'),
    targetType: 'pdf_archive',
    facts: Around(ArchiveRecord),
    audits: () => ({ action: 'pdf_archive.create' }),
  }),
  /** The PDF of an archive was made. */
  'pdf_archive.stored': kind({
    ...quiet,
    emits: becomes('ready'),
    targetType: 'pdf_archive',
    facts: Type.Object({ sha256: Type.String(), size: Type.Integer() }),
    audits: 'nothing',
  }),
  /** The PDF could not be made, and the archive was removed. */
  'pdf_archive.given_up': kind({
    targetType: 'pdf_archive',
    facts: Around(ArchiveRecord),
    audits: () => ({ action: 'pdf_archive.delete' }),
    notifies: (_tx, { facts: { before } }) => (before ? archiveNotices(before) : []),
    emits: becomes('removed'),
  }),
}
