/** Notes on the device: paged lists, and the calls that change them. */
import { signal } from '@preact/signals'
import { changeAll, invalidate, known, resource } from '../../platform/cache.ts'
import { answer, api, ifMatch, type Schemas } from '../../platform/client.ts'
import { matches } from '../../platform/folded.ts'

export type Note = Schemas['MyNote']
export type Color = Schemas['NoteColor']
/** The colours, in the order in which the menu offers them. */
export const colors: Color[] = ['default', 'yellow', 'green', 'blue', 'pink', 'purple', 'orange', 'gray']
export type Folder = Schemas['NoteFolder']
export type Label = Schemas['NoteLabel']
export type Received = Schemas['ReceivedNote']
export type Status = Schemas['NoteRecipientStatus']
export type Thread = Schemas['NoteThread']
export type Person = Schemas['NoteUserSummary']
export type Tab = 'active' | 'archived'

/** Records per request. */
export const PART = 40

/** The filters of the board. An empty text means no filter; `none` means notes without a folder. */
export interface View {
  tab: Tab
  folder: string
  label: string
  q: string
}

export const notesOf = ({ tab, folder, label, q }: View, offset: number) =>
  resource('/notes', {
    query: { tab, ...(folder && { folderId: folder }), ...(label && { labelId: Number(label) }), ...(q && { q }), limit: PART, offset },
  })
/** A page of the received notes. An empty `folder` means no filter. */
export const receivedOf = (tab: Tab, folder: string, offset: number) =>
  resource('/notes/received', { query: { tab, ...(folder && { folderId: folder }), limit: PART, offset } })
/** A received note, if a loaded list contains it. */
export const knownReceived = (rowId: number) =>
  known('/notes/received')
    .flat()
    .find(({ recipientRowId }) => recipientRowId === rowId)
export const sentOf = (tab: Tab, offset: number) => resource('/notes/sent', { query: { tab, limit: PART, offset } })
export const foldersOf = (tab: Tab) => resource('/notes/folders', { query: { tab } })
export const labels = resource('/notes/labels')
export const ownNote = (id: number) => resource('/notes/{id}', { path: { id } })
export const threadOf = (id: number) => resource('/notes/{id}/thread', { path: { id } })

/**
 * The first line that is not empty, cut to 120 characters. Joining lines of different directions into one line would reorder their words.
 */
export const firstLineOf = (content: string) => content.trim().split('\n')[0]!.slice(0, 120)

/** The title of a note in a list; without one, its first line. */
export const nameOfNote = ({ title, content }: { title: string; content: string }) => title || firstLineOf(content)

interface Query {
  tab?: Tab
  folderId?: string
  labelId?: number
  q?: string
  offset?: number
}
const isWithin = (note: Note, { tab = 'active', folderId, labelId, q = '' }: Query) =>
  note.isArchived === (tab === 'archived') &&
  (folderId === undefined || String(note.folderId ?? 'none') === folderId) &&
  (labelId === undefined || note.labelIds.includes(labelId)) &&
  matches(q, note.title, note.content)
const inOrder = (one: Note, other: Note) => Number(other.isPinned) - Number(one.isPinned) || other.id - one.id

/** Puts a note into every loaded list to which it now belongs, and takes it out of the others. */
export function showNote(note: Note) {
  changeAll('/notes', (list, parameters) => {
    const query: Query = parameters.query ?? {}
    const others = list.filter(({ id }) => id !== note.id)
    const isThere = others.length < list.length
    if (isWithin(note, query) && (isThere || !query.offset)) return [...others, note].toSorted(inOrder)
    return isThere ? others : list
  })
  ownNote(note.id).change(() => note)
}

/** Changes that the portal has not answered yet, in the order of the presses. */
const asked = signal<readonly { id: number; changes: Partial<Note> }[]>([])

/** A note with its pending changes applied, because a reply may be older than they are. */
export const asChanged = (note: Note): Note =>
  Object.assign({}, note, ...asked.value.filter(({ id }) => id === note.id).map(({ changes }) => changes))

/** The last pending change of each note. Changes of a note are sent one after the other, so that the last one wins. */
const last = new Map<number, Promise<unknown>>()

/**
 * Changes a note: at once on the page, and back again if the portal refuses. With `version`, the portal refuses if the note has changed
 * since that version.
 */
export async function changeNote(note: Note, changes: Partial<Note>, version?: string) {
  const mine = { id: note.id, changes }
  asked.value = [...asked.peek(), mine]
  showNote({ ...note, ...changes })
  const sent = Promise.resolve(last.get(note.id)).then(() =>
    // `keepalive`, because the person may leave the page at once.
    answer(api.PATCH('/notes/{id}', { params: { path: { id: note.id } }, body: changes, headers: ifMatch(version), keepalive: true })),
  )
  const show = (now: Note) => {
    asked.value = asked.peek().filter((one) => one !== mine)
    showNote(asChanged(now))
  }
  last.set(
    note.id,
    sent.then(show, () => show(note)),
  )
  await sent
}

export type NewNote = Schemas['NewNote']

export async function createNote(body: NewNote) {
  const note = await answer(api.POST('/notes', { body }))
  showNote(note)
  invalidate('/notes/folders')
  return note
}

type ReceivedChanges = Schemas['ReceivedNoteChanges']

/** Marks, archives or files a received note, by its row. */
export async function changeReceived(row: { recipientRowId: number; id: number }, changes: ReceivedChanges) {
  changeAll('/notes/received', (all) => all.map((one) => (one.recipientRowId === row.recipientRowId ? { ...one, ...changes } : one)))
  try {
    await answer(api.PATCH('/notes/received/{recipientRowId}', { params: { path: { recipientRowId: row.recipientRowId } }, body: changes }))
  } finally {
    invalidate('/notes/received', '/notes/{id}/thread')
  }
}

const pathOf = { folder: '/notes/folders', label: '/notes/labels' } as const
const again = (kind: 'folder' | 'label') => invalidate(pathOf[kind])

export async function addFolder(name: string) {
  const folder = await answer(api.POST('/notes/folders', { body: { name } }))
  await again('folder')
  return folder
}
export async function addLabel(name: string) {
  const label = await answer(api.POST('/notes/labels', { body: { name } }))
  await again('label')
  return label
}
export async function renameFolder(id: number, name: string) {
  changeAll('/notes/folders', (all) => all.map((one) => (one.id === id ? { ...one, name } : one)))
  await answer(api.PATCH('/notes/folders/{id}', { params: { path: { id } }, body: { name } })).finally(() => again('folder'))
}
export async function changeLabel(id: number, changes: { name?: string; color?: Color }) {
  labels.change((all) => all.map((one) => (one.id === id ? { ...one, ...changes } : one)))
  await answer(api.PATCH('/notes/labels/{id}', { params: { path: { id } }, body: changes })).finally(() => again('label'))
}

/** Set when something outside the board, such as the palette, begins a note; `to` is its recipient. */
export const begun = signal<{ to?: Person } | undefined>(undefined)

/** Sends a note to people; returns how many did not have it yet. */
export async function sendNote(noteId: number, people: Person[]) {
  const body = { recipientUserIds: people.map(({ id }) => id) }
  const { sent } = await answer(api.POST('/notes/{id}/send', { params: { path: { id: noteId } }, body }))
  invalidate('/notes/sent', '/notes/{id}/thread')
  return sent
}

/** Replies in the conversation of a note. The owner of the note must name the recipient (`to`). */
export async function sendReply(noteId: number, content: string, to?: number) {
  const body = { content, ...(to && { recipientUserId: to }) }
  const reply = await answer(api.POST('/notes/{id}/replies', { params: { path: { id: noteId } }, body }))
  threadOf(noteId).change((now) => (now.replies.some(({ id }) => id === reply.id) ? now : { ...now, replies: [...now.replies, reply] }))
}
