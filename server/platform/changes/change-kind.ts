/** What one kind of change means to the rest of the house. */
import type { Static, TSchema } from 'typebox'
import type { NoticeName } from '../../notices.ts'
import type { HistoryKind } from '../../tables.ts'
import type { Tx } from '../database/db.ts'

/** Who made a change; null is the portal itself. */
export type Author = { id: number; username: string } | null

export type TargetType =
  | 'user'
  | 'role'
  | 'permission'
  | 'group'
  | 'app'
  | 'settings'
  | 'service'
  | 'service_category'
  | 'order'
  | 'object'
  | 'note'
  | 'note_folder'
  | 'note_label'
  | 'meeting'
  | 'meeting_request'
  | 'meeting_task'
  | 'font_settings'
  | 'pdf_archive'

/** A row of the audit log; without `metadata` the facts of the change are shown. */
export interface Audit {
  action: string
  metadata?: Record<string, unknown>
}

/** What one set of ids gained and lost. */
export interface History {
  kind: HistoryKind
  target: number
  added: number[]
  removed: number[]
}

export interface Event {
  event: string
  data: Record<string, unknown>
  /** The ids of the people it reaches; everyone signed in; nobody when the list is empty. */
  to: number[] | 'everyone'
  /** Only these sessions of theirs. */
  sessions?: number[]
}

/** A notification by the name of its text; each `{word}` of that is filled from `words`. */
export interface Notice {
  recipients: number[]
  type: 'order' | 'note' | 'meeting' | 'system'
  template: NoticeName
  params?: { ar: Record<string, string>; en: Record<string, string> }
  relatedType: string | null
  relatedId: number | null
}

export interface Change<Facts = unknown> {
  targetId: number
  facts: Facts
  /**
   * Who made it, where that is not the caller: a person who signs in or registers was nobody when they asked. A kind is always
   * told it.
   */
  author?: Author
  /** Whom an event must reach where the change itself removed what told so; computed before. Not stored. */
  recipients?: number[] | 'everyone'
  /** What an event shows of the row as it has become, read by whoever changed it. Not stored. */
  payload?: object
}

/** Every field is required: a new kind must decide, and says "nothing" and "nobody" aloud. */
export interface ChangeKind<Facts extends TSchema = TSchema> {
  targetType: TargetType
  facts: Facts
  audits: 'nothing' | ((change: Change<Static<Facts>>) => Audit | Audit[])
  histories: 'nothing' | ((change: Change<Static<Facts>>) => History[])
  tells: 'nobody' | ((tx: Tx, change: Change<Static<Facts>>) => Promise<Notice[]> | Notice[])
  emits: 'nothing' | ((tx: Tx, change: Change<Static<Facts>>) => Promise<Event[]> | Event[])
}

export const kind = <F extends TSchema>(definition: ChangeKind<F>) => definition

/** An update's `changed` (field → from, to), for the fields whose value moved. */
export function changedFields(before: object, after: object) {
  const changed: Record<string, { from: unknown; to: unknown }> = {}
  for (const [field, to] of Object.entries(after)) {
    const from = (before as Record<string, unknown>)[field]
    if (to !== undefined && from !== to) changed[field] = { from, to }
  }
  return changed
}
