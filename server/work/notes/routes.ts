import { Type } from 'typebox'
import { changedFields } from '../../platform/changes/change-kind.ts'
import { changed, unchanged } from '../../platform/changes/outcome.ts'
import type { Tx } from '../../platform/database/db.ts'
import { changedSet, movesBetween, noMoves } from '../../platform/database/sets.ts'
import { refuseField } from '../../platform/errors/refusal.ts'
import { command, query } from '../../platform/http/endpoint.ts'
import { IdParams, Nothing } from '../../platform/http/shape.ts'
import { isVisible } from '../../platform/text.ts'
import { lockOwn } from './filing.ts'
import {
  findNote,
  insertNote,
  labelIdsOf,
  listNotes,
  lockNote,
  lockNoteForChange,
  moveLabels,
  readNote,
  recipientIdsOf,
  removeNote,
  updateNote,
} from './queries.ts'
import { isShared } from './rules.ts'
import { MyNote, NewNote, NoteEdit, NotesQuery } from './shapes.ts'

export const readNotes = query('GET /notes', {
  summary: 'The caller’s own notes, pinned first, then newest',
  description: 'Filters are combined; `q` ignores case, diacritics and letter variants.',
  allow: 'signed-in',
  query: NotesQuery,
  reply: Type.Array(MyNote),
  run: ({ db, actor, query }) => listNotes(db, actor.id, query),
})

/** Refuses a note whose title and content are both blank. */
function checkSaysSomething({ title, content }: { title: string; content: string }) {
  if (!isVisible(title) && !isVisible(content)) refuseField('title', 'required', { unless: ['content'] })
}

/** Locks a folder and labels, before the notes in them, as deletions do. Refuses ones that are not the person's own. */
async function lockFolderAndLabels(tx: Tx, userId: number, { folderId, labelIds = [] }: { folderId?: number | null; labelIds?: number[] }) {
  await lockOwn(tx, 'noteFolders', userId, folderId ? [folderId] : [])
  await lockOwn(tx, 'noteLabels', userId, labelIds)
}

export const createNote = command('POST /notes', {
  summary: 'Write a note; `title` must not be blank when `content` is blank',
  description: 'Labels and the folder must be the caller’s own. A person has at most 10,000 notes, and 64 MiB of their text.',
  allow: 'signed-in',
  record: MyNote,
  body: NewNote,
  reply: MyNote,
  status: 201,
  refuses: ['unknown_ids', 'quota_exceeded'],
  run: async ({ tx, actor, body: { labelIds = [], ...fields } }) => {
    checkSaysSomething({ title: '', content: '', ...fields })
    await lockFolderAndLabels(tx, actor.id, { ...fields, labelIds })
    const id = await insertNote(tx, actor.id, fields)
    await moveLabels(tx, id, movesBetween([], labelIds))
    return changed(await readNote(tx, id, actor.id), { kind: 'note.created', targetId: id, facts: { ownerId: actor.id } })
  },
})

export const readOneNote = query('GET /notes/:id', {
  summary: 'One of the caller’s own notes',
  description: 'Someone else’s note is not found, even one that the caller received: see `/notes/received`.',
  allow: 'signed-in',
  record: MyNote,
  params: IdParams,
  reply: MyNote,
  refuses: ['not_found'],
  run: ({ db, actor, params }) => readNote(db, params.id, actor.id),
})

export const changeNote = command('PATCH /notes/:id', {
  summary: 'Change a note, also for those who received it; `labelIds` is the exact new set',
  description: 'Omitted fields do not change. `note_changed` goes to the owner, and to recipients if they see the change.',
  allow: 'signed-in',
  record: MyNote,
  params: IdParams,
  body: NoteEdit,
  reply: MyNote,
  refuses: ['not_found', 'unknown_ids', 'quota_exceeded'],
  run: async ({ tx, ifMatch, actor, params: { id }, body: { labelIds, ...fields } }) => {
    await findNote(tx, id, actor.id)
    const now = () => readNote(tx, id, actor.id)
    // The folder and labels are judged only for the expected version; the note is locked after them.
    await ifMatch(now)
    await lockFolderAndLabels(tx, actor.id, { ...fields, labelIds })
    const before = await lockNoteForChange(tx, id, actor.id)
    await ifMatch(now)
    checkSaysSomething({ ...before, ...fields })
    const labels = labelIds ? movesBetween(await labelIdsOf(tx, id), labelIds) : noMoves
    const moved = Object.keys({ ...changedFields(before, fields), ...changedSet('labelIds', labels) })
    if (moved.length === 0) return unchanged(await readNote(tx, id, actor.id))

    if (moved.some((field) => field !== 'labelIds')) await updateNote(tx, id, fields, isShared(moved))
    await moveLabels(tx, id, labels)
    return changed(await readNote(tx, id, actor.id), {
      kind: 'note.updated',
      targetId: id,
      facts: { ownerId: actor.id, fields: moved },
    })
  },
})

export const deleteNote = command('DELETE /notes/:id', {
  summary: 'Delete a note, also for everyone who received it',
  description: '`note_changed` goes to everyone who received it.',
  allow: 'signed-in',
  record: MyNote,
  params: IdParams,
  reply: Nothing,
  status: 204,
  refuses: ['not_found'],
  run: async ({ tx, ifMatch, actor, params: { id } }) => {
    const { userId } = await lockNote(tx, id, actor.id)
    await ifMatch(() => readNote(tx, id, actor.id))
    const recipientIds = await recipientIdsOf(tx, id)
    await removeNote(tx, id)
    return changed(null, { kind: 'note.deleted', targetId: id, facts: { ownerId: userId, recipientIds } })
  },
})
