/** Finds the times of day and the lengths in a line, in minutes. */
import { type Line, match, pattern } from './line.ts'
import { COUNT, HOUR, numberOf, PART, type Part, partCalled } from './words.ts'

/** A time as written: every minute of the day that it may mean. */
export interface Timed {
  at: number[]
  isWrong: boolean
  /** Whether more than a bare number marks it as a time. */
  isMarked: boolean
}

const FRACTION =
  '(?: (?:و ?(?:ال)?(نصف?|ربع|ثلث)|الا (?:ال)?(ربع|ثلث|خمس|عشر)ا?(?: دقائق| دقايق)?|و ?(\\d\\d?|خمس|عشر|عشره) (?:دقيقه|دقائق|دقايق)|(thirty|fifteen|(?:forty|fifty)(?:(?: -)? five)?|twenty|ten)))?'
const CLOCK =
  '((?:(?:and|or|و|او) |و)?(?:(?:في|at|@|starting|starts?|من|from|عند|علي|تبدا|يبدا|وقت) ){0,2}(?:about |around |حوالي |حدود )?(?:تمام )?(?:(?:ل)?(?:ال)?ساعه )?)'
const time = pattern(
  `${CLOCK}(${HOUR})(?: ([:.h]) (\\d\\d))?${FRACTION}(?: (oclock|sharp))?(?: (?:في |in the |at |noon )?(${PART})| (noon|midnight))?`,
)
const past = pattern(
  `((?:at |from )?)(half|quarter|a quarter|\\d\\d?|five|ten|twenty)(?: minutes)? (past|to) (${HOUR})(?: (?:in the |at )?(${PART}))?`,
)
const named = pattern('(?:(?:at|from|في|عند) )?(?:(noon|midday|12 noon|منتصف النهار)|midnight|منتصف الليل)')

function within(at: number[], part: Part | undefined, isMarked: boolean): Timed {
  const held = part ? at.filter(part.holds) : at
  return { at: held.length > 0 ? held : at, isWrong: held.length === 0, isMarked }
}

/** The two minutes of the day that a 12-hour time may mean; only one for a 24-hour time. */
const minutesOf = (hour: number, minute: number, isPlain: boolean) => {
  const later = hour * 60 + minute
  return isPlain ? [later] : [((hour % 12) * 60 + minute + 1440) % 1440, ((hour % 12) * 60 + minute + 720) % 1440]
}

/** The time whose text begins at the word `index`. A bare number counts as a time only if `isBare` allows it. */
function timeAt(line: Line, index: number, isBare: boolean): (Timed & { next: number }) | undefined {
  const name = match(line, index, named)
  if (name) return { at: [name[1] ? 720 : 0], isWrong: false, isMarked: true, next: name.next }
  const to = match(line, index, past)
  if (to && !(/\d/.test(to[2]!) && to[3] === 'to')) {
    const by = numberOf(to[2])
    const hour = numberOf(to[4])
    if (hour > 12) return undefined
    return { ...within(minutesOf(hour, to[3] === 'to' ? -by : by, false), to[5] ? partCalled(to[5]) : undefined, true), next: to.next }
  }
  const found = match(line, index, time)
  if (!found) return undefined
  const [, lead = '', word = '', point, minutes, more, less, few, spoken, sharp, half, noon] = found
  const isDigits = /^\d/.test(word)
  // «ثلاث» may count anything; only «الساعة ثلاث» is a time.
  if (!/^(\d|[a-z]|ال)/.test(word) && !/ساعه/.test(lead)) return undefined
  const asked = /at|@|ساعه|تمام|start/.test(lead)
  const isMarked = asked || point === ':' || [more, less, few, spoken, sharp, half, noon].some(Boolean)
  if (point && point !== ':' && !half && !asked) return undefined
  if (!isMarked && !isBare && !(isDigits && word.length === 4)) return undefined
  // «في النصف» and "at one" need no digits, but «واحد» alone is a count.
  if (!isDigits && !isMarked && !isBare) return undefined
  const hour = numberOf(word)
  const minute = less ? -numberOf(less) : numberOf(minutes ?? more ?? few ?? spoken ?? '0')
  if (hour > 23 || minute > 59) {
    return point === ':' ? { at: [], isWrong: true, isMarked: true, next: found.next } : undefined
  }
  if (noon) return { at: [noon === 'noon' ? 720 : 0], isWrong: hour !== 12, isMarked, next: found.next }
  const isPlain = isDigits && (hour > 12 || hour === 0 || (word.length === 2 && word.startsWith('0')))
  return { ...within(minutesOf(hour, minute, isPlain), half ? partCalled(half) : undefined, isMarked), next: found.next }
}

const opening = pattern('(?:from|between|و?من|و?بين)')
const joins = pattern('(?:to|till?|until|and|-|–|—|الي|حتي|لغايه|ل|و)(?: (?=at |الساعه |ساعه ))?')
const closing = pattern('(?:until|till?|ending(?: at)?|ends(?: at)?|و?حتي|و?الي|لغايه|وينتهي|تنتهي|ينتهي)')

/** The times whose text begins at the word `index`: a start, a start and an end, or an end. */
export function timesAt(line: Line, index: number, isBare: boolean): { start?: Timed; end?: Timed; next: number } | undefined {
  const open = match(line, index, opening)
  const start = timeAt(line, open ? open.next : index, true)
  const join = start && match(line, start.next, joins)
  const isJoined = join && (!/^(and|و)/.test(join[0]!) || /between|بين/.test(open?.[0] ?? ''))
  // «بين الواحدة والثالثة»: the joining letter is part of the second word.
  const isGlued = start && /بين/.test(open?.[0] ?? '') && line.words[start.next]?.folded.startsWith('وال')
  const end = isJoined || isGlued ? timeAt(line, isJoined ? join.next : start!.next, true) : undefined
  if (start && end && (open || start.isMarked || end.isMarked || isBare)) return { start, end, next: end.next }
  const close = match(line, index, closing)
  const last = close && timeAt(line, close.next, true)
  if (last && (last.isMarked || !/الي/.test(close[0]!))) return { end: last, next: last.next }
  const alone = start && (start.isMarked || (isBare && !open)) ? start : timeAt(line, index, isBare)
  return alone && { start: alone, next: alone.next }
}

const SHARE_EN = 'a half|half|a quarter|quarter|three quarters'
const LENGTH = [
  `(?:(${COUNT}|an?) )?(?:(?:\\. (\\d)|[½]) )?(hours?|hrs?|h|minutes?|mins?|ساعات|ساعه(?: واحده)?|ساعتين|ساعتان|دقيقه|دقائق|دقايق|دقيقتين)`,
  `(?: (?:and )?(?:(${SHARE_EN})|(\\d\\d?)(?: (?:minutes?|mins?|m))?(?! (?::|am|pm))))?`,
  '(?: (?:و ?(?:ال)?(نصف?|ربع|ثلث)(?: (?:ال)?ساعه)?|الا (ربع|ثلث)|و ?(\\d\\d?|خمس|عشر) (?:دقيقه|دقائق|دقايق)))?',
].join('')
const portion = `(?:(${SHARE_EN})(?: of)?(?: an)? hour|(نصف?|ربع|ثلث|ثلاثه ارباع) (?:ال)?ساعه)`
const FOR = '(?:for|lasting|و?لمده|و?مدته|و?مدتها|مده)(?: about)?'
const lengths = [pattern(`(${FOR} |ل ?)?${portion}`), pattern(`(${FOR} |ل ?)?${LENGTH}`)]
const relative = [pattern(`(in|بعد) ${portion}(?: from now| من الان)?`), pattern(`(in|بعد) ${LENGTH}(?: from now| من الان)?`)]
function lengthOf([portioned, long]: RegExp[], line: Line, index: number) {
  const short = match(line, index, portioned!)
  if (short) return { minutes: numberOf(short[2] ?? short[3]), lead: short[1], isCounted: true, isNamed: true, next: short.next }
  const found = match(line, index, long!)
  if (!found) return undefined
  const [, lead, count, tenth, unit = '', share, rest, more, less, few] = found
  const isHours = /^(h|سا)/.test(unit)
  const size = isHours ? 60 : 1
  const base = (/ت[يا]ن$/.test(unit) ? 2 : numberOf(count)) * size + (tenth ? (Number(tenth) * size) / 10 : 0)
  const extra = numberOf(share ?? rest ?? '0') + (less ? -numberOf(less) : numberOf(more ?? few ?? '0'))
  const isCounted = /^\d/.test(count ?? '') && !/^(hour|minute)$/.test(unit)
  return { minutes: base + extra, lead, isCounted, isNamed: Boolean(count) || !/^[a-z]/.test(unit), next: found.next }
}

/** A length of time. Without “for” it needs a number, as in "90 min", or a time before it. */
export function lengthAt(line: Line, index: number, isAfterTime: boolean): { minutes: number; next: number } | undefined {
  const found = lengthOf(lengths, line, index)
  return found && found.minutes > 0 && (found.lead || found.isCounted || (isAfterTime && found.isNamed)) ? found : undefined
}

const present = pattern('right now|now|الان')
/** The minutes until the start: "in half an hour", "now". */
export function soonAt(line: Line, index: number): { minutes: number; next: number } | undefined {
  const now = match(line, index, present)
  return now ? { minutes: 0, next: now.next } : lengthOf(relative, line, index)
}

const onThe = pattern(`(?:in the |at |في |ب)(${PART.replaceAll('|م|', '|').replaceAll('|ص|', '|')})`)
const loose = pattern(`(${PART})`)
/**
 * A part of the day without an hour: «صباحًا», "in the evening"; beside a day also without a preposition, as in "tomorrow morning" and
 * «مساء الأحد».
 */
export function partAt(line: Line, index: number, isBesideDay: boolean): { part: Part; next: number } | undefined {
  const found = match(line, index, onThe) ?? match(line, index, loose)
  if (!found) return undefined
  const isOpen =
    isBesideDay || /^(في|in|at) /.test(found[0]!) || /^(صباحا|ظهرا|عصرا|فجرا|ليلا|مساء|(?:بعد|قبل) (?:ال)?ظهر)$/.test(found[1]!)
  return isOpen && found[1]!.length > 2 ? { part: partCalled(found[1]!), next: found.next } : undefined
}

const prayer = pattern('(?:بعد|قبل|عقب) (?:صلاه (?:ال)?(?:ظهر|جمعه|تراويح)|(?:صلاه )?(?:ال)?(?:فجر|عصر|مغرب|عشاء))')
/** A time without an hour, such as «بعد صلاة العصر». */
export const vagueAt = (line: Line, index: number) => match(line, index, prayer)

const bound = pattern('before|after|by|قبل|بعد')
/** A time that is only a bound: "by 5 pm". */
export function boundAt(line: Line, index: number): (Timed & { next: number }) | undefined {
  const found = match(line, index, bound)
  return found && timeAt(line, found.next, false)
}
