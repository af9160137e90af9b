/** The mails that the portal sends, in the reader's language. */
import type { Language } from '../tables.ts'

export interface Mail {
  subject: string
  text: string
  html: string
  headers: Record<string, string>
}

const texts = {
  ar: {
    subject: 'استعادة كلمة المرور في {site}',
    greeting: 'مرحباً {name}،',
    lead: 'ورد طلب لاستعادة كلمة المرور لحسابك. لاختيار كلمة مرور جديدة، يُرجى فتح الرابط التالي:',
    expiry: 'الرابط صالح لمرة واحدة، وتنتهي صلاحيته يوم {until}.',
    otherwise: 'إن لم يكن هذا الطلب منك، فلا داعي لأي إجراء، وستبقى كلمة المرور كما هي.',
    button: 'اختيار كلمة مرور جديدة',
    inviting: 'حسابك في {site}',
    invitation: 'أُنشئ لك حساب في {site}، واسم المستخدم فيه \u2068{username}\u2069. لاختيار كلمة المرور، يُرجى فتح الرابط التالي:',
    unexpected: 'إن وصلتك هذه الرسالة خطأً، فلا داعي لأي إجراء.',
    choosing: 'اختيار كلمة المرور',
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
  },
} as const
export const mailTexts: Record<Language, Record<string, string>> = texts

const utc: Record<Language, string> = { ar: 'بالتوقيت العالمي', en: 'UTC' }

/** The usual name of a time zone at that moment: some have another name in summer. */
function nameOfZone(language: Language, moment: Date, timeZone: string) {
  if (timeZone === 'UTC') return utc[language]
  const parts = new Intl.DateTimeFormat(language, { timeZone, timeZoneName: 'long' }).formatToParts(moment)
  const name = parts.find(({ type }) => type === 'timeZoneName')!.value
  return language === 'ar' ? `(${name})` : name
}

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)
const fill = (template: string, params: Record<string, string>) => template.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')

/** A moment as people of the office read it: the Gregorian date and the time, with the Hijri date (Umm al-Qura) beside it. */
export function momentFor(language: Language, moment: Date, timeZone: string) {
  const locale = language === 'ar' ? 'ar' : 'en-GB'
  const gregorian = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone, calendar: 'gregory' }).format(moment)
  const hijri = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone, calendar: 'islamic-umalqura' }).format(moment)
  return `${gregorian} ${nameOfZone(language, moment, timeZone)} (${hijri})`
}

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
  const html = (key: Key) => escapeHtml(text(key))
  const direction = language === 'ar' ? 'rtl' : 'ltr'
  return {
    subject: text(subject),
    // Prevents out-of-office replies.
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
    text: [text('greeting'), text(lead), url, text('expiry'), text(otherwise)].join('\n\n'),
    html: `<!doctype html>
<html lang="${language}" dir="${direction}">
<head><meta charset="utf-8"><title>${html(subject)}</title></head>
<body dir="${direction}" style="font-family: 'Segoe UI', Tahoma, sans-serif; line-height: 1.7; text-align: ${direction === 'rtl' ? 'right' : 'left'}">
<p>${html('greeting')}</p>
<p>${html(lead)}</p>
<p><a href="${escapeHtml(url)}" style="display: inline-block; padding: 10px 18px; background: #1f5f8b; color: #fff; text-decoration: none; border-radius: 4px">${html(button)}</a></p>
<p dir="ltr" style="word-break: break-all; text-align: left"><a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>
<p>${html('expiry')}</p>
<p>${html(otherwise)}</p>
</body>
</html>
`,
  }
}
