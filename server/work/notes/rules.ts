import type { Event, Notice, TemplateFor } from '../../platform/changes/change-kind.ts'
import type { NoteColor, NoteRecipientStatus } from '../../platform/tables.ts'
import { displayName } from '../../platform/text.ts'

export const colors = ['default', 'yellow', 'green', 'blue', 'pink', 'purple', 'orange', 'gray'] as const satisfies NoteColor[]
export const statuses = ['unread', 'read', 'replied', 'archived'] as const satisfies NoteRecipientStatus[]
/** The statuses that a recipient may set; `replied` is set by replying. */
export const askable = ['read', 'unread', 'archived'] as const satisfies NoteRecipientStatus[]
export type SettableStatus = (typeof askable)[number]

/** The status of a received note; for an archived one, also its status before it was archived. */
export interface Standing {
  status: NoteRecipientStatus
  statusBefore: NoteRecipientStatus | null
}

/** The new status of a received note by its status and the requested one; a replied note counts as read. */
export const moves: Record<Exclude<NoteRecipientStatus, 'archived'>, Record<SettableStatus, NoteRecipientStatus>> = {
  unread: { read: 'read', unread: 'unread', archived: 'archived' },
  read: { read: 'read', unread: 'unread', archived: 'archived' },
  replied: { read: 'replied', unread: 'unread', archived: 'archived' },
}

/** The new status of a received note. One that leaves the archive returns to its former status, not to the requested one. */
export const statusAfter = ({ status, statusBefore }: Standing, asked: SettableStatus): NoteRecipientStatus => {
  if (status !== 'archived') return moves[status][asked]
  return asked === 'archived' ? 'archived' : statusBefore!
}

/** The fields of a note that recipients see. */
const sharedFields = ['title', 'content', 'color']
export const isShared = (fields: readonly string[]) => sharedFields.some((field) => fields.includes(field))

/** The names of a note's changes in its events. */
export const noteChangeNames = ['received', 'replied', 'status', 'updated', 'deleted'] as const
export type NoteChange = (typeof noteChangeNames)[number]
export const noteChanged = (noteId: number, change: NoteChange, to: number[]): Event => ({
  event: 'note_changed',
  data: { noteId, change },
  to,
})

const LONGEST_START = 80

/** The name of a note in a sentence: its title, or the beginning of its content. */
export const nameOf = ({ title, content }: { title: string; content: string }) =>
  title || [...content.replace(/\s+/g, ' ')].slice(0, LONGEST_START).join('')

interface Names {
  username: string
  displayNameAr: string | null
  displayNameEn: string | null
}
/** The parameters of the texts about a note, in both languages. */
export const paramsFor = (note: { title: string; content: string }, person: Names) => ({
  ar: { note: nameOf(note), person: displayName(person, 'ar') },
  en: { note: nameOf(note), person: displayName(person, 'en') },
})
export type Params = ReturnType<typeof paramsFor>

export const noteNotice = (noteId: number, template: TemplateFor<Params['ar']>, recipients: number[], params: Params): Notice => ({
  recipients,
  type: 'note',
  template,
  params,
  relatedType: 'note',
  relatedId: noteId,
})
