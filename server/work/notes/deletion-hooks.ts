import { sql } from 'kysely'
import { deletionHook } from '../../platform/changes/deletion-hooks.ts'
import { lockNotesAround, removeNotesOf } from './queries.ts'

/** The notes of a deleted person are deleted, also for their recipients. */
export const noteDeletionHooks = [
  deletionHook({
    of: 'users',
    columns: [
      'notes.user_id',
      'note_folders.user_id',
      'note_labels.user_id',
      'note_recipients.recipient_id',
      'note_versions.user_id',
      'notices_caused.user_id',
    ],
    lock: lockNotesAround,
    counts: { noteCount: sql<number>`(select count(*) from notes where user_id = users.id)` },
    leaves: async (tx, ownerId) =>
      (await removeNotesOf(tx, ownerId)).map(({ id, recipientIds }) => ({
        kind: 'note.deleted',
        targetId: id,
        facts: { ownerId, recipientIds },
      })),
  }),
  deletionHook({
    of: 'users',
    columns: ['note_replies.recipient_id'],
    stays: 'it tells whose conversation a reply is in, which the owner of the note still reads',
  }),
]
