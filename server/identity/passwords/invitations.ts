/** Invitations to choose a password. */
import type { Config } from '../../platform/config.ts'
import type { Tx } from '../../platform/database/db.ts'
import { addJob, MAIL_TRIES } from '../../platform/jobs/runner.ts'
import { momentIn } from '../passwords/queries.ts'
import { mailQueue } from '../passwords/rules.ts'

/** Long, because people may be away when they are invited. */
export const INVITATION_MINUTES = 7 * 24 * 60

export const addInvitation = (tx: Tx, { id, username }: { id: number; username: string }, expiresAt: Date) =>
  addJob(tx, 'mail_invitation', { userId: id, expiresAt: expiresAt.toISOString() }, { queue: mailQueue(username), tries: MAIL_TRIES })

/** Invites somebody who has lost their only way to sign in, by mail if it is set up. An administrator can hand over a link, too. */
export async function inviteAgain(tx: Tx, person: { id: number; username: string }, { smtpUrl }: Config) {
  await tx.updateTable('users').set({ invitation: 'pending' }).where('id', '=', person.id).execute()
  if (smtpUrl) await addInvitation(tx, person, await momentIn(tx, INVITATION_MINUTES))
}
