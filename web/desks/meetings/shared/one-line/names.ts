/** Finds the people, the place and the title: the words between the days and times of a line. */
import { type Line, match, pattern, type Span, spanOf, written } from './line.ts'

export interface Segment {
  kind: 'title' | 'person' | 'place'
  /** The words of the segment; for a place, without the preposition before it. */
  span: Span
  whole: Span
  /** The index of the first word. */
  at: number
  value: string
}

const WITH = pattern('(?:و?مع|و?بحضور)(?: كل من)?|attended by|with|w(?: /)?')
const IN = pattern('(?:و?في|in|at|inside)(?: (?=في |in |at ))?(?! -)')
/** A label and its colon: «المكان: القاعة الكبرى». */
const LABEL = pattern(
  '(?:((?:ال)?مكان|الموقع|place|location|venue|where)|(الحضور|المشاركون|المدعوون|attendees|participants|guests|people)|الموضوع|الوقت|التاريخ|المده|subject|title|time|date|when|duration) :',
)
const idiom = pattern(
  'look(?:ing|s)? at|deal(?:ing|s)? with|التعامل مع|in (?:preparation|person|arabic|english|detail|brief|general|principle|progress|advance)|at (?:least|last|once|risk|work|all|the (?:end|beginning|start) of)|في (?:شان|ضوء|اطار|مجال|حال|حاله|سبيل|اثناء|صدد|موضوع|اقرب|اسرع)',
)
const NOUN =
  '(?:ال)?(?:مكتب|مكاتب|قاعه|غرفه|مبني|مقر|فندق|مطعم|مقهي|ديوان|برج|صاله|مسرح|قصر|مركز|مطار|دار|بيت|منزل|استراحه|مزرعه|عياده|مستشفي|نادي|جامعه|معهد|ميدان|ملعب|مجلس(?! (?:ال)?(?:اداره|وزراء|امناء|شوري)))|وزاره|الطابق|الدور'
const place = pattern(NOUN)
const inNoun = pattern(`ب(?:${NOUN})(?:ي|نا|ه|ها|هم)?`)
/** Nouns that name a place and cannot be part of a person's name. */
const house = pattern('(?:قاعه|فندق|مطعم|مقهي|صاله)')
const NOUN_EN =
  '\\w{0,9}room|hall|office|hotel|building|floor|ministry|hq|headquarters|restaurant|palace|centre|center|tower|cafe|airport|lobby|lounge|majlis|auditorium|campus|embassy|library|house|clinic|hospital|club|theat(?:re|er)|stage|studio|gate|resort'
const placeEn = new RegExp(`\\b(?:${NOUN_EN})\\b`)
/** Words that end with a room and its number: "Main Hall", "Room 12". */
const room = pattern(
  `(?:(?:the )?(?:(?!(?:to|of|for|the|about|and|from|new|with) )[^\\s,،;؛.():–—-]{1,20} ){0,4}?)(?:${NOUN_EN})(?: \\d{1,4})?(?: [a-z])?`,
)
const goesOn = pattern(`[,،] (?:the )?(?:${NOUN}|floor|room|building|hall|level|\\d{1,3} (?:st|nd|rd|th))`)
const onFloor = pattern('on (?:the )?(?:\\S{1,12} ){1,2}(?:floor|level)')
/** The start of a subject, which ends a name or a place. */
const ABOUT = pattern(
  'about|regarding|re|on|for|to|over|because|حول|بخصوص|بشان|عن|بهدف|بغرض|لاجل|ل(?:مناقش|بحث|مراجع|اعتماد|متابع|عرض|استعراض|دراس|توقيع|تقييم|اقرار|تنسيق|تحديد|اختيار|مقابل)\\S{0,4}|لل(?:تحضير|نقاش|اطلاع|تنسيق|توقيع|بحث|متابعه|مراجعه|تشاور|اعداد)\\S{0,2}',
)
/** Names and offices that begin with the letter «و», which otherwise joins two names. */
const ownWaw =
  /^(و|وليد|وفاء|وائل|وسام|وسيم|وضحي|وضحه|وديع|وجيه|وهيب|ورده|ولاء|وئام|وصال|وحيد|وداد|وجدان|وعد|ورود|وسن|وسميه|وهبي|واصل|والد|والده|وزير|وزيره|وزاره|وزراء|وكيل|وكيله|وكاله|وكلاء|وفد|وفود|وحده|وحدات|ولي|وسيط|ورثه|وسائل|واحه|واحد|واحده)$/
/** Offices whose names may contain «و»: «مدير التخطيط والتطوير». */
const office =
  /^(و|ال)?(مدير|مديره|رئيس|رئيسه|وزير|وزيره|وزاره|وكيل|وكاله|لجنه|هيئه|اداره|قسم|مركز|فريق|نائب|مسؤول|مساعد|معهد|جمعيه|شركه|غرفه|مجلس|صندوق|قطاع|وحده|شؤون|ماليه|موارد)$/
const role = /^وال(رئيس|وزير|مدير|وكيل|نائب|امين|مستشار|سفير|فريق|لجنه|ساده|محافظ|امير|شيخ|دكتور|مهندس|استاذ)/
const particle = /^(bin|bint|ibn|al|el|abu|abd|van|von|de|der|den|di|da|du|la|le|los|of|the|ould|st|jr|sr|ii|iii|from|md|phd|s)$/
const abbreviation = /^(dr|mr|mrs|ms|eng|prof|st|jr|co|lt|gen|col|maj|brig|capt|amb|hon|و?\p{L})$/u

/** Matches a word that introduces people. A capital W does not: it belongs to the name of a room. */
export const withAt = (line: Line, at: number) =>
  line.words[at]!.isSpaced && line.text[line.words[at]!.from] !== 'W' ? match(line, at, WITH) : undefined

/** Splits the words that are neither a day nor a time into segments. `taken` maps the start of a day or time to the word after it. */
export function segmentsOf(line: Line, taken: ReadonlyMap<number, number>): Segment[] {
  const { words, text } = line
  const segments: Segment[] = []
  let kind = 'title' as Segment['kind']
  let [from, start, cut] = [0, 0, 0]
  let [isCapital, isOffice] = [false, false]

  const close = (next: number) => {
    if (next > start) {
      const [begins, ends] = spanOf(line, start, next)
      const span: Span = [begins + cut, ends]
      const value = written(line, span)
      if (value) segments.push({ kind, span, whole: spanOf(line, from, next), at: start, value })
    }
    cut = 0
  }
  const open = (as: Segment['kind'], at: number, inside = at) => {
    kind = as
    from = at
    start = inside
    isCapital = isOffice = false
  }

  for (let at = 0; at < words.length; ) {
    const next = taken.get(at)
    if (next) {
      close(at)
      at = next
      open('title', at)
      continue
    }
    const word = words[at]!
    const free = (index: number) => index < words.length && !taken.has(index)
    const withWhom = withAt(line, at)
    const isIdiom = match(line, at, idiom)
    const label = match(line, at, LABEL)
    const where = word.isSpaced && !isIdiom ? match(line, at, IN) : undefined
    const sign = word.folded
    if (label) {
      close(at)
      at = label.next
      open(label[1] ? 'place' : label[2] ? 'person' : 'title', at)
    } else if (kind === 'title' && at === start && /^[,،;؛|:.–—-]$/.test(sign)) open('title', ++at)
    else if (kind === 'title' && isIdiom) at = isIdiom.next
    else if (withWhom && free(withWhom.next)) {
      close(at)
      at = withWhom.next
      open('person', at)
    } else if (kind !== 'place' && where && free(where.next)) {
      close(at)
      open('place', at, where.next)
      at = where.next
    } else if (sign === '@' && word.isSpaced && free(at + 1) && words[at + 1]!.isSpaced) {
      close(at)
      open('place', at, at + 1)
      at++
    } else if (kind !== 'place' && match(line, at, inNoun)) {
      close(at)
      open('place', at)
      cut = text.slice(word.from, word.to).indexOf('ب') + 1
      at++
    } else if (kind !== 'place' && match(line, at, onFloor)) {
      close(at)
      open('place', at, at + 1)
      at++
    } else if (kind === 'title' && at === start && segments.length > 0 && (match(line, at, place) || isRoom(at))) open('place', at)
    else if (kind === 'title') at++
    else if (sign === '(') at = bracketed(at)
    else if (isIdiom || (match(line, at, ABOUT) && !(kind === 'place' && match(line, at, onFloor)))) {
      close(at)
      open('title', at)
      at = isIdiom?.next ?? at + 1
    } else if (
      /^[;؛|:!?؟–—]$/.test(sign) ||
      (sign === '-' && word.isSpaced) ||
      (sign === '.' && !abbreviation.test(words[at - 1]?.folded ?? ''))
    ) {
      close(at)
      open('title', at + 1)
      at++
    } else if (kind === 'place') {
      if (/^[,،]$/.test(sign) && !match(line, at, goesOn)) {
        close(at)
        open('title', at + 1)
      }
      at++
    } else at = readName(at)
  }
  close(words.length)
  return segments

  /** Whether a room begins at `at` and is followed by a sign, a day or time, a person or place, or the end of the line. */
  function isRoom(at: number) {
    const next = match(line, at, room)?.next
    if (!next) return false
    return (
      next === words.length ||
      taken.has(next) ||
      /^[,،;؛|.()–—-]$/.test(words[next]!.folded) ||
      !!(withAt(line, next) ?? match(line, next, IN))
    )
  }

  /** The index of the word after the closing bracket, or after the opening bracket if it is not closed. */
  function bracketed(at: number) {
    const end = words.slice(at, at + 12).findIndex((word, index) => word.folded === ')' || taken.has(at + index))
    return end > 0 && !taken.has(at + end) ? at + end + 1 : at + 1
  }

  /** Reads one word of a name, or one that joins two names; returns the index of the next word. */
  function readName(at: number): number {
    const { folded: sign } = words[at]!
    if (/^(and|&|و|[,،+])$/.test(sign)) {
      close(at)
      const joined = /^[,،]$/.test(sign) && /^(and|و|&)$/.test(words[at + 1]?.folded ?? '') ? at + 2 : at + 1
      const lower = isCapital && /^[,،]$/.test(sign) && isLower(joined)
      open(lower ? 'title' : 'person', joined)
      return joined
    }
    const isListed = at === start && /^[,،]$/.test(words[at - 1]?.folded ?? '')
    if (!isOffice && (at > start || isListed) && (match(line, at, house) || (isListed && isRoom(at)))) {
      close(at)
      open('place', at)
      return at + 1
    }
    const isFirst = at === start && !isListed
    const isJoined =
      !isFirst &&
      (sign.length > 2 || words[at + 1]?.folded === '.') &&
      /^و/.test(sign) &&
      !ownWaw.test(sign) &&
      !(isOffice && /^وال/.test(sign) && !role.test(sign))
    if (isJoined) {
      close(at)
      open('person', at)
      cut = text.slice(words[at]!.from, words[at]!.to).indexOf('و') + 1
    } else if (isCapital && isLower(at) && !/^(of|from|the|for)$/.test(words[at - 1]!.folded)) {
      close(at)
      open('title', at)
      return at + 1
    }
    if (isFirst || isJoined) isCapital = /^\p{Lu}/u.test(text.slice(words[at]!.from, words[at]!.to))
    if (office.test(sign.replace(isJoined ? /^و/ : /^$/, ''))) isOffice = true
    return at + 1
  }

  function isLower(at: number) {
    const word = words[at]
    if (!word) return false
    return word.isSpaced && /^\p{Ll}/u.test(text.slice(word.from, word.to)) && !particle.test(word.folded)
  }
}

/** Whether a segment clearly names a room, a building or an office. */
export const isPlain = (line: Line, { at, value }: Segment) =>
  Boolean(match(line, at, place) ?? match(line, at, inNoun)) || placeEn.test(value.toLowerCase())
