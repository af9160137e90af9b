/** The sentences about the portal's health in both languages, with sizes and times. */
import { countedAr, countedEn, formatNumber, texts } from '../../../../platform/language.ts'
import type { Exception } from './exceptions.ts'

const ar = {
  databaseGone: 'قاعدة البيانات لا تجيب.',
  slow: (ms: string) => `قاعدة البيانات بطيئة: تجيب في ${ms}.`,
  broken: 'سجل التدقيق غير سليم: ختم لا يطابق مدخلاته.',
  sealLate: (since: string) => `لم يُختم سجل التدقيق منذ ${since}، والأختام عمل الطابور.`,
  streamFails: 'لا يصل سجل التدقيق إلى الخادم الذي يحفظ نسخته.',
  streamLate: (since: string) => `بث سجل التدقيق متأخر: أقدم مدخل لم يُرسل ينتظر منذ ${since}.`,
  full: (free: string) => `أوشك مكان الملفات أن يمتلئ: بقي ${free}.`,
  queueLate: (since: string) => `مهمة خلفية تنتظر دورها منذ ${since}.`,
  givenUp: countedAr({
    zero: '',
    one: 'مهمة خلفية تُركت بعد محاولات.',
    two: 'مهمتان خلفيتان تُركتا بعد محاولات.',
    few: '# مهام خلفية تُركت بعد محاولات.',
    many: '# مهمة خلفية تُركت بعد محاولات.',
    other: '# مهمة خلفية تُركت بعد محاولات.',
  }),
  newer: (version: string) => `صدر إصدار أحدث: ${version}.`,
  versionUnknown: 'تعذّر السؤال عن أحدث إصدار.',
  noMail: 'لا بريد: تُصدر روابط كلمات المرور بيدك.',
  noPush: 'لا إشعارات خارج الصفحة: لم تُضبط مفاتيحها في الخادم.',
  noSecrets: 'لا مفتاح للأسرار: تتعطّل من دونه تطبيقات المصادقة ومزوّدو الدخول الذين لهم سر.',
  clockOff: (gap: string) => `تختلف ساعة الخادم عن ساعة قاعدة البيانات بمقدار ${gap}، فقد تُرفض رموز الدخول.`,
}
const en: typeof ar = {
  databaseGone: 'The database doesn’t answer.',
  slow: (ms) => `The database is slow: it answers in ${ms}.`,
  broken: 'The audit log isn’t intact: a seal doesn’t fit its entries.',
  sealLate: (since) => `The audit log hasn’t been sealed for ${since}. Sealing is a background job.`,
  streamFails: 'The collector of the audit stream doesn’t take the log.',
  streamLate: (since) => `The audit stream is behind: the oldest entry not yet sent has waited ${since}.`,
  full: (free) => `There is little room for files: ${free} left.`,
  queueLate: (since) => `A background job has been waiting for ${since}.`,
  givenUp: countedEn({
    zero: '',
    one: 'A background job was given up after several tries.',
    other: '# background jobs were given up after several tries.',
  }),
  newer: (version) => `A newer version is out: ${version}.`,
  versionUnknown: 'The newest version couldn’t be asked for.',
  noMail: 'No mail: you issue password links yourself.',
  noPush: 'No notifications outside the page: their keys aren’t set on the server.',
  noSecrets: 'No key for secrets: without it, authenticator apps and providers with a secret don’t work.',
  clockOff: (gap) => `The clocks of the server and of the database are ${gap} apart: codes for signing in may be refused.`,
}
const t = texts({ ar, en })

const unit = (value: number, name: string, digits = 0) =>
  formatNumber(value, { style: 'unit', unit: name, unitDisplay: 'long', maximumFractionDigits: digits })

export const milliseconds = (ms: number) => unit(ms, 'millisecond', ms < 10 ? 1 : 0)

const sizes = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']
/** A size in words: “1.5 gigabytes”. */
export function bytes(count: number) {
  const step = count < 1 ? 0 : Math.min(sizes.length - 1, Math.floor(Math.log10(count) / 3))
  return unit(count / 1000 ** step, sizes[step]!, step > 1 ? 1 : 0)
}

const spans: [name: string, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
]
/** A time in words: “3 hours”. */
export function since(seconds: number) {
  const [name, size] = spans.find(([, size]) => seconds >= size) ?? ['second', 1]
  return unit(Math.floor(seconds / size), name)
}

/** A sentence for each exception. */
export function sentenceOf(one: Exception): string {
  switch (one.what) {
    case 'slow':
      return t.slow(milliseconds(one.ms))
    case 'queueLate':
      return t.queueLate(since(one.seconds))
    case 'clockOff':
      return t.clockOff(since(Math.abs(one.seconds)))
    case 'sealLate':
      return t.sealLate(since(one.seconds))
    case 'streamLate':
      return t.streamLate(since(one.seconds))
    case 'givenUp':
      return t.givenUp(one.count)
    case 'full':
      return t.full(bytes(one.free))
    case 'newer':
      return t.newer(one.version)
    default:
      return t[one.what]
  }
}
