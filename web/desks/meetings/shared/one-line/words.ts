/** The vocabulary in both languages, in the spelling of `folded`: أ is ا, ة is ه, ى is ي, ئ is ي. */

const numbers = new Map<string, number>()
const list = (words: string, from = 1) => {
  const each = words.split('|')
  each.forEach((word, index) => {
    numbers.set(word, index + from)
  })
  // The longest first, so that «الثانية عشرة» is not read as «الثانية».
  return each.toSorted((one, other) => other.length - one.length).join('|')
}

const english = list('one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve')
const counted = `${list('ثلاث|اربع|خمس|ست|سبع|ثماني|تسع|عشر', 3)}|${list('ثلاثه|اربعه|خمسه|سته|سبعه|ثمانيه|تسعه|عشره', 3)}`
const tens = '(?:خمس و)?(?:عشرين|ثلاثين|اربعين|خمسين)|خمس عشره|(?:twenty|thirty|forty|fifty)(?:(?: -)? five)?|fifteen|ninety'
const arabicHours = `${list('الواحده|الثانيه|الثالثه|الرابعه|الخامسه|السادسه|السابعه|الثامنه|التاسعه|العاشره|الحاديه عشره|الثانيه عشره')}|${list('الحاديه عشر|الثانيه عشر', 11)}`
const units = 'ثاني|ثالث|رابع|خامس|سادس|سابع|ثامن|تاسع'.split('|')
const teens = ['حادي', ...units].map((unit) => `ال${unit} عشر`)
const twenties = ['حادي', ...units].map((unit) => `ال${unit} والعشرين`)
const ordinals = list(
  ['الاول', ...units.map((unit) => `ال${unit}`), 'العاشر', ...teens, 'العشرين', ...twenties, 'الثلاثين', 'الحادي والثلاثين'].join('|'),
)
const englishOrdinals = list('first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth')

const rest = {
  15: 'fifteen|خمس عشره|quarter|a quarter|ربع',
  20: 'twenty|عشرين|ثلث',
  30: 'thirty|ثلاثين|half|a half|نصف|نص',
  40: 'forty|اربعين',
  45: 'three quarters|ثلاثه ارباع',
  50: 'fifty|خمسين',
  90: 'ninety',
}
for (const [number, words] of Object.entries(rest)) for (const word of words.split('|')) numbers.set(word, Number(number))

/** A number in digits or words; "half" is 30; "a", "an" and a missing number are 1. */
export function numberOf(word = ''): number {
  if (/^\d/.test(word)) return Number.parseInt(word, 10)
  const ten = word.replace(/^خمس و|(?: -)? five$/, '')
  return numbers.get(word) ?? (ten === word ? 1 : numberOf(ten) + 5)
}

export const HOUR = `\\d\\d?|${english}|${arabicHours}|${counted}`
export const COUNT = `\\d{1,3}|${english}|${counted}|${tens}`
export const DAY = `(\\d\\d?(?: (?:st|nd|rd|th))?|${ordinals}|اول|غره|${englishOrdinals})`

/** Parts of the day: their words, the minutes they include, and the hours to propose if none is given. */
const parts: [words: string, holds: (minute: number) => boolean, hours: number[]][] = [
  ['a \\. ?m(?: \\.)?|am|ص|قبل (?:ال)?ظهر|(?:ال)?صباحا?|(?:ال)?صبح|morning|(?:ال)?فجرا?|(?:ال)?ضحي', (at) => at < 720, [9, 10, 11]],
  ['p \\. ?m(?: \\.)?|pm|م|بعد (?:ال)?ظهر|afternoon', (at) => at >= 720, [14, 15, 16]],
  ['(?:ال)?ظهرا?', (at) => at >= 660 && at < 1020, [12, 13]],
  ['(?:ال)?عصرا?', (at) => at >= 780 && at < 1140, [15, 16]],
  // Phones read «12 مساءً» as noon, many people as midnight.
  ['(?:ال)?مساء?|evening|(?:ال)?مغربا?|العشاء', (at) => at >= 720 || at < 60, [18, 19, 20]],
  ['(?:ب?ال)?ليلا?|الليله|night|tonight', (at) => at >= 1020 || at < 300, [20, 21]],
]
const whole = (source: string) => new RegExp(`^(?:${source})$`, 'u')
const partTests = parts.map(([words, holds, hours]) => ({ test: whole(words), holds, hours }))
export const PART = parts.map(([words]) => words).join('|')
export const partCalled = (name: string) => partTests.find(({ test }) => test.test(name))!
export type Part = ReturnType<typeof partCalled>
