/** Sentences as people in an office write them, with their meaning. Their author had not seen the parser's rules. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readOneLine } from './one-line.ts'
import type { Fields, Reason } from './reading.ts'

/** A Tuesday. */
const now = { today: '2026-11-24', time: '10:00' }

interface Sentence {
  line: string
  /** Fields that are not mentioned, or that need an answer, are absent. */
  means: Partial<Fields>
  unsure?: Kind[]
}
type Kind = 'halfOfDay' | 'whichDay' | 'noSuchDay' | 'endBeforeStart' | 'twoDays' | 'twoTimes' | 'whichTime' | 'passed'

/** The kind of question for each reason. A reason without a kind appears in a failure under its own name. */
const kinds: Partial<Record<Reason, Kind>> = {
  half_of_day: 'halfOfDay',
  same_weekday: 'whichDay',
  no_such_day: 'noSuchDay',
  end_before_start: 'endBeforeStart',
  weekday_mismatch: 'twoDays',
  two_dates: 'twoDays',
  two_times: 'twoTimes',
  vague_time: 'whichTime',
  passed: 'passed',
}

const sorted = (all: string[]) => all.toSorted().join(', ')

for (const language of ['ar', 'en']) {
  const sentences = JSON.parse(readFileSync(new URL(`sentences.${language}.json`, import.meta.url), 'utf8')) as Sentence[]
  test(`each sentence is read as its author meant it, and asks the questions that the author expects (${language})`, () => {
    const failures = sentences.flatMap(({ line, means, unsure = [] }) => {
      const { chips: _, unsure: asked, ...fields } = readOneLine(line, now)
      const nothing: Fields = { title: '', date: null, start: null, end: null, place: null, people: [], link: null }
      const expected = { ...nothing, ...means, unsure: sorted(unsure) }
      const read = { ...fields, unsure: sorted([...new Set(asked.map(({ reason }) => kinds[reason] ?? reason))]) }
      const wrong = (Object.keys(expected) as (keyof typeof expected)[]).filter((key) => String(expected[key]) !== String(read[key]))
      return wrong.length > 0 ? [`${line}\n${wrong.map((key) => `    ${key}: ${read[key]}, not ${expected[key]}`).join('\n')}`] : []
    })
    assert.equal(failures.join('\n'), '')
  })
}
