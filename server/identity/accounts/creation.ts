/** Accounts that administrators create: with a password, or with an invitation to choose one. */
import type { Static } from 'typebox'
import { checkByHand } from '../../access/grants/queries.ts'
import { createPerson } from '../../people/users/queries.ts'
import type { NewUser } from '../../people/users/shapes.ts'
import { checkNewPassword } from '../../platform/auth/password-policy.ts'
import type { Passwords } from '../../platform/auth/passwords.ts'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Config } from '../../platform/config.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { lockExisting } from '../../platform/database/sets.ts'
import { refuseField } from '../../platform/errors/refusal.ts'
import { namesOf } from '../passwords/names.ts'
import { addInvitation, issueResetToken } from '../passwords/queries.ts'
import { INVITATION_MINUTES, resetUrl } from '../passwords/rules.ts'

type Account = Static<typeof NewUser>

/** The hash of a new person's password; null for an invited person. Refuses an account with both or with neither. */
export async function preparePassword(
  { password, invite, ...person }: Account,
  { db, config, passwords }: { db: Reads; config: Config; passwords: Passwords },
) {
  if (invite) return password === undefined ? null : refuseField('password', 'exclusive', { fields: ['invite'] })
  if (password === undefined) return refuseField('password', 'required', { unless: ['invite'] })
  await checkNewPassword(password, config, () => namesOf(db, person))
  return passwords.hash(password)
}

/**
 * Creates an account. Refusals come before anything is written. The link of an invitation is mailed if mail is set up; otherwise it is
 * returned for the administrator to hand over.
 */
export async function createAccount(
  tx: Tx,
  { password: _, invite = false, groupIds: named = [], ...person }: Account,
  passwordHash: string | null,
  config: Config,
) {
  await lockExisting(tx, 'groups', named)
  await checkByHand(tx, named)
  const { id, roleIds, groupIds } = await createPerson(
    tx,
    { ...person, passwordHash, emailVouched: true, ...(invite && { invitation: 'pending' }) },
    named,
    409,
  )
  const { username, email } = person
  const facts = { username, email, roleIds, groupIds, ...(invite && { isInvited: true as const }) }
  const created: Change = { kind: 'user.created', targetId: id, facts }
  if (!invite) return { id, changes: [created], invitation: null }
  if (config.smtpUrl) {
    const expiresAt = await addInvitation(tx, { id, username })
    return { id, changes: [created], invitation: { resetUrl: null, expiresAt, mailed: true } }
  }
  const { token, expiresAt } = await issueResetToken(tx, id, INVITATION_MINUTES)
  const issued: Change = { kind: 'user.reset_link_issued', targetId: id, facts: { username } }
  return { id, changes: [created, issued], invitation: { resetUrl: resetUrl(config, token), expiresAt, mailed: false } }
}
