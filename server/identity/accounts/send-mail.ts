/** Sends mails, including those of notifications. */

import type { TemplateName } from '../../platform/changes/listed.ts'
import { isolated } from '../../platform/direction.ts'
import type { Job } from '../../platform/jobs/runner.ts'
import { displayName } from '../../platform/text.ts'
import type { NoticeTexts } from '../../work/notifications/shapes.ts'
import { findReader } from '../passwords/queries.ts'
import { type Mail, noticeMail } from './mail.ts'

/** Throws without the server's text, which may quote the message: errors are logged and stored with the job. */
export async function send(url: string, message: Mail & { from: string; to: { name: string; address: string } }) {
  // Mails go unencrypted only if the URL itself allows it, because they contain links.
  const requireTLS = new URL(url).searchParams.get('ignoreTLS') !== 'true'
  // Loaded with the first mail: most processes send none.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({ url, requireTLS, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 })
  try {
    await transport.sendMail(message)
  } catch (error) {
    const { code = 'no code', responseCode = 'no answer' } = error as { code?: string; responseCode?: number }
    throw new Error(`the mail server did not take the message (${code}, ${responseCode})`)
  } finally {
    transport.close()
  }
}

interface Payload {
  userId: number
  template: TemplateName
  params: Record<'ar' | 'en', Record<string, string>>
}

/** The job that mails a notification, for templates that are also mailed. */
export const noticeMailer =
  (templates: Record<TemplateName, NoticeTexts>): Job<Payload> =>
  async ({ userId, template, params }, { db, config }) => {
    if (!config.smtpUrl) return
    const person = await findReader(db.reads, userId)
    if (!person?.isActive) return
    const language = person.preferredLanguage
    const { titleAr, titleEn, bodyAr, bodyEn, mailed } = templates[template]
    const fill = (text: string | null) =>
      (text ?? '').replace(/\{(\w+)\}/g, (_, word: string) => isolated(params[language][word] ?? '', language))
    const [title, body] = language === 'ar' ? [titleAr, bodyAr] : [titleEn, bodyEn]
    const mail = noticeMail(language, {
      name: displayName(person, language),
      title: fill(title),
      body: fill(body),
      url: `${config.publicUrl}${mailed}`,
    })
    await send(config.smtpUrl, { from: config.mailFrom, to: { name: '', address: person.email }, ...mail })
  }
