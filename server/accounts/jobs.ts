import { createTransport } from 'nodemailer'
import { changed } from '../platform/endpoint.ts'
import type { Job } from '../platform/jobs.ts'
import { displayName } from '../platform/text.ts'
import { resetMail } from './mail.ts'
import { findByIdentifier, issueResetToken } from './queries.ts'
import { resetUrl } from './rules.ts'

const MAILED_LINK_MINUTES = 60

/**
 * Mails a reset link, or tells the administrators where no mail can be sent. The token is made here, so that none rests in
 * the queue; a try that fails to send leaves a token nobody has seen, and the next one voids it.
 */
export const answerForgottenPassword: Job<{ identifier: string }> = async ({ identifier }, { db, config, perform }) => {
  const person = await findByIdentifier(db.reads, identifier)
  if (!person?.isActive) return
  if (!config.smtpUrl) {
    const facts = { nameAr: displayName(person, 'ar'), nameEn: displayName(person, 'en') }
    return perform(null, async () => changed(undefined, { kind: 'user.reset_asked', subject: person.id, facts }))
  }
  const { token, expiresAt } = await perform(null, async (tx) =>
    changed(await issueResetToken(tx, person.id, MAILED_LINK_MINUTES), { kind: 'user.reset_link_mailed', subject: person.id, facts: {} }),
  )
  const language = person.preferredLanguage
  const { siteNameAr, siteNameEn } = await db.reads.selectFrom('settings').select(['siteNameAr', 'siteNameEn']).executeTakeFirstOrThrow()
  const mail = resetMail(language, {
    name: displayName(person, language),
    site: language === 'ar' ? siteNameAr : siteNameEn,
    url: resetUrl(config, token),
    expiresAt,
  })
  const transport = createTransport(config.smtpUrl, { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 } as object)
  try {
    await transport.sendMail({ from: config.mailFrom, to: person.email, ...mail })
  } finally {
    transport.close()
  }
}
