import { emptyFolder, removeLabel } from '../../../server/work/notes/filing.ts'
import { removeNotesOf } from '../../../server/work/notes/queries.ts'
import { listReceived, listRecipients, listSent, readReceived, readReply, sendNotes } from '../../../server/work/notes/sharing.ts'
import { readThread, writeThread } from '../../../server/work/notes/thread.ts'
import type { Samples } from '../recorder.ts'

const reader = { id: 1, isAdmin: false }
const thread = (standing: 'owner' | 'recipient', version: string | null) => [{ standing, status: null, version, text: '{}' }]

export default {
  removeNotesOf: (db) => removeNotesOf(db(), 1),
  emptyFolder: (db) => emptyFolder(db(), 1),
  removeLabel: (db) => removeLabel(db(), 1),
  listRecipients: (db) => listRecipients(db([{ folded: 'sara' }], [{ text: '[]' }]), 1, { q: 'Sara' }, 'ar'),
  sendNotes: (db) => sendNotes(db(), [{ noteId: 1, ownerId: 2, userIds: [3] }]),
  listSent: (db) => listSent(db(), 1, 'active', {}),
  listReceived: {
    'in all folders': (db) => listReceived(db(), 1, { tab: 'active', folderId: undefined }, {}),
    'in a folder': (db) => listReceived(db(), 1, { tab: 'active', folderId: '2' }, {}),
    'in no folder': (db) => listReceived(db(), 1, { tab: 'active', folderId: 'none' }, {}),
  },
  readReceived: (db) => readReceived(db([{ text: '{}' }]), 1),
  readReply: (db) => readReply(db([{ text: '{}' }]), 1),
  readThread: {
    twice: async (db) => {
      const same = db(thread('owner', '1'), thread('owner', '1'))
      await readThread(same, 1, reader)
      return readThread(same, 1, reader)
    },
  },
  writeThread: {
    'of a long thread, for its owner': (db) => {
      const same = db(thread('owner', null))
      return writeThread(same, same, 1, reader)
    },
    'of a long thread, for a recipient': (db) => {
      const same = db(thread('recipient', null))
      return writeThread(same, same, 1, reader)
    },
  },
} satisfies Samples
