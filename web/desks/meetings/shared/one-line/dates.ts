/** Finds the days in a line. */
import { type Calendar, dateOf, dayOf, monthOf, plus, weekdayOf } from '../../../../parts/forms/calendar/days.ts'
import { MONTH, monthCalled, WEEKDAY, weekdayCalled } from '../../../../parts/forms/calendar/names.ts'
import { type Line, type Match, match, pattern } from './line.ts'
import { COUNT, DAY, HOUR, numberOf, PART, type Part, partCalled } from './words.ts'

/** A day as written: the days it may mean, and why there may be several. */
export interface Dated {
  days: string[]
  /** Whether the text can mean a given day. A weekday fits many days. */
  fits: (day: string) => boolean
  reason?: 'no_such_day' | 'passed' | 'same_weekday' | 'which_week' | 'vague_day' | 'no_month' | 'repeats' | 'two_dates' | 'which_night'
  part?: Part
  isWeekday?: boolean
  /** Whether a weekday follows "on" or «يوم»; undefined if it follows another word. */
  isMarked?: boolean
}

const meaning = (days: string[], reason?: Dated['reason']): Dated => ({ days, reason, fits: (day) => days.includes(day) })

const LEAD =
  '(?:(?:on|in|for|from|until|and|or|of|through|the|في|يوم(?! ،)|ليوم|بتاريخ|تاريخ|من|و|او|الي|حتي|الموافق|يوافق|corresponding to|[,،=(]) ){0,3}'
const ERA = '(م|ه|هجريه?|ميلاديه?|ah|h|ad|ce)'
const YEAR = `(?: (?:[,،] )?(?:(?:سنه|عام) )?(\\d{4})(?: ${ERA})?)?`
const TOMORROW = '(?:tomorrow|tmrw|tmr|2 (?:moro|mrw)|(?:ال)?غدا?|بكر[اه]|باكر)'
const NEXT = 'القادمه?|المقبله?|الجايه?|التالي'

/** The last day of the month and the one after it, to propose for a day that does not exist. */
function around(year: number, month: number, calendar: Calendar): Dated {
  const first = dayOf({ year, month, day: 1 }, calendar)
  const { length } = first ? monthOf(first, calendar) : { length: 0 }
  return { days: first ? [plus(first, length - 1), plus(first, length)] : [], reason: 'no_such_day', fits: () => false }
}

/** A day and month in the year `written`, by default this year. Without `written`, asks for the year if that day has passed. */
function inYear(day: number, month: number, calendar: Calendar, today: string, written?: number): Dated | undefined {
  if (day < 1 || day > 31 || month < 1 || month > 12) return undefined
  const year = written ?? dateOf(today, calendar).year
  const found = dayOf({ year, month, day }, calendar)
  if (!found) {
    const near = around(year, month, calendar)
    return written === undefined && near.days.some((one) => one < today) ? around(year + 1, month, calendar) : near
  }
  if (written !== undefined || found >= today) return meaning([found])
  const next = dayOf({ year: year + 1, month, day }, calendar)
  return meaning(next ? [next, found] : [found], 'passed')
}

function ofMonth([, day, name, year]: (string | undefined)[], today: string) {
  const { calendar, month } = monthCalled(name!)!
  const isOther = year !== undefined && Number(year) < 1700 !== (calendar !== 'gregory')
  if (isOther) return meaning([], 'no_such_day')
  const written = year ? Number(year) : undefined
  return inYear(numberOf(day), month, calendar, today, written) ?? around(written ?? dateOf(today, calendar).year, month, calendar)
}

/**
 * A date in numbers with a year. The month is in the middle, unless only the other order gives a month. The year is last, or first if the
 * first number is above 31.
 */
function ofNumbers([, first, , second, third, era]: Match, today: string) {
  const [one, month, last] = [Number(first), Number(second), Number(third)]
  const [day, short] = one > 31 ? [last, one] : [one, last]
  const year = short > 99 ? short : short + (short < 40 ? 2000 : 1400)
  if (short < 20 || short > 59 ? short < 1000 : first!.length > 2) return undefined
  const calendar = year < 1700 || /^(ه|a?h)/.test(era ?? '') ? 'islamic-umalqura' : 'gregory'
  const turned = dayOf({ year, month: day, day: month }, calendar)
  return inYear(day, month, calendar, today, year) ?? (turned ? meaning([turned]) : meaning([], 'no_such_day'))
}

function ofDayAndMonth([, first, second, era]: Match, today: string) {
  const [day, month] = [Number(first), Number(second)]
  // «24/7» is not a date, and neither is a fraction.
  if ((day === 24 && month === 7) || (day > 12 && month > 12)) return undefined
  const calendar = era ? 'islamic-umalqura' : 'gregory'
  return month > 12 ? inYear(month, day, calendar, today) : inYear(day, month, calendar, today)
}

function ofWeekday([whole, before, name, after]: Match, today: string): Dated {
  const weekday = weekdayCalled(name!)
  const ahead = (weekday - weekdayOf(today) + 7) % 7
  const nearest = plus(today, ahead)
  const [later, coming] = [plus(nearest, 7), ahead === 0 ? plus(today, 7) : nearest]
  const all = (days: string[], reason?: Dated['reason']): Dated => ({
    days,
    reason,
    fits: (day) => weekdayOf(day) === weekday,
    isWeekday: true,
    isMarked: whole!.startsWith(name!) ? false : /^(?:on|(?:في )?يوم) /.test(whole!) || undefined,
  })
  if (/^(every|each|كل)/.test(before ?? '') || name!.endsWith('days')) return all([coming], 'repeats')
  if (/^(last|past)/.test(before ?? '') || /^(الماضي|الفائت)/.test(after ?? '')) return meaning([plus(coming, -7 - (ahead === 0 ? 7 : 0))])
  if (/^(بعد|after|week)/.test(after ?? '')) return meaning([plus(coming, 7)])
  // On a Tuesday, "next Thursday" means this week to some people and next week to others.
  if (/^next/.test(before ?? '') && ahead > 0 && weekday > weekdayOf(today)) return all([nearest, later], 'which_week')
  if (/next|coming/.test(before ?? '') || after) return all([coming])
  return ahead === 0 ? all([today, later], 'same_weekday') : all([nearest])
}

function ofWeek(by: number, today: string): Dated {
  const first = plus(today, by * 7 - weekdayOf(today))
  const days = Array.from({ length: 7 }, (_, at) => plus(first, at))
  return meaning(by === 0 ? days.filter((day) => day >= today) : days, 'vague_day')
}

function ofNextMonth(today: string): Dated {
  const { first, length } = monthOf(today, 'gregory')
  const next = plus(first, length)
  const { length: days } = monthOf(next, 'gregory')
  return { days: [], reason: 'vague_day', fits: (day) => day >= next && day < plus(next, days) }
}

/** «يوم 15»: asks for the month. */
function ofDay(day: number, today: string): Dated | undefined {
  if (day < 1 || day > 31) return undefined
  const fits = (one: string) => Number(one.slice(8)) === day
  const days = Array.from({ length: 93 }, (_, by) => plus(today, by)).filter(fits)
  return { days: days.slice(0, 2), fits, reason: 'no_month' }
}

type Reader = (found: Match, today: string) => Dated | undefined
const after = (days: number): Reader => {
  return (_, today) => meaning([plus(today, days)])
}
const TONIGHT = partCalled('tonight')

const readers: [RegExp, Reader][] = [
  [
    pattern(`${LEAD}${DAY}(?: of| من)? (?:-|–|—|to|until|and|الي|حتي|و) (?:the )?${DAY}(?: of| من)?(?: شهر)? (${MONTH})${YEAR}`),
    ([, first, second, name, year], today) => {
      const both = [first, second].map((day) => ofMonth([undefined, day, name, year], today))
      return meaning(
        both.flatMap((one) => one?.days.slice(0, 1) ?? []),
        'two_dates',
      )
    },
  ],
  [
    pattern(`${LEAD}${DAY}(?: of| من)?(?: شهر)? (${MONTH})(?: / (?:${MONTH}))?${YEAR}(?: (${NEXT}))?`),
    (found, today) => {
      const dated = ofMonth(found, today)
      return found[5] && dated?.reason === 'passed' ? meaning(dated.days.slice(0, 1)) : dated
    },
  ],
  [
    pattern(
      `${LEAD}(${MONTH})(?: the)? (\\d\\d?(?: (?:st|nd|rd|th))?)${YEAR}(?! (?:[:.] \\d|[ap] ?\\.? ?m |[صم] |${MONTH}|[-–] \\d\\d?(?= )(?!(?: : \\d\\d)?(?: [ap]m)? (?:to|until|till|[-–]) )))`,
    ),
    ([, name, day, year, era], today) => ofMonth([undefined, day, name, year, era], today),
  ],
  [pattern(`${LEAD}(\\d{1,4}) ([/.-]) (\\d\\d?) \\2 (\\d{1,4})(?: ${ERA})?`), ofNumbers],
  [pattern(`${LEAD}(\\d\\d?) / (\\d\\d?)(?: (ه|ah))?(?! / \\d)`), ofDayAndMonth],
  [pattern(`(?:on |in )?(?:the )?(?:day )?after ${TOMORROW}|overmorrow|(?:يوم )?بعد ${TOMORROW}`), after(2)],
  [pattern(`${LEAD}${TOMORROW}`), after(1)],
  [pattern('(?:on )?yesterday|(?:يوم )?(?:ال)?امس'), after(-1)],
  [pattern('tonight|هذه الليله|الليله'), (_, today) => ({ ...meaning([today]), part: TONIGHT })],
  [
    pattern('this (morning|afternoon|evening)|هذا (الصباح|المساء|العصر)'),
    ([, en, ar], today) => ({ ...meaning([today]), part: partCalled((en ?? ar)!) }),
  ],
  [pattern('(?:for )?today|هذا اليوم|في هذا اليوم'), after(0)],
  // «اليوم الوطني» is not today.
  [pattern(`(?:في )?(?:ل)?اليوم(?! (?!(?:${WEEKDAY}|${PART}|${HOUR}|الساعه|القادم|الموافق) )ال)`), after(0)],
  [
    pattern(`(?:في )?ليله (${WEEKDAY})`),
    ([, name], today) => {
      // «ليلة الخميس»: some people mean the night before Thursday, others the night after it.
      const [day] = ofWeekday(Object.assign(['', undefined, name], { next: 0 }), today).days
      return {
        ...meaning(
          [day!, plus(day!, -1)].filter((one) => one >= today),
          'which_night',
        ),
        part: TONIGHT,
      }
    },
  ],
  // Asks for the day of a counted weekday: "the first Sunday of the month".
  [
    pattern(
      `${LEAD}(?:first|second|third|fourth|last|اول|ثاني|ثالث|رابع|اخر) (?:${WEEKDAY}) (?:of|in|في|من) (?:شهر )?(?:the )?(?:next month|month|الشهر|${MONTH})`,
    ),
    () => ({ days: [], reason: 'vague_day', fits: () => true }),
  ],
  [pattern(`(?:in|في)(?: شهر)? (?:${MONTH})(?: \\d{4})?`), () => ({ days: [], reason: 'vague_day', fits: () => true })],
  [
    pattern(
      `(?:in|after|بعد) (?:(${COUNT}|an?) )?(days?|weeks?|يومين|اسبوعين|ايام|يوما?|اسابيع|اسبوع)(?: من (?:الان|اليوم)| from (?:now|today))?`,
    ),
    ([, count, unit = ''], today) => {
      const two = unit.endsWith('ين') ? 2 : numberOf(count)
      return meaning([plus(today, two * (/^(week|اس)/.test(unit) ? 7 : 1))])
    },
  ],
  [
    pattern(
      `${LEAD}(?:(?:the )?((?:this )?coming|next|this|last|past|every|each|هذا|كل(?: يوم)?) )?و?(${WEEKDAY})(?: (بعد القادم|after next|week(?= (?:at|from|\\d))|${NEXT}|الماضي[ه]?|الفائت))?`,
    ),
    (found, today) =>
      /^(احد|اثنين|ثلاثاء?|اربعاء?|خميس|جمعه|سبت)$/.test(found[2]!) && !/كل|يوم/.test(found[0]!) ? undefined : ofWeekday(found, today),
  ],
  [
    pattern(`(?:(?:of|in|on|في|من|خلال) )?(?:the )?(?:(next|coming|this) week|(?:هذا )?الاسبوع(?: (${NEXT}|الحالي|هذا))?)`),
    ([whole, en, ar], today) =>
      en || ar || /هذا/.test(whole!) ? ofWeek(/this/.test(en ?? '') || /هذا|حالي/.test(whole!) ? 0 : 1, today) : undefined,
  ],
  [pattern(`(?:(?:of|in|on|في|من|خلال) )?(?:the )?(?:(?:next|coming) month|الشهر (?:${NEXT}))`), (_, today) => ofNextMonth(today)],
  [
    pattern(
      `(?:(?:on )?the |(?<=(?:${WEEKDAY}) ))(\\d\\d?) (?:st|nd|rd|th)(?! (?:floor|level|meeting|anniversary|session|edition|annual|of the))`,
    ),
    ([, day], today) => ofDay(Number(day), today),
  ],
  [pattern('(?:في |ل)?(?:يوم|بتاريخ) (\\d\\d?)(?! (?:[:/.-]|ايام|يوم))'), ([, day], today) => ofDay(Number(day), today)],
]

/** The day whose text begins at the word `index`; undefined if no day begins there. */
export function dateAt(line: Line, index: number, today: string): (Dated & { next: number }) | undefined {
  for (const [wanted, read] of readers) {
    const found = match(line, index, wanted)
    const dated = found && read(found, today)
    if (dated) return { ...dated, next: found.next }
  }
  return undefined
}
