import { sql } from 'kysely'
import { hasWaysIn, lockPerson, voidLinksOf } from '../../people/users/queries.ts'
import { holdWays } from '../../platform/auth/break-glass.ts'
import { meansOf, requireConfirmation } from '../../platform/auth/confirmation.ts'
import { checkNewPassword } from '../../platform/auth/password-policy.ts'
import type { Session } from '../../platform/auth/sessions.ts'
import { changed, unchanged } from '../../platform/changes/outcome.ts'
import type { Reads } from '../../platform/database/db.ts'
import { refuse, refuseField } from '../../platform/errors/refusal.ts'
import { command, query } from '../../platform/http/endpoint.ts'
import { IdParams, Success } from '../../platform/http/shape.ts'
import { addJob, MAIL_TRIES } from '../../platform/jobs/runner.ts'
import { ownShare } from '../factors/rules.ts'
import { knowDevice } from '../sessions/devices.ts'
import { endSessions, readAuthUser } from '../sessions/queries.ts'
import { AuthUser } from '../sessions/shapes.ts'
import { mayUsePassword } from '../settings/queries.ts'
import { clearUnproven } from './first-proof.ts'
import { freeAccount, resetLimits } from './limits.ts'
import { namesOfPerson } from './names.ts'
import { findResetOwner, isResetToken, issueResetToken, lockResetOwner, readPasswordHash, setPassword } from './queries.ts'
import { mailQueue, resetUrl, tries } from './rules.ts'
import { ForgottenPassword, PasswordChange, PasswordReset, ResetLink, ResetToken, ResetTokenValidity } from './shapes.ts'

const ADMIN_LINK_MINUTES = 24 * 60

export const changePassword = command('POST /auth/me/password', {
  summary: 'Change one’s own password; other sessions end',
  description:
    'An unused reset link becomes invalid. API tokens go on to be valid unless `endTokens` is true. Someone without a password sets one without `currentPassword`, once they have confirmed who they are, where they may sign in by password.',
  allow: 'signed-in',
  locks: 'caller',
  body: PasswordChange,
  reply: AuthUser,
  refuses: ['invalid_password', 'confirmation_required', 'forbidden', 'rate_limited'],
  limits: ({ actor }) => [{ rule: tries.ownPassword, key: String(actor.id) }, ownShare('passwords', actor.id)],
  prepare: async ({ db, actor, session, body: { currentPassword, newPassword }, config, passwords }) => {
    const passwordHash = await readPasswordHash(db, actor.id)
    if (currentPassword === undefined && passwordHash !== null) refuseField('currentPassword', 'required')
    await checkNewPassword(newPassword, config, () => namesOfPerson(db, actor.id), 'newPassword')
    if (currentPassword === undefined) await requireOpening(db, session)
    else if (!(await passwords.isRight(currentPassword, passwordHash))) refuse('invalid_password')
    return { from: passwordHash, to: await passwords.hash(newPassword) }
  },
  run: async ({ tx, actor, session, body: { newPassword, endTokens = false }, prepared: { from, to } }) => {
    const { passwordHash } = await lockPerson(tx, actor.id)
    if (passwordHash !== from) refuse('invalid_password')
    // Passwords may have been closed while this one was hashed.
    if (from === null && !(await mayUsePassword(tx, actor.id))) refuse('forbidden')
    await setPassword(tx, actor.id, { passwordHash: to, length: [...newPassword].length })
    await voidLinksOf(tx, [actor.id])
    const sessionIds = await endSessions(tx, actor.id, { except: session.id, ofBrowsers: !endTokens })
    return changed(
      await readAuthUser(tx, actor.id),
      { kind: 'user.password_changed', targetId: actor.id, facts: {} },
      { kind: 'session.ended', targetId: actor.id, facts: { reason: 'password_changed', sessionIds } },
    )
  },
})

/** Refuses a first password to somebody who could not sign in by it, or who has not confirmed who they are. */
async function requireOpening(db: Reads, session: Session) {
  if (!(await meansOf(db, session.userId)).isOpen) refuse('forbidden')
  await requireConfirmation(db, session)
}

export const forgotPassword = command('POST /auth/forgot-password', {
  summary: 'Request a reset link; the answer never reveals whether the account exists',
  description: 'The link is mailed if mail is configured; otherwise administrators are notified. It is valid for 60 minutes and one use.',
  allow: 'anyone',
  body: ForgottenPassword,
  nameIn: 'identifier',
  reply: Success,
  refuses: ['rate_limited'],
  limits: ({ db, body, request }) => resetLimits(db, body.identifier, request),
  // Once the limit is spent, the job gets the empty name, which belongs to nobody.
  prepare: async ({ body: { identifier }, isSpent }) => ({ identifier: isSpent ? '' : identifier }),
  run: async ({ tx, prepared }) => {
    await addJob(tx, 'answer_forgotten_password', prepared, { queue: mailQueue(prepared.identifier), tries: MAIL_TRIES })
    return unchanged({ success: true })
  },
})

export const verifyResetToken = query('POST /auth/reset-password/verify', {
  summary: 'Whether a reset token is valid',
  description: 'This does not use up the token.',
  allow: 'anyone',
  body: ResetToken,
  reply: ResetTokenValidity,
  run: async ({ db, body }) => ({ valid: await isResetToken(db, body.token) }),
})

export const resetPassword = command('POST /auth/reset-password', {
  summary: 'Set a new password with a reset token; all sessions end',
  description:
    'A token can be used once; the token of an invitation accepts it. The person must sign in again everywhere, and failed attempts to sign in are forgotten. If nobody had proven whose the account is, its other ways in are removed, and the person is told.',
  cookies: 'device',
  allow: 'anyone',
  body: PasswordReset,
  reply: Success,
  refuses: ['invalid_token'],
  prepare: async ({ db, body, config, passwords }) => {
    await checkNewPassword(body.newPassword, config, async () => namesOfPerson(db, await findResetOwner(db, body.token)), 'newPassword')
    if (!(await isResetToken(db, body.token))) refuse('invalid_token')
    return passwords.hash(body.newPassword)
  },
  run: async ({ tx, body, prepared: passwordHash, request, cookie }) => {
    const owner = await lockResetOwner(tx, body.token)
    await holdWays(tx)
    if (owner.mailed && !(await mayUsePassword(tx, owner.id))) refuse('invalid_token')
    const { id, username } = owner
    const author = { id, username }
    const cleared = await clearUnproven(tx, id, author)
    await voidLinksOf(tx, [id])
    const invitation = sql<'accepted' | null>`replace(invitation, 'pending', 'accepted')`
    await setPassword(tx, id, { passwordHash, length: [...body.newPassword].length })
    const sessionIds = await endSessions(tx, id)
    // A way into the account that is older than the first mailed link may belong to somebody who had the account before it got this
    // address.
    const hasOlderWays = owner.mailed && (!owner.emailVouched || owner.hasOlderWays) && (await hasWaysIn(tx, id, 'password'))
    await tx
      .updateTable('users')
      // The link of an administrator proves whose the account is, but not the address.
      .set({ invitation, ...(owner.mailed ? { emailVouched: true, hasOlderWays } : { isProven: true }) })
      .where('id', '=', id)
      .execute()
    await freeAccount(tx, owner)
    // Strangers may still be using up the limit: the person with the link must be able to sign in with the new password.
    cookie.setDevice(await knowDevice(tx, id, request.deviceTokens))
    return changed(
      { success: true },
      { kind: 'user.password_reset', targetId: id, facts: {}, author },
      { kind: 'session.ended', targetId: id, facts: { reason: 'password_reset', sessionIds }, author },
      ...(cleared ?? []),
    )
  },
})

export const issueResetLink = command('POST /auth/admin/users/:id/issue-reset-link', {
  summary: 'Issue a reset link to hand to a person, valid for 24 hours',
  description: 'Earlier links become invalid. The audit log records that a link was issued, but not its token.',
  allow: 'admin',
  confirm: 'administration',
  locks: 'caller',
  params: IdParams,
  reply: ResetLink,
  refuses: ['not_found'],
  run: async ({ tx, params, config }) => {
    const { username } = await lockPerson(tx, params.id)
    const { token, expiresAt } = await issueResetToken(tx, params.id, ADMIN_LINK_MINUTES)
    return changed(
      { resetUrl: resetUrl(config, token), expiresAt },
      { kind: 'user.reset_link_issued', targetId: params.id, facts: { username } },
    )
  },
})
