/** What the portal writes by mail, in the reader's language. */
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
    invitation: 'طُلب رابط لتعيين كلمة مرور جديدة لحسابك. افتح الرابط التالي لتعيينها:',
    expiry: 'الرابط صالح لمرة واحدة حتى {until}.',
    otherwise: 'إن لم تطلب ذلك فتجاهل هذه الرسالة، وستبقى كلمة مرورك كما هي.',
    button: 'تعيين كلمة المرور',
  },
  en: {
    subject: 'Reset your {site} password',
    greeting: 'Hello {name},',
    invitation: 'A link to set a new password for your account was asked for. Open it to set one:',
    expiry: 'The link works once, until {until}.',
    otherwise: 'If you did not ask for it, ignore this message; your password stays as it is.',
    button: 'Set a password',
  },
} as const
export const mailTexts: Record<Language, Record<string, string>> = texts

const utc: Record<Language, string> = { ar: 'بالتوقيت العالمي', en: 'UTC' }

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)
const fill = (template: string, words: Record<string, string>) => template.replace(/\{(\w+)\}/g, (_, word: string) => words[word] ?? '')

/** A moment for people: the Gregorian date and time (UTC) with the Umm al-Qura Hijri date beside it. */
export function momentFor(language: Language, moment: Date) {
  const locale = language === 'ar' ? 'ar' : 'en-GB'
  const gregorian = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC', calendar: 'gregory' }).format(
    moment,
  )
  const hijri = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC', calendar: 'islamic-umalqura' }).format(moment)
  return `${gregorian} ${utc[language]} (${hijri})`
}

export function resetMail(
  language: Language,
  { name, site, url, expiresAt }: { name: string; site: string; url: string; expiresAt: Date },
): Mail {
  const words = { name, site, until: momentFor(language, expiresAt) }
  const say = (key: keyof (typeof texts)['ar']) => fill(texts[language][key], words)
  const html = (key: keyof (typeof texts)['ar']) => escapeHtml(say(key))
  const direction = language === 'ar' ? 'rtl' : 'ltr'
  return {
    subject: say('subject'),
    // Nobody's out-of-office answer is wanted.
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
    text: [say('greeting'), say('invitation'), url, say('expiry'), say('otherwise')].join('\n\n'),
    html: `<!doctype html>
<html lang="${language}" dir="${direction}">
<head><meta charset="utf-8"><title>${html('subject')}</title></head>
<body dir="${direction}" style="font-family: 'Segoe UI', Tahoma, sans-serif; line-height: 1.7; text-align: ${direction === 'rtl' ? 'right' : 'left'}">
<p>${html('greeting')}</p>
<p>${html('invitation')}</p>
<p><a href="${escapeHtml(url)}" style="display: inline-block; padding: 10px 18px; background: #1f5f8b; color: #fff; text-decoration: none; border-radius: 4px">${html('button')}</a></p>
<p dir="ltr" style="word-break: break-all; text-align: left"><a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>
<p>${html('expiry')}</p>
<p>${html('otherwise')}</p>
</body>
</html>
`,
  }
}
