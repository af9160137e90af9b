/** The actions on a note in any list, with the toast of each. */

import { say } from '../../parts/overlay/toasts.tsx'
import { sayFailure } from '../../parts/show/failures.ts'
import { changeNote, changeReceived, type Note, type Received } from './data.ts'
import { removeLater } from './later.ts'
import { t } from './texts.ts'

export const pin = (note: Note) => changeNote(note, { isPinned: !note.isPinned }).catch(sayFailure)

export async function archive(note: Note) {
  const { isArchived } = note
  const move = (to: boolean) => changeNote({ ...note, isArchived: !to }, { isArchived: to }).catch(sayFailure)
  const takeOff = say({ text: isArchived ? t.unarchived : t.archived, undo: () => move(isArchived) })
  await changeNote(note, { isArchived: !isArchived }).catch((failure) => {
    takeOff()
    sayFailure(failure)
  })
}

export const remove = (note: { id: number }, isShared = false) =>
  removeLater('/notes/{id}', note.id, isShared ? t.removedForAll : t.removed)

type Row = Pick<Received, 'recipientRowId' | 'id' | 'status'>

export async function archiveReceived(row: Row) {
  const isArchived = row.status === 'archived'
  // An unarchived note returns to its former status, whichever status is sent.
  const move = (archived: boolean) => changeReceived(row, { status: archived ? 'archived' : 'read' })
  const takeOff = say({ text: isArchived ? t.unarchived : t.archived, undo: () => void move(isArchived).catch(sayFailure) })
  await move(!isArchived).catch((failure) => {
    takeOff()
    sayFailure(failure)
  })
}
