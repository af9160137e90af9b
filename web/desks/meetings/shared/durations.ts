/** Lengths of time in words. */
import { countedAr, countedEn, texts } from '../../../platform/language.ts'

const hoursAr = (two: string) => countedAr({ zero: '# ساعة', one: 'ساعة', two, few: '# ساعات', many: '# ساعة', other: '# ساعة' })
const minutesAr = (two: string) => countedAr({ zero: '# دقيقة', one: 'دقيقة', two, few: '# دقائق', many: '# دقيقة', other: '# دقيقة' })

type Words = Record<'hours' | 'minutes', (count: number) => string>
function writtenAr({ hours, minutes }: Words, total: number) {
  const [whole, rest] = [Math.floor(total / 60), total % 60]
  if (whole === 0) return rest === 30 ? 'نصف ساعة' : rest === 15 ? 'ربع ساعة' : minutes(rest)
  if (rest === 0) return hours(whole)
  return `${hours(whole)} و${rest === 30 ? 'نصف' : rest === 15 ? 'ربع' : minutes(rest)}`
}

const hoursEn = countedEn({ one: '# hour', other: '# hours' })
const minutesEn = countedEn({ one: '# minute', other: '# minutes' })
function writtenEn(total: number) {
  const [whole, rest] = [Math.floor(total / 60), total % 60]
  return [whole > 0 && hoursEn(whole), (rest > 0 || whole === 0) && minutesEn(rest)].filter(Boolean).join(' ')
}

const ar = {
  is: (total: number) => writtenAr({ hours: hoursAr('ساعتان'), minutes: minutesAr('دقيقتان') }, total),
  of: (total: number) => writtenAr({ hours: hoursAr('ساعتين'), minutes: minutesAr('دقيقتين') }, total),
}
const en: typeof ar = { is: writtenEn, of: writtenEn }
const t = texts({ ar, en })

/** A length in words, as the subject of a sentence: "1 hour 30 minutes". */
export const duration = (minutes: number) => t.is(minutes)
/** As `duration`, but after another word, where Arabic declines “two hours”. */
export const durationOf = (minutes: number) => t.of(minutes)
