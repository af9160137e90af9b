import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOneLine } from '../../shared/one-line/one-line.ts'
import { halves, keyOf, meantBy, quoted, settled } from './understood.ts'

const now = { today: '2026-11-24', time: '10:00' }
const person = (id: number, displayNameAr: string) => ({ id, username: `p${id}`, displayNameAr, displayNameEn: null })

test('an answer fills the field that the line left open, as long as the words in question stay in the line', () => {
  const line = 'lunch tomorrow at 5'
  const reading = readOneLine(line, now)
  const [question] = reading.unsure
  assert.equal(settled(reading, line, new Map()).open.length, 1)
  const answers = new Map([[keyOf(question!, line), { start: '17:00' }]])
  assert.equal(settled(reading, line, answers).fields.start, '17:00')
  const other = 'lunch tomorrow at 6'
  assert.equal(settled(readOneLine(other, now), other, answers).open.length, 1)
})

test('a name means the only colleague found, or the only one with exactly that name', () => {
  const [noura, other] = [person(1, 'نورة السالم'), person(2, 'نورة العتيبي')]
  assert.equal(meantBy('نورة', []), undefined)
  assert.equal(meantBy('نورة', [noura]), noura)
  assert.equal(meantBy('نورة', [noura, other]), 'several')
  assert.equal(meantBy('نوره العتيبي', [noura, other]), other)
})

test('a text belongs to the language of its letters, and a quoted part belongs to the title', () => {
  assert.deepEqual(halves('غداء'), { ar: 'غداء', en: '' })
  assert.deepEqual(halves('Lunch'), { ar: '', en: 'Lunch' })
  const lines = ['with Noura', 'w/ Noura', 'attended by Noura', 'in Riyadh', 'place: Riyadh', 'attendees: Noura', 'tomorrow Room 12']
  for (const line of [...lines.map((end) => `Lunch ${end}`), 'غداء مع كل من نورة', 'غداء بحضور نورة', 'غداء غدًا قاعة 3']) {
    const chip = readOneLine(line, now).chips.find(({ kind }) => kind === 'person' || kind === 'place')
    const { people, place } = readOneLine(quoted(line, chip!.span), now)
    assert.deepEqual([people, place], [[], null], line)
  }
})
