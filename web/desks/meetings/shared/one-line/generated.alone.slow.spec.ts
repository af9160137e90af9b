/** Generated lines: lines composed of known parts, and arbitrary text. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { generated } from '../../../../../test/suite.ts'

const now = { today: '2026-11-25', time: '10:00' }

/** Records the patterns of the grammar, and counts how often they are tried. */
const made: string[] = []
let tries = 0
const Plain = RegExp
class Counted extends Plain {
  constructor(source: string | RegExp, flags?: string) {
    super(source, flags)
    if (flags?.includes('y')) made.push(String(source))
  }
  override exec(text: string) {
    tries++
    return super.exec(text)
  }
}
globalThis.RegExp = Counted as typeof RegExp
const { readOneLine } = await import('./one-line.ts')
globalThis.RegExp = Plain

const pick = <T>(...all: T[]) => fc.constantFrom(...all)
const hour = fc.integer({ min: 0, max: 23 })
const minute = fc.integer({ min: 0, max: 59 })
const two = (number: number) => String(number).padStart(2, '0')
const indic = (text: string) => text.replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)]!)

const days = {
  ar: pick<[string, string]>(
    ['غدًا', '2026-11-26'],
    ['يوم الأحد', '2026-11-29'],
    ['3 ديسمبر', '2026-12-03'],
    ['14 رجب 1448هـ', '2026-12-23'],
  ),
  en: pick<[string, string]>(
    ['tomorrow', '2026-11-26'],
    ['on Sunday', '2026-11-29'],
    ['on 3 Dec', '2026-12-03'],
    ['14 Rajab 1448', '2026-12-23'],
  ),
}
const titles = { ar: pick('غداء عمل', 'مراجعة الميزانية', 'لقاء الوفد'), en: pick('Working lunch', 'Budget review', 'Visit') }
const people = {
  ar: pick('نورة العتيبي', 'وليد', 'أحمد بن سالم', 'معالي الوزير'),
  en: pick('Noura', 'Ahmed bin Salem', 'the CFO', 'Dr. Sami'),
}
const places = { ar: pick('مكتب الرئيس', 'القاعة الكبرى', 'الرياض'), en: pick('the big hall', 'Riyadh', 'Room B') }
const words = {
  ar: { with: 'مع', and: ' و', in: 'في', from: 'من', to: 'إلى' },
  en: { with: 'with', and: ' and ', in: 'in', from: 'from', to: 'to' },
}

for (const language of ['ar', 'en'] as const)
  test(`a line composed of known parts is read as these parts, in any order (${language})`, () => {
    const say = words[language]
    const parts = fc.record({
      title: titles[language],
      day: fc.option(days[language]),
      start: fc.tuple(hour, minute),
      lasts: fc.option(fc.integer({ min: 1, max: 600 })),
      place: fc.option(places[language]),
      people: fc.uniqueArray(people[language], { maxLength: 3 }),
      order: fc.array(fc.nat(), { minLength: 4, maxLength: 4 }),
      isIndic: fc.boolean(),
    })
    fc.assert(
      fc.property(parts, ({ title, day, start: [hours, minutes], lasts, place, people: names, order, isIndic }) => {
        const start = hours * 60 + minutes
        const last = lasts !== null && start + lasts < 1440 ? start + lasts : null
        const clock = (at: number) => `${two(Math.floor(at / 60))}:${two(at % 60)}`
        // The parser takes 10:00 to 12:59 as twelve-hour times, so the line includes am or pm.
        const written = (at: number) => {
          const half = language === 'ar' ? (at < 720 ? ' ص' : ' م') : at < 720 ? ' am' : ' pm'
          return at >= 600 && at < 780 ? `${clock(at)}${half}` : clock(at)
        }
        const time = last === null ? written(start) : `${say.from} ${written(start)} ${say.to} ${written(last)}`
        const pieces = [day?.[0], time, place && `${say.in} ${place}`, names.length > 0 && `${say.with} ${names.join(say.and)}`]
        const shuffled = pieces.map((piece, index) => ({ piece, by: order[index]! })).toSorted((one, other) => one.by - other.by)
        const line = [title, ...shuffled.flatMap(({ piece }) => piece || [])].join(' ')
        const { chips, unsure, ...fields } = readOneLine(isIndic ? indic(line) : line, now)
        assert.deepEqual(unsure, [], line)
        assert.deepEqual(
          fields,
          {
            title,
            date: day?.[1] ?? null,
            start: clock(start),
            end: last === null ? null : clock(last),
            place,
            people: names,
            link: null,
          },
          line,
        )
        for (const { span } of chips) assert.ok(span[0] < span[1])
      }),
      generated(300, 1000),
    )
  })

const piece = fc.oneof(
  pick(...'مع|في|من|إلى|و|ونصف|الساعة|غدًا|الأحد|القادم|3|12|:|/|-|.|م|ص|ديسمبر|رجب|لمدة|ساعة|بعد|كل|«|»|،'.split('|')),
  pick(...'with|in|at|from|to|and|half past|tomorrow|next|Sunday|5|pm|Dec|for|an hour|every|"|https://|@|the|3rd|\t|\u200F|🎉'.split('|')),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
)
const anything = fc.oneof(
  fc.array(fc.tuple(piece, pick('', ' '))).map((all) => all.flat().join('')),
  fc.tuple(piece, pick('', ' ')).map(([one, space]) => `${one}${space}`.repeat(2000)),
  fc.string({ unit: 'binary', maxLength: 2000 }),
)

test('any text is read without failure, and its chips are in order and do not overlap', () => {
  fc.assert(
    fc.property(anything, (text) => {
      const line = text.slice(0, 2000)
      const { chips, unsure, title } = readOneLine(line, now)
      let from = 0
      for (const { span } of chips) {
        assert.ok(span[0] >= from && span[1] > span[0] && span[1] <= line.length)
        from = span[1]
      }
      for (const { span } of unsure) assert.ok(chips.some((chip) => chip.span[0] <= span[0] && span[1] <= chip.span[1]))
      assert.ok(title.length <= line.length)
    }),
    generated(300, 1000),
  )
})

test('every pattern of the grammar is bounded, and is tried only a few times per word', () => {
  assert.ok(made.length > 30)
  const unbounded = /(?<!\\)(?:[*+]|\{\d*,\})/
  assert.deepEqual(
    made.filter((source) => unbounded.test(source.replace(/\[[^\]]*\]/g, ''))),
    [],
  )
  fc.assert(
    fc.property(anything, (text) => {
      const line = text.slice(0, 2000)
      tries = 0
      readOneLine(line, now)
      assert.ok(tries <= 200 * (line.length + 1), `${tries} for ${line.length} letters`)
    }),
    generated(100, 300),
  )
})
