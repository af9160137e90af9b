/** The names of weekdays and months that people type, spelled as `folded` returns them: أ is ا, ة is ه, ى is ي, ئ is ي. */

export type Calendar = 'gregory' | 'islamic-umalqura'

const weekdays = [
  'sundays?|sun|الاحد|احد',
  'mondays?|mon|(?:ال)?اثنين',
  'tuesdays?|tues?|(?:ال)?ثلاثاء?|الثلثاء',
  'wednesdays?|weds?|(?:ال)?اربعاء?',
  'thursdays?|thurs?|thu|(?:ال)?خميس',
  'fridays?|fri|(?:ال)?جمعه',
  'saturdays?|sat|(?:ال)?سبت',
]
const months: Record<Calendar, string[]> = {
  gregory: [
    'january|jan|يناير|كانون الثاني',
    'february|feb|فبراير|شباط',
    'march|mar|مارس|اذار',
    'april|apr|ابريل|نيسان',
    'may|مايو|ايار',
    'june|jun|يوني[وه]|حزيران',
    'july|jul|يولي[وه]|تموز',
    'august|aug|اغسطس|اب',
    'september|sept?|سبتمبر|ايلول',
    'october|oct|اكتوبر|تشرين الاول',
    'november|nov|نوفمبر|تشرين الثاني',
    'december|dec|ديسمبر|كانون الاول',
  ],
  'islamic-umalqura': [
    'muharram|(?:ال)?محرم',
    'safar|صفر',
    'rabi(?: al)?(?: -)? (?:i|1|awwal|awal|ula)|ربيع (?:ال)?اول',
    'rabi(?: al)?(?: -)? (?:ii|2|thani|akhir|akhirah)|ربيع ال(?:اخر|ثاني)',
    'jumada(?: al)?(?: -)? (?:i|1|ula|oula|awwal)|جمادي ال(?:اولي|اول)',
    'jumada(?: al)?(?: -)? (?:ii|2|akhirah?|thani|thaniyah?|ukhra)|جمادي ال(?:اخره?|ثانيه?)',
    'rajab|رجب',
    'shaa?ban|شعبان',
    'ramadh?an|رمضان',
    'shawwal|شوال',
    'dh?u(?: al|l)?(?: -)? q[ai]{1,3}da?h?|ذ[وي] ?القعده',
    'dh?u(?: al|l)?(?: -)? hijj?ah?|ذ[وي] ?الحجه',
  ],
}
const whole = (source: string) => new RegExp(`^(?:${source})$`, 'u')
const weekdayTests = weekdays.map(whole)
const monthTests = Object.entries(months).flatMap(([calendar, names]) =>
  names.map((name, index) => ({ calendar: calendar as Calendar, month: index + 1, test: whole(name) })),
)

export const WEEKDAY = weekdays.join('|')
export const MONTH = Object.values(months).flat().join('|')
/** The number of a weekday; Sunday is 0, and an unknown name gives -1. */
export const weekdayCalled = (name: string) => weekdayTests.findIndex((test) => test.test(name))
export const monthCalled = (name: string) => monthTests.find(({ test }) => test.test(name))
