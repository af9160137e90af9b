import type { Event, Notice } from '../platform/changes/change-kind.ts'
import { displayName } from '../platform/text.ts'
import type { NoteColor, NoteRecipientStatus } from '../tables.ts'

export const colors = ['default', 'yellow', 'green', 'blue', 'pink', 'purple', 'orange', 'gray'] as const satisfies NoteColor[]
export const statuses = ['unread', 'read', 'replied', 'archived'] as const satisfies NoteRecipientStatus[]
/** What someone may ask a note they received to be; `replied` comes by replying. */
export const askable = ['read', 'unread', 'archived'] as const satisfies NoteRecipientStatus[]
export type Asked = (typeof askable)[number]

/** What a note someone received is to them; an archived one knows what it was before. */
export interface Standing {
  status: NoteRecipientStatus
  statusBefore: NoteRecipientStatus | null
}

/** From what a note is to its recipient, by what they ask, to what it becomes: whoever replied has read it. */
export const moves: Record<Exclude<NoteRecipientStatus, 'archived'>, Record<Asked, NoteRecipientStatus>> = {
  unread: { read: 'read', unread: 'unread', archived: 'archived' },
  read: { read: 'read', unread: 'unread', archived: 'archived' },
  replied: { read: 'replied', unread: 'unread', archived: 'archived' },
}

/** What a note becomes to its recipient. One that leaves the archive is what it was before, whatever is asked. */
export const statusAfter = ({ status, statusBefore }: Standing, asked: Asked): NoteRecipientStatus => {
  if (status !== 'archived') return moves[status][asked]
  return asked === 'archived' ? 'archived' : statusBefore!
}

/** The fields of a note that its recipients see. */
export const sharedFields = ['title', 'content', 'color'] as const

export type NoteTurn = 'received' | 'replied' | 'status' | 'updated' | 'deleted'
export const noteChanged = (noteId: number, change: NoteTurn, to: number[]): Event => ({
  event: 'note_changed',
  data: { noteId, change },
  to,
})

const LONGEST_START = 80

/** What a note is called in a sentence: its title, or how it begins. */
export const nameOf = ({ title, content }: { title: string; content: string }) =>
  title || [...content.replace(/\s+/g, ' ')].slice(0, LONGEST_START).join('')

interface Named {
  username: string
  displayNameAr: string | null
  displayNameEn: string | null
}
/** What the texts about a note name, in both languages. */
export const paramsFor = (note: { title: string; content: string }, person: Named) => ({
  ar: { note: nameOf(note), person: displayName(person, 'ar') },
  en: { note: nameOf(note), person: displayName(person, 'en') },
})
export type Params = ReturnType<typeof paramsFor>

export const noteNotice = (noteId: number, template: Notice['template'], recipients: number[], params: Params): Notice => ({
  recipients,
  type: 'note',
  template,
  params,
  relatedType: 'note',
  relatedId: noteId,
})
