import { Type } from 'typebox'
import { changedFields } from '../../platform/changes/change-kind.ts'
import { type Change, changed, unchanged } from '../../platform/changes/outcome.ts'
import { command, query } from '../../platform/http/endpoint.ts'
import { partOf } from '../../platform/http/page.ts'
import { IdParams, ListPart, Nothing } from '../../platform/http/shape.ts'
import { longList } from '../../platform/http/wire.ts'
import {
  emptyFolder,
  insertFolder,
  insertLabel,
  listFolders,
  listLabels,
  lockFolder,
  lockLabel,
  readFolder,
  removeFolder,
  removeLabel,
  renameFolder,
  updateLabel,
} from './filing.ts'
import { FolderFields, LabelEdit, NewLabel, NoteFolder, NoteLabel, TabPartQuery } from './shapes.ts'

export const readFolders = query('GET /notes/folders', {
  summary: 'The caller’s folders by name, with the number of their own notes in each, counted in the requested tab',
  description: 'Notes without a folder are listed by `GET /notes?folderId=none`.',
  allow: 'signed-in',
  query: TabPartQuery,
  reply: Type.Array(NoteFolder),
  run: ({ db, actor, query: { tab = 'active', ...part } }) => listFolders(db, actor.id, { tab, language: actor.language }, part),
})

export const createFolder = command('POST /notes/folders', {
  summary: 'Create a folder',
  description: 'Names need not be unique. A person has at most 500 folders.',
  allow: 'signed-in',
  body: FolderFields,
  reply: NoteFolder,
  status: 201,
  refuses: ['quota_exceeded'],
  run: async ({ tx, actor, body: { name } }) => {
    const id = await insertFolder(tx, actor.id, name)
    return changed(await readFolder(tx, id), { kind: 'note_folder.created', targetId: id, facts: { ownerId: actor.id } })
  },
})

export const changeFolder = command('PATCH /notes/folders/:id', {
  summary: 'Rename a folder',
  allow: 'signed-in',
  params: IdParams,
  body: FolderFields,
  reply: NoteFolder,
  refuses: ['not_found'],
  run: async ({ tx, actor, params: { id }, body: { name } }) => {
    const before = await lockFolder(tx, id, actor.id)
    if (before.name === name) return unchanged(await readFolder(tx, id))
    await renameFolder(tx, id, name)
    return changed(await readFolder(tx, id), { kind: 'note_folder.renamed', targetId: id, facts: { ownerId: actor.id } })
  },
})

const edited = (noteId: number, ownerId: number, field: string): Change => ({
  kind: 'note.updated',
  targetId: noteId,
  facts: { ownerId, fields: [field] },
})
/** The change of a note, own or received, that lost its folder. */
const leftFolder = ({ id, isReceived }: { id: number; isReceived: boolean }, userId: number): Change =>
  isReceived ? { kind: 'note.filed', targetId: id, facts: { recipientId: userId, folderId: null } } : edited(id, userId, 'folderId')

export const deleteFolder = command('DELETE /notes/folders/:id', {
  summary: 'Delete a folder; its notes stay, unfiled',
  allow: 'signed-in',
  params: IdParams,
  reply: Nothing,
  status: 204,
  refuses: ['not_found'],
  run: async ({ tx, actor, params: { id } }) => {
    await lockFolder(tx, id, actor.id)
    const emptied = await emptyFolder(tx, id)
    await removeFolder(tx, id)
    return changed(
      null,
      { kind: 'note_folder.deleted', targetId: id, facts: { ownerId: actor.id } },
      ...emptied.map((one) => leftFolder(one, actor.id)),
    )
  },
})

export const readLabels = query('GET /notes/labels', {
  summary: 'The caller’s labels by name',
  description: 'The notes with a label are listed by `GET /notes` with its `labelId`.',
  allow: 'signed-in',
  query: ListPart,
  reply: Type.Array(NoteLabel),
  run: ({ db, actor, query }) => longList(NoteLabel, partOf(listLabels(db, actor.id, actor.language), query)),
})

export const createLabel = command('POST /notes/labels', {
  summary: 'Create a label',
  description: 'A person has at most 500 labels.',
  allow: 'signed-in',
  body: NewLabel,
  reply: NoteLabel,
  status: 201,
  refuses: ['quota_exceeded'],
  run: async ({ tx, actor, body }) => {
    const label = await insertLabel(tx, actor.id, body)
    return changed(label, { kind: 'note_label.created', targetId: label.id, facts: { ownerId: actor.id } })
  },
})

export const changeLabel = command('PATCH /notes/labels/:id', {
  summary: 'Change a label',
  allow: 'signed-in',
  params: IdParams,
  body: LabelEdit,
  reply: NoteLabel,
  refuses: ['not_found'],
  run: async ({ tx, actor, params: { id }, body }) => {
    const before = await lockLabel(tx, id, actor.id)
    if (Object.keys(changedFields(before, body)).length === 0) return unchanged(before)
    return changed(await updateLabel(tx, id, body), { kind: 'note_label.updated', targetId: id, facts: { ownerId: actor.id } })
  },
})

export const deleteLabel = command('DELETE /notes/labels/:id', {
  summary: 'Delete a label; its notes stay, without it',
  allow: 'signed-in',
  params: IdParams,
  reply: Nothing,
  status: 204,
  refuses: ['not_found'],
  run: async ({ tx, actor, params: { id } }) => {
    await lockLabel(tx, id, actor.id)
    const freed = await removeLabel(tx, id)
    return changed(
      null,
      { kind: 'note_label.deleted', targetId: id, facts: { ownerId: actor.id } },
      ...freed.map((noteId) => edited(noteId, actor.id, 'labelIds')),
    )
  },
})
