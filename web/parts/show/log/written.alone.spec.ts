/** The values of entries as text. */
import '../../../testing/outside.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseDigits, language } from '../../../platform/language.ts'
import type { Entry } from './entries.ts'
import { both } from './texts.ts'

// The minute that `dates.ts` counts would keep the process running.
Object.assign(globalThis, { setInterval: () => 0 })
const { written } = await import('./written.ts')

const plain = (text: string | undefined) => text?.replaceAll(/[\u2068\u2069]/g, '')

test('values are words in the language in force, and days and numbers have the chosen digits', () => {
  language.value = 'ar'
  chooseDigits(true)
  const { ar } = both
  assert.deepEqual(
    [written('status', 'scheduled'), written('openMode', 'internal'), written('isActive', true), written('notes', null)],
    [ar.statuses['scheduled'], ar.words['openMode.internal'], ar.yes, ar.nothing],
  )
  assert.equal(written('maxDays', 30), '٣٠')
  assert.equal(written('startTime', '09:30'), '٠٩:٣٠')
  assert.match(written('details.date', '2026-11-28')!, /^السبت، ٢٨ نوفمبر ٢٠٢٦ \(.+\)$/)
  chooseDigits(false)
  language.value = 'en'
  assert.equal(written('status', 'scheduled'), both.en.statuses['scheduled'])
  assert.match(written('dueDate', '2026-11-28')!, /^Saturday.*28 November 2026/)
})

test('records are named, and only objects without a name have no words', () => {
  const refs = { groups: { 3: { id: 3, name: 'finance', descriptionAr: null, descriptionEn: 'Finance' } } }
  const entry = { refs } as unknown as Entry
  assert.equal(plain(written('askerGroupIds', [3, 5], entry)), 'Finance, group number 5')
  assert.equal(plain(written('teamId', 4)), 'team number 4')
  assert.equal(plain(written('attendees', [{ name: 'Huda' }, { name: 'Sami' }])), 'Huda, Sami')
  assert.equal(written('leadUserIds', []), both.en.nothing)
  assert.equal(written('weekly', [{ day: 0 }]), undefined)
  assert.equal(written('claims', { email: 'mail' }), undefined)
})
