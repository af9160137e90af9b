import { isOtherAddress } from '../../people/users/rules.ts'
import { newToken } from '../../platform/auth/tokens.ts'
import { changed, unchanged } from '../../platform/changes/outcome.ts'
import type { Job, JobContext } from '../../platform/jobs/runner.ts'
import { displayName } from '../../platform/text.ts'
import { readSettings } from '../../site/settings/queries.ts'
import { findByIdentifier, findInvited, keepResetToken, linkEndOf, momentIn } from '../passwords/queries.ts'
import { resetUrl } from '../passwords/rules.ts'
import { mayUsePassword } from '../settings/queries.ts'
import { invitationMail, type LinkMail, resetMail, wayInMail } from './mail.ts'
import { send } from './send-mail.ts'

const MAILED_LINK_MINUTES = 60

type FoundUser = NonNullable<Awaited<ReturnType<typeof findByIdentifier>>>
type MailReader = Pick<FoundUser, 'id' | 'username' | 'email' | 'preferredLanguage' | 'displayNameAr' | 'displayNameEn'>

/** Mails a reset link or, to somebody who may not use a password, how to sign in. Without a mail server, notifies the administrators. */
export const answerForgottenPassword: Job<{ identifier: string }> = async ({ identifier }, context) => {
  const person = await findByIdentifier(context.db.reads, identifier)
  if (!person?.isActive) return
  if (!context.config.smtpUrl) return notifyAdministrators(person, context)
  await (person.mayUsePassword ? mailResetLink(person, context) : mailWayIn(person, false, context))
}

function notifyAdministrators(person: FoundUser, { transact }: JobContext) {
  const facts = { nameAr: displayName(person, 'ar'), nameEn: displayName(person, 'en') }
  return transact(null, async () => changed(undefined, { kind: 'user.reset_asked', targetId: person.id, facts }))
}

async function mailResetLink(person: FoundUser, context: JobContext) {
  const { reads } = context.db
  const expiresAt = await momentIn(reads, MAILED_LINK_MINUTES)
  const invited = await findInvited(reads, person.id)
  if (!invited) return mailLink(person, expiresAt, { write: resetMail, kind: 'user.reset_link_mailed' }, context)
  // Anyone who knows the name may ask, so the new link is valid at least as long as the invitation it voids.
  const end = await linkEndOf(reads, person.id)
  await mailLink(invited, end && end > expiresAt ? end : expiresAt, { write: invitationMail, kind: 'user.invitation_mailed' }, context)
}

/** Mails the link of an invitation, unless the person no longer waits for it. */
export const mailInvitation: Job<{ userId: number; expiresAt: string }> = async ({ userId, expiresAt }, context) => {
  const person = await findInvited(context.db.reads, userId)
  if (!person) return
  if (!(await mayUsePassword(context.db.reads, userId))) return mailWayIn(person, true, context)
  await mailLink(person, new Date(expiresAt), { write: invitationMail, kind: 'user.invitation_mailed' }, context)
}

/** Mails instructions for signing in to someone who may not use a password. */
async function mailWayIn(person: MailReader, isInvited: boolean, { db, config }: JobContext) {
  const language = person.preferredLanguage
  const { siteNameAr, siteNameEn } = await readSettings(db.reads)
  const mail = wayInMail(language, {
    name: displayName(person, language),
    username: person.username,
    site: language === 'ar' ? siteNameAr : siteNameEn,
    url: `${config.publicUrl}/sign-in`,
    isInvited,
  })
  await send(config.smtpUrl!, { from: config.mailFrom, to: { name: '', address: person.email }, ...mail })
}

/** The texts around the link of a mail, and the kind of change that records that the mail was sent. */
interface Mailing {
  write: LinkMail
  kind: 'user.reset_link_mailed' | 'user.invitation_mailed'
}

/**
 * Mails a link. Its token is created here, so that the queue stores none. The token becomes valid only when the mail was accepted, so that
 * a failed try does not void a link that an administrator issued in between; and only if the mail went to the address that the person still
 * has.
 */
async function mailLink(person: MailReader, expiresAt: Date, { write, kind }: Mailing, { db, config, transact }: JobContext) {
  const language = person.preferredLanguage
  const token = newToken()
  const { siteNameAr, siteNameEn, timeZone } = await readSettings(db.reads)
  const mail = write(language, {
    name: displayName(person, language),
    username: person.username,
    site: language === 'ar' ? siteNameAr : siteNameEn,
    url: resetUrl(config, token),
    expiresAt,
    timeZone,
  })
  await send(config.smtpUrl!, { from: config.mailFrom, to: { name: '', address: person.email }, ...mail })
  await transact(null, async (tx) => {
    const { id } = person
    const now = await tx.selectFrom('users').select(['email', 'isActive']).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
    if (!now?.isActive || isOtherAddress(person.email, now.email)) return unchanged(undefined)
    await keepResetToken(tx, id, token, expiresAt, true)
    return changed(undefined, { kind, targetId: id, facts: {} })
  })
}
