/** Invitations to choose a password. */
import type { Config } from '../../platform/config.ts'
import type { Tx } from '../../platform/database/db.ts'
import { addInvitation } from './queries.ts'

/** Invites somebody who has lost their only way to sign in, by mail if it is set up. An administrator can hand over a link, too. */
export async function inviteAgain(tx: Tx, person: { id: number; username: string }, { smtpUrl }: Config) {
  await tx.updateTable('users').set({ invitation: 'pending' }).where('id', '=', person.id).execute()
  if (smtpUrl) await addInvitation(tx, person)
}
