/** The mails that the portal sends, in the reader's language. */

import type { Language } from '../../platform/tables.ts'
import { momentFor } from '../../platform/text.ts'

export interface Mail {
  subject: string
  text: string
  html: string
  headers: Record<string, string>
}

const texts = {
  ar: {
    subject: 'استعادة كلمة المرور في {site}',
    greeting: 'مرحبًا {name}،',
    lead: 'ورد طلب لاستعادة كلمة المرور لحسابك. لاختيار كلمة مرور جديدة، افتح الرابط التالي:',
    expiry: 'الرابط صالح لمرة واحدة، وتنتهي صلاحيته يوم {until}.',
    otherwise: 'إن لم يكن هذا الطلب منك، فلا داعي لأي إجراء، وستبقى كلمة المرور كما هي.',
    button: 'اختيار كلمة مرور جديدة',
    inviting: 'حسابك في {site}',
    invitation: 'أُنشئ لك حساب في {site}، واسم المستخدم فيه \u2068{username}\u2069. لاختيار كلمة المرور، افتح الرابط التالي:',
    unexpected: 'إن وصلتك هذه الرسالة خطأً، فلا داعي لأي إجراء.',
    choosing: 'اختيار كلمة المرور',
    security: 'الأمان وتسجيل الدخول',
    opening: 'افتح في البوابة',
    entering: 'الدخول إلى {site}',
    wayIn:
      'ورد طلب لاستعادة كلمة المرور لحسابك في {site}، لكن الدخول إليه يكون بحسابك لدى المؤسسة لا بكلمة مرور. للدخول، افتح الرابط التالي:',
    invitedWayIn: 'أُنشئ لك حساب في {site}، واسم المستخدم فيه \u2068{username}\u2069. للدخول بحسابك لدى المؤسسة، افتح الرابط التالي:',
    signingIn: 'تسجيل الدخول',
  },
  en: {
    subject: 'Reset your {site} password',
    greeting: 'Hello {name},',
    lead: 'Someone asked to reset your password. To choose a new one, open this link:',
    expiry: 'The link works once and expires on {until}.',
    otherwise: 'If it was not you, ignore this message; your password has not changed.',
    button: 'Choose a new password',
    inviting: 'Your account at {site}',
    invitation:
      'An account has been created for you at {site}. Your username is \u2068{username}\u2069. To choose a password, open this link:',
    unexpected: 'If this message reached you by mistake, ignore it.',
    choosing: 'Choose a password',
    security: 'Security and sign-in',
    opening: 'Open in the portal',
    entering: 'Signing in to {site}',
    wayIn:
      'Someone asked to reset your password at {site}. You sign in there with the account of your organisation, not with a password. To sign in, open this link:',
    invitedWayIn:
      'An account has been created for you at {site}. Your username is \u2068{username}\u2069. To sign in with the account of your organisation, open this link:',
    signingIn: 'Sign in',
  },
} as const
export const mailTexts: Record<Language, Record<string, string>> = texts

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)
const fill = (template: string, params: Record<string, string>) => template.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')

type Key = keyof (typeof texts)['ar']
/** The texts around the link. */
interface Words {
  subject: Key
  lead: Key
  otherwise: Key
  button: Key
}
interface Link {
  name: string
  username: string
  site: string
  url: string
  expiresAt: Date
  timeZone: string
}
export type LinkMail = (language: Language, link: Link) => Mail

export const resetMail: LinkMail = (language, link) =>
  linkMail(language, link, { subject: 'subject', lead: 'lead', otherwise: 'otherwise', button: 'button' })
export const invitationMail: LinkMail = (language, link) =>
  linkMail(language, link, { subject: 'inviting', lead: 'invitation', otherwise: 'unexpected', button: 'choosing' })

function linkMail(
  language: Language,
  { name, username, site, url, expiresAt, timeZone }: Link,
  { subject, lead, otherwise, button }: Words,
): Mail {
  const params = { name, username, site, until: momentFor(language, expiresAt, timeZone) }
  const text = (key: Key) => fill(texts[language][key], params)
  return written(language, {
    subject: text(subject),
    before: [text('greeting'), text(lead)],
    url,
    button: text(button),
    after: [text('expiry'), text(otherwise)],
  })
}

/** The mail of a notification, with a button to the page that it is about. */
export const noticeMail = (language: Language, notice: { name: string; title: string; body: string; url: string }) =>
  written(language, {
    subject: notice.title,
    before: [fill(texts[language].greeting, notice), notice.body],
    url: notice.url,
    button: texts[language][notice.url.endsWith('/account/security') ? 'security' : 'opening'],
    after: [],
  })

/** The mail to someone who signs in through a provider, in place of a link to choose a password. */
export function wayInMail(
  language: Language,
  { isInvited, ...params }: { name: string; username: string; site: string; url: string; isInvited: boolean },
) {
  const text = (key: Key) => fill(texts[language][key], params)
  const lead = isInvited ? text('invitedWayIn') : text('wayIn')
  const after = isInvited ? [text('unexpected')] : []
  return written(language, {
    subject: text('entering'),
    before: [text('greeting'), lead],
    url: params.url,
    button: text('signingIn'),
    after,
  })
}

interface Letter {
  subject: string
  before: string[]
  url: string
  button: string
  after: string[]
}
function written(language: Language, { subject, before, url, button, after }: Letter): Mail {
  const direction = language === 'ar' ? 'rtl' : 'ltr'
  const paragraphs = (some: string[]) => some.map((text) => `<p>${escapeHtml(text)}</p>\n`).join('')
  return {
    subject,
    // Prevents out-of-office replies.
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
    text: [...before, url, ...after].join('\n\n'),
    html: `<!doctype html>
<html lang="${language}" dir="${direction}">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body dir="${direction}" style="font-family: 'Segoe UI', Tahoma, sans-serif; line-height: 1.7; text-align: ${direction === 'rtl' ? 'right' : 'left'}">
${paragraphs(before)}<p><a href="${escapeHtml(url)}" style="display: inline-block; padding: 10px 18px; background: #1f5f8b; color: #fff; text-decoration: none; border-radius: 4px">${escapeHtml(button)}</a></p>
<p dir="ltr" style="word-break: break-all; text-align: left"><a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>
${paragraphs(after)}</body>
</html>
`,
  }
}
